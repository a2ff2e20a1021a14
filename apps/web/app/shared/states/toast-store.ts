import type { Fillings } from "../language/fill.ts";

export interface Toast {
  id: number;
  kind: "error" | "ok" | "notice";
  /** A key of the translations, with its values. */
  text: string;
  values?: Fillings;
  /** Number of a call that failed in the server, which its logs are found by. */
  requestId?: string;
  /** Takes back what the note tells of; a refusal shows as another note. */
  undo?: () => Promise<void>;
}

const mostShown = 3;
const okShownMs = 4000;
/** Time to decide on an undo, ms. */
const undoShownMs = 12_000;
let toasts: readonly Toast[] = [];
let nextId = 1;
let logsShown = false;

/** Notes whether the person may read the server's logs, so that notes of failed calls link to them. */
export const showLogsInToasts = (may: boolean): void => {
  logsShown = may;
};
export const areLogsShown = (): boolean => logsShown;

const listeners = new Set<() => void>();

function publish(next: readonly Toast[]): void {
  toasts = next;
  for (const listener of listeners) listener();
}

/** Shows a closable note. The same text is not stacked, and at most three stand at once: a storm helps nobody. */
export function showToast(toast: Omit<Toast, "id">): void {
  if (toasts.some((shown) => shown.text === toast.text)) return;
  const id = nextId++;
  publish([...toasts, { ...toast, id }].slice(-mostShown));
  setTimeout(() => closeToast(id), toast.undo ? undoShownMs : toast.kind === "error" ? okShownMs * 2 : okShownMs);
}

export const closeToast = (id: number): void => publish(toasts.filter((toast) => toast.id !== id));

export const toastStore = {
  subscribe: (listener: () => void): (() => void) => {
    listeners.add(listener);
    return () => listeners.delete(listener);
  },
  read: (): readonly Toast[] => toasts,
};
