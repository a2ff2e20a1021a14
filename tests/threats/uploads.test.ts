import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { crc32, deflateSync } from "node:zlib";
import { utils, write } from "@e965/xlsx";
import sharp from "sharp";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createTestApp, type TestApp } from "../harness/app.ts";
import { picture, plainBmp, upload } from "../harness/upload.ts";
import { inTurn, volume } from "../harness/volume.ts";
import { workProcesses } from "../harness/work-processes.ts";

let app: TestApp;
let token: string;
const outside = "THE CANARY OUTSIDE";
beforeAll(async () => {
  app = await createTestApp();
  token = await app.logIn("farm");
  await writeFile(join(app.dataDir, "canary.txt"), outside);
});
afterAll(() => app.close());

const storedFiles = async (): Promise<Buffer[]> => {
  const folder = join(app.dataDir, "files");
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => []);
  return Promise.all(
    entries.filter((entry) => entry.isFile()).map((entry) => readFile(join(entry.parentPath, entry.name))),
  );
};

const chunk = (type: string, content: Buffer): Buffer => {
  const head = Buffer.alloc(8);
  head.writeUInt32BE(content.length);
  head.write(type, 4);
  const check = Buffer.alloc(4);
  check.writeUInt32BE(crc32(Buffer.concat([head.subarray(4), content])));
  return Buffer.concat([head, content, check]);
};
const pngSignature = Buffer.from("89504e470d0a1a0a", "hex");
/** A PNG that says it is larger than its bytes. */
function floodPng(width: number, height: number): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width);
  header.writeUInt32BE(height, 4);
  header[8] = 8;
  header[9] = 0;
  const rows = deflateSync(Buffer.alloc(1_000_000), { level: 9 });
  return Buffer.concat([pngSignature, chunk("IHDR", header), chunk("IDAT", rows), chunk("IEND", Buffer.alloc(0))]);
}
const script = "<script>alert('POLYGLOT')</script>";
const book = utils.book_new();
utils.book_append_sheet(book, utils.aoa_to_sheet([["a"]]), "x");
const xlsxBytes: Buffer = write(book, { type: "buffer", bookType: "xlsx" });

