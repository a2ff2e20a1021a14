import type { IncomingMessage } from "node:http";
import { endpoints } from "@herdwise/contract";
import type { FastifyInstance } from "fastify";
import type { Platform, ServerModule } from "../module.ts";
import { prepareDrain } from "./drain.ts";
import { openApiRoutes } from "./openapi.ts";
import { type Health, operationsRoutes } from "./operations.ts";
import { refuseUntilPrepared } from "./preparing.ts";
import { createRouter } from "./router.ts";
import { answerUnknown, compressAnswers, createHttp } from "./server.ts";
import type { Authenticate, Session } from "./session.ts";
import { mountWeb } from "./web.ts";

export interface PortalOptions {
  readonly modules: readonly ServerModule[];
  readonly authenticate: Authenticate;
  readonly forgetSessions: () => void;
  readonly requireConfirmed: (session: Session) => Promise<void>;
  readonly health: Health;
  /** See `refuseUntilPrepared`. */
  readonly isPrepared: () => boolean;
  /** Folder of the built web app; without a build only the API is served. */
  readonly webBuild: string;
  /** Which requests for another protocol are not the portal's; see `createHttp`. */
  readonly isUpgrade: (request: IncomingMessage) => boolean;
}

/**
 * Everything that the server answers over HTTP: operations, the modules' routes, the description of the API, the web app.
 * @returns the server, not yet listening, and what ends it without breaking anything off
 */
export async function createPortalHttp(
  { config, log, metrics, store, bus, stopping }: Platform,
  { modules, authenticate, forgetSessions, requireConfirmed, health, isPrepared, webBuild, isUpgrade }: PortalOptions,
): Promise<{ http: FastifyInstance; drain: () => Promise<void> }> {
  const http = createHttp({ log, trustProxy: [...config.trustProxy], publicUrl: config.publicUrl, isUpgrade });
  const drain = prepareDrain(http);
  refuseUntilPrepared(http, isPrepared);
  await compressAnswers(http);
  operationsRoutes(http, health, metrics, config.metricsToken);
  const router = createRouter(http, {
    authenticate,
    forgetSessions,
    requireConfirmed,
    store,
    stopping,
    publicUrl: config.publicUrl,
  });
  for (const module of modules) await module.routes?.(router, http);
  openApiRoutes(http, endpoints);
  http.setNotFoundHandler(answerUnknown);
  const hasWeb = await mountWeb(http, webBuild, { publicUrl: config.publicUrl, bus, isPrepared });
  if (!hasWeb) log.warn("the web app is not built (npm run build): only the API is served");
  return { http, drain };
}
