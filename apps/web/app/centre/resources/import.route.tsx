import { resourceScreens } from "@herdwise/contract";
import { type ResourceDeclaration, sheetFormOf } from "@herdwise/contract/resource";
import { loadResource } from "@herdwise/contract/resource-loader";
import { useLoaderData } from "react-router";
import { ImportScreen } from "../../shared/imports/import-screen.tsx";

/** Finds the declaration whose screen this import stands below. */
export async function clientLoader({ request }: { request: Request }): Promise<ResourceDeclaration> {
  const path = new URL(request.url).pathname.replace(/\/import\/?$/, "");
  const entry = resourceScreens.find((screen) => screen.path === path && screen.imports);
  const declaration = entry && (await loadResource(entry.name));
  if (!declaration) throw new Response("", { status: 404 });
  return sheetFormOf(declaration);
}

export const shouldRevalidate = ({ currentUrl, nextUrl }: { currentUrl: URL; nextUrl: URL }): boolean =>
  currentUrl.pathname !== nextUrl.pathname;

/** The import of any resource. */
export default function Import() {
  const of = useLoaderData<typeof clientLoader>() as ResourceDeclaration;
  return <ImportScreen key={of.name} of={of} />;
}
