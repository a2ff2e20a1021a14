import { onlineSessionEnd, onlineSessionPage } from "@herdwise/contract";
import type { Platform, ServerModule } from "../../module.ts";
import { auditRepository } from "../audit/index.ts";
import type { IdentityService } from "../identity/index.ts";
import { onlineSessionRepository } from "./online-session.repository.ts";
import { createOnlineSessionService } from "./online-session.service.ts";

export interface OnlineSessionsDependencies {
  identity: Pick<IdentityService, "tellEnded">;
  notify(accountId: string, title: string, content: string): Promise<void>;
}

/** Sessions of everybody, which staff with the right see and end. */
export function createOnlineSessionsModule(
  { kysely, inTransaction, nextId, warn }: Platform,
  { identity, notify }: OnlineSessionsDependencies,
): ServerModule {
  const sessions = createOnlineSessionService({
    repository: onlineSessionRepository(kysely),
    inTransaction: inTransaction((db) => ({ sessions: onlineSessionRepository(db), audit: auditRepository(db) })),
    tellEnded: identity.tellEnded,
    notify,
    onError: warn("a person was not told of an ended session"),
    nextId,
  });
  return {
    routes(router) {
      router.on(onlineSessionPage, ({ session, scope, query }) => sessions.page(session, scope, query));
      router.on(onlineSessionEnd, ({ session, scope, body }) => sessions.end(session, scope, body));
    },
  };
}
