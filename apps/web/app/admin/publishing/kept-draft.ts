import { useEffect, useMemo, useRef, useState } from "react";
import { type Draft, type DraftPlace, forgetDraft, readDraft, writeDraft } from "../../shared/resource/draft-store.ts";
import { useAccess } from "../../shared/session/access-context.ts";

/** A pause in typing after which what was typed is kept in the browser, ms. */
const keepAfterMs = 600;

/** Where a text keeps what was typed and not saved, and what of it an earlier visit left. */
export interface KeptDraft {
  place: DraftPlace;
  readOnly: boolean;
  /** What the text began with. */
  draft: Draft | undefined;
  /** The same until it is saved or discarded. */
  restored: Draft | undefined;
  forget: () => void;
}

/** What somebody typed into a text before and did not save. */
export function useKeptDraft(resource: string, row: string, readOnly: boolean): KeptDraft {
  const { user } = useAccess();
  const place = useMemo((): DraftPlace => ({ userId: user.user_id, resource, row }), [user.user_id, resource, row]);
  const [draft] = useState(() => (readOnly ? undefined : readDraft(place, Date.now())));
  const [restored, setRestored] = useState(draft);
  const forget = (): void => {
    forgetDraft(place);
    setRestored(undefined);
  };
  return { place, readOnly, draft, restored, forget };
}

/** Keeps what differs from what is stored, a pause after it was typed. @param typed another one when something was typed */
export function useKeeping({ place, readOnly }: KeptDraft, typed: unknown, differing: Omit<Draft, "atMs">): void {
  const newest = useRef(differing);
  newest.current = differing;
  const { version } = differing;
  useEffect(() => {
    if (readOnly) return;
    const timer = setTimeout(() => writeDraft(place, { atMs: Date.now(), ...newest.current }), keepAfterMs);
    return () => clearTimeout(timer);
  }, [typed, version, readOnly, place]);
}
