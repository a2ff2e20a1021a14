/* The server refused what the page offered: the roles of the person may have changed since the page asked for its menu. */

/** A page full of refused calls asks for its menu once. */
const pauseMs = 3000;
const refusals = new EventTarget();
let notedMs = Number.NEGATIVE_INFINITY;

/** Says that a call was refused for a missing right. */
export function noteRefusal(): void {
  const now = performance.now();
  if (now - notedMs < pauseMs) return;
  notedMs = now;
  refusals.dispatchEvent(new Event("refused"));
}

/** Calls back when a right was missing. Returns its end. */
export function onRefusal(work: () => void): () => void {
  refusals.addEventListener("refused", work);
  return () => refusals.removeEventListener("refused", work);
}
