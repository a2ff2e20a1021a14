/* The roles of the person changed since the page asked for its menu: the server says so in each answer, or refused what the page offers. */

/** A page full of refused calls asks for its menu once. */
const pauseMs = 3000;
const changes = new EventTarget();
let notedMs = Number.NEGATIVE_INFINITY;

/** Says that a call was refused for a missing right. */
export function noteRefusal(): void {
  const now = performance.now();
  if (now - notedMs < pauseMs) return;
  notedMs = now;
  changes.dispatchEvent(new Event("refused"));
}

let seen: string | undefined;

/** Takes note of what the person's roles granted when an answer was made; null for an answer to nobody. */
export function noteAccessVersion(version: string | null): void {
  if (version === null || version === seen) return;
  const isFirst = seen === undefined;
  seen = version;
  if (!isFirst) changes.dispatchEvent(new Event("changed"));
}

/** Calls back when a right was missing, or the roles grant something else than before. Returns its end. */
export function onAccessChange(work: () => void): () => void {
  const events = ["refused", "changed"];
  for (const event of events) changes.addEventListener(event, work);
  return () => {
    for (const event of events) changes.removeEventListener(event, work);
  };
}
