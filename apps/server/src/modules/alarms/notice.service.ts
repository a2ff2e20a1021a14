import { alarmPath, mostOfThing } from "@herdwise/contract";
import { deviceKinds, figureNow, isWorse } from "@herdwise/device-kinds";
import { filled } from "../../http/errors.ts";
import type { PersonalCipher } from "../../personal-cipher.ts";
import type { MailSender } from "../../providers/mail/mail.ts";
import type { SmsSender } from "../../providers/sms/sms.ts";
import type { VoiceCaller } from "../../providers/voice/voice.ts";
import type { WebhookSender } from "../../providers/webhook/webhook.ts";
import { repeat } from "../../repeat.ts";
import { type AccountScope, accountScope, systemScope } from "../../tenant-scope.ts";
import type { MessageRepository } from "../messages/index.ts";
import type { AlarmLogRepository } from "./alarm-log.repository.ts";
import type { DueNotice, NoticeRepository } from "./notice.repository.ts";
import { fateOf, leaseS, restS } from "./notice-fate.ts";
import { firstStepOf, sentenceOf } from "./sentence.ts";
import { severityOf, severityWords } from "./severity.ts";

/** Repositories of one transaction. */
interface NoticeTransaction {
  notices: NoticeRepository;
  log: Pick<AlarmLogRepository, "askAgain">;
  messages: Pick<MessageRepository, "insert">;
}

export interface NoticeDependencies {
  repository: NoticeRepository;
  log: Pick<AlarmLogRepository, "knownByDerived">;
  inTransaction<T>(work: (transaction: NoticeTransaction) => Promise<T>): Promise<T>;
  sms: SmsSender;
  mail: MailSender;
  voice: VoiceCaller;
  webhook: WebhookSender;
  cipher: PersonalCipher;
  /** English of names, as far as it is stored; no machine translates here. */
  inEnglish(names: readonly string[]): Promise<ReadonlyMap<string, string>>;
  nextId: () => string;
  now: () => number;
  /** Address of the portal without a trailing slash. */
  portal: string;
  handleCode: string;
  /** Called with alarms that reached their next step. */
  onSteps(alarms: readonly { id: string; tenantId: string }[]): void;
  onError(error: unknown): void;
  /** Told of each try to send notices together. */
  onTried?(channel: DueNotice["channel"], outcome: "sent" | "failed", notices: number): void;
}

const mostTogether = 1000;
const lookMs = 500;
const stepsTogether = 200;
/** Seconds to wait after each failed attempt. */
const retryS = [5, 30, 120, 600] as const;
/** Most lines in a message about several alarms. */
const mostLines = 8;
/** Titles of messages inside the portal. */
const messageTitles = { CRITICAL: "紧急告警", MAJOR: "严重告警", MINOR: "一般告警", WARN: "告警提示" } as const;
/** What the thing of a message about several alarms begins with; their ids follow. */
export const severalAlarms = "alarms:";
const receivers = systemScope("an alarm is told to whom it concerns, whoever works at the moment");

const ruleName = ({ kind, ruleId, facts: { name = ruleId } }: DueNotice) =>
  deviceKinds[kind].alarmRules.find(({ id }) => id === ruleId)?.name ?? { zh: name, en: name };

const clock = (at: Date): string =>
  at.toLocaleTimeString("zh-CN", { timeZone: "Asia/Shanghai", hour: "2-digit", minute: "2-digit" });

/** Texts around the alarms of a message. */
const several = { zh: "共 {count} 条告警", en: "Alarms: {count}" } as const;
const others = { zh: "另有 {count} 条", en: "And {count} more" } as const;
/** Said of an alarm that asks again after somebody acknowledged it. */
const againWords = { zh: "再次提醒", en: "asks again" } as const;
const sinceWords = { zh: "{clock} 起", en: "since {clock}" } as const;

type Language = DueNotice["language"];

/**
 * Texts of notices in a language.
 * @param names known English of names that people gave
 */
