import type { IncomingMessage } from "node:http";
import { endpoints } from "@herdwise/contract";
import type { FastifyInstance } from "fastify";
import type { Platform, ServerModule } from "../module.ts";
import { prepareDrain } from "./drain.ts";
import { openApiRoutes } from "./openapi.ts";
import { type Health, operationsRoutes } from "./operations.ts";
import { refuseUntilPrepared } from "./preparing.ts";
import { type AnsweredCall, createRouter } from "./router.ts";
import { answerUnknown, compressAnswers, createHttp } from "./server.ts";
import type { Authenticate, AuthenticateToken, Session } from "./session.ts";
import { traceCalls } from "./traces.ts";
import { mountWeb } from "./web.ts";

export interface PortalOptions {
  readonly modules: readonly ServerModule[];
  readonly authenticate: Authenticate;
  readonly authenticateToken: AuthenticateToken;
  readonly forgetSessions: () => void;
  readonly requireConfirmed: (session: Session) => Promise<void>;
  readonly health: Health;
  readonly onAnswered?: (call: AnsweredCall) => void;
  /** See `refuseUntilPrepared`. */
  readonly isPrepared: () => boolean;
  /** Folder of the built web app; where it does not exist, only the API is served. */
  readonly webBuild: string;
  /** Selects upgrade requests that other listeners handle; see `createHttp`. */
  readonly isUpgrade: (request: IncomingMessage) => boolean;
}

/**
 * Makes the HTTP server of the portal: health checks, the modules' routes, the API description and the web app.
 * @returns the server, which is not listening yet, and a function that stops it gracefully
 */
export async function createPortalHttp(
  { config, log, metrics, tracing, store, bus, stopping }: Platform,
  {
    modules,
    authenticate,
    authenticateToken,
    forgetSessions,
    requireConfirmed,
    health,
    onAnswered,
    isPrepared,
    webBuild,
    isUpgrade,
  }: PortalOptions,
): Promise<{ http: FastifyInstance; drain: () => Promise<void> }> {
  const http = createHttp({ log, trustProxy: [...config.trustProxy], publicUrl: config.publicUrl, isUpgrade });
  if (tracing !== undefined) traceCalls(http, tracing);
  const drain = prepareDrain(http);
  refuseUntilPrepared(http, isPrepared);
  await compressAnswers(http);
  operationsRoutes(http, health, metrics, config.metricsToken);
  const router = createRouter(http, {
    authenticate,
    authenticateToken,
    forgetSessions,
    requireConfirmed,
    store,
    stopping,
    publicUrl: config.publicUrl,
    ...(onAnswered && { onAnswered }),
  });
  for (const module of modules) await module.routes?.(router, http);
  openApiRoutes(http, endpoints);
  http.setNotFoundHandler(answerUnknown);
  const hasWeb = await mountWeb(http, webBuild, { publicUrl: config.publicUrl, bus, isPrepared });
  if (!hasWeb) log.warn("the web app is not built (npm run build): only the API is served");
  return { http, drain };
}
