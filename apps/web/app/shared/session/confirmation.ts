import { ApiError } from "../api/api-error.ts";

/** The person closed the question for the own password: nothing was done. */
export class NotConfirmed extends ApiError {
  override readonly name = "NotConfirmed";

  constructor() {
    super(0, "没有输入密码，什么都没有改");
  }
}

interface Question {
  confirm: () => void;
  leave: () => void;
}

let question: Question | undefined;
let answered: Promise<void> | undefined;
const listeners = new Set<() => void>();

function show(next: Question | undefined): void {
  question = next;
  for (const listener of listeners) listener();
}

/**
 * Asks the person for the own password; calls that need it at the same time share one question.
 * @returns when the server took it
 * @throws NotConfirmed when the question is closed
 */
export function askConfirmation(): Promise<void> {
  answered ??= new Promise<void>((resolve, reject) => {
    show({ confirm: resolve, leave: () => reject(new NotConfirmed()) });
  }).finally(() => {
    answered = undefined;
    show(undefined);
  });
  return answered;
}

/** The question that stands, for the dialog that draws it. */
export const confirmationStore = {
  subscribe: (listener: () => void): (() => void) => {
    listeners.add(listener);
    return () => listeners.delete(listener);
  },
  read: (): Question | undefined => question,
};
