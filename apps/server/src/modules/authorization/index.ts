import type { Platform, ServerModule } from "../../module.ts";
import { createSecretCipher } from "../../secret-cipher.ts";
import { systemScope } from "../../tenant-scope.ts";
import type { RecordEvent } from "../account-log/index.ts";
import type { IdentityService } from "../identity/index.ts";
import { authorizationRepository } from "./authorization.repository.ts";
import { authorizationRoutes, authorizationServerRoutes, endSessionRoutes } from "./authorization.routes.ts";
import { type AuthorizationService, createAuthorizationService } from "./authorization.service.ts";
import { createAuthorizationServer } from "./authorization-server.ts";

export interface AuthorizationModule extends ServerModule {
  readonly service: AuthorizationService;
}

const issued = systemScope("applications show codes and tokens that a person let them have");

export function createAuthorizationModule(
  { config, log, kysely, secretKey, nextId }: Platform,
  { identity, record }: { identity: Pick<IdentityService, "userInfo">; record: RecordEvent },
): AuthorizationModule {
  const repository = authorizationRepository(kysely, issued);
  let opened: ReturnType<typeof createAuthorizationServer> | undefined;
  // Made at the first use: its keys are in the database, which is migrated after the routes are laid.
  const server = () => {
    opened ??= createAuthorizationServer({
      repository,
      issued,
      cipher: createSecretCipher(secretKey, "authorization keys"),
      issuer: config.publicUrl,
      secretKey,
      onError: (error) => log.error({ err: error }, "the authorization server failed"),
    }).catch((error: unknown) => {
      opened = undefined;
      throw error;
    });
    return opened;
  };
  const authorization = createAuthorizationService({
    repository,
    issued,
    server,
    personOf: async (session) => {
      const person = await identity.userInfo(session);
      return { account: person.account, nickName: person.nick_name, tenantName: person.tenant_name };
    },
    nextId,
    record,
  });
  return {
    service: authorization,
    routes(router, http) {
      authorizationRoutes(router, authorization);
      endSessionRoutes(http, router, authorization);
      authorizationServerRoutes(http, router, server, config.publicUrl);
    },
    jobs: [
      {
        name: "authorization.sweep",
        schedule: "*/10 * * * *",
        retries: 0,
        timeoutS: 120,
        run: () => authorization.sweep(),
      },
    ],
  };
}
