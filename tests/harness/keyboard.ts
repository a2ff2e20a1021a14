import type { Locator, Page } from "playwright-core";

/** Goes on with Tab until something has the focus; whoever can't get there by keyboard fails here. */
export async function tabTo(page: Page, target: Locator, key: "Tab" | "Shift+Tab" = "Tab", most = 200): Promise<void> {
  // Types of the browser's page are not those of the tests.
  const isThere = () =>
    target
      .evaluate(
        (element: unknown) =>
          element === (globalThis as unknown as { document: { activeElement: unknown } }).document.activeElement,
      )
      .catch(() => false);
  for (let step = 0; step < most; step += 1) {
    if (await isThere()) return;
    await page.keyboard.press(key);
  }
  if (await isThere()) return;
  const focused = await page.evaluate<string>("document.activeElement?.outerHTML.slice(0, 200) ?? ''");
  throw new Error(`${target} was not reached by ${most} × ${key}; the focus is at ${focused}`);
}

/** What has the focus shows it: a ring that the page draws. */
export const showsFocus = (page: Page): Promise<boolean> =>
  page.evaluate<boolean>(`(() => {
    let element = document.activeElement;
    for (let step = 0; element && step < 3; step += 1, element = element.parentElement) {
      const { outlineStyle, outlineWidth, boxShadow } = getComputedStyle(element);
      if ((outlineStyle !== "none" && parseFloat(outlineWidth) > 0) || boxShadow !== "none") return true;
      const next = element.nextElementSibling;
      if (next && getComputedStyle(next).outlineStyle !== "none") return true;
    }
    return false;
  })()`);
