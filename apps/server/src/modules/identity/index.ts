import { createSessionCheck, type SessionCheck } from "../../http/session-streams.ts";
import type { Platform, ServerModule } from "../../module.ts";
import { systemScope } from "../../tenant-scope.ts";
import type { RecordEvent } from "../account-log/index.ts";
import type { CaptchaService } from "../captchas/index.ts";
import type { HeldSettings } from "../settings/index.ts";
import type { VerificationService } from "../verification/index.ts";
import { identityRepository } from "./identity.repository.ts";
import { identityRoutes, type OtherGrants } from "./identity.routes.ts";
import { createIdentityService, type IdentityService } from "./identity.service.ts";
import { createPasswords, type Passwords, type PasswordWork } from "./password.ts";
import { sessionRepository } from "./session.repository.ts";
import { createSessionReader } from "./session-reader.ts";

export { accountKey } from "./account-key.ts";
export type { Caller, IdentityService } from "./identity.service.ts";
export { createPasswords, type Passwords, type PasswordWork } from "./password.ts";

export interface IdentityModule extends ServerModule {
  readonly service: IdentityService;
  readonly passwords: Passwords;
  /** Watches the live streams of this server. */
  readonly sessionCheck: Pick<SessionCheck, "watch">;
  /** Takes log-ins that another module proves; called before the routes are declared. */
  acceptGrants(grants: OtherGrants): void;
}

export interface IdentityModuleDependencies {
  captchas: Pick<CaptchaService, "requireCaptchaForToken">;
  verification: Pick<VerificationService, "prove">;
  notify(accountId: string, title: string, content: string): Promise<void>;
  record: RecordEvent;
  settings: HeldSettings;
  /** What the demo accounts log in with; undefined outside demo mode. */
  demoPassword: string | undefined;
  /** What a password hash costs; less than the ordinary only in tests. */
  passwordWork?: PasswordWork | undefined;
  /** How long a session that was read serves reading requests, ms; 0 where a test changes the database behind the server. */
  sessionKeptMs?: number | undefined;
}

/** What ends a session or takes a permission away counts on every server within a second, also where no event tells of it. */
const sessionKeptMs = 900;

const proven = systemScope("a password, a code or a token tells who is calling; before that there is no session");

export function createIdentityModule(platform: Platform, dependencies: IdentityModuleDependencies): IdentityModule {
  const { kysely, prepared, personalCipher, secretKey, nextId, bus, warn } = platform;
  const { captchas, verification, notify, record, settings, demoPassword, passwordWork } = dependencies;
  const sessions = createSessionReader(sessionRepository(prepared, proven), proven, {
    keptMs: dependencies.sessionKeptMs ?? sessionKeptMs,
  });
  bus.subscribe("sessionEnded", sessions.forget);
  const passwords = createPasswords(secretKey, passwordWork);
  const sessionLifetimeS = (): number => settings.number("login.sessionDays") * 86_400;
  const sessionCheck = createSessionCheck({
    bus,
    versionsOfSessions: (ids) => sessions.versions(ids, sessionLifetimeS()),
    reachOfSessions: (ids) => sessions.active(ids, sessionLifetimeS()),
  });
  const identity = createIdentityService({
    repository: identityRepository(kysely, proven),
    sessions,
    proven,
    cipher: personalCipher,
    secretKey,
    requireCaptcha: captchas.requireCaptchaForToken,
    proveCode: (proof) => verification.prove(proof, "login"),
    notify,
    rules: () => ({
      tries: settings.number("account.failCount"),
      lockMinutes: settings.number("login.lockMinutes"),
      captchaAfter: settings.number("login.captchaAfter"),
    }),
    onError: warn("a notice was not left"),
    inTransaction: platform.inTransaction((db) => identityRepository(db, proven)),
    passwords,
    nextId,
    record,
    sessionLifetimeS,
    brand: () => settings.text("brand.nameEn") || settings.text("brand.name"),
    onSessionEnded(sessionId) {
      sessions.forget();
      bus.publish("sessionEnded", { sessionId });
    },
  });
  let otherGrants: OtherGrants | undefined;
  return {
    service: identity,
    passwords,
    sessionCheck,
    acceptGrants(grants) {
      otherGrants = grants;
    },
    routes(router) {
      if (otherGrants === undefined) throw new Error("nobody proves the log-ins of other modules");
      identityRoutes(router, identity, demoPassword, otherGrants);
    },
    jobs: [
      { name: "identity.sweep", schedule: "*/10 * * * *", retries: 0, timeoutS: 120, run: () => identity.sweep() },
    ],
    stop: async () => sessionCheck.stop(),
  };
}
