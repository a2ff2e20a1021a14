import { loadKind } from "@herdwise/device-kinds/kind-loader";
import { kindPageAt } from "@herdwise/device-kinds/kind-page-at";
import type { KindPage } from "@herdwise/device-kinds/kind-pages";
import { environmentView } from "../environment/view.tsx";
import type { KindView } from "./kind-view.ts";

/** Kinds with parts of their own, by id; all others are drawn from their declaration alone. */
const own: Readonly<Record<string, (page: KindPage) => Promise<KindView>>> = {
  environment: async (page) => {
    if (page === "overview") return environmentView;
    return { ...environmentView, ...(await import("../environment/unit-parts.tsx")).environmentUnitParts };
  },
  cough: async (page) => ({
    kind: await loadKind.cough(),
    ...(page === "analysis" && { AnalysisHead: (await import("../cough/butler.tsx")).CoughButler }),
    ...(page === "overview" && (await import("../cough/overview-parts.tsx")).coughOverviewParts),
    ...((page === "unit" || page === "device") && (await import("../cough/device-parts.tsx")).coughDeviceParts),
  }),
  bathroom: async () => ({
    kind: await loadKind.bathroom(),
    Drawing: (await import("../drawings/bathroom.tsx")).BathroomDrawing,
  }),
  disinfect: async () => ({
    kind: await loadKind.disinfect(),
    Drawing: (await import("../drawings/water-line.tsx")).WaterLineDrawing,
  }),
  deodorization: async () => ({
    kind: await loadKind.deodorization(),
    Drawing: (await import("../drawings/scrubber.tsx")).ScrubberDrawing,
  }),
  "bungalow-deodorization": async () => ({
    kind: await loadKind["bungalow-deodorization"](),
    Drawing: (await import("../drawings/spray-curtain.tsx")).SprayCurtainDrawing,
  }),
  temperature: async () => ({
    kind: await loadKind.temperature(),
    Drawing: (await import("../drawings/rail-robot.tsx")).RailRobotDrawing,
  }),
  "dosing-station": async () => ({
    kind: await loadKind["dosing-station"](),
    Drawing: (await import("../drawings/dosing-station.tsx")).DosingStationDrawing,
  }),
  weighbridge: async () => ({
    kind: await loadKind.weighbridge(),
    Drawing: (await import("../drawings/weighbridge.tsx")).WeighbridgeDrawing,
  }),
};

/** The view of the kind whose page lives at a path; undefined where none does. */
function viewAt(pathname: string): Promise<KindView> | undefined {
  const at = kindPageAt(pathname);
  return at && (own[at.kind]?.(at.page) ?? loadKind[at.kind]().then((kind) => ({ kind })));
}

// The page that is opened first asks for the files of its kind before React begins, which on a phone takes a third of a second.
// What could not be fetched now is asked for again by the loader.
if (!import.meta.env.SSR) viewAt(location.pathname)?.catch(() => undefined);

/** Finds the kind whose page lives at an address, with its declaration and its own parts. */
export async function kindViewAt({ request }: { request: Request }): Promise<KindView> {
  const view = await viewAt(new URL(request.url).pathname);
  if (!view) throw new Response("", { status: 404 });
  return view;
}

/** The kind is the same whatever the address holds behind its path. */
export const onOtherPath = ({ currentUrl, nextUrl }: { currentUrl: URL; nextUrl: URL }): boolean =>
  currentUrl.pathname !== nextUrl.pathname;
