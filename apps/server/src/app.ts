import { randomInt } from "node:crypto";
import { hostname } from "node:os";
import { type DeviceKindId, endpoints } from "@herdwise/contract";
import { deviceKinds } from "@herdwise/device-kinds";
import type { FastifyBaseLogger, FastifyInstance } from "fastify";
import { describeDevice } from "./callers.ts";
import type { Config } from "./config.ts";
import type { Database } from "./database/connection.ts";
import { demoPassword } from "./database/seeds/demo.ts";
import { deviceApiRoutes } from "./http/device-api.ts";
import { prepareDrain } from "./http/drain.ts";
import { openApiRoutes } from "./http/openapi.ts";
import { type Health, operationsRoutes } from "./http/operations.ts";
import { createRouter, type Router } from "./http/router.ts";
import { compressAnswers, createHttp, unknownPath } from "./http/server.ts";
import { mountWeb } from "./http/web.ts";
import { createMetrics, type Metrics } from "./metrics.ts";
import { accessRepository, accessRoutes, createAccessService } from "./modules/access/index.ts";
import { accountRepository, accountRoutes, createAccountService, isDeniedPassword } from "./modules/accounts/index.ts";
import { agreementRepository, agreementRoutes, createAgreementService } from "./modules/agreements/index.ts";
import {
  authorizationRepository,
  authorizationRoutes,
  authorizationServerRoutes,
  createAuthorizationServer,
  createAuthorizationService,
} from "./modules/authorization/index.ts";
import { captchaRoutes, createCaptchaService } from "./modules/captchas/index.ts";
import { contentRoutes, createFiguresService } from "./modules/content/index.ts";
import { createDeviceService, deviceRepository, deviceRoutes } from "./modules/devices/index.ts";
import { createFarmService, farmRepository, farmRoutes } from "./modules/farms/index.ts";
import {
  accountKey,
  createIdentityService,
  createPasswords,
  identityRepository,
  identityRoutes,
} from "./modules/identity/index.ts";
import { createLanguageService, languageRepository, languageRoutes } from "./modules/languages/index.ts";
import { createMallService, mallRoutes } from "./modules/mall/index.ts";
import { createMessageService, messageRepository, messageRoutes } from "./modules/messages/index.ts";
import { createOutboxService, outboxRepository, outboxRoutes } from "./modules/outbox/index.ts";
import { createQrLogin, qrLoginRoutes } from "./modules/qr-login/index.ts";
import { createDictionaryService, dictionaryRepository, dictionaryRoutes } from "./modules/reference/index.ts";
import { settingsRoutes } from "./modules/settings/index.ts";
import {
  createIngest,
  createLive,
  createPresence,
  createTelemetryService,
  createUplink,
  messageLimits,
  telemetryRepository,
  telemetryRoutes,
  type Uplink,
} from "./modules/telemetry/index.ts";
import { createUserService, userRepository, userRoutes } from "./modules/users/index.ts";
import { createVerificationService, verificationRoutes } from "./modules/verification/index.ts";
import { createVisitService, visitRepository, visitRoutes } from "./modules/visits/index.ts";
import { createPersonalBox, type PersonalBox } from "./personal-box.ts";
import type { Bus } from "./providers/bus.ts";
import { type MailSender, noMail, smtpMail } from "./providers/mail/mail.ts";
import { smsService } from "./providers/sms/service.ts";
import { noSms } from "./providers/sms/sms.ts";
import type { Store } from "./providers/store.ts";
import { baiduTranslator, libreTranslator } from "./providers/translation/translator.ts";
import { createSeal } from "./sealed.ts";
import { createSnowflake } from "./snowflake.ts";

export interface AppNeeds {
  config: Config;
  log: FastifyBaseLogger;
  database: Database;
  bus: Bus;
  /** Short-lived values that servers share. */
  store: Store;
  secretKey: string;
  health: Health;
  /** Folder of the built web app; without a build only the API is served. */
  webBuild: string;
}

