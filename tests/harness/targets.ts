import type { Page } from "playwright-core";

/**
 * Controls that are too low for a finger, by their words; what has a label is as high as that.
 * @param within a selector of the part of the page that is looked at
 * @param controls which controls
 */
export const smallTargets = (
  page: Page,
  within: string,
  controls = "button, input, select, textarea, a",
): Promise<string[]> =>
  page.evaluate<string[]>(`[...document.querySelectorAll(${JSON.stringify(`${within} :is(${controls})`)})]
    .filter((control) => !control.closest('[data-react-aria-prevent-focus]') && control.checkVisibility({ opacityProperty: false, visibilityProperty: true }))
    .map((control) => [control, control.getBoundingClientRect(), ...[...(control.labels ?? [])].map((label) => label.getBoundingClientRect())])
    .filter(([, { height, width }, ...labels]) => width > 1 && height > 1 && [height, ...labels.map((label) => label.height)].every((high) => high < 43.5))
    .map(([control]) => (control.getAttribute("aria-label") ?? control.textContent) || control.outerHTML.slice(0, 80))`);
