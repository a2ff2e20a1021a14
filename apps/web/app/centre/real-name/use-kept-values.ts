import { type RealNameDetail, realNameDraft } from "@herdwise/contract";
import type { RealNameKind } from "@herdwise/contract/real-name-checks";
import { useEffect, useState } from "react";
import { call } from "../../shared/api/call.ts";
import { parseWireDateTime } from "../../shared/language/format.ts";
import { useUnsaved } from "../../shared/session/use-unsaved.ts";

const savesAfterMs = 800;

/**
 * What is typed into an application, which the server keeps as a draft while one types: no number of a person lies in the browser.
 * @param busy while the form is sent nothing is kept
 */
export function useKeptValues(kind: RealNameKind, { draft }: RealNameDetail, busy: boolean) {
  const [kept, setKept] = useState<Readonly<Record<string, string>>>(draft?.kind === kind ? draft.values : {});
  const [typed, setTyped] = useState<Readonly<Record<string, string>>>({});
  const [unsaved, setUnsaved] = useState<ReadonlySet<string>>(new Set());
  const [savedAt, setSavedAt] = useState(() =>
    draft?.kind === kind ? parseWireDateTime(draft.updateTime) : undefined,
  );
  useUnsaved(unsaved.size > 0 && !busy);
  useEffect(() => {
    if (unsaved.size === 0 || busy) return;
    const values = Object.fromEntries([...unsaved].map((field) => [field, typed[field] ?? ""]));
    const timer = setTimeout(() => {
      call(realNameDraft, { body: { kind, values }, quiet: true }).then(
        (saved) => {
          setSavedAt(parseWireDateTime(saved.updateTime));
          setKept((now) => ({ ...now, ...saved.values }));
          setUnsaved((now) => new Set([...now].filter((field) => !(field in values))));
        },
        // It stays on the screen and goes along with the next change or the submission.
        () => undefined,
      );
    }, savesAfterMs);
    return () => clearTimeout(timer);
  }, [unsaved, typed, kind, busy]);
  return {
    /** As the server keeps it, numbers of people and accounts shortened. */
    kept,
    /** As it was typed since. */
    typed,
    /** When all that is typed was kept, ms since 1970. */
    savedAt: unsaved.size === 0 ? savedAt : undefined,
    change(field: string, value: string): void {
      setTyped((now) => ({ ...now, [field]: value }));
      setUnsaved((now) => new Set([...now, field]));
    },
    /** It was sent: nothing waits to be kept. */
    settle: (): void => setUnsaved(new Set()),
  };
}
