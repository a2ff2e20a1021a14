import { useState } from "react";
import { asApiError } from "../../shared/api/api-error.ts";
import { tellIn } from "../../shared/language/tell.ts";
import { useTranslate } from "../../shared/language/use-language.ts";

/** What is being done with a text, and what was refused of it. */
export interface PublishingWork {
  busy: boolean;
  /** What is wrong, by field. */
  problems: Readonly<Record<string, string>>;
  /** What was refused and stands at no field. */
  refused: string | undefined;
  /** Does something with the text; what is refused of it is told. */
  run: (work: () => Promise<void>) => Promise<void>;
  refuse: (reason: unknown) => void;
  /** Takes problems away whose fields were changed. */
  solve: (isChanged: (field: string) => boolean) => void;
}

/** @param fieldId id of the element that a field is written in */
export function usePublishingWork(fieldId: (field: string) => string): PublishingWork {
  const t = useTranslate();
  const [busy, setBusy] = useState(false);
  const [problems, setProblems] = useState<Readonly<Record<string, string>>>({});
  const [refused, setRefused] = useState<string>();
  const refuse = (reason: unknown): void => {
    const error = asApiError(reason);
    const found = Object.entries(error.fieldProblems());
    const [first] = found.map(([field]) => document.getElementById(fieldId(field))).filter((place) => place !== null);
    setProblems(Object.fromEntries(found.map(([field, problem]) => [field, tellIn(t, problem)])));
    setRefused(first ? undefined : tellIn(t, error));
    // What is folded away opens for its problem first.
    requestAnimationFrame(() => first?.focus());
  };
  const run = async (work: () => Promise<void>): Promise<void> => {
    setBusy(true);
    setRefused(undefined);
    setProblems({});
    try {
      await work();
    } catch (reason) {
      refuse(reason);
    }
    setBusy(false);
  };
  const solve = (isChanged: (field: string) => boolean): void =>
    setProblems((held) => Object.fromEntries(Object.entries(held).filter(([field]) => !isChanged(field))));
  return { busy, problems, refused, run, refuse, solve };
}
