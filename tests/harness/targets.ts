import type { Page } from "playwright-core";

/**
 * Controls that are too low for a finger, by their words; what stands in a label is as high as the label.
 * @param within a selector of the part of the page that is looked at
 * @param controls which controls
 */
export const smallTargets = (
  page: Page,
  within: string,
  controls = "button, input, select, textarea, a",
): Promise<string[]> =>
  page.evaluate<string[]>(`[...document.querySelectorAll(${JSON.stringify(`${within} :is(${controls})`)})]
    .filter((control) => control.checkVisibility({ opacityProperty: false, visibilityProperty: true }))
    .map((control) => [control, (control.closest("label") ?? control).getBoundingClientRect()])
    .filter(([, { height, width }]) => width > 1 && height > 1 && height < 43.5)
    .map(([control]) => (control.getAttribute("aria-label") ?? control.textContent) || control.outerHTML.slice(0, 80))`);
