import { alarmHandleCode, alarmPath, alarmPushPath } from "@herdwise/contract";
import type { SessionCheck } from "../../http/session-streams.ts";
import type { Platform, ServerModule } from "../../module.ts";
import type { MailSender } from "../../providers/mail/mail.ts";
import type { SmsSender } from "../../providers/sms/sms.ts";
import type { VoiceCaller } from "../../providers/voice/voice.ts";
import { createWebhookSender } from "../../providers/webhook/webhook.ts";
import { accountScope, systemScope, type TenantScope } from "../../tenant-scope.ts";
import { auditRepository } from "../audit/index.ts";
import type { BackgroundJobService } from "../background-jobs/index.ts";
import type { FileService } from "../files/index.ts";
import { messageRepository } from "../messages/index.ts";
import { type HeldSettings, networksOf } from "../settings/index.ts";
import type { TelemetryModule } from "../telemetry/index.ts";
import { alarmRepository } from "./alarm.repository.ts";
import { alarmRoutes } from "./alarm.routes.ts";
import { type AlarmService, alarmView, createAlarmService } from "./alarm.service.ts";
import { createAlarmExport } from "./alarm-export.service.ts";
import { createAlarmLive } from "./alarm-live.service.ts";
import { alarmLogRepository } from "./alarm-log.repository.ts";
import { createClockRules } from "./clock-rules.service.ts";
import { fieldActionRepository, removeFieldActions } from "./field-action.repository.ts";
import { createFollower } from "./follower.service.ts";
import { groupRuleRepository } from "./group-rule.repository.ts";
import { createGroupRules } from "./group-rules.service.ts";
import { createJournal } from "./journal.service.ts";
import { noticeRepository } from "./notice.repository.ts";
import { createNotices, type NoticeDependencies } from "./notice.service.ts";
import { ownRuleRepository } from "./own-rule.repository.ts";
import { ownRuleRoutes } from "./own-rule.routes.ts";
import { createOwnRules } from "./own-rule.service.ts";
import { pushRepository } from "./push.repository.ts";
import { createPushService } from "./push.service.ts";
import { pushPreviewRepository } from "./push-preview.repository.ts";
import { createPushPreview } from "./push-preview.service.ts";
import { receiverRepository } from "./receiver.repository.ts";
import { createRoster, type RosterDependencies } from "./roster.service.ts";
import { ruleRepository } from "./rule.repository.ts";
import { createRuleBook, type RuleBook } from "./rule-book.service.ts";
import { ruleChangeRepository } from "./rule-change.repository.ts";
import { createRuleChanges } from "./rule-change.service.ts";
import { createRuleTrials } from "./rule-trial.service.ts";
import { type AlarmStandings, alarmStandings } from "./standing.ts";

/** Days for which keys of a phone's actions are kept; a phone that was offline for longer starts anew. */
const fieldKeysDays = 90;

export interface AlarmsModuleDependencies {
  sessionCheck: Pick<SessionCheck, "watch">;
  telemetry: Pick<TelemetryModule, "follow" | "recent">;
  sms: SmsSender;
  mail: MailSender;
  voice: VoiceCaller;
  services: RosterDependencies["services"];
  inEnglish: NoticeDependencies["inEnglish"];
  jobs: BackgroundJobService;
  files: FileService;
  settings: HeldSettings;
}

export interface AlarmsModule extends ServerModule {
  /** Alarms by their ids in the contract's form. */
  readonly named: AlarmService["named"];
  /** Members of the scope's tenant whose roles grant a button code. */
  readonly holders: AlarmService["holders"];
  readonly standings: AlarmStandings;
  readonly judgedBy: RuleBook["judgedBy"];
}

export { type AlarmStandings, alarmIdsOf } from "./standing.ts";

/**
 * The alarms module: judges messages of devices by the rules of their kinds, keeps the log, sends notices, and serves the
 * handling of alarms.
 */
