import {
  leakedTokenEnd,
  leakedTokenFind,
  personalTokenList,
  personalTokenRemove,
  personalTokenSubmit,
} from "@herdwise/contract";
import type { AuthenticateToken } from "../../http/session.ts";
import type { Platform, ServerModule } from "../../module.ts";
import { auditRepository } from "../audit/index.ts";
import { personalTokenRepository } from "./personal-token.repository.ts";
import { createPersonalTokens, type PersonalTokenDependencies } from "./personal-token.service.ts";

export interface PersonalTokensModule extends ServerModule {
  readonly authenticate: AuthenticateToken;
}

/** Tokens with which programs of a person call the operations that their scopes open (decision 0700). */
export function createPersonalTokensModule(
  { kysely, inTransaction, secretKey, nextId, now, warn }: Platform,
  dependencies: Pick<PersonalTokenDependencies, "identity" | "record" | "notify">,
): PersonalTokensModule {
  const tokens = createPersonalTokens({
    ...dependencies,
    repository: personalTokenRepository(kysely),
    inTransaction: inTransaction((db) => ({ tokens: personalTokenRepository(db), audit: auditRepository(db) })),
    secretKey,
    nextId,
    now,
    onError: warn("the use or the end of an access token was not noted"),
  });
  return {
    authenticate: tokens.authenticate,
    routes(router) {
      router.on(personalTokenList, ({ session }) => tokens.list(session));
      router.on(personalTokenSubmit, ({ session, body, ...caller }) => tokens.submit(session, body, caller));
      router.on(personalTokenRemove, async ({ session, query, ...caller }) => {
        await tokens.remove(session, query.ids, caller);
        return {};
      });
      router.on(leakedTokenFind, ({ scope, body }) => tokens.find(scope, body.token));
      router.on(leakedTokenEnd, async ({ scope, body }) => {
        await tokens.end(scope, body.id);
        return {};
      });
    },
    jobs: [
      { name: "personal-tokens.sweep", schedule: "50 3 * * *", retries: 1, timeoutS: 120, run: () => tokens.sweep() },
    ],
  };
}
