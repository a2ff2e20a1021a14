import { kindOverview, menuButtons, menuRoutes, publicClient, tokenHeader, userInfo } from "@herdwise/contract";
import { kindList } from "@herdwise/device-kinds/kind-list";
import { pageAddress } from "@herdwise/device-kinds/kind-pages";

/** The kind whose overview a path shows. */
function kindShownAt(path: string): string | undefined {
  if (path === "/selfCenter/home") return "environment";
  return kindList.find(({ pages }) => pages && pageAddress(pages, "overview") === path)?.kind;
}

/**
 * Runs in the head of a screen: asks who this is, and for what an overview shows, while the scripts are still on their way, which
 * on a phone's line is a second. Kept tiny because it blocks rendering. Called by the server alone; all of it stands inside, so
 * that the browser's scripts leave it out.
 */
export function askAheadScript(path: string): string {
  const kind = kindShownAt(path);
  const wanted = [
    // What the frame of the centre needs before it can show anything.
    ...[userInfo, menuRoutes, menuButtons].map((endpoint) => endpoint.path),
    ...(kind === undefined ? [] : [`${kindOverview.path}?${new URLSearchParams({ kind })}`]),
  ];
  const basic = JSON.stringify(`Basic ${btoa(`${publicClient.id}:${publicClient.secret}`)}`);
  return `(function(w){try{var t=localStorage.getItem("token"),a={};if(!t)return;
${JSON.stringify(wanted)}.forEach(function(p){(a[p]=fetch(p,{credentials:"include",headers:{Authorization:${basic},"${tokenHeader}":"bearer "+t}})).catch(function(){})});
w.askedAhead={token:t,answers:a}}catch(e){}})(window)`;
}
