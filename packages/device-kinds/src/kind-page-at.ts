import type { DeviceKindId } from "@herdwise/contract";
import { kindList } from "./generated/kind-list.ts";
import { type KindPage, pageAddress, pagesOf } from "./kind-pages.ts";

/** The kind whose page lives at a path, and which of its pages that is; undefined where none does. */
export function kindPageAt(pathname: string): { kind: DeviceKindId; page: KindPage } | undefined {
  const path = pathname.replace(/\/+$/, "");
  for (const { kind, pages } of kindList) {
    const page = pages && pagesOf(pages).find((candidate) => pageAddress(pages, candidate) === path);
    if (page !== undefined) return { kind, page };
  }
  return undefined;
}
