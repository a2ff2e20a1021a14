import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { readTar, type TarEntry, TarError, tarEnd, tarHeader, tarPadding } from "./tar.ts";

const modifiedAt = new Date("2026-11-21T08:00:00Z");

function file(path: string, text: string): Buffer {
  const body = Buffer.from(text);
  const entry: TarEntry = { path, kind: "file", sizeBytes: body.length, mode: 0o600, modifiedAt };
  return Buffer.concat([tarHeader(entry), body, tarPadding(body.length)]);
}

async function* inChunks(bytes: Buffer, size: number): AsyncGenerator<Buffer> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

async function read(bytes: Buffer, size = 700): Promise<Array<[string, string]>> {
  const found: Array<[string, string]> = [];
  await readTar(inChunks(bytes, size), async (entry, content) => {
    const parts: Buffer[] = [];
    for await (const part of content) parts.push(part);
    found.push([entry.path, Buffer.concat(parts).toString()]);
  });
  return found;
}

const longPath = `${"deep/".repeat(60)}${"n".repeat(90)}`;
const archive = Buffer.concat([
  tarHeader({ path: "folder", kind: "directory", sizeBytes: 0, mode: 0o700, modifiedAt }),
  file("folder/one.txt", "one"),
  file("folder/猪舍.txt", "二"),
  file(longPath, "x".repeat(5000)),
  file("empty", ""),
  tarEnd(),
]);

test("reads what it wrote, in chunks of any size", async () => {
  const expected = [
    ["folder", ""],
    ["folder/one.txt", "one"],
    ["folder/猪舍.txt", "二"],
    [longPath, "x".repeat(5000)],
    ["empty", ""],
  ];
  for (const size of [1, 511, 512, 100_000]) expect(await read(archive, size)).toEqual(expected);
});

test.skipIf(process.platform === "win32")("the ordinary tar reads it", () => {
  const folder = mkdtempSync(join(tmpdir(), "herdwise-tar-"));
  writeFileSync(join(folder, "a.tar"), archive);
  const listed = execFileSync("tar", ["--list", "--quoting-style=literal", "-f", join(folder, "a.tar")], {
    encoding: "utf8",
    env: { PATH: "/usr/bin:/bin", LC_ALL: "C.UTF-8" },
  });
  expect(listed.trim().split("\n")).toEqual(["folder/", "folder/one.txt", "folder/猪舍.txt", longPath, "empty"]);
  rmSync(folder, { recursive: true });
});

test("a size that ustar cannot hold is read back", async () => {
  const sizeBytes = 9 * 1024 ** 3 + 7;
  const header = tarHeader({ path: "big", kind: "file", sizeBytes, mode: 0o600, modifiedAt });
  let seen = 0;
  const stop = new Error("enough");
  await expect(
    readTar(inChunks(header, 512), async (entry) => {
      seen = entry.sizeBytes;
      throw stop;
    }),
  ).rejects.toBe(stop);
  expect(seen).toBe(sizeBytes);
});

test("links, damage and a missing end are refused", async () => {
  const link = tarHeader({ path: "link", kind: "file", sizeBytes: 0, mode: 0o777, modifiedAt });
  link.write("2", 156, "latin1");
  await expect(read(link)).rejects.toThrow("check sum");
  link.write("        ", 148, "latin1");
  const sum = link.reduce((total, byte) => total + byte, 0);
  link.write(`${sum.toString(8).padStart(6, "0")}\0 `, 148, "latin1");
  await expect(read(link)).rejects.toThrow('kind "2"');
  for (const end of [100, 600, 3000, archive.length - 1024]) {
    await expect(read(archive.subarray(0, end))).rejects.toThrow(TarError);
  }
});
