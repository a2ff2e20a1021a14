import type { FastifyInstance } from "fastify";
import { demoPassword } from "./database/seeds/demo.ts";
import { demoStock } from "./database/seeds/demo-stock.ts";
import { groupTenantId } from "./database/seeds/foundation.ts";
import type { Health } from "./http/operations.ts";
import { createPortalHttp } from "./http/portal.ts";
import type { Metrics } from "./metrics.ts";
import type { ServerModule } from "./module.ts";
import { createAccessModule } from "./modules/access/index.ts";
import { createAccountLogModule } from "./modules/account-log/index.ts";
import { createAccountsModule } from "./modules/accounts/index.ts";
import { createAgreementsModule } from "./modules/agreements/index.ts";
import { createAlarmsModule } from "./modules/alarms/index.ts";
import { createAnalyticsModule } from "./modules/analytics/index.ts";
import { createAnnouncementsModule } from "./modules/announcements/index.ts";
import { createArchiveModules } from "./modules/archives/index.ts";
import { createAuditTrailModule, createTellEntries } from "./modules/audit-trail/index.ts";
import { createAuthorizationModule } from "./modules/authorization/index.ts";
import { createBackgroundJobsModule } from "./modules/background-jobs/index.ts";
import { createBankCardsModule } from "./modules/bank-cards/index.ts";
import { createCancellationsModule } from "./modules/cancellations/index.ts";
import { createCaptchasModule } from "./modules/captchas/index.ts";
import { createCommandsModule } from "./modules/commands/index.ts";
import { createCommissioningModule } from "./modules/commissioning/index.ts";
import { createContactTraceModule } from "./modules/contact-trace/index.ts";
import { createContentModules } from "./modules/content/index.ts";
import { createContractsModules } from "./modules/contracts/index.ts";
import { createCustomersModule } from "./modules/customers/index.ts";
import { createDevicesModule } from "./modules/devices/index.ts";
import { createFarmsModules, createFarmsReading } from "./modules/farms/index.ts";
import { createFilesModule, type FileService } from "./modules/files/index.ts";
import { createFindsModule } from "./modules/finds/index.ts";
import { createFirmwareModule } from "./modules/firmware/index.ts";
import { createGroupStartModule } from "./modules/group-start/index.ts";
import { createHealthModule } from "./modules/health/index.ts";
import { createHerdHealthModules } from "./modules/herd-health/index.ts";
import { createHomePageModule } from "./modules/home-page/index.ts";
import { createIdentityModule, type PasswordWork } from "./modules/identity/index.ts";
import { createLanguagesModule } from "./modules/languages/index.ts";
import { createLogosModule } from "./modules/logos/index.ts";
import { createMaintenanceModules } from "./modules/maintenance/index.ts";
import { createMallModule } from "./modules/mall/index.ts";
import { createMessageThingsModule } from "./modules/message-things/index.ts";
import { createMessagesModule } from "./modules/messages/index.ts";
import { createOnlineSessionsModule } from "./modules/online-sessions/index.ts";
import { createOrganizationModules } from "./modules/organization/index.ts";
import { createOutboxModule } from "./modules/outbox/index.ts";
import { createPersonalDataModule } from "./modules/personal-data/index.ts";
import { createPersonalTokensModule } from "./modules/personal-tokens/index.ts";
import { createPreferencesModule } from "./modules/preferences/index.ts";
import { createPricesModule } from "./modules/prices/index.ts";
import { createProductDocumentsModules, type DocumentService } from "./modules/product-documents/index.ts";
import { createProfileModule } from "./modules/profile/index.ts";
import { createProviderRowsModule } from "./modules/provider-rows/index.ts";
import { createQrLoginModule } from "./modules/qr-login/index.ts";
import { createRealNameModule } from "./modules/real-name/index.ts";
import { createReferenceModules } from "./modules/reference/index.ts";
import { createReportsModule } from "./modules/reports/index.ts";
import { createServiceCalendarOn } from "./modules/service-calendar/index.ts";
import { createServiceLogsModule } from "./modules/service-logs/index.ts";
import { createSettingsModule } from "./modules/settings/index.ts";
import { createSimulatorModule, type SimulatorControl } from "./modules/simulator/index.ts";
import { createSiteFormsModules } from "./modules/site-forms/index.ts";
import { createTelemetryModule, type Uplink } from "./modules/telemetry/index.ts";
import { createTenantsModules } from "./modules/tenants/index.ts";
import { createTodosModule } from "./modules/todos/index.ts";
import { createTradeModules } from "./modules/trade/index.ts";
import { createTradeSettingsModules } from "./modules/trade-settings/index.ts";
import { createUsersModule } from "./modules/users/index.ts";
import { createVerificationModule } from "./modules/verification/index.ts";
import { createVideosModules, type VideoService } from "./modules/videos/index.ts";
import { createVisitsModule } from "./modules/visits/index.ts";
import { createWebhooksModule } from "./modules/webhooks/index.ts";
import { createWorkOrdersModule } from "./modules/work-orders/index.ts";
import { isDeviceUpgrade } from "./mqtt/websocket.ts";
import type { PersonalCipher } from "./personal-cipher.ts";
import { createPlatform, type PlatformDependencies } from "./platform.ts";
import type { MailSender } from "./providers/mail/mail.ts";
import { openTracing } from "./tracing/open.ts";

