import { createHash } from "node:crypto";
import { brotliDecompressSync, gunzipSync } from "node:zlib";
import { expect, test } from "vitest";
import { createKeptPages, encodingFor, packedPage } from "./kept-pages.ts";

const request = new Request("https://farm.example/index");

function setUp(status = 200) {
  let atMs = 0;
  let rendered = 0;
  const pages = createKeptPages(
    async (_request, nonce) => {
      rendered += 1;
      await Promise.resolve();
      return new Response(
        `<script nonce="${nonce}">start()</script><script src="/a.js" nonce="${nonce}"></script><script>${rendered}</script>`,
        { status, headers: { Vary: "Cookie", "Set-Cookie": "langType=en" } },
      );
    },
    (scripts) => scripts.join(" "),
    () => atMs,
  );
  const find = (key: string) => pages.find(() => request, { key, forMs: 5000 });
  return {
    pass: (ms: number) => {
      atMs += ms;
    },
    rendered: () => rendered,
    clear: pages.clear,
    find,
    ask: async (key: string) => (await find(key)).body.toString(),
  };
}

const bytesOf = (number: number): string =>
  `<script>start()</script><script src="/a.js"></script><script>${number}</script>`;

test("a page is rendered once for those who see the same", async () => {
  const { ask, rendered, pass } = setUp();
  expect(await Promise.all([ask("zh"), ask("zh")])).toEqual([bytesOf(1), bytesOf(1)]);
  expect(await ask("en")).toBe(bytesOf(2));
  pass(4999);
  await ask("zh");
  expect(rendered()).toBe(2);
  pass(1);
  expect(await ask("zh")).toBe(bytesOf(3));
});

test("scripts of ours are named by their digest, those that got into a page otherwise are not", async () => {
  const { headers } = await setUp().find("zh");
  const digest = createHash("sha256").update("start()").digest("base64");
  expect(headers["content-security-policy"]).toBe(`'sha256-${digest}'`);
});

test("a page carries its own headers, may be asked for again by its tag, and says what it differs by", async () => {
  const { find, pass } = setUp();
  const first = await find("zh");
  expect(first.headers).toMatchObject({
    vary: "Cookie, Accept-Encoding",
    "set-cookie": ["langType=en"],
    "cache-control": "private, no-cache",
    etag: first.tag,
  });
  pass(5000);
  expect((await find("zh")).tag).not.toBe(first.tag);
  const failed = await setUp(500).find("zh");
  expect(failed.headers["cache-control"]).toBe("no-store");
  expect(failed.headers).not.toHaveProperty("etag");
});

test("a page is compressed once, as its reader takes it", async () => {
  const page = await setUp().find("zh");
  const packed = await packedPage(page, "br");
  expect(brotliDecompressSync(packed).toString()).toBe(bytesOf(1));
  expect(await packedPage(page, "br")).toBe(packed);
  expect(gunzipSync(await packedPage(page, "gzip")).toString()).toBe(bytesOf(1));
});

test.each([
  ["gzip, deflate, br", "br"],
  ["gzip;q=1.0, br;q=0", "gzip"],
  ["GZIP", "gzip"],
  ["br;q=0.5", "br"],
  ["deflate, x-br", undefined],
  ["identity", undefined],
  [undefined, undefined],
])("a reader who accepts %s gets %s", (accepted, encoding) => {
  expect(encodingFor(accepted)).toBe(encoding);
});

test("no more than 512 pages are kept: the oldest gives way", async () => {
  const { ask, rendered } = setUp();
  for (let at = 0; at <= 512; at += 1) await ask(`page ${at}`);
  await ask("page 512");
  expect(rendered()).toBe(513);
  await ask("page 0");
  expect(rendered()).toBe(514);
});

test("a page that failed is rendered anew", async () => {
  const { ask, rendered } = setUp(500);
  await ask("zh");
  await ask("zh");
  expect(rendered()).toBe(2);
});

test("what is forgotten is rendered anew, also what was being rendered at that moment", async () => {
  const { ask, rendered, clear } = setUp();
  await ask("zh");
  clear();
  expect(await ask("zh")).toBe(bytesOf(2));
  const underWay = ask("en");
  clear();
  const after = ask("en");
  await Promise.all([underWay, after]);
  // The second request came before the first page was rendered, and must not get the first one's old data.
  expect(rendered()).toBe(4);
  // A rendering that was running when the cache was cleared is not stored afterwards.
  expect(await ask("en")).toBe(bytesOf(4));
  expect(rendered()).toBe(4);
});
