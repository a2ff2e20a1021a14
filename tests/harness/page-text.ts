import type { Page } from "playwright-core";

/** What the checks of a page's text use of the browser: the tests are compiled without the types of a document. */
interface Box {
  left: number;
  right: number;
  width: number;
  height: number;
}
interface PageElement {
  className: unknown;
  clientWidth: number;
  scrollWidth: number;
  innerText: string;
  parentElement: PageElement | null;
  childNodes: Iterable<{ nodeType: number; textContent: string | null }>;
  style: { display: string };
  tagName: string;
  checkVisibility(options: { visibilityProperty: boolean; opacityProperty: boolean }): boolean;
  closest(selector: string): PageElement | null;
  getAttribute(name: string): string | null;
  getBoundingClientRect(): Box;
  matches(selector: string): boolean;
}
interface PageGlobals {
  document: {
    documentElement: PageElement;
    body: PageElement & { querySelectorAll(selector: string): Iterable<PageElement> };
    createRange(): {
      setStart(node: unknown, offset: number): void;
      setEnd(node: unknown, offset: number): void;
      getBoundingClientRect(): Box;
    };
  };
  getComputedStyle(
    element: PageElement,
  ): Record<"overflowX" | "textOverflow" | "display" | "clip" | "clipPath" | "position", string>;
}

/** Whether a text holds Chinese characters or their punctuation. */
export const hasChinese = (text: string): boolean => /[\u4e00-\u9fff\u3001-\u3011\uff01-\uff5e]/.test(text);

/** Texts that hold Chinese characters or their punctuation, of what a person sees or hears on the page; what says of itself that it is Chinese is meant to be. */
export async function chineseTextsOn(page: Page): Promise<string[]> {
  const texts = await page.evaluate(() => {
    const { body } = (globalThis as unknown as PageGlobals).document;
    const chinese = [...body.querySelectorAll("[lang^=zh]")].map((element) => ({ element, ...element.style }));
    for (const { element } of chinese) element.style.display = "none";
    const spoken = [...body.querySelectorAll("[aria-label],[title],[placeholder],[alt]")]
      .filter((element) => element.closest("[lang]:not([lang=''])")?.matches("[lang^=zh]") !== true)
      .flatMap((element) =>
        ["aria-label", "title", "placeholder", "alt"].map((name) => element.getAttribute(name) ?? ""),
      );
    const seen = body.innerText.split("\n");
    for (const { element, display } of chinese) element.style.display = display;
    return [...new Set([...seen, ...spoken])];
  });
  return texts.filter(hasChinese);
}

/** What states how something stands, why, or how much: it is never cut. */
const neverCut = ".state, .tag, .num, .big, .badge, .reason, .age, h1, h2, thead th";

/**
 * Texts that stick out of their box or are cut by it, each with where it stands: a text may be shortened by an ellipsis where it
 * is a name or a sentence, never where it is a state, a cause, a value or a heading.
 */
export function cutTextsOn(page: Page): Promise<string[]> {
  return page.evaluate((never) => {
    const { document, getComputedStyle } = globalThis as unknown as PageGlobals;
    /** Rounding of sub-pixels and the overhang of italic letters. */
    const tolerance = 1.5;
    const pathOf = (element: PageElement): string => {
      const own = `${element.tagName.toLowerCase()}${typeof element.className === "string" && element.className !== "" ? `.${element.className.trim().split(/\s+/).join(".")}` : ""}`;
      const parent = element.parentElement;
      return parent && parent.tagName !== "BODY" && parent.tagName !== "MAIN"
        ? `${pathOf(parent).split(" > ").slice(-2).join(" > ")} > ${own}`
        : own;
    };
    const found: string[] = [];
    for (const element of document.body.querySelectorAll("*")) {
      if (
        ["SCRIPT", "STYLE", "OPTION", "TITLE"].includes(element.tagName) ||
        element.closest("svg, .visually-hidden, [popover]:not(:popover-open)")
      )
        continue;
      for (const node of element.childNodes) {
        const text = node.nodeType === 3 ? (node.textContent ?? "").trim() : "";
        if (text === "" || !element.checkVisibility({ visibilityProperty: true, opacityProperty: true })) continue;
        // A full-width space at the end of a line hangs over it, unseen.
        const boxes = [...(node.textContent ?? "").matchAll(/[^\u3000]+/g)]
          .map((piece) => {
            const range = document.createRange();
            range.setStart(node, piece.index);
            range.setEnd(node, piece.index + piece[0].length);
            return range.getBoundingClientRect();
          })
          .filter(({ width, height }) => width > 1 && height > 1);
        if (boxes.length === 0) continue;
        const left = Math.min(...boxes.map((box) => box.left));
        const right = Math.max(...boxes.map((box) => box.right));
        for (
          let around: PageElement | null = element;
          around && around.tagName !== "HTML";
          around = around.parentElement
        ) {
          const style = getComputedStyle(around);
          if (style.display === "inline" || style.display === "contents") continue;
          const bounds = around.getBoundingClientRect();
          // What stands apart from the flow on purpose for a screen reader alone.
          if (bounds.width <= 1) break;
          const over = Math.max(right - bounds.right, bounds.left - left);
          if (style.overflowX === "auto" || style.overflowX === "scroll") break;
          if (over > tolerance) {
            const shortened = style.textOverflow === "ellipsis";
            if (!shortened || element.closest(never)) {
              found.push(
                `"${text.slice(0, 40)}" is ${style.overflowX === "visible" ? "wider than" : "cut by"} ${pathOf(around)} by ${Math.round(over)} px`,
              );
            }
            break;
          }
          if (style.position === "fixed" || style.position === "absolute") break;
        }
      }
    }
    return [...new Set(found)];
  }, neverCut);
}

/** By how many px the page is wider than its window. */
export function widerThanWindow(page: Page): Promise<number> {
  return page.evaluate(() => {
    const { documentElement: root } = (globalThis as unknown as PageGlobals).document;
    return Math.max(0, root.scrollWidth - root.clientWidth);
  });
}
