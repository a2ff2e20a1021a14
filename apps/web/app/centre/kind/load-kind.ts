import { kindList } from "@herdwise/device-kinds/kind-list";
import { loadKind } from "@herdwise/device-kinds/kind-loader";
import { judgeOf } from "./judge.ts";
import type { KindView } from "./kind-view.ts";

/** Kinds with parts of their own, by id; all others are drawn from their declaration alone. */
const own: Readonly<Record<string, () => Promise<KindView>>> = {
  environment: async () => (await import("../environment/view.tsx")).environmentView,
};

/** Finds the kind whose page lives at an address, with its declaration and its own parts. */
export async function kindViewAt({ request }: { request: Request }): Promise<KindView> {
  const { pathname } = new URL(request.url);
  const listed = kindList.find(({ pages }) => pages && pathname.startsWith(`/selfCenter/${pages.path}/`));
  if (!listed) throw new Response("", { status: 404 });
  return (await own[listed.kind]?.()) ?? judgeOf(await loadKind[listed.kind]());
}

/** The kind is the same whatever the address holds behind its path. */
export const onOtherPath = ({ currentUrl, nextUrl }: { currentUrl: URL; nextUrl: URL }): boolean =>
  currentUrl.pathname !== nextUrl.pathname;