describe("T29: what is no picture, and what is more than one", () => {
  test.each<[string, string, () => Promise<Buffer> | Buffer]>([
    ["svg", "a.png", () => Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg">${script}</svg>`)],
    ["svg with a declaration", "a.jpg", () => Buffer.from(`<?xml version="1.0"?><svg onload="alert(1)"/>`)],
    ["html", "a.png", () => Buffer.from(`<!doctype html>${script}`)],
    ["html behind the first bytes of a png", "a.png", () => Buffer.concat([pngSignature, Buffer.from(script)])],
    ["a zip", "a.png", () => xlsxBytes],
    [
      "gif",
      "a.png",
      () =>
        sharp({ create: { width: 9, height: 9, channels: 3, background: "red" } })
          .gif()
          .toBuffer(),
    ],
    [
      "webp",
      "a.jpg",
      () =>
        sharp({ create: { width: 9, height: 9, channels: 3, background: "red" } })
          .webp()
          .toBuffer(),
    ],
    [
      "tiff",
      "a.bmp",
      () =>
        sharp({ create: { width: 9, height: 9, channels: 3, background: "red" } })
          .tiff()
          .toBuffer(),
    ],
    ["pdf", "a.png", () => Buffer.from("%PDF-1.7\n%âãÏÓ\n")],
    ["half a png", "a.png", async () => (await picture("png")).subarray(0, 4000)],
    ["half a jpeg", "a.jpg", async () => (await picture("jpeg")).subarray(0, 4000)],
    ["a bmp without pixels", "a.bmp", () => plainBmp(24, 2000, 2000).subarray(0, 200)],
    ["a png of 3.6 thousand million pixels", "a.png", () => floodPng(60_000, 60_000)],
    ["a png of 64 million pixels", "a.png", () => floodPng(8000, 8000)],
    [
      "a bmp of 2 thousand million pixels",
      "a.bmp",
      () => {
        const bytes = plainBmp(1, 8, 8);
        bytes.writeInt32LE(2_000_000_000, 18);
        return bytes;
      },
    ],
    [
      "a bmp with the most negative height",
      "a.bmp",
      () => {
        const bytes = plainBmp(24, 8, 8);
        bytes.writeInt32LE(-2_147_483_648, 22);
        return bytes;
      },
    ],
    ["a picture as a sheet", "a.xlsx", () => picture("png")],
    ["a pdf as a sheet", "a.xlsx", () => Buffer.from("%PDF-1.7\n%\u00e2\u00e3")],
    ["a rich text as a sheet", "a.xls", () => Buffer.from("{\\rtf1 a}")],
    ["a program as a sheet", "a.csv", () => Buffer.from([0x4d, 0x5a, 0x90, 0, 3, 0, 0, 0, 4, 0, 0, 0])],
  ])("%s is refused", async (_what, name, make) => {
    const before = (await storedFiles()).length;
    const { status, body } = await upload(app, token, await make(), name);
    expect(status, body.msg).toBe(400);
    expect(await storedFiles()).toHaveLength(before);
  });

  test.each<[string, () => Promise<Buffer>]>([
    ["html behind the end of a png", async () => Buffer.concat([await picture("png"), Buffer.from(script)])],
    ["html behind the end of a jpeg", async () => Buffer.concat([await picture("jpeg"), Buffer.from(script)])],
    ["a zip behind the end of a png", async () => Buffer.concat([await picture("png"), xlsxBytes])],
    [
      "html in a comment of a png",
      async () => {
        const png = await picture("png");
        return Buffer.concat([png.subarray(0, 33), chunk("tEXt", Buffer.from(`Comment\0${script}`)), png.subarray(33)]);
      },
    ],
    [
      "html in a comment of a jpeg",
      async () => {
        const jpeg = await picture("jpeg");
        const comment = Buffer.from(script);
        const length = Buffer.alloc(2);
        length.writeUInt16BE(comment.length + 2);
        return Buffer.concat([jpeg.subarray(0, 2), Buffer.from([0xff, 0xfe]), length, comment, jpeg.subarray(2)]);
      },
    ],
  ])("of %s only the pixels are kept", async (_what, make) => {
    const sent = await make();
    const { status, body } = await upload(app, token, sent, "a.png");
    expect(status, body.msg).toBe(200);
    for (const bytes of await storedFiles()) {
      expect(bytes.includes(sent)).toBe(false);
      expect(bytes.includes("POLYGLOT")).toBe(false);
      expect(bytes.includes("PK\u0003\u0004")).toBe(false);
    }
  });

  const damaged = volume({ short: 100, long: 400 });
  test(`${damaged} damaged pictures: none is stored as it came, and the memory stays`, async () => {
    const sources = await Promise.all([picture("png", 300, 200), picture("jpeg", 300, 200)]);
    expect((await upload(app, token, sources[0] as Buffer, "a.png")).status).toBe(200);
    await app.test.database.pool.query("update attachments set expires_at = now() - interval '1 s'");
    await app.runJob("files.sweep");
    // Where pictures are decoded counts as well as where requests are answered.
    const megabytes = () =>
      workProcesses("picture-process.ts").reduce(
        (sum, { residentMb }) => sum + residentMb,
        process.memoryUsage().rss / 1024 / 1024,
      );
    const begun = megabytes();
    let random = 1;
    const next = (max: number) => {
      random = (random * 48_271) % 2_147_483_647;
      return random % max;
    };
    let kept = 0;
    for (let index = 0; index < damaged; index += 1) {
      // One session may upload 300 times a minute.
      if (index === 200) token = await app.logIn("farm");
      const bytes = Buffer.from(sources[index % 2] as Buffer);
      for (let change = 0; change < 1 + (index % 20); change += 1) bytes[next(bytes.length)] = next(256);
      const { status } = await upload(app, token, bytes, index % 2 === 0 ? "a.png" : "a.jpg");
      expect([200, 400]).toContain(status);
      if (status === 200) {
        kept += 1;
        expect((await storedFiles()).some((held) => held.equals(bytes))).toBe(false);
        await app.test.database.pool.query("update attachments set expires_at = now() - interval '1 s'");
        await app.runJob("files.sweep");
      }
    }
    expect(kept).toBeGreaterThan(damaged / 40);
    expect(kept).toBeLessThan(damaged - 5);
    expect(megabytes() - begun).toBeLessThan(150);
    expect(await storedFiles()).toEqual([]);
  });
});

describe("T30: nothing outside is reached", () => {
  const targets = ["canary.txt", "secret.key", "etc/passwd", "upload/20260101/x.png", "incoming"];
  const ups = [
    "../",
    "..%2f",
    "%2e%2e/",
    "%2e%2e%2f",
    "..\\",
    "..%5c",
    "....//",
    "..;/",
    "%252e%252e%252f",
    "..%c0%af",
    ".%00./",
    "/",
    "%2f",
    "file:///",
    "\u2025/",
  ];
  const strings = targets.flatMap((target) =>
    ups.flatMap((up) =>
      [1, 2, 3, 6, 12].flatMap((depth) => [
        `${up.repeat(depth)}${target}`,
        `upload/${up.repeat(depth)}${target}`,
        `upload/20260101/${up.repeat(depth)}${target}`,
        `upload/20260101/00000000-0000-4000-8000-000000000000.png${up.repeat(depth)}${target}`,
        `${up.repeat(depth)}${target}%00.png`,
        `${up.repeat(depth)}${target}?ticket=${up.repeat(depth)}`,
      ]),
    ),
  );

  test("2,000 strings, a fifth of them in each run", async () => {
    expect(strings.length).toBeGreaterThanOrEqual(2000);
    for (const string of inTurn(strings, 5)) {
      const answer = await app.http.inject({
        method: "GET",
        url: `/files/${encodeURI(string).replaceAll("%25", "%")}`,
        headers: { "muyuan-auth": `bearer ${token}` },
        remoteAddress: `10.200.${strings.indexOf(string) % 250}.1`,
      });
      expect(answer.statusCode, string).toBeGreaterThanOrEqual(400);
      expect(answer.statusCode, string).toBeLessThan(500);
      expect(answer.body).not.toContain(outside);
    }
  });

  test("a row that was tampered with leads nowhere either", async () => {
    const { body } = await upload(app, token, await picture("png"), "a.png");
    await expect(
      app.test.database.pool.query("update attachments set name = '../canary.txt' where id = $1", [body.data.attachId]),
    ).rejects.toThrow("attachments_name_form");
  });
});
