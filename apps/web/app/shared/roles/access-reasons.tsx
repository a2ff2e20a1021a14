import { type ComponentProps, lazy, Suspense } from "react";
import type { AccessReasonsDialog } from "./access-reasons-dialog.tsx";

const Dialog = lazy(async () => ({ default: (await import("./access-reasons-dialog.tsx")).AccessReasonsDialog }));

/** The dialog that tells why somebody does not see something; its code is fetched when it is opened. */
export function AccessReasons(props: ComponentProps<typeof AccessReasonsDialog>) {
  return (
    <Suspense>
      <Dialog {...props} />
    </Suspense>
  );
}
