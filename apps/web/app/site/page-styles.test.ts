import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createPageStyles } from "./page-styles.ts";

let folder = "";
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "herdwise-styles-"));
  await mkdir(join(folder, "assets"));
  await writeFile(
    join(folder, "assets", "first.css"),
    ":root{--a:1}p{margin:0}.here{color:red}.here .gone{color:blue}.gone:not(.here){color:green}.x,.here:not(.gone){top:0}:is(.here,.x){right:0}",
  );
  await writeFile(
    join(folder, "assets", "second.css"),
    "@media (width<=760px){.here{left:0}.gone{left:1px}}@media print{.gone{left:2px}}" +
      "@keyframes turn{to{rotate:1turn}}@keyframes blink{to{opacity:0}}.here{animation:turn 1s}",
  );
});
afterAll(() => rm(folder, { recursive: true }));

const page = (body: string): string =>
  `<head><link rel="stylesheet" href="/assets/first.css"/><link nonce="abc" rel="stylesheet" href="/assets/second.css#"/></head>${body}`;

test("a page holds the rules that may apply to it, in their order, and asks for no file of styles", () => {
  const withStyles = createPageStyles(pathToFileURL(`${folder}/`));
  expect(withStyles(page('<p class="here other">word</p>'))).toBe(
    "<head><style>:root{--a:1}p{margin:0}.here{color:red}.x,.here:not(.gone){top:0}:is(.here,.x){right:0}" +
      "@media (width<=760px){.here{left:0}}@keyframes turn{to{rotate:1turn}}.here{animation:turn 1s}</style></head>" +
      '<p class="here other">word</p>',
  );
});

test("pages with other classes get other rules, and a page without styles stays as it is", () => {
  const withStyles = createPageStyles(pathToFileURL(`${folder}/`));
  const gone = withStyles(page('<p class="gone"></p>'));
  expect(gone).toContain(".gone:not(.here){color:green}");
  expect(gone).toContain("@media print{.gone{left:2px}}");
  expect(gone).not.toContain("red");
  expect(gone).not.toContain("@keyframes");
  expect(withStyles(page('<p class="here"></p>'))).toContain("color:red");
  expect(withStyles("<p>plain</p>")).toBe("<p>plain</p>");
});
