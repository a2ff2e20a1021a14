import { createHash, randomInt } from "node:crypto";
import type { TokenReply } from "@herdwise/contract";
import { publicClient } from "@herdwise/contract";
import { demoPassword } from "../../apps/server/src/database/seeds/demo.ts";

/** Headers of a call without a session. */
export const basicHeader = `Basic ${btoa(`${publicClient.id}:${publicClient.secret}`)}`;

/** A header that makes a call come from a network address of its own, where the server believes this one; budgets count by address. */
export const fromNewAddress = (): Record<string, string> => ({
  "X-Forwarded-For": `10.${randomInt(256)}.${randomInt(256)}.${1 + randomInt(254)}`,
});

/** Logs a demo account in at a running server. */
export async function tokenOfDemo(address: string, account: string): Promise<TokenReply> {
  const answer = await fetch(`${address}/api/muyuan-auth/oauth/token`, {
    method: "POST",
    headers: { Authorization: basicHeader, ...fromNewAddress() },
    body: new URLSearchParams({
      grant_type: "password",
      username: account,
      password: createHash("md5").update(demoPassword).digest("hex"),
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
