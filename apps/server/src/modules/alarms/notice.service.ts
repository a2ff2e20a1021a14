import { alarmPath } from "@herdwise/contract";
import { deviceKinds } from "@herdwise/device-kinds";
import { filled } from "../../http/errors.ts";
import type { PersonalCipher } from "../../personal-cipher.ts";
import type { MailSender } from "../../providers/mail/mail.ts";
import type { SmsSender } from "../../providers/sms/sms.ts";
import type { VoiceCaller } from "../../providers/voice/voice.ts";
import type { WebhookSender } from "../../providers/webhook/webhook.ts";
import { repeat } from "../../repeat.ts";
import { type AccountScope, accountScope, systemScope } from "../../tenant-scope.ts";
import { type MessageRepository, quietUntil } from "../messages/index.ts";
import type { DueNotice, NoticeRepository } from "./notice.repository.ts";
import { wakes } from "./receiver.repository.ts";
import { firstStepOf, sentenceOf } from "./sentence.ts";
import { severityOf, severityWords } from "./severity.ts";

/** Repositories of one transaction. */
interface NoticeTransaction {
  notices: NoticeRepository;
  messages: Pick<MessageRepository, "insert">;
}

export interface NoticeDependencies {
  repository: NoticeRepository;
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
}

/** Seconds for which a claimed notice is reserved; if the server ends meanwhile, another one sends it afterwards. */
const leaseS = 60;
/** Seconds between two messages to one person by one channel, so that many alarms need only a few messages. */
const restS = 20;
const mostTogether = 1000;
const lookMs = 500;
const stepsTogether = 200;
/** Seconds to wait after each failed attempt. */
const retryS = [5, 30, 120, 600] as const;
/** Most lines in a message about several alarms. */
const mostLines = 8;
/** Titles of messages inside the portal. */
const messageTitles = { CRITICAL: "紧急告警", MAJOR: "严重告警", MINOR: "一般告警", WARN: "告警提示" } as const;
const receivers = systemScope("an alarm is told to whom it concerns, whoever works at the moment");

const ruleName = ({ kind, ruleId, facts: { name = ruleId } }: DueNotice) =>
  deviceKinds[kind].alarmRules.find(({ id }) => id === ruleId)?.name ?? { zh: name, en: name };

const clock = (at: Date): string =>
  at.toLocaleTimeString("zh-CN", { timeZone: "Asia/Shanghai", hour: "2-digit", minute: "2-digit" });

/** Texts around the alarms of a message. */
const several = { zh: "共 {count} 条告警", en: "Alarms: {count}" } as const;
const others = { zh: "另有 {count} 条", en: "And {count} more" } as const;
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
    ].join(" · ");
  return {
    line,
    /** One alarm as a sentence for SMS and calls: where, what, since when, and what to do first. */
    waking: (notice: DueNotice): string =>
      [
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

/** Sends the notices of the outbox, and moves unacknowledged alarms to their next step. */
export function createNotices(dependencies: NoticeDependencies) {
  const { repository, inTransaction, sms, mail, voice, webhook, cipher, inEnglish, nextId, now } = dependencies;
  const { portal, handleCode, onError } = dependencies;
  let end: (() => Promise<void>) | undefined;

  const link = (notices: readonly DueNotice[]): string =>
    notices.length === 1 ? `${alarmPath}?id=${notices[0]?.alarmId}` : alarmPath;

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
        return;
      }
      await tellOutside(notices, names);
      await repository.sent(ids, new Date(now()), notices.length);
    } catch (error) {
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
        const until = notice.severity === 4 ? undefined : quietUntil(at, notice.quietFrom, notice.quietTo);
        // Somebody acknowledged the alarm, so nobody else is woken for it.
        if (notice.acknowledged && wakes(notice.channel)) outdated.push(notice.id);
        // An alarm that ended before its notice could be sent is only in the log.
        else if (notice.ended && at - notice.raisedAt.getTime() > leaseS * 1000) outdated.push(notice.id);
        else if (until === undefined) current.push(notice);
        else later.set(until, [...(later.get(until) ?? []), notice.id]);
      }
      if (outdated.length > 0) await repository.drop(outdated);
      for (const [until, ids] of later) await repository.postpone(ids, new Date(until));
      await tell(current, names);
    }
    return due.length;
  };

  /** Moves alarms to their next step. */
  const escalate = async (): Promise<void> => {
    const moved = await inTransaction(async ({ notices }) => {
      const overdue = await notices.overdue(new Date(now()), stepsTogether);
      for (const [step, alarms] of Map.groupBy(overdue, (alarm) => alarm.step + 1)) {
        await notices.announce(
          alarms.map(({ id }) => id),
          step,
          handleCode,
        );
        await notices.noteStep(alarms.map(({ id }) => ({ id: nextId(), alarmId: id, step })));
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