function tellerOf(language: Language, names: ReadonlyMap<string, string>) {
  const named = (name: string): string => (language === "zh" ? name : (names.get(name) ?? name));
  const sentence = (notice: DueNotice): string => {
    const { name } = notice.facts;
    return sentenceOf(notice, name === undefined ? undefined : named(name))[language];
  };
  const place = (notice: DueNotice): string =>
    [notice.farmName, notice.houseName, notice.unitName]
      .filter((name) => name !== "")
      .map(named)
      .join(" / ") || named(notice.deviceName);
  const fill = (text: Readonly<Record<Language, string>>, values: Readonly<Record<string, string | number>>): string =>
    filled(text[language], values);
  /**
   * One alarm as a line. Inside the portal it is Chinese; readers of English see each part between ` · ` or ` / ` in English
   * (`TranslatedLine` of the web).
   */
  const line = (notice: DueNotice): string =>
    [
      severityWords[severityOf(notice.severity)][language],
      sentence(notice),
      place(notice),
      clock(notice.raisedAt),
      ...(notice.round > 1 ? [againWords[language]] : []),
    ].join(" · ");
  return {
    line,
    /** One alarm as a sentence for SMS and calls: where, what, since when, and what to do first. */
    waking: (notice: DueNotice): string =>
      [
        notice.round > 1 ? againWords[language] : "",
        place(notice),
        sentence(notice),
        fill(sinceWords, { clock: clock(notice.raisedAt) }),
        firstStepOf(notice)?.[language] ?? "",
      ]
        .filter((part) => part !== "")
        .join(language === "zh" ? "，" : "; "),
    subject(notices: readonly DueNotice[]): string {
      const [first] = notices;
      const head = first === undefined ? "" : line(first);
      return notices.length === 1 ? head : `${fill(several, { count: notices.length })} · ${head}`;
    },
    text(notices: readonly DueNotice[], address: string): string {
      const lines = notices.slice(0, mostLines).map(line);
      const more = notices.length - lines.length;
      return [
        ...(notices.length > 1 ? [fill(several, { count: notices.length })] : []),
        ...lines,
        ...(more > 0 ? [fill(others, { count: more })] : []),
        address,
      ].join("\n");
    },
  };
}

/** Messages are stored in Chinese. */
const inChinese = tellerOf("zh", new Map());