export interface App {
  http: FastifyInstance;
  uplink: Uplink;
  metrics: Metrics;
  nextId: () => string;
  hashPassword: (md5: string) => Promise<string>;
  personalBox: PersonalBox;
  mail: MailSender;
  /** Whether /dev/outbox shows what would have been sent. */
  outboxShown: boolean;
  /** Begins the work that needs a migrated database. */
  start(): Promise<void>;
  /** Lets what is under way finish; nothing that was acknowledged is lost. */
  stop(): Promise<void>;
}

const housekeepingMs = 10 * 60_000;
const volumeFlushMs = 5000;

const offlineAfterS: ReadonlyMap<string, number> = new Map(
  Object.values(deviceKinds).map((kind) => [kind.kind, kind.offlineAfterS]),
);

function translatorOf({ translation }: Config) {
  switch (translation?.provider) {
    case "baidu":
      return baiduTranslator(translation.appId, translation.key);
    case "libretranslate":
      return libreTranslator(translation.url, translation.apiKey);
    default:
      return undefined;
  }
}

/** Puts the modules together. This is the one list of them. */
export async function createApp({
  config,
  log,
  database,
  bus,
  store,
  secretKey,
  health,
  webBuild,
}: AppNeeds): Promise<App> {
  const { kysely } = database;
  // Looked up at each call, so that a test can move the clock.
  const now = () => Date.now();
  const nextId = createSnowflake(randomInt(1024));
  const serverId = `${hostname()}/${process.pid}/${nextId()}`;
  const metrics = createMetrics();
  const stopping = new AbortController();
  const timers: NodeJS.Timeout[] = [];
  const every = (ms: number, what: string, work: () => Promise<unknown>) => {
    timers.push(setInterval(() => void work().catch((error: unknown) => log.warn({ err: error }, what)), ms));
  };

  const personalBox = createPersonalBox(config.personalKey ?? secretKey, config.personalKeysOld);
  const outbox = createOutboxService({ repository: outboxRepository(kysely), box: personalBox, nextId, sign: "慧牧" });
  // Without a service the demo shows what it would send; a real installation refuses rather than pretends.
  const outboxTakes = config.demo && config.sms === undefined && config.mailUrl === undefined;
  const unsent = outboxTakes ? outbox : { sms: noSms, mail: noMail };
  const sms = config.sms === undefined ? unsent.sms : smsService(config.sms);
  const mail = config.mailUrl === undefined ? unsent.mail : smtpMail(config.mailUrl, config.mailFrom);
  const captchas = createCaptchaService({ store });
  const verification = createVerificationService({
    store,
    sms,
    secretKey,
    now,
    onFault: (error) => log.warn({ err: error }, "an SMS was not sent or a code not compared"),
  });
  const passwords = createPasswords(secretKey);
  const messages = createMessageService(messageRepository(kysely), nextId);
  const notify = (accountId: string, title: string, content: string) =>
    messages.send(accountId, "security", title, content);
  const identity = createIdentityService({
    repository: identityRepository(kysely),
    box: personalBox,
    secretKey,
    requireCaptcha: captchas.requireCaptchaForToken,
    proveCode: (proof) => verification.prove(proof, "login"),
    notify,
    captchaAlways: config.loginCaptcha === "always",
    onFault: (error) => log.warn({ err: error }, "a notice was not left"),
    inTransaction: (work) => kysely.transaction().execute((transaction) => work(identityRepository(transaction))),
    passwords,
    nextId,
    onSessionEnded: (sessionId) => bus.publish("sessionEnded", { sessionId }),
  });
  // A password that somebody else knew may have let applications in, too.
  const endSessionsAndTokens = async (accountId: string, reason: string, except?: string) => {
    await identity.endSessionsOf(accountId, reason, except);
    await authorization.endTokensOf(accountId);
  };
  const agreements = createAgreementService(agreementRepository(kysely));
  const accounts = createAccountService({
    repository: accountRepository(kysely),
    inTransaction: (work) => kysely.transaction().execute((transaction) => work(accountRepository(transaction))),
    store,
    box: personalBox,
    nextId,
    hashPassword: passwords.hash,
    sendCode: (phone, purpose, remoteAddress) => verification.send(phone, [purpose], remoteAddress),
    sendSms: verification.notify,
    proveCode: verification.prove,
    requireCurrentAgreements: agreements.requireCurrent,
    confirmPassword: identity.confirmPassword,
    endSessions: endSessionsAndTokens,
    forgetFailures: identity.forgetFailures,
    markPhoneVerified: identity.markPhoneVerified,
    notify,
  });
  const authorizationRows = authorizationRepository(kysely);
  let authorizationServer: ReturnType<typeof createAuthorizationServer> | undefined;
  // Made at the first use: its keys are in the database, which is migrated after the routes are laid.
  const openAuthorizationServer = () => {
    authorizationServer ??= createAuthorizationServer({
      repository: authorizationRows,
      seal: createSeal(secretKey, "authorization keys"),
      issuer: config.publicUrl,
      secretKey,
      onFault: (error) => log.error({ err: error }, "the authorization server failed"),
    }).catch((error: unknown) => {
      authorizationServer = undefined;
      throw error;
    });
    return authorizationServer;
  };
  const authorization = createAuthorizationService({
    repository: authorizationRows,
    server: openAuthorizationServer,
    personOf: async (session) => {
      const person = await identity.userInfo(session);
      return { account: person.account, nickName: person.nick_name, tenantName: person.tenant_name };
    },
    nextId,
  });
  const users = createUserService({
    repository: userRepository(kysely),
    inTransaction: (work) => kysely.transaction().execute((transaction) => work(userRepository(transaction))),
    box: personalBox,
    nextId,
    accountKey,
    hashPassword: passwords.hash,
    isDeniedPassword,
    locked: identity.locked,
    forgetFailures: identity.forgetFailures,
    endSessions: endSessionsAndTokens,
    endMembershipSessions: identity.endMembershipSessions,
    notify,
    resetPassword: config.resetPassword,
  });
  const dictionaries = createDictionaryService(dictionaryRepository(kysely));
  const languages = createLanguageService({
    repository: languageRepository(kysely),
    store,
    translator: translatorOf(config),
    onFault: (error) => log.warn({ err: error }, "the translation service failed"),
  });
  const visits = createVisitService(visitRepository(kysely), store);
  const qrLogin = createQrLogin({
    store,
    publicUrl: config.publicUrl,
    now,
    openSession: (accountId, tenantId) => (caller) => identity.openSessionAs(accountId, tenantId, caller),
    personOf: async (session) => {
      const person = await identity.userInfo(session);
      return { nickName: person.nick_name, avatar: person.avatar };
    },
    describeDevice,
  });
  const mall = createMallService({
    store,
    mallSecret: config.mallSecret,
    customerServiceUrl: config.customerServiceUrl ?? "",
    personOf: async (session) => {
      const person = await identity.userInfo(session);
      return {
        userId: person.user_id,
        account: person.account,
        nickName: person.nick_name,
        tenantId: person.tenant_id,
      };
    },
    isLiving: async (sessionId) => (await identity.livingSessions([sessionId])).length > 0,
  });
  const access = createAccessService({
    repository: accessRepository(kysely),
    store,
    notify: (accountId, title, content) => messages.send(accountId, "system", title, content),
    nameOf: async (session) => {
      const { real_name: realName, nick_name: nickName } = await identity.userInfo(session);
      return nickName || realName || session.account;
    },
  });
  const farms = createFarmService(farmRepository(kysely));
  const devices = createDeviceService({
    repository: deviceRepository(kysely),
    onChanged: (deviceId) => bus.publish("deviceChanged", { deviceId }),
  });

  const telemetryRows = telemetryRepository(kysely);
  const presence = createPresence({
    repository: telemetryRows,
    bus,
    serverId,
    // The folder of the embedded database admits one server.
    alone: config.databaseUrl === undefined,
    offlineAfterS,
    now,
    isConnected: (deviceId) => uplink.isConnected(deviceId),
    onFault: (error) => log.warn({ err: error }, "presence could not be checked"),
  });
  let unsavedValues = 0;
  const ingest = createIngest({
    repository: telemetryRows,
    now,
    offlineAfterS: (kind: DeviceKindId) => offlineAfterS.get(kind) ?? 300,
    knownKeys: devices.knownKeys,
    onStored: (stored, values) => {
      unsavedValues += values;
      metrics.values.inc(values);
      bus.publish(
        "readings",
        stored.map(({ deviceId, readings }) => ({ deviceId, readings })),
      );
      for (const { deviceId, onlineUntil } of stored) presence.reported(deviceId, onlineUntil);
    },
    onFault: (error, rows) => {
      metrics.ingestFaults.inc();
      log.warn({ err: error, rows }, "a batch was not stored and is tried again");
    },
  });
  const uplink = createUplink({
    devices,
    ingest,
    repository: telemetryRows,
    serverId,
    now,
    onPresence: presence.connection,
    onMessage: (outcome) => metrics.messages.inc({ outcome }),
    onFault: (error) => log.warn({ err: error }, "dropped messages were not counted yet"),
  });
  bus.subscribe("deviceChanged", ({ deviceId }) => uplink.changed(deviceId));
  const live = createLive({ bus, livingSessions: identity.livingSessions });
  const telemetry = createTelemetryService(telemetryRows, devices, farms);
  const figures = createFiguresService({ devices, farms, valuesLastDay: telemetry.valuesLastDay, now });

  const http = createHttp({ log, trustProxy: [...config.trustProxy] });
  const drain = prepareDrain(http);
  await compressAnswers(http);
  operationsRoutes(http, health, metrics, config.metricsToken);
  const router: Router = createRouter(http, {
    authenticate: identity.authenticate,
    store,
    stopping: stopping.signal,
  });
  captchaRoutes(router, captchas);
  accountRoutes(router, accounts, captchas.requireCaptcha);
  agreementRoutes(router, agreements);
  messageRoutes(router, messages);
  verificationRoutes(router, verification, captchas.requireCaptcha);
  identityRoutes(router, identity, config.demo ? demoPassword : undefined, { qrcode: qrLogin.exchange });
  qrLoginRoutes(router, qrLogin);
  mallRoutes(router, mall);
  languageRoutes(router, languages);
  visitRoutes(router, visits);
  settingsRoutes(router, () => ({
    brandName: config.brandName,
    companySuffix: config.companySuffix,
    mallUrl: config.mallUrl ?? "",
    demo: config.demo,
  }));
  authorizationRoutes(router, authorization);
  authorizationServerRoutes(http, router, openAuthorizationServer);
  userRoutes(router, users);
  dictionaryRoutes(router, dictionaries);
  accessRoutes(router, access);
  farmRoutes(router, farms);
  deviceRoutes(router, devices);
  telemetryRoutes(router, telemetry, live);
  contentRoutes(router, figures);
  deviceApiRoutes(http, uplink);
  outboxRoutes(http, outbox, outboxTakes);
  openApiRoutes(http, endpoints);
  http.setNotFoundHandler(async (_request, reply) => reply.code(404).send(unknownPath()));
  const hasWeb = await mountWeb(http, webBuild, config.publicUrl);
  if (!hasWeb) log.warn("the web app is not built (npm run build): only the API is served");

  return {
    http,
    uplink,
    metrics,
    nextId,
    hashPassword: passwords.hash,
    personalBox,
    mail,
    outboxShown: outboxTakes,
    async start() {
      const renewed = await accounts.renewBoxes();
      if (renewed > 0) log.info({ renewed }, "personal data was closed with the newest key");
      await ingest.preparePartitions();
      await presence.start();
      every(volumeFlushMs, "the volume was not counted", async () => {
        metrics.waitingRows.set(ingest.waitingRows());
        metrics.liveStreams.set(live.size());
        if (unsavedValues === 0) return;
        const values = unsavedValues;
        unsavedValues = 0;
        await telemetryRows.addVolume(values);
      });
      every(housekeepingMs, "housekeeping failed", async () => {
        await ingest.preparePartitions();
        const dropped = await telemetryRows.dropPartitionsBefore(
          new Date(now() - messageLimits.ageMs - 86_400_000).toISOString().slice(0, 10),
        );
        if (dropped > 0) log.info({ dropped }, "days beyond retention were removed");
        await identity.sweep();
        await authorization.sweep();
      });
    },
    async stop() {
      for (const timer of timers) clearInterval(timer);
      stopping.abort();
      await drain();
      await ingest.stop();
      await uplink.stop();
      live.stop();
      await presence.stop();
      if (unsavedValues > 0) await telemetryRows.addVolume(unsavedValues);
    },
  };
}
