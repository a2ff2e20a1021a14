import { Fragment, type ReactNode } from "react";
import { useLoaderData } from "react-router";
import { KindContext, type KindView } from "./kind-view.ts";

/** Gives the parts of a page the kind that its route has loaded. */
export function KindPage({ children }: { children: ReactNode }) {
  const view = useLoaderData<unknown>() as KindView;
  return (
    <KindContext value={view}>
      <Fragment key={view.kind.kind}>{children}</Fragment>
    </KindContext>
  );
}
