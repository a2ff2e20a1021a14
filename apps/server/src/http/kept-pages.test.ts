import { expect, test } from "vitest";
import { createKeptPages } from "./kept-pages.ts";

const request = new Request("https://farm.example/index");

function setUp(status = 200) {
  let atMs = 0;
  let rendered = 0;
  const pages = createKeptPages(
    async (_request, nonce) => {
      rendered += 1;
      await Promise.resolve();
      return new Response(`<script nonce="${nonce}"></script>${rendered}<i nonce="${nonce}">`, {
        status,
        headers: { Vary: "Cookie" },
      });
    },
    () => atMs,
  );
  return {
    pass: (ms: number) => {
      atMs += ms;
    },
    rendered: () => rendered,
    clear: pages.clear,
    ask: async (key: string, nonce: string) => {
      const response = await pages.respond(() => request, { key, forMs: 5000 }, nonce);
      return [response.status, response.headers.get("Vary"), response.body.toString()];
    },
  };
}

test("a page is rendered once for those who see the same, each with a nonce of its own", async () => {
  const { ask, rendered, pass } = setUp();
  const answers = await Promise.all([ask("zh", "first"), ask("zh", "second")]);
  expect(answers).toEqual(
    ["first", "second"].map((nonce) => [200, "Cookie", `<script nonce="${nonce}"></script>1<i nonce="${nonce}">`]),
  );
  expect((await ask("en", "third"))[2]).toContain("</script>2<i");
  pass(4999);
  await ask("zh", "fourth");
  expect(rendered()).toBe(2);
  pass(1);
  expect((await ask("zh", "fifth"))[2]).toContain("</script>3<i");
});

test("no more than 64 pages are kept: the oldest gives way", async () => {
  const { ask, rendered } = setUp();
  for (let at = 0; at <= 64; at += 1) await ask(`page ${at}`, "n");
  await ask("page 64", "n");
  expect(rendered()).toBe(65);
  await ask("page 0", "n");
  expect(rendered()).toBe(66);
});

test("a page that failed is rendered anew", async () => {
  const { ask, rendered } = setUp(500);
  await ask("zh", "n");
  await ask("zh", "n");
  expect(rendered()).toBe(2);
});

test("what is forgotten is rendered anew, also what was being rendered at that moment", async () => {
  const { ask, rendered, clear } = setUp();
  await ask("zh", "n");
  clear();
  expect((await ask("zh", "n"))[2]).toContain("</script>2<i");
  const underWay = ask("en", "n");
  clear();
  const after = ask("en", "n");
  await Promise.all([underWay, after]);
  // The second was asked before the first was there, and must not get what the first began with.
  expect(rendered()).toBe(4);
  // What was under way when it was forgotten does not come back either.
  expect((await ask("en", "n"))[2]).toContain("</script>4<i");
  expect(rendered()).toBe(4);
});
