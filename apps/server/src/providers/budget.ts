import type { Store } from "./store.ts";

/** At most `most` within a window of `windowS` seconds that begins with the first. */
export interface Budget {
  max: number;
  windowS: number;
}

/**
 * Spends one of each budget, in order; stops at the first that is empty. Exact however many ask at once, on however many
 * servers, because the store counts atomically.
 * @param subject what is limited; personal data only as a keyed hash
 * @throws what the store throws when it is away: whoever asks stays outside
 */
export async function spend(store: Store, subject: string, budgets: readonly Budget[]): Promise<boolean> {
  for (const { max, windowS } of budgets) {
    if ((await store.count(`budget:${subject}:${windowS}`, windowS)) > max) return false;
  }
  return true;
}
