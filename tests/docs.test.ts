import { existsSync, globSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { tokenScopes, webhookBodies } from "@herdwise/contract";
import { expect, test } from "vitest";
import { readmePictures } from "../scripts/readme-pictures.ts";

const root = fileURLToPath(new URL("..", import.meta.url));
const pages = globSync(["*.md", "docs/**/*.md", ".github/**/*.md"], { cwd: root });
const read = (page: string): string => readFileSync(join(root, page), "utf8");

test("every link between the docs leads somewhere", () => {
  expect(pages.length).toBeGreaterThan(20);
  const broken = pages.flatMap((page) =>
    [...read(page).matchAll(/\]\((?!https?:|mailto:|#)([^)\s#]+)[^)]*\)|(?:src|srcset)="([^"]+)"/g)]
      .map(([, link, picture]) => link ?? picture ?? "")
      .filter((link) => !existsSync(join(root, dirname(page), link)))
      .map((link) => `${page}: ${link}`),
  );
  expect(broken).toEqual([]);
});

test("the README shows the pictures that npm run pictures takes, each in light and dark", () => {
  const shown = [...read("README.md").matchAll(/docs\/pictures\/([\w-]+)\.webp/g)].map(([, name]) => name);
  const taken = readmePictures.flatMap(({ name }) => [`${name}-light`, `${name}-dark`]);
  expect(shown.sort()).toEqual(taken.sort());
});

test("every command that the docs name is one", () => {
  const { scripts } = JSON.parse(read("package.json")) as { scripts: Record<string, string> };
  const named = pages.flatMap((page) => [...read(page).matchAll(/npm run ([\w:-]+)/g)].map(([, name]) => name ?? ""));
  expect(named.length).toBeGreaterThan(10);
  expect([...new Set(named)].filter((name) => !(name in scripts))).toEqual([]);
});

test.each(["docs/integrations.md", "docs/integrations.zh.md"])(
  "%s names every scope of tokens and every event of webhooks",
  (page) => {
    const text = read(page);
    expect([...tokenScopes, ...Object.keys(webhookBodies)].filter((name) => !text.includes(`\`${name}\``))).toEqual([]);
  },
);
