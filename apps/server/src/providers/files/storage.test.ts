import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Readable } from "node:stream";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { s3Bucket, s3Key, startS3 } from "../../../../../tests/harness/s3.ts";
import { diskStorage, type FileStorage, s3Storage } from "./storage.ts";

let folder: string;
let service: Awaited<ReturnType<typeof startS3>>;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "herdwise-storage-"));
  service = await startS3();
});
afterAll(async () => {
  service.stop();
  await rm(folder, { recursive: true });
});

const name = "upload/20260101/00000000-0000-4000-8000-000000000000.png";
const onS3 = () =>
  s3Storage({
    bucket: s3Bucket,
    endpoint: service.endpoint,
    region: "cn-north-1",
    keyId: s3Key.id,
    keySecret: s3Key.secret,
  });

describe.each<[string, () => Promise<FileStorage>]>([
  ["disk", () => diskStorage(join(folder, "files"))],
  ["S3", onS3],
])("%s", (_what, open) => {
  test("gives back what was stored, until it is removed; removing what is not there is no error", async () => {
    const storage = await open();
    const source = join(folder, "source");
    const bytes = Buffer.from(Array.from({ length: 300_000 }, (_, index) => index % 251));
    await writeFile(source, bytes);
    await storage.put(name, source, "image/png");
    expect((await bytesOf(await storage.read(name))).equals(bytes)).toBe(true);
    await storage.remove(name);
    await expect(
      storage.read(name).then(async (content) => {
        for await (const _part of content);
      }),
    ).rejects.toThrow();
    await storage.remove(name);
  });
});

async function bytesOf(content: Readable): Promise<Buffer> {
  const parts: Buffer[] = [];
  for await (const part of content) parts.push(part as Buffer);
  return Buffer.concat(parts);
}

describe.each<[string, () => Promise<FileStorage>, boolean]>([
  ["disk", () => diskStorage(join(folder, "files")), true],
  ["S3", onS3, true],
  ["a service that knows no ranges", onS3, false],
])("a part of a file from %s", (what, open, known) => {
  test("has the bytes that were asked for, both ends included, and no others are sent", async () => {
    service.state.knowsRanges = known;
    const storage = await open();
    const source = join(folder, "film");
    const bytes = Buffer.from(Array.from({ length: 2_000_000 }, (_, index) => index % 251));
    await writeFile(source, bytes);
    await storage.put(name, source, "video/mp4");
    service.state.sent = 0;
    for (const [start, end] of [
      [0, 0],
      [1_900_000, 1_900_999],
      [1_999_999, 1_999_999],
    ] as const)
      expect((await bytesOf(await storage.read(name, { start, end }))).equals(bytes.subarray(start, end + 1))).toBe(
        true,
      );
    if (what === "S3") expect(service.state.sent).toBe(1002);
  });
});

test("on disk a file lies below the folder under its name", async () => {
  const source = join(folder, "source");
  await writeFile(source, "x");
  await (await diskStorage(join(folder, "files"))).put(name, source, "image/png");
  expect(await readFile(join(folder, "files", name), "utf8")).toBe("x");
});

test("at S3 it lies in the bucket with its type, and calls are signed for the region", async () => {
  const source = join(folder, "source");
  await writeFile(source, "x");
  await (await onS3()).put(name, source, "image/png");
  expect(service.held.get(`/herd/${name}`)).toEqual({ body: Buffer.from("x"), type: "image/png" });
  expect(service.state.signed.at(-1)).toMatch(
    /^AWS4-HMAC-SHA256 Credential=the key\/\d{8}\/cn-north-1\/s3\/aws4_request/,
  );
});