export function createAlarmsModule(
  platform: Platform,
  { sessionCheck, telemetry, settings, sms, mail, voice, services, inEnglish, jobs, files }: AlarmsModuleDependencies,
): AlarmsModule {
  const { config, log, kysely, bus, now, nextId, serverId, inTransaction, warn } = platform;
  const devices = systemScope("alarms are raised by what devices send, whosever they are");
  const logRepository = alarmLogRepository(kysely, devices);
  const ruleBook = createRuleBook({
    repository: ruleRepository(kysely, devices),
    onError: warn("alarm rules were not read"),
  });
  const journal = createJournal({
    inTransaction: inTransaction((db) => {
      const notices = noticeRepository(db, devices);
      return {
        log: alarmLogRepository(db, devices),
        announce: (alarmIds: readonly string[]) => notices.announce(alarmIds, 1, alarmHandleCode),
      };
    }),
    bus,
    nextId,
    onError: warn("alarms were not written yet and are tried again"),
    groupRulesAt: ruleBook.groupRulesAt,
  });
  const follower = createFollower({
    log: logRepository,
    recent: telemetry.recent,
    now,
    rulesOf: ruleBook.rulesOf,
    maskedAt: ruleBook.maskedAt,
    onChanges: journal.add,
    onRecount: journal.recount,
    settled: journal.settled,
    onTaken: (deviceId) => bus.publish("alarmDevice", { deviceId, serverId }),
    onError: warn("alarm rules were not judged and are tried again"),
  });
  const groupRules = createGroupRules({
    log: logRepository,
    recent: telemetry.recent,
    rules: ruleBook.groups,
    maskedAt: ruleBook.maskedAt,
    recount: journal.recount,
    tellLate: journal.add,
    inTransaction: inTransaction((db) => groupRuleRepository(db, devices)),
    now,
    onError: warn("alarm rules over several devices were not judged and are tried again"),
  });
  const clockRules = createClockRules({ repository: logRepository, ruleBook, journal, nextId, now });
  const webhook = createWebhookSender({ allowedNetworks: () => networksOf(settings) });
  const push = createPushService({
    repository: pushRepository(kysely),
    inTransaction: inTransaction((db) => ({
      push: pushRepository(db),
      receivers: receiverRepository(db, alarmHandleCode),
      audit: auditRepository(db),
    })),
    webhook,
    sms,
    mail,
    store: platform.store,
    tellInside: (scope, message) =>
      messageRepository(kysely).insert(accountScope(devices, scope.accountId), {
        ...message,
        id: nextId(),
        kind: "alarm",
        link: alarmPushPath,
      }),
    cipher: platform.personalCipher,
    brand: settings.brand,
    nextId,
  });
  const preview = createPushPreview({
    preview: pushPreviewRepository(kysely, alarmHandleCode),
    push: pushRepository(kysely),
    receivers: receiverRepository(kysely, alarmHandleCode),
    now,
  });
  const roster = createRoster({
    receivers: receiverRepository(kysely, alarmHandleCode),
    services,
    cipher: platform.personalCipher,
  });
  let rulesRead = Promise.resolve();
  const inForce = (tenantId: string): Promise<void> => {
    bus.publish("alarmRulesChanged", { tenantId });
    // This server also hears its own message.
    return rulesRead;
  };
  const ruleChanges = createRuleChanges({
    repository: ruleChangeRepository(kysely),
    inTransaction: inTransaction((db) => ({
      changes: ruleChangeRepository(db),
      audit: auditRepository(db),
      async tellHandlers(scope: TenantScope, title: string, content: string) {
        for (const { id } of await alarmRepository(db).holders(scope, alarmHandleCode)) {
          if (id === scope.accountId) continue;
          const message = { id: nextId(), kind: "alarm", title, content, link: alarmPath } as const;
          await messageRepository(db).insert(accountScope(devices, id), message);
        }
      },
    })),
    inForce,
    nextId,
    now,
  });
  const ownRules = createOwnRules({
    repository: ownRuleRepository(kysely),
    inTransaction: inTransaction((db) => ({ rules: ownRuleRepository(db), audit: auditRepository(db) })),
    hasPlace: ruleChangeRepository(kysely).hasPlace,
    inForce,
    nextId,
  });
  const trials = createRuleTrials({
    repository: ownRuleRepository(kysely),
    log: logRepository,
    recent: telemetry.recent,
    ruleBook,
    now,
  });
  const notices = createNotices({
    repository: noticeRepository(kysely, devices),
    log: logRepository,
    inTransaction: inTransaction((db) => ({
      notices: noticeRepository(db, devices),
      log: alarmLogRepository(db, devices),
      messages: messageRepository(db),
    })),
    sms,
    mail,
    voice,
    webhook,
    cipher: platform.personalCipher,
    inEnglish,
    nextId,
    now,
    portal: config.publicUrl,
    handleCode: alarmHandleCode,
    onTried: (channel, outcome, count) => platform.metrics.notices.inc({ channel, outcome }, count),
    onSteps: (alarms) => {
      for (const [tenantId, of] of Map.groupBy(alarms, (alarm) => alarm.tenantId)) {
        bus.publish("alarmsChanged", { tenantId, ids: of.map(({ id }) => id) });
      }
    },
    onError: warn("a notice of an alarm was not sent and is tried again"),
  });
  const alarms = createAlarmService({
    repository: alarmRepository(kysely),
    inTransaction: inTransaction((db) => ({
      alarms: alarmRepository(db),
      audit: auditRepository(db),
      actions: fieldActionRepository(db),
      tellAssigned: (accountId: string, link: string) =>
        messageRepository(db).insert(accountScope(devices, accountId), {
          id: nextId(),
          kind: "alarm",
          title: "有告警指派给您",
          content: "点开看原因、走势和下一步",
          link,
        }),
    })),
    recent: telemetry.recent,
    cipher: platform.personalCipher,
    bus,
    nextId,
    now,
  });
  const exports = createAlarmExport({ repository: alarmRepository(kysely), jobs, files });
  const live = createAlarmLive({
    bus,
    sessionCheck,
    some: async (ids) => (await alarmRepository(kysely).some(devices, ids)).map(alarmView),
    reached: (scope, ids) => alarmRepository(kysely).reached(scope, ids),
    onError: warn("alarms were not read for the live streams"),
  });

  telemetry.follow(follower);
  telemetry.follow(groupRules);
  bus.subscribe("alarmEnded", ({ deviceId, ruleId }) => follower.ended(deviceId, ruleId));
  bus.subscribe("alarmDevice", (taken) => {
    if (taken.serverId !== serverId) follower.forget(taken.deviceId, false);
  });
  bus.subscribe("deviceChanged", ({ deviceId }) => follower.forget(deviceId, true));
  bus.subscribe("alarmRulesChanged", ({ tenantId }) => {
    rulesRead = ruleBook.read().then(() => follower.forgetTenant(tenantId), warn("alarm rules were not read"));
  });
  // Another server may have judged messages that this one missed.
  bus.onGap(() => follower.forgetAll());

  return {
    named: alarms.named,
    holders: alarms.holders,
    standings: alarmStandings(alarmRepository(kysely)),
    judgedBy: ruleBook.judgedBy,
    routes: (router) => {
      alarmRoutes(router, { alarms, live, push, preview, roster, rules: ruleChanges, exports });
      ownRuleRoutes(router, ownRules, trials);
    },
    jobs: [
      jobs.define(exports.job),
      {
        name: "alarms.sweep",
        schedule: "20 3 * * *",
        retries: 1,
        timeoutS: 600,
        async run(_payload, { signal }) {
          const before = new Date(now() - settings.number("retention.alarmDays") * 86_400_000);
          let removed = 0;
          for (let some = -1; some !== 0 && !signal.aborted; removed += some)
            some = await logRepository.removeBefore(before);
          await removeFieldActions(kysely, devices, new Date(now() - fieldKeysDays * 86_400_000));
          if (removed > 0) log.info({ removed }, "alarms beyond retention were removed");
        },
      },
    ],
    async start() {
      await ruleBook.start();
      await follower.start();
      groupRules.start();
      clockRules.start(warn("devices that fell silent were not looked for"));
      notices.start();
    },
    async stop() {
      await clockRules.stop();
      await notices.stop();
      await groupRules.stop();
      await follower.stop();
      await journal.stop();
      ruleBook.stop();
    },
  };
}
