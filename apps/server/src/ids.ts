import { isId } from "@herdwise/contract";
import { refuse } from "./http/errors.ts";
import type { Reason } from "./http/reasons.ts";

const maxIds = 500;

/**
 * Reads comma-separated ids as the wire has them; doubled ones count once.
 * @throws Refusal 400 for what is no id, or more than `max`
 */
export function readIds(text: string | undefined, max = maxIds): string[] {
  const ids = [...new Set((text ?? "").split(",").map((id) => id.trim()))].filter((id) => id !== "");
  if (ids.length > max || !ids.every(isId)) {
    throw refuse("ids.invalid");
  }
  return ids;
}

/** As `readIds`, where at least one is needed. @param reason what is said when there is none */
export function readSomeIds(text: string | undefined, reason: Reason = "rows.none_chosen", max = maxIds): string[] {
  const ids = readIds(text, max);
  if (ids.length === 0) throw refuse(reason);
  return ids;
}
