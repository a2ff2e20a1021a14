import { draftPrefix } from "../session/storage.ts";
import type { FormValues } from "./form-values.ts";

/** What somebody typed into a form and has not sent. */
export interface Draft {
  /** When it was typed last, ms since 1970. */
  atMs: number;
  /** Version of the row that it began with; 0 for a new one. */
  version: number;
  /** Only what differs. */
  changes: FormValues;
  /** What those fields were. */
  before: FormValues;
}

type Memory = Pick<Storage, "getItem" | "setItem" | "removeItem">;

const keptMs = 7 * 86_400_000;

/** @param place account, resource and row, so that nobody gets another's draft */
const keyOf = (place: DraftPlace): string => `${draftPrefix}${place.userId}_${place.resource}_${place.row}`;

export interface DraftPlace {
  userId: string;
  resource: string;
  /** Id of the row, or `new`. */
  row: string;
}

/** The draft of a form, unless it is older than a week. */
export function readDraft(place: DraftPlace, nowMs: number, memory: Memory = localStorage): Draft | undefined {
  try {
    const draft = JSON.parse(memory.getItem(keyOf(place)) ?? "null") as Draft | null;
    if (!draft || nowMs - draft.atMs > keptMs || Object.keys(draft.changes).length === 0) return undefined;
    return draft;
  } catch {
    return undefined;
  }
}

/** Keeps a draft; one without changes is none. A full storage loses it, and nothing else. */
export function writeDraft(place: DraftPlace, draft: Draft, memory: Memory = localStorage): void {
  if (Object.keys(draft.changes).length === 0) {
    forgetDraft(place, memory);
    return;
  }
  try {
    memory.setItem(keyOf(place), JSON.stringify(draft));
  } catch {
    // The form itself still holds it.
  }
}

export function forgetDraft(place: DraftPlace, memory: Memory = localStorage): void {
  memory.removeItem(keyOf(place));
}
