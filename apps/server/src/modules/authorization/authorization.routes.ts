import {
  approveLocation,
  authorizeInfo,
  clientDetail,
  clientList,
  clientRemove,
  clientSubmit,
  endSessionAnswer,
  endSessionInfo,
  grantList,
  grantRemove,
  oauth2Paths,
} from "@herdwise/contract";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type Provider from "oidc-provider";
import { Refusal, refuse } from "../../http/errors.ts";
import { reasons } from "../../http/reasons.ts";
import type { Router } from "../../http/router.ts";
import type { AuthorizationService, LogOutRequest } from "./authorization.service.ts";
import { authorizeCookie, errorPage, errorPagePolicy } from "./authorization-server.ts";

const openBecause = "OAuth and OpenID Connect: the authorization server checks clients and tokens itself";

export function authorizationRoutes(router: Router, authorization: AuthorizationService): void {
  router.on(authorizeInfo, (call) =>
    authorization.info(call.session, call.query.authorizeKey, call.cookie(authorizeCookie)),
  );
  router.on(approveLocation, (call) =>
    authorization.approve(call.session, call.body, call.cookie(authorizeCookie), call),
  );
  router.on(endSessionInfo, ({ query }) => authorization.logOutInfo(query));
  router.on(endSessionAnswer, async ({ session, body }) => {
    await authorization.endTokensAt(session, body.clientId);
    return {};
  });
  router.on(grantList, ({ session }) => authorization.grants(session));
  router.on(grantRemove, async (call) => {
    await authorization.removeGrants(call.session, call.query.ids, call);
    return {};
  });
  router.on(clientDetail, ({ query }) => authorization.client(query.id));
  router.on(clientList, ({ query }) => authorization.clients(query));
  router.on(clientSubmit, ({ body }) => authorization.submitClient(body));
  router.on(clientRemove, async ({ query }) => {
    await authorization.removeClients(query.ids);
    return {};
  });
}

/**
 * Path and query of a request as the authorization server gets them. OpenID Connect grants `offline_access` only with
 * `prompt=consent`; our page asks each time, so a request that leaves the prompt out means just that.
 */
function serverUrl(url: string, issuer: string): string {
  const { pathname, search, searchParams } = new URL(url, issuer);
  const offline = (searchParams.get("scope") ?? "").split(" ").includes("offline_access");
  if (pathname !== oauth2Paths.authorize || !offline || searchParams.has("prompt")) return `${pathname}${search}`;
  searchParams.set("prompt", "consent");
  return `${pathname}?${searchParams}`;
}

/** What a log-out was asked with, as a query or a form. Doubled parameters are none, as the standard says. */
function logOutRequest({ query, body }: Pick<FastifyRequest, "query" | "body">): LogOutRequest {
  const sent = { ...(query as Record<string, unknown>), ...(body as Record<string, unknown>) };
  const text = (name: string): string | undefined => {
    const value = sent[name];
    if (value === undefined || value === "") return undefined;
    if (typeof value !== "string") throw refuse("parameter.invalid", { field: name, values: { field: name } });
    return value;
  };
  return {
    idTokenHint: text("id_token_hint"),
    clientId: text("client_id"),
    postLogoutRedirectUri: text("post_logout_redirect_uri"),
    state: text("state"),
  };
}

/** The log-out that applications ask for (OpenID Connect RP-Initiated Logout 1.0). */
export function endSessionRoutes(
  app: FastifyInstance,
  router: Pick<Router, "counted">,
  authorization: Pick<AuthorizationService, "beginLogOut">,
): void {
  for (const method of ["GET", "POST"] as const) {
    app.route({
      method,
      url: oauth2Paths.endSession,
      config: { openBecause },
      onRequest: router.counted({ method, path: oauth2Paths.endSession, rate: "entry" }),
      handler: async (request, reply) => {
        reply.header("Cache-Control", "no-store");
        try {
          return await reply.redirect(await authorization.beginLogOut(logOutRequest(request)), 303);
        } catch (error) {
          if (!(error instanceof Refusal)) throw error;
          const page = errorPage({ zh: "退出失败", en: "Log-out failed" }, reasons[error.reason], error.reason);
          return reply
            .code(error.status)
            .type("text/html; charset=utf-8")
            .header("Content-Security-Policy", errorPagePolicy)
            .send(page);
        }
      },
    });
  }
}

/** The protocol endpoints, which the authorization server answers itself on the raw request. */
export function authorizationServerRoutes(
  app: FastifyInstance,
  router: Pick<Router, "counted">,
  server: () => Promise<Provider>,
  issuer: string,
): void {
  const { protocol, host } = new URL(issuer);
  app.register(async (scope) => {
    // The server reads the body itself.
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser("*", (_request, _payload, done) => done(null));
    const config = { openBecause };
    const handle = async (request: FastifyRequest, reply: FastifyReply) => {
      const provider = await server();
      request.raw.url = serverUrl(request.raw.url ?? "", issuer);
      // It makes addresses from these, and they must be ours, not the caller's.
      const { headers } = request.raw;
      headers.host = host;
      headers["x-forwarded-proto"] = protocol.slice(0, -1);
      delete headers["x-forwarded-host"];
      reply.hijack();
      await provider.callback()(request.raw, reply.raw);
    };
    const get = [
      oauth2Paths.discovery,
      oauth2Paths.serverMetadata,
      oauth2Paths.authorize,
      `${oauth2Paths.authorize}/:uid`,
      oauth2Paths.jwks,
      oauth2Paths.userinfo,
    ];
    const post = [
      oauth2Paths.authorize,
      oauth2Paths.token,
      oauth2Paths.revoke,
      oauth2Paths.introspect,
      oauth2Paths.userinfo,
    ];
    // What a page of another origin asks before it calls.
    const preflight = [
      oauth2Paths.discovery,
      oauth2Paths.serverMetadata,
      oauth2Paths.token,
      oauth2Paths.revoke,
      oauth2Paths.userinfo,
      oauth2Paths.jwks,
    ];
    const options = (method: "GET" | "POST" | "OPTIONS", path: string) => ({
      config,
      onRequest: router.counted({ method, path, rate: "entry" }),
    });
    for (const url of get) scope.get(url, options("GET", url), handle);
    for (const url of post) scope.post(url, options("POST", url), handle);
    for (const url of preflight) scope.options(url, options("OPTIONS", url), handle);
  });
}
