import { type RefObject, useRef, useState } from "react";
import { asApiError } from "../api/api-error.ts";
import { tellIn } from "../language/tell.ts";
import { useTranslate } from "../language/use-language.ts";
import { NotConfirmed } from "../session/confirmation.ts";
import { focusFirstProblem } from "./focus-problem.ts";

/** Where a form's sending stands, and how it is sent. */
export interface Submission<Form extends HTMLElement> {
  /** Of the element that holds the fields: after a refusal its first wrong field gets the focus. */
  form: RefObject<Form | null>;
  busy: boolean;
  /** Why it was refused, in the chosen language; undefined before and while it is sent. */
  refused: string | undefined;
  /** What is wrong with which field, in the chosen language. */
  problems: Readonly<Record<string, string>>;
  /** Takes the problem of a field away, because somebody is mending it. */
  mend: (field: string) => void;
  /** Sends the form. @param work a call that is quiet: the form itself tells of the refusal @returns whether it was taken */
  submit: (work: () => Promise<unknown>) => Promise<boolean>;
}

/** Sends a form, and keeps what a refusal says: the reason beside the button, problems at their fields, the focus in the first one. */
export function useSubmission<Form extends HTMLElement = HTMLFormElement>(): Submission<Form> {
  const t = useTranslate();
  const form = useRef<Form>(null);
  const [busy, setBusy] = useState(false);
  const [refused, setRefused] = useState<string>();
  const [problems, setProblems] = useState<Readonly<Record<string, string>>>({});
  return {
    form,
    busy,
    refused,
    problems,
    mend(field) {
      setProblems(({ [field]: _gone, ...rest }) => rest);
    },
    async submit(work) {
      setBusy(true);
      setRefused(undefined);
      setProblems({});
      try {
        await work();
        return true;
      } catch (error) {
        if (error instanceof NotConfirmed) return false;
        const problem = asApiError(error);
        setProblems(Object.fromEntries(problem.problems.map((one) => [one.field, tellIn(t, one)])));
        setRefused(tellIn(t, problem));
        focusFirstProblem(form.current);
        return false;
      } finally {
        setBusy(false);
      }
    },
  };
}