/** Sends the notices of the outbox, lets known alarms ask again in time, and moves those that nobody took to their next step. */
export function createNotices(dependencies: NoticeDependencies) {
  const { repository, log, inTransaction, sms, mail, voice, webhook, cipher, inEnglish, nextId, now } = dependencies;
  const { portal, handleCode, onError } = dependencies;
  let end: (() => Promise<void>) | undefined;

  const link = (notices: readonly DueNotice[]): string =>
    notices.length === 1 ? `${alarmPath}?id=${notices[0]?.alarmId}` : alarmPath;

  /** The same alarms in one message are one thing, however often they are told together. */
  const severalOf = (notices: readonly DueNotice[]): string =>
    `${severalAlarms}${[...new Set(notices.map(({ alarmId }) => alarmId))].toSorted().join()}`;

  /** In the portal, the message and its notice are one transaction, so it is sent exactly once. */
  const tellInside = (notices: readonly DueNotice[], to: AccountScope): Promise<void> =>
    inTransaction(async (transaction) => {
      const [first] = notices;
      if (first === undefined) return;
      const single = notices.length === 1;
      await transaction.messages.insert(to, {
        id: nextId(),
        kind: "alarm",
        urgent: notices.some(({ severity }) => severity === 4),
        title: single ? messageTitles[severityOf(first.severity)] : "多条告警",
        content: single ? inChinese.line(first) : "同一时间有多条告警，合成了一条通知",
        link: link(notices),
        ...(!single && notices.length <= mostOfThing && { thing: severalOf(notices) }),
      });
      await transaction.notices.sent(
        notices.map(({ id }) => id),
        new Date(now()),
        notices.length,
      );
    });

  const tellOutside = async (notices: readonly DueNotice[], names: ReadonlyMap<string, string>): Promise<void> => {
    const [first] = notices;
    if (first === undefined) return;
    const teller = tellerOf(first.language, names);
    const address = `${portal}${link(notices)}`;
    /** Values of a template in the reader's language; English values only for readers of English. */
    const waking = (more: Readonly<Record<string, string>> = {}) => ({
      variables: { ...more, alarm: inChinese.waking(first) },
      ...(first.language === "en" && { english: { ...more, alarm: teller.waking(first) } }),
    });
    switch (first.channel) {
      case "sms":
        if (first.phoneEncrypted === "") throw new Error("no phone");
        return sms.send({
          phone: cipher.decrypt(first.phoneEncrypted),
          kind: "alarm",
          ...waking({ count: String(notices.length) }),
        });
      case "voice":
        if (first.phoneEncrypted === "") throw new Error("no phone");
        return voice.call({ phone: cipher.decrypt(first.phoneEncrypted), ...waking() });
      case "mail":
        if (first.emailEncrypted === "") throw new Error("no mail address");
        return mail.send({
          to: cipher.decrypt(first.emailEncrypted),
          subject: teller.subject(notices),
          text: teller.text(notices, address),
        });
      case "wechat-robot":
        return webhook.robot(cipher.decrypt(first.addressEncrypted), teller.text(notices, address));
      case "webhook":
        return webhook.post(cipher.decrypt(first.addressEncrypted), {
          type: "alarms",
          alarms: notices.map((notice) => ({
            id: notice.alarmId,
            severity: severityOf(notice.severity),
            kind: notice.kind,
            rule: notice.ruleId,
            name: ruleName(notice),
            step: notice.step,
            device: notice.deviceName,
            place: { farm: notice.farmName, house: notice.houseName, unit: notice.unitName },
            figure: notice.facts,
            raisedAt: notice.raisedAt.toISOString(),
            link: `${portal}${alarmPath}?id=${notice.alarmId}`,
          })),
        });
      case "site":
        return undefined;
    }
  };

  const tell = async (notices: readonly DueNotice[], names: ReadonlyMap<string, string>): Promise<void> => {
    const [first] = notices;
    if (first === undefined) return;
    const ids = notices.map(({ id }) => id);
    try {
      if (first.channel === "site") {
        await tellInside(notices, accountScope(receivers, first.accountId));
      } else {
        await tellOutside(notices, names);
        await repository.sent(ids, new Date(now()), notices.length);
      }
      dependencies.onTried?.(first.channel, "sent", notices.length);
    } catch (error) {
      dependencies.onTried?.(first.channel, "failed", notices.length);
      const waitS = retryS[first.attempts - 1];
      const fault = error instanceof Error ? error.message.slice(0, 200) : "unknown";
      await repository.failed(ids, fault, waitS === undefined, new Date(now() + (waitS ?? 0) * 1000));
      onError(error);
    }
  };

  /**
   * Stored English of the names in messages for readers of English; other names stay Chinese, and nothing waits for a machine
   * translation.
   */
  const namesIn = async (due: readonly DueNotice[]): Promise<ReadonlyMap<string, string>> => {
    const names = due
      .filter(({ language }) => language === "en")
      .flatMap(({ farmName, houseName, unitName, deviceName, facts }) => [
        farmName,
        houseName,
        unitName,
        deviceName,
        facts.name ?? "",
      ]);
    if (names.length === 0) return new Map();
    return inEnglish(names).catch((error: unknown) => {
      onError(error);
      return new Map();
    });
  };

  /**
   * Sends due notices.
   * @returns number of claimed notices
   */
  const send = async (): Promise<number> => {
    const at = now();
    const due = await repository.take(new Date(at), { leaseS, restS, limit: mostTogether });
    const names = await namesIn(due);
    for (const notices of Map.groupBy(
      due,
      ({ accountId, tenantId, channel }) => `${accountId}/${tenantId}/${channel}`,
    ).values()) {
      const current: DueNotice[] = [];
      const outdated: string[] = [];
      const later = new Map<number, string[]>();
      for (const notice of notices) {
        const fate = fateOf(notice, at);
        if (fate === "send") current.push(notice);
        else if (typeof fate === "string") outdated.push(notice.id);
        else later.set(fate.until, [...(later.get(fate.until) ?? []), notice.id]);
      }
      if (outdated.length > 0) await repository.drop(outdated);
      for (const [until, ids] of later) await repository.postpone(ids, new Date(until));
      await tell(current, names);
    }
    return due.length;
  };

  /** Known alarms whose figure, worked out from the newest readings, is as far as it asks again. */
  const worseByDerived = async (): Promise<string[]> =>
    (await log.knownByDerived())
      .filter(({ kind, key, readings, parameters, pigstyType, averageWeightGrams, above, below }) => {
        const context = {
          parameters,
          ...(pigstyType !== null && { pigstyType }),
          ...(averageWeightGrams !== null && { weightKg: averageWeightGrams / 1000 }),
        };
        const value = figureNow(deviceKinds[kind], key, readings, context);
        return isWorse({ ...(above !== null && { above }), ...(below !== null && { below }) }, value);
      })
      .map(({ id }) => id);

  /** Lets alarms ask again of which nobody knows any more, as if they had just been raised. */
  const askAgain = async (): Promise<void> => {
    const worseIds = await worseByDerived();
    const asking = await inTransaction(async ({ notices, log: inLog }) => {
      const again = await inLog.askAgain(new Date(now()), worseIds, stepsTogether);
      if (again.length === 0) return again;
      await notices.note(
        again.map(({ id, worse }) => ({ id: nextId(), alarmId: id, action: "ask", body: worse ? "worse" : "time" })),
      );
      // What follows from another alarm is told with it, as when it was raised.
      const told = again.filter(
        ({ quiet, suppressed, severity, causeSeverity, worse }) =>
          !quiet && !suppressed && (worse || severity > causeSeverity),
      );
      await notices.announce(
        told.map(({ id }) => id),
        1,
        handleCode,
      );
      return again;
    });
    if (asking.length > 0) dependencies.onSteps(asking);
  };

  /** Moves alarms to their next step. */
  const escalate = async (): Promise<void> => {
    await askAgain();
    const moved = await inTransaction(async ({ notices }) => {
      const overdue = await notices.overdue(new Date(now()), stepsTogether);
      for (const [step, alarms] of Map.groupBy(overdue, (alarm) => alarm.step + 1)) {
        await notices.announce(
          alarms.map(({ id }) => id),
          step,
          handleCode,
        );
        await notices.note(
          alarms.map(({ id }) => ({ id: nextId(), alarmId: id, action: "escalate", body: String(step) })),
        );
      }
      return overdue;
    });
    if (moved.length > 0) dependencies.onSteps(moved);
  };

  return {
    send,
    escalate,
    start(): void {
      end = repeat(() => escalate().then(send), lookMs, onError);
    },
    stop: async (): Promise<void> => end?.(),
  };
}
