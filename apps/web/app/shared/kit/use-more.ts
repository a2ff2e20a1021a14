import { useCallback } from "react";

/** Less than this beyond the edge is no more than rounding, px. */
const roundingPx = 2;

/**
 * For the `ref` of an element that scrolls sideways: marks it with `data-more` while it goes on beyond its right edge, which then
 * fades.
 */
export function useMore<T extends HTMLElement>(): (element: T | null) => (() => void) | undefined {
  return useCallback((element) => {
    if (!element) return undefined;
    const tell = (): void => {
      element.toggleAttribute("data-more", element.scrollWidth - element.clientWidth - element.scrollLeft > roundingPx);
    };
    element.addEventListener("scroll", tell, { passive: true });
    const sizes = new ResizeObserver(tell);
    sizes.observe(element);
    for (const child of element.children) sizes.observe(child);
    // What comes later is observed as well, such as the counts of tabs.
    const children = new MutationObserver(() => {
      for (const child of element.children) sizes.observe(child);
      tell();
    });
    children.observe(element, { childList: true });
    tell();
    return () => {
      element.removeEventListener("scroll", tell);
      sizes.disconnect();
      children.disconnect();
    };
  }, []);
}
