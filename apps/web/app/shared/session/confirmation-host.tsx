import { lazy, Suspense, useSyncExternalStore } from "react";
import { confirmationStore } from "./confirmation.ts";

const ConfirmationDialog = lazy(async () => ({
  default: (await import("./confirmation-dialog.tsx")).ConfirmationDialog,
}));

/** Draws the question for the own password while a call waits for it. */
export function ConfirmationHost() {
  const question = useSyncExternalStore(confirmationStore.subscribe, confirmationStore.read, () => undefined);
  if (question === undefined) return null;
  return (
    <Suspense>
      <ConfirmationDialog {...question} />
    </Suspense>
  );
}
