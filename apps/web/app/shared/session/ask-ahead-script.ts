import {
  deviceDetail,
  deviceGlance,
  deviceLatest,
  devicePage,
  kindOverview,
  menuButtons,
  menuRoutes,
  publicClient,
  tokenHeader,
  unitOverview,
  userInfo,
} from "@herdwise/contract";
import { kindPageAt } from "@herdwise/device-kinds/kind-page-at";
import { previewKey } from "./preview-storage.ts";

/** What a page asks for: whole addresses, and those that end with the id in the page's own address. */
interface Asked {
  readonly whole: readonly string[];
  /** Pairs of what stands before and behind the id. */
  readonly ofId: readonly (readonly [before: string, behind: string])[];
}

/** What the page of a kind asks for first; use-overview.ts, use-unit.ts and use-device.ts take it by the same addresses. */
function askedAt(path: string): Asked {
  const shown = path === "/selfCenter/home" ? { kind: "environment", page: "overview" } : kindPageAt(path);
  const kind = new URLSearchParams({ kind: shown?.kind ?? "" });
  if (shown?.page === "overview") return { whole: [`${kindOverview.path}?${kind}`], ofId: [] };
  if (shown?.page === "unit")
    return {
      whole: [],
      ofId: [
        [`${deviceGlance.path}?${kind}&unitId=`, ""],
        [`${unitOverview.path}?id=`, ""],
        [`${devicePage.path}?${kind}&unitId=`, "&current=1&size=50"],
      ],
    };
  if (shown?.page === "device")
    return {
      whole: [],
      ofId: [
        [`${deviceGlance.path}?${kind}&id=`, ""],
        [`${deviceDetail.path}?id=`, ""],
        [`${deviceLatest.path}?id=`, ""],
      ],
    };
  return { whole: [], ofId: [] };
}

/**
 * Runs in the head of a screen: asks who this is, and for what an overview, a unit or a device shows, while the scripts are still on
 * their way, which on a phone's line is a second. Kept tiny because it blocks rendering. Called by the server alone; all of it stands
 * inside, so that the browser's scripts leave it out.
 */
export function askAheadScript(path: string): string {
  const { whole, ofId } = askedAt(path);
  // What the frame of the centre needs before it can show anything.
  const wanted = [...[userInfo, menuRoutes, menuButtons].map((endpoint) => endpoint.path), ...whole];
  const basic = JSON.stringify(`Basic ${btoa(`${publicClient.id}:${publicClient.secret}`)}`);
  const more =
    ofId.length === 0
      ? ""
      : `var i=new URLSearchParams(location.search).get("id");if(/^\\d{1,19}$/.test(i))${JSON.stringify(ofId)}.forEach(function(x){g(x[0]+i+x[1])});`;
  return `(function(w){try{var t=localStorage.getItem("token"),p=JSON.parse(sessionStorage.getItem("${previewKey}")),a={};if(!t)return;if(p)t=p.token;
function g(p){(a[p]=fetch(p,{credentials:"include",headers:{Authorization:${basic},"${tokenHeader}":"bearer "+t}})).catch(function(){})}
${JSON.stringify(wanted)}.forEach(g);${more}
w.askedAhead={token:t,answers:a}}catch(e){}})(window)`;
}