export interface AppDependencies extends Omit<PlatformDependencies, "stopping" | "tracing"> {
  health: Health;
  /** Folder of the built web app; without a build only the API is served. */
  webBuild: string;
  /** Of the simulator that this server starts; absent where it starts none. */
  simulator?: SimulatorControl | undefined;
  /** What a password hash costs; less than the ordinary only in tests. */
  passwordWork?: PasswordWork | undefined;
  /** How long a session that was read serves reading requests, ms; another time only in tests. */
  sessionKeptMs?: number | undefined;
}

export interface App {
  http: FastifyInstance;
  uplink: Uplink;
  metrics: Metrics;
  nextId: () => string;
  hashPassword: (md5: string) => Promise<string>;
  personalCipher: PersonalCipher;
  mail: MailSender;
  /** Keeps a file that the server made as a person's own, for the demo. @returns its id */
  keepFile: FileService["make"];
  /** Writes the file of a document about a product, for the demo. */
  writeDocument: DocumentService["write"];
  /** Gives a video of the demo its film and publishes it. */
  writeVideo: VideoService["write"];
  /** Whether /dev/outbox shows what would have been sent. */
  outboxShown: boolean;
  /** Runs a job of the clock now, on this server. */
  runJob(name: string): Promise<void>;
  /** Begins the work that needs a migrated database; until it has, calls and pages are answered 503. */
  start(): Promise<void>;
  /** Lets what is under way finish; nothing that was acknowledged is lost. */
  stop(): Promise<void>;
}

