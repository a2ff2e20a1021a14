import {
  approveLocation,
  authorizeInfo,
  clientList,
  clientRemove,
  clientSubmit,
  grantList,
  grantRemove,
  oauth2Paths,
} from "@herdwise/contract";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type Provider from "oidc-provider";
import type { Router } from "../../http/router.ts";
import type { AuthorizationService } from "./authorization.service.ts";
import { authorizeCookie } from "./authorization-server.ts";

export function authorizationRoutes(router: Router, authorization: AuthorizationService): void {
  router.on(authorizeInfo, (call) =>
    authorization.info(call.session, call.query.authorizeKey, call.cookie(authorizeCookie)),
  );
  router.on(approveLocation, (call) => authorization.approve(call.session, call.body, call.cookie(authorizeCookie)));
  router.on(grantList, ({ session }) => authorization.grants(session));
  router.on(grantRemove, async ({ session, query }) => {
    await authorization.removeGrants(session, query.ids);
    return {};
  });
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
    const config = {
      openBecause: "OAuth and OpenID Connect: the authorization server checks clients and tokens itself",
    };
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
