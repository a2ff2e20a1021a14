/** Where the worker answers for pages. */
const scope = "/barn";

/** Has the browser keep the page of the barn mode; where it can't, the page still works with a network. */
export async function keepPage(): Promise<void> {
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
