import { lazy, Suspense } from "react";
import { useLocation } from "react-router";
import { Skeleton } from "../../shared/states/skeleton.tsx";

/** The screens by the last part of their address. One module for all, as each page carries the list of all routes' files. */
const screens = {
  contractManage: lazy(async () => ({ default: (await import("./list-screen.tsx")).Contracts })),
  history: lazy(async () => ({ default: (await import("./history-screen.tsx")).ContractRecord })),
  detail: lazy(async () => ({ default: (await import("./detail-screen.tsx")).ContractPage })),
} as const;

export default function Route() {
  const last = useLocation().pathname.replace(/\/+$/, "").split("/").at(-1) ?? "";
  const Screen = screens[last as keyof typeof screens] ?? screens.contractManage;
  return (
    <Suspense fallback={<Skeleton />}>
      <Screen />
    </Suspense>
  );
}
