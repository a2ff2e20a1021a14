import { draftPrefix } from "../session/storage.ts";
import type { FormValues } from "./form-values.ts";

/** Unsent input of a form. */
export interface Draft {
  /** Time of the last input, ms since 1970. */
  atMs: number;
  /** Version of the row that the input is based on; 0 for a new row. */
  version: number;
  /** Only the changed fields. */
  changes: FormValues;
  /** Earlier values of these fields. */
  before: FormValues;
}

type Memory = Pick<Storage, "getItem" | "setItem" | "removeItem">;

const keptMs = 7 * 86_400_000;

/** @param place account, resource and row, so that nobody sees another person's draft */
const keyOf = (place: DraftPlace): string => `${draftPrefix}${place.userId}_${place.resource}_${place.row}`;

export interface DraftPlace {
  userId: string;
  resource: string;
  /** Id of the row, or `new`. */
  row: string;
}

/** Reads the draft of a form; drafts older than a week are ignored. */
export function readDraft(place: DraftPlace, nowMs: number, memory: Memory = localStorage): Draft | undefined {
  try {
    const draft = JSON.parse(memory.getItem(keyOf(place)) ?? "null") as Draft | null;
    if (!draft || nowMs - draft.atMs > keptMs || Object.keys(draft.changes).length === 0) return undefined;
    return draft;
  } catch {
    return undefined;
  }
}

/** Stores a draft, or removes it when it has no changes; with a full storage only the draft is lost. */
export function writeDraft(place: DraftPlace, draft: Draft, memory: Memory = localStorage): void {
  if (Object.keys(draft.changes).length === 0) {
    forgetDraft(place, memory);
    return;
  }
  try {
    memory.setItem(keyOf(place), JSON.stringify(draft));
  } catch {
    // Ignored, because the form still holds the input.
  }
}

export function forgetDraft(place: DraftPlace, memory: Memory = localStorage): void {
  memory.removeItem(keyOf(place));
}
