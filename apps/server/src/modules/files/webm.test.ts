import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { cleanFilm } from "./video.ts";

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "herdwise-webm-"));
});
afterAll(() => rm(folder, { recursive: true }));

/** An element of EBML; its length in eight bytes, or not known yet, as recorders write it. */
function element(id: number, content: Buffer | string, known = true): Buffer {
  const bytes = typeof content === "string" ? Buffer.from(content, "latin1") : content;
  const length = Buffer.alloc(8, known ? 0 : 0xff);
  length[0] = 0x01;
  if (known) length.writeUIntBE(bytes.length, 2, 6);
  return Buffer.concat([Buffer.from(id.toString(16), "hex"), length, bytes]);
}
const all = (...parts: Buffer[]): Buffer => Buffer.concat(parts);
const place = "+33.0441-111.8492/";
const duration = (ms: number): Buffer => {
  const bytes = Buffer.alloc(8);
  bytes.writeDoubleBE(ms);
  return bytes;
};
const track = (type: number, codec: string, ...more: Buffer[]): Buffer =>
  element(0xae, all(element(0x83, Buffer.from([type])), element(0x86, codec), element(0x536e, place), ...more));
const block = element(0xa3, Buffer.from(Array.from({ length: 500 }, (_, at) => at % 251)));
const cluster = (known = true): Buffer => element(0x1f43b675, all(element(0xe7, Buffer.from([0])), block), known);
const head = (docType = "webm"): Buffer => element(0x1a45dfa3, element(0x4282, docType));
const info = element(
  0x1549a966,
  all(element(0x4489, duration(4200)), element(0x7ba9, place), element(0x4461, Buffer.alloc(8, 7))),
);
const tags = element(0x1254c367, element(0x7373, place));
const recording = ({
  docType = "webm",
  tracks = [track(1, "V_VP9"), track(2, "A_OPUS"), track(0x11, "D_WEBVTT/METADATA")],
  clusters = [cluster()],
  known = true,
} = {}): Buffer =>
  all(head(docType), element(0x18538067, all(info, element(0x1654ae6b, all(...tracks)), ...clusters, tags), known));

async function cleaned(bytes: Buffer) {
  const path = join(folder, "film");
  await writeFile(path, bytes);
  const found = await cleanFilm(path);
  return { ...found, bytes: await readFile(path) };
}

test.each([
  ["with its lengths", recording()],
  ["as a browser records it, without them", recording({ known: false, clusters: [cluster(false), cluster(false)] })],
])(
  "a film %s keeps pictures, sound and length, and loses place, date and what is no track of either",
  async (_, before) => {
    const { form, seconds, bytes } = await cleaned(before);
    expect([form, seconds, bytes.length]).toEqual(["webm", 5, before.length]);
    const text = bytes.toString("latin1");
    expect(before.toString("latin1").split(place)).toHaveLength(6);
    for (const gone of [place, "METADATA", "\x07\x07\x07\x07"]) expect(text).not.toContain(gone);
    for (const kept of ["V_VP9", "A_OPUS"]) expect(text).toContain(kept);
    expect(bytes.indexOf(block)).toBe(before.indexOf(block));
    // Once more there is nothing to do.
    expect((await cleaned(bytes)).bytes.equals(bytes)).toBe(true);
  },
);

test.each([
  ["another kind of Matroska", recording({ docType: "matroska" })],
  ["sound alone", recording({ tracks: [track(2, "A_OPUS")] })],
  ["no pictures at all", recording({ clusters: [] })],
  ["what browsers do not play", recording({ tracks: [track(1, "V_MPEG4/ISO/AVC")] })],
  ["what is locked", recording({ tracks: [track(1, "V_VP9", element(0x6d80, "key"))] })],
  ["a film without its end", recording().subarray(0, -5)],
  ["a page behind a film", all(recording(), Buffer.from("<!doctype html>"))],
  ["a page inside of a film", recording({ clusters: [cluster(), Buffer.from("<!doctype html>")] })],
  ["a film with more behind it, well written", all(recording(), element(0xec, "<!doctype html>"))],
  [
    "a film with what no film has, well written",
    recording({ clusters: [cluster(), element(0x4286, "<!doctype html>")] }),
  ],
  ["lengths that lead out of it", all(head(), Buffer.from("1853806701ffffffffffff00", "hex"))],
  ["the mark alone", Buffer.from("1a45dfa3", "hex")],
])("%s is no film", async (_, bytes) => {
  await expect(cleaned(bytes)).rejects.toMatchObject({ reason: "upload.film_unreadable" });
});
