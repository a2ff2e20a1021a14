import { createHash, randomInt } from "node:crypto";
import type { TokenReply } from "@herdwise/contract";
import { publicClient } from "@herdwise/contract";
import { demoPassword } from "../../apps/server/src/database/seeds/demo.ts";

/** What the web app calls itself by; a session goes into another header. */
export const basic = `Basic ${btoa(`${publicClient.id}:${publicClient.secret}`)}`;

/** A password as it is sent. */
export const md5 = (text: string) => createHash("md5").update(text).digest("hex");

/** A header that makes a call come from a network address of its own, where the server believes this one; budgets count by address. */
export const fromNewAddress = (): Record<string, string> => ({
  "X-Forwarded-For": `10.${randomInt(256)}.${randomInt(256)}.${1 + randomInt(254)}`,
});

/** Logs a demo account in at a running server. */
export async function tokenOfDemo(address: string, account: string): Promise<TokenReply> {
  const answer = await fetch(`${address}/api/muyuan-auth/oauth/token`, {
    method: "POST",
    headers: { Authorization: basic, ...fromNewAddress() },
    body: new URLSearchParams({
      grant_type: "password",
      username: account,
      password: md5(demoPassword),
      type: "account",
    }),
  });
  if (!answer.ok) throw new Error(`${account} could not log in: ${await answer.text()}`);
  return (await answer.json()) as TokenReply;
}

/** The same session as the web app keeps it in localStorage. */
export async function sessionOfDemo(address: string, account: string): Promise<Record<string, string>> {
  const { access_token: token, refresh_token: refreshToken, tenant_id: tenantId } = await tokenOfDemo(address, account);
  return { token, refresh_token: refreshToken, tenant_id: tenantId, auth_time: String(Date.now()) };
}
