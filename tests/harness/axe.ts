import { readFile } from "node:fs/promises";
import type { Page } from "playwright-core";

const source = readFile(new URL("../../node_modules/axe-core/axe.min.js", import.meta.url), "utf8");

/** Of axe's rules those that a theme can break. */
const colourRules = ["color-contrast", "link-in-text-block"];

/** What of a page axe looks at, and by which rules. */
export interface AxeLook {
  /** Selectors of what was looked at before, as the frame around all screens is. */
  but?: readonly string[];
  /** `colours`: what depends on the theme alone, which is half of the work. Without it all rules that are on by default. */
  rules?: "all" | "colours";
}

/**
 * What axe finds wrong with a page as it stands, a line each; an empty list when nothing. What only a report of passed rules needs is
 * left out, as it takes half of the time: their elements, selectors, and style sheets asked for once more (which one experimental rule
 * reads, off by default).
 */
export async function violationsOf(page: Page, { but = [], rules = "all" }: AxeLook = {}): Promise<string[]> {
  // Screens of one document are looked at one after the other.
  if (!(await page.evaluate(() => "axe" in globalThis))) await page.evaluate(await source);
  return page.evaluate(
    async ({ exclude, only }) => {
      const { axe } = globalThis as unknown as {
        axe: {
          run(context: object, options: object): Promise<{ violations: { id: string; nodes: { html: string }[] }[] }>;
        };
      };
      const { violations } = await axe.run(
        { exclude },
        { resultTypes: ["violations"], selectors: false, preload: false, ...(only && { runOnly: only }) },
      );
      return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 160)).join(" | ")}`);
    },
    { exclude: [...but], only: rules === "colours" ? colourRules : undefined },
  );
}
