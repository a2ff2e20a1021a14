import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { box, film, filmedAt } from "../../../../../tests/harness/film.ts";
import { volume } from "../../../../../tests/harness/volume.ts";
import { Refusal } from "../../http/errors.ts";
import { rangeOf } from "./file.routes.ts";
import { cleanVideo } from "./video.ts";

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "herdwise-film-"));
});
afterAll(() => rm(folder, { recursive: true }));

async function cleaned(bytes: Buffer): Promise<Buffer> {
  const path = join(folder, "film.mp4");
  await writeFile(path, bytes);
  await cleanVideo(path);
  return readFile(path);
}

test.each(["isom", "mp42", "qt  "])(
  "a film of brand %s keeps its pictures and its length, and loses its place",
  async (brand) => {
    const before = film(brand);
    expect(before.toString("latin1").split(filmedAt)).toHaveLength(7);
    const after = await cleaned(before);
    expect(after.length).toBe(before.length);
    const text = after.toString("latin1");
    for (const left of [filmedAt, "©xyz", "location", "a camera's own"]) expect(text).not.toContain(left);
    for (const kept of ["vide", "soun", "mvhd", "tkhd"]) expect(text).toContain(kept);
    const data = (bytes: Buffer) => bytes.subarray(bytes.indexOf("mdat"));
    expect(data(after).equals(data(before))).toBe(true);
    // Once more there is nothing to do.
    expect((await cleaned(after)).equals(after)).toBe(true);
  },
);

const whole = film();
test.each<[string, Buffer]>([
  ["nothing that is a box", Buffer.from("<!doctype html><script>alert(1)</script>".repeat(50))],
  ["an archive", Buffer.from(`PK\u0003\u0004${"x".repeat(500)}`)],
  ["another brand", film("evil")],
  ["sound alone", film("isom", ["soun"])],
  ["no index", Buffer.concat([box("ftyp", "isom"), box("mdat", "x")])],
  ["no pictures and sound", Buffer.concat([box("ftyp", "isom"), box("moov", box("mvhd", Buffer.alloc(100)))])],
  ["two indexes", Buffer.concat([whole, box("moov", Buffer.alloc(0))])],
  ["a page behind the film", Buffer.concat([whole, Buffer.from("<script>alert(1)</script>")])],
  ["a box of another kind", Buffer.concat([whole, box("html", "<script>")])],
  ["an end that is cut off", whole.subarray(0, whole.length - 5)],
  ["a box that is longer than what holds it", Buffer.from(whole.toString("latin1").replace("mvhd", "trak"), "latin1")],
])("%s is refused", async (_what, bytes) => {
  await expect(cleaned(bytes)).rejects.toBeInstanceOf(Refusal);
});

test("whatever a byte is changed to, a film is taken or refused, and nothing else happens", async () => {
  const count = volume({ short: 300, long: 5000 });
  const head = whole.indexOf("mdat");
  for (let at = 0; at < count; at += 1) {
    const bytes = Buffer.from(whole.subarray(0, head + 100));
    // The last box ends where the file does.
    bytes.writeUInt32BE(104, head - 4);
    bytes[(at * 7919) % head] = (at * 31) % 256;
    const result = await cleaned(bytes).catch((error: unknown) => error);
    if (!(result instanceof Buffer)) expect(result).toBeInstanceOf(Refusal);
  }
});

test.each<[string | undefined, ReturnType<typeof rangeOf>]>([
  [undefined, undefined],
  ["bytes=0-", { start: 0, end: 999 }],
  ["bytes=10-19", { start: 10, end: 19 }],
  ["bytes=990-5000", { start: 990, end: 999 }],
  ["bytes=-100", { start: 900, end: 999 }],
  ["bytes=-5000", { start: 0, end: 999 }],
  ["bytes=1000-", "beyond"],
  ["bytes=20-10", "beyond"],
  // Several at once, or another unit: all of it is sent.
  ["bytes=0-1,5-6", undefined],
  ["items=0-1", undefined],
  ["bytes=-", undefined],
])("a range of %s", (header, range) => {
  expect(rangeOf(header, 1000)).toEqual(range);
});
