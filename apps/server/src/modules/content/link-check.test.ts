import { expect, test } from "vitest";
import { createLinkCheck } from "./link-check.ts";

const pages: Readonly<Record<string, string>> = {
  "/news": "<h1>News</h1>",
  "/news/detail?id=7": '<h2 id="s2">Two</h2>',
  "/service/network?lang=en": "",
};
const asked: string[] = [];
const { check } = createLinkCheck({
  publicUrl: "https://portal.example",
  look: async (path) => {
    asked.push(path);
    const html = pages[path];
    return html === undefined ? { status: 404, html: "" } : { status: 200, html };
  },
});
const problemsOf = async (links: readonly string[]) =>
  Object.fromEntries((await check(links)).map(({ link, problem }) => [link, problem]));

test("pages of the site are asked for, by path or with the site's own name, down to the place on them", async () => {
  expect(
    await problemsOf([
      "/news",
      "https://portal.example/news",
      "/news/detail?id=7#s2",
      "/service/network?lang=en",
      "#s1",
      "/news/detail?id=8",
      "https://portal.example/gone",
      "/news/detail?id=7#s9",
      "/api/muyuan-system/user/page",
    ]),
  ).toEqual({
    "/news/detail?id=8": "missing",
    "https://portal.example/gone": "missing",
    "/news/detail?id=7#s9": "anchor",
    "/api/muyuan-system/user/page": "missing",
  });
});

test("T33: addresses of other sites are judged by their form and never called", async () => {
  asked.length = 0;
  const inside = [
    "http://127.0.0.1:5432/",
    "https://localhost/admin",
    "https://169.254.169.254/latest/meta-data",
    "https://[::1]/",
    "https://2130706433/",
    "https://0x7f.1/",
    "https://printer.local/",
    "https://db.internal/",
    "https://intranet/",
  ];
  expect(await problemsOf(inside)).toEqual(Object.fromEntries(inside.map((link) => [link, "inside"])));
  const broken = [
    "//evil.example/x",
    "https://",
    "https://user:word@site.example/",
    "javascript:alert(1)",
    "ftp://site.example/",
    "news",
    "mailto:nobody",
    "tel:call me",
  ];
  expect(await problemsOf(broken)).toEqual(Object.fromEntries(broken.map((link) => [link, "form"])));
  expect(
    await problemsOf([
      "https://www.moa.gov.cn/a?b=1#c",
      "https://例子.中国/",
      "mailto:a@b.example",
      "tel:400-000-0000",
    ]),
  ).toEqual({});
  expect(await problemsOf(["http://www.moa.gov.cn/"])).toEqual({ "http://www.moa.gov.cn/": "insecure" });
  expect(asked).toEqual([]);
});
