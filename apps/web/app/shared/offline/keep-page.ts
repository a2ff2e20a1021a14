/**
 * Has the browser keep a page, so that it opens without a network; where it can't, the page still works with one.
 * @param scope path of the page, for which alone the worker answers
 */
export async function keepPage(scope: "/barn" | "/driver"): Promise<void> {
  if (!("serviceWorker" in navigator) || !window.isSecureContext) return;
  try {
    await navigator.serviceWorker.register("/barn-worker.js", { scope });
    const { active } = await navigator.serviceWorker.ready;
    const paths = [
      ...performance.getEntriesByType("resource").map(({ name }) => name),
      ...Array.from(document.querySelectorAll<HTMLLinkElement>("link[href]"), ({ href }) => href),
      ...Array.from(document.querySelectorAll<HTMLScriptElement>("script[src]"), ({ src }) => src),
    ]
      .map((address) => new URL(address, location.href))
      .filter(({ origin }) => origin === location.origin)
      .map(({ pathname }) => pathname);
    active?.postMessage({ keep: [...new Set(paths)] });
  } catch {
    // A browser without room or leave for it: nothing is kept.
  }
}
