import { readFile } from "node:fs/promises";
import type { Page } from "playwright-core";

/** What axe finds wrong with a page as it stands, a line each; an empty list when nothing. */
export async function violationsOf(page: Page): Promise<string[]> {
  const source = await readFile(new URL("../../node_modules/axe-core/axe.min.js", import.meta.url), "utf8");
  await page.evaluate(source);
  return page.evaluate(async () => {
    const { axe } = globalThis as unknown as {
      axe: { run(): Promise<{ violations: { id: string; nodes: { html: string }[] }[] }> };
    };
    const { violations } = await axe.run();
    return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 160)).join(" | ")}`);
  });
}
