import { menuButtons, menuRoutes, publicClient, tokenHeader, userInfo } from "@herdwise/contract";

interface AskedAhead {
  /** The access token that it was asked with. */
  readonly token: string;
  readonly answers: Partial<Record<string, Promise<Response>>>;
}

declare global {
  var askedAhead: AskedAhead | undefined;
}

/** What the frame of the centre needs before it can show anything. */
const wanted = JSON.stringify([userInfo, menuRoutes, menuButtons].map(({ path }) => path));
const basic = JSON.stringify(`Basic ${btoa(`${publicClient.id}:${publicClient.secret}`)}`);

/**
 * Runs in the head of a screen: asks who this is while the scripts are still on their way, which on a phone's line is a second.
 * Kept tiny because it blocks rendering.
 */
export const askAheadScript = `(function(w){try{var t=localStorage.getItem("token"),a={};if(!t)return;
${wanted}.forEach(function(p){(a[p]=fetch(p,{credentials:"include",headers:{Authorization:${basic},"${tokenHeader}":"bearer "+t}})).catch(function(){})});
w.askedAhead={token:t,answers:a}}catch(e){}})(window)`;

/** The answer that was asked for ahead, for the first who asks, if it was asked in the same session. */
export function takeAhead(address: string, token: string | undefined): Promise<Response> | undefined {
  const ahead = globalThis.askedAhead;
  if (ahead === undefined || ahead.token !== token) return undefined;
  const answer = ahead.answers[address];
  delete ahead.answers[address];
  return answer;
}