/** Puts the modules together. This is the one list of them. */
export async function createApp({
  health,
  webBuild,
  simulator,
  passwordWork,
  sessionKeptMs,
  ...given
}: AppDependencies): Promise<App> {
  const stopping = new AbortController();
  const tracing = await openTracing(given.config, given.log);
  const platform = createPlatform({ ...given, tracing, stopping: stopping.signal });
  const { config, log } = platform;

  const settings = createSettingsModule(platform);
  const outbox = createOutboxModule(platform, settings.held);
  const messages = createMessagesModule(platform, { ...outbox, settings: settings.held });
  const captchas = createCaptchasModule(platform);
  const { requireCaptcha } = captchas.service;
  const verification = createVerificationModule(platform, {
    sms: outbox.sms,
    requireCaptcha,
    settings: settings.held,
  });
  const { notifyOfSecurity: notify } = messages;
  const accountLog = createAccountLogModule(platform, { now: platform.now, notify });
  const { record } = accountLog;
  const identity = createIdentityModule(platform, {
    captchas: captchas.service,
    verification: verification.service,
    notify,
    record,
    settings: settings.held,
    demoPassword: config.demo ? demoPassword : undefined,
    passwordWork,
    sessionKeptMs,
  });
  const { passwords, sessionCheck } = identity;
  const people = { identity: identity.service, passwords, sessionCheck };
  const qrLogin = createQrLoginModule(platform, people);
  identity.acceptGrants({ qrcode: qrLogin.service.exchange });
  const authorization = createAuthorizationModule(platform, { ...people, record });
  const personalTokens = createPersonalTokensModule(platform, { identity: identity.service, record, notify });
  // A password that somebody else knew may have let applications in, too.
  const endSessions = async (accountId: string, reason: string, except?: string) => {
    await identity.service.endSessionsOf(accountId, reason, except);
    await authorization.service.endTokensOf(accountId);
  };
  const backgroundJobs = createBackgroundJobsModule(platform, { ...people, settings: settings.held });
  const files = createFilesModule(platform, people);
  const tellEntries = createTellEntries(platform);
  const resourceContext = { platform, jobs: backgroundJobs.service, files: files.service, tellEntries };
  const agreements = createAgreementsModule(platform, { jobs: backgroundJobs.service, files: files.service });
  const accounts = createAccountsModule(platform, {
    ...people,
    verification: verification.service,
    agreements: agreements.service,
    requireCaptcha,
    passwordRule: settings.held.passwordRule,
    endSessions,
    notify,
    record,
  });
  const access = createAccessModule(resourceContext, identity.service);
  const calendar = createServiceCalendarOn(platform);
  const realName = createRealNameModule(platform, { ...people, files: files.service, calendar, record });
  const devices = createDevicesModule(resourceContext, {
    // The group itself, whose staff try devices, needs none.
    mayBind: async (scope) => scope.tenantId === groupTenantId || (await realName.service.isOpen(scope)),
    judgedBy: (device) => alarms.judgedBy(device),
    demoLabels: config.demo ? demoStock : [],
  });
  const commands = createCommandsModule(platform, {
    devices: devices.service,
    messages: messages.service,
    holdersOf: access.holdersOf,
    installation: settings.held,
  });
  const farms = createFarmsReading(platform);
  const fleet = { devices: devices.service, farms };
  const serviceLogs = createServiceLogsModule(platform, { settings: settings.service });
  const firmware = createFirmwareModule(platform, commands);
  const telemetry = createTelemetryModule(platform, {
    ...people,
    ...fleet,
    settings: settings.service,
    jobs: backgroundJobs.service,
    files: files.service,
    gateways: devices.gateways,
    claims: devices.claims,
    provisioning: devices.provisioning,
    firmware: firmware.service,
    downstream: commands.downstream,
  });

  const languages = createLanguagesModule(platform, settings.held);
  const alarms = createAlarmsModule(platform, {
    ...people,
    telemetry,
    settings: settings.held,
    sms: outbox.sms,
    mail: outbox.mail,
    voice: outbox.voice,
    services: outbox.services,
    inEnglish: (names) => languages.known(names, "en"),
    jobs: backgroundJobs.service,
    files: files.service,
  });
  const homePage = createHomePageModule(platform, languages);
  const analytics = createAnalyticsModule(platform, {
    ...fleet,
    telemetry: telemetry.service,
    identity: identity.service,
  });

  const todos = createTodosModule(platform);
  const workOrders = createWorkOrdersModule(platform, {
    devices: devices.service,
    telemetry: telemetry.service,
    holdersOf: access.holdersOf,
    groupTenantId,
  });
  const documents = createProductDocumentsModules(resourceContext, { siteFiles: files.siteFiles });
  const videos = createVideosModules(resourceContext, { siteFiles: files.siteFiles });

  const profile = createProfileModule(platform, {
    ...people,
    verification: verification.service,
    mail: outbox.mail,
    brand: settings.brand,
    files: files.service,
    realName: realName.service,
    requireCaptcha,
    endSessions,
    notify,
    record,
  });
  const found: readonly ServerModule[] = [
    settings,
    outbox,
    messages,
    createPreferencesModule(platform),
    captchas,
    verification,
    identity,
    qrLogin,
    authorization,
    personalTokens,
    backgroundJobs,
    files,
    createLogosModule(platform, { files: files.service, settings }),
    agreements,
    accounts,
    accountLog,
    profile,
    createOnlineSessionsModule(platform, { identity: identity.service, notify }),
    createPersonalDataModule(platform, { ...people, files: files.service, brand: settings.brand, notify, record }),
    createBankCardsModule(platform, {
      ...people,
      verification: verification.service,
      realName: realName.service,
      holdersOf: access.holdersOf,
      record,
    }),
    createCancellationsModule(platform, {
      ...people,
      verification: verification.service,
      mail: outbox.mail,
      brand: settings.brand,
      calendar,
      holdersOf: access.holdersOf,
      endSessions,
      record,
      groupTenantId,
    }),
    ...createTenantsModules(resourceContext, { ...people, groupTenantId }),
    createProviderRowsModule(platform, { groupTenantId }),
    serviceLogs,
    createUsersModule(platform, {
      ...people,
      jobs: resourceContext.jobs,
      files: files.service,
      accounts: accounts.service,
      passwordRule: settings.held.passwordRule,
      contact: profile.contact,
      endSessions,
      notify,
    }),
    access,
    ...createReferenceModules(resourceContext),
    createAuditTrailModule(platform, resourceContext),
    ...createOrganizationModules(resourceContext),
    ...createArchiveModules(resourceContext),
    ...createTradeModules(resourceContext, {
      groupTenantId,
      holdersOf: access.holdersOf,
      isAuthenticated: realName.isOpenIn,
      sessionCheck,
      notify: verification.service.notify,
      settings: settings.held,
      onWeighed: telemetry.onWeighed,
    }),
    ...createTradeSettingsModules(resourceContext),
    languages,
    createGroupStartModule(platform),
    todos,
    createMessageThingsModule(platform, { alarms: alarms.standings, todosOn: todos.on }),
    createHealthModule(platform, { settings: settings.held }),
    createVisitsModule(platform, { settings: settings.service }),
    createSimulatorModule(platform, simulator),
    createMallModule(platform, { ...people, settings: settings.held }),
    ...createFarmsModules(resourceContext, farms),
    ...createMaintenanceModules(resourceContext),
    ...createHerdHealthModules(resourceContext),
    realName,
    devices,
    commands,
    firmware,
    telemetry,
    alarms,
    analytics,
    createCommissioningModule(platform, {
      devices: devices.service,
      telemetry: telemetry.service,
      commands: commands.service,
      sms: outbox.sms,
    }),
    createContactTraceModule(platform),
    createReportsModule(platform, {
      ...fleet,
      analytics: analytics.service,
      alarmsOf: alarms.named,
      holders: alarms.holders,
      translate: languages.translate,
      jobs: backgroundJobs.service,
      files: files.service,
    }),
    workOrders,
    createWebhooksModule(resourceContext, { settings: settings.held, holdersOf: access.holdersOf }),
    ...createContractsModules(resourceContext, {
      ...people,
      realName: realName.service,
      verification: verification.service,
      sms: outbox.sms,
      holdersOf: access.holdersOf,
      groupTenantId,
      companyName: () => settings.held.text("group.name"),
    }),
    createCustomersModule(platform, {
      ...people,
      jobs: backgroundJobs.service,
      files: files.service,
      tellEntries,
      record,
    }),
    createAnnouncementsModule(platform, {
      groupTenantId,
      backgroundJobs: backgroundJobs.service,
      files: files.service,
    }),
    createPricesModule(resourceContext),
    ...documents.modules,
    ...videos.modules,
    ...createSiteFormsModules(resourceContext, {
      settings: settings.service,
      requireCaptcha: captchas.service.requireCaptcha,
      holdersOf: access.holdersOf,
      groupTenantId,
    }),
    homePage,
    ...createContentModules(resourceContext, {
      ...fleet,
      calendar,
      valuesLastDay: telemetry.service.valuesLastDay,
      documents: documents.service,
      videos: videos.service,
      siteFiles: files.siteFiles,
      homePage: homePage.service,
      suggestions: workOrders.service,
      translate: languages.translate,
      brand: settings.brand,
    }),
  ];
  const modules = [
    ...found,
    createFindsModule(
      platform,
      found.flatMap(({ finders = [] }) => finders),
    ),
  ];

  const { authenticate, forgetSessions, requireConfirmed } = identity.service;
  let isPrepared = false;
  const { http, drain } = await createPortalHttp(platform, {
    modules,
    authenticate,
    authenticateToken: personalTokens.authenticate,
    forgetSessions,
    requireConfirmed,
    health,
    onAnswered: serviceLogs.onAnswered,
    isPrepared: () => isPrepared,
    webBuild,
    isUpgrade: isDeviceUpgrade,
  });
  return {
    http,
    uplink: telemetry.uplink,
    metrics: platform.metrics,
    nextId: platform.nextId,
    hashPassword: passwords.hash,
    personalCipher: platform.personalCipher,
    mail: outbox.mail,
    keepFile: files.service.make,
    writeDocument: documents.service.write,
    writeVideo: videos.service.write,
    outboxShown: outbox.shown,
    runJob: platform.jobs.runNow,
    async start() {
      for (const module of modules) await module.start?.();
      await platform.jobs.start(modules.flatMap(({ jobs = [] }) => jobs));
      isPrepared = true;
    },
    async stop() {
      stopping.abort();
      await Promise.all([drain(), platform.jobs.stop()]);
      // One that fails must not keep the others from storing what they hold.
      for (const module of modules.toReversed()) {
        await module.stop?.().catch((error: unknown) => log.error({ err: error }, "a module did not stop cleanly"));
      }
      await tracing?.stop();
    },
  };
}
