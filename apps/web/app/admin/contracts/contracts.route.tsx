import { lazy, Suspense } from "react";
import { useLocation } from "react-router";
import { Skeleton } from "../../shared/states/skeleton.tsx";

/** The screens by the last part of their address. One module for all, as each page carries the list of all routes' files. */
const screens = {
  contract: lazy(async () => ({ default: (await import("./desk-screen.tsx")).ContractDesk })),
  detail: lazy(async () => ({ default: (await import("./detail-screen.tsx")).DeskContract })),
  draft: lazy(async () => ({ default: (await import("./draft-screen.tsx")).DraftContract })),
  batch: lazy(async () => ({ default: (await import("./batch-screen.tsx")).ContractBatch })),
  editor: lazy(async () => ({ default: (await import("./template-editor-screen.tsx")).TemplateEditor })),
} as const;

export default function Route() {
  const last = useLocation().pathname.replace(/\/+$/, "").split("/").at(-1) ?? "";
  const Screen = screens[last as keyof typeof screens] ?? screens.contract;
  return (
    <Suspense fallback={<Skeleton />}>
      <Screen />
    </Suspense>
  );
}
