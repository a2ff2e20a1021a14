import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { mallPath } from "@herdwise/contract/mall-path";

export interface SandboxOptions {
  /** Address of the portal as this process reaches it. */
  portal: string;
  /** Secret with which the mall proves itself to the portal. */
  secret: string;
}

interface SignedIn {
  userId: string;
  account: string;
  nickName: string;
  tenantId: string;
  mallToken: string;
}

const escapeHtml = (text: string) => text.replace(/[&<>"']/g, (character) => `&#${character.codePointAt(0)};`);

const page = (
  body: string,
) => `<!doctype html><html lang="zh"><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>商城（沙箱）</title><style>:root{color-scheme:light dark}body{font:16px/1.6 system-ui,sans-serif;max-width:40rem;margin:10vh auto;padding:0 1rem}
dl{display:grid;grid-template-columns:max-content 1fr;gap:.25rem 1rem}dd{margin:0}button{font:inherit;padding:.5rem 1rem}</style>
<main><h1>商城（沙箱） Mall sandbox</h1>${body}</main></html>`;

const cookieName = "mall_sandbox";

/**
 * A stand-in for the mall, which is outside this product: it takes the one-time code `fkg`, exchanges it from its server, shows
 * who is signed in, and offers log-out and the customer-service call.
 */
export function createSandbox({ portal, secret }: SandboxOptions): Server {
  const sessions = new Map<string, SignedIn>();

  const callPortal = async (
    method: string,
    path: string,
    body?: object,
  ): Promise<{ code: number; msg: string; data: unknown }> => {
    const answer = await fetch(portal + path, {
      method,
      headers: { authorization: `Bearer ${secret}`, "content-type": "application/json" },
      ...(body && { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(3000),
    });
    return (await answer.json()) as { code: number; msg: string; data: unknown };
  };

  const tokenOf = (request: IncomingMessage) =>
    new RegExp(`(?:^|; )${cookieName}=([\\w-]+)`).exec(request.headers.cookie ?? "")?.[1] ?? "";
  const send = (response: ServerResponse, status: number, body: string, headers: Record<string, string> = {}) => {
    response.writeHead(status, { "Content-Type": "text/html; charset=utf-8", ...headers });
    response.end(page(body));
  };

  const show = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const signedIn = sessions.get(tokenOf(request));
    const service = await callPortal("GET", "/api/mall-business/customer/service/getByShopId?type=qidian&shopId=-1");
    const chat =
      service.code === 1 ? escapeHtml((service.data as { linkUrl: string }).linkUrl) : escapeHtml(service.msg);
    if (signedIn === undefined)
      return send(response, 200, `<p>未登录 Not signed in</p><p>客服 Customer service: ${chat}</p>`);
    send(
      response,
      200,
      `<p>已登录 Signed in</p><dl><dt>账号</dt><dd>${escapeHtml(signedIn.account)}</dd><dt>昵称</dt><dd>${escapeHtml(signedIn.nickName)}</dd><dt>租户</dt><dd>${escapeHtml(signedIn.tenantId)}</dd></dl>
<p>客服 Customer service: ${chat}</p><form method="post" action="/logout"><button>退出 Log out</button></form>`,
    );
  };

  const serve = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const url = new URL(request.url ?? "/", "http://sandbox");
    const code = url.searchParams.get("fkg");
    if (request.method === "POST" && url.pathname === "/logout") {
      const token = tokenOf(request);
      sessions.delete(token);
      await callPortal("POST", "/api/mall-auth-server/user/loginOut", { mallToken: token });
      response.writeHead(303, {
        Location: mallPath,
        "Set-Cookie": `${cookieName}=; Path=/; Max-Age=0; HttpOnly; SameSite=Lax`,
      });
      response.end();
      return;
    }
    if (!url.pathname.startsWith(mallPath)) return send(response, 404, "<p>没有这个页面 No such page</p>");
    if (code === null) return show(request, response);
    const answer = await callPortal("POST", "/api/mall-auth-server/user/login/muyuan/exchange", { code });
    if (answer.code !== 1) return send(response, 200, `<p>未登录 Not signed in: ${escapeHtml(answer.msg)}</p>`);
    const signedIn = answer.data as SignedIn;
    sessions.set(signedIn.mallToken, signedIn);
    // The code leaves the address bar, so that it stands in no history and no referrer.
    response.writeHead(303, {
      Location: mallPath,
      "Set-Cookie": `${cookieName}=${signedIn.mallToken}; Path=/; HttpOnly; SameSite=Lax`,
    });
    response.end();
  };

  return createServer((request, response) => {
    serve(request, response).catch(() => {
      if (!response.headersSent) send(response, 502, "<p>门户没有回答 The portal does not answer</p>");
    });
  });
}
