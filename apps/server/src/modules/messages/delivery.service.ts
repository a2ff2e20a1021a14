import { filled } from "../../http/errors.ts";
import type { PersonalCipher } from "../../personal-cipher.ts";
import type { MailSender } from "../../providers/mail/mail.ts";
import type { SmsSender } from "../../providers/sms/sms.ts";
import { WechatFault, type WechatSender } from "../../providers/wechat/wechat.ts";
import { repeat } from "../../repeat.ts";
import type { DeliveryRepository, DueDelivery } from "./delivery.repository.ts";
import { nextMinuteOfDay, quietUntil } from "./quiet.ts";

export interface DeliveryDependencies {
  deliveries: DeliveryRepository;
  sms: SmsSender;
  mail: MailSender;
  wechat: WechatSender;
  cipher: PersonalCipher;
  nextId: () => string;
  now: () => number;
  /** Address of the portal, without a slash at the end. */
  portal: string;
  /** A WeChat user does not follow any more. */
  onLeft(openId: string): Promise<void>;
  onError(error: unknown): void;
}

/** A delivery is left to the server that took it for so long, s; another follows one that died. */
export const deliveryLeaseS = 60;
const mostTogether = 500;
const lookMs = 2000;
/** After each failed try, s. */
const retryS = [30, 120, 600, 3600] as const;
/** Lines of a message about several. */
const mostLines = 20;
const settingsPath = "/selfCenter/news#message-settings";
const listPath = "/selfCenter/news";

/**
 * When a message is to be told by a channel: what is urgent at once; else after the person's quiet time, and what may wait for the
 * digest with it. Security is never kept for a digest.
 * @returns undefined for now, else ms since 1970
 */
export function laterThan(
  nowMs: number,
  {
    urgent,
    kind,
    channel,
    createdAt,
    quietFrom,
    quietTo,
    digestAt,
  }: Pick<DueDelivery, "urgent" | "kind" | "channel" | "createdAt" | "quietFrom" | "quietTo" | "digestAt">,
): number | undefined {
  if (urgent) return undefined;
  const digests = digestAt !== null && channel !== "sms" && kind !== "security" && kind !== "alarm";
  const digestMs = digests ? nextMinuteOfDay(createdAt.getTime(), digestAt) : undefined;
  if (digestMs !== undefined && digestMs > nowMs) return digestMs;
  return quietUntil(nowMs, quietFrom, quietTo);
}

/** Tells people by SMS, mail and WeChat what stands in their lists. */
export function createDeliveries(dependencies: DeliveryDependencies) {
  const { deliveries, sms, mail, wechat, cipher, nextId, now, portal, onLeft, onError } = dependencies;
  let end: (() => Promise<void>) | undefined;
  let stopped = false;

  const linkOf = (bundle: readonly DueDelivery[]): string => {
    const [first] = bundle;
    return `${portal}${bundle.length === 1 && first?.link ? first.link : listPath}`;
  };
  const titleOf = (bundle: readonly DueDelivery[]): string =>
    bundle.length === 1 ? (bundle[0]?.title ?? "") : filled("您有 {count} 条消息", { count: bundle.length });

  const hand = async (bundle: readonly DueDelivery[], bundleId: string): Promise<void> => {
    const [first] = bundle;
    if (first === undefined) return;
    const title = titleOf(bundle);
    switch (first.channel) {
      case "sms":
        return sms.send({
          phone: cipher.decrypt(first.phoneEncrypted),
          kind: "message",
          variables: { count: String(bundle.length), title: first.title },
        });
      case "mail": {
        const lines = bundle
          .slice(0, mostLines)
          .flatMap((one) => [
            bundle.length === 1 ? one.content : `${one.title}：${one.content}`,
            ...(one.link === "" ? [] : [`${portal}${one.link}`]),
            "",
          ]);
        const more = bundle.length - mostLines;
        const foot =
          first.kind === "security" ? "" : filled("不想再收这类邮件：{link}", { link: `${portal}${settingsPath}` });
        return mail.send({
          to: cipher.decrypt(first.emailEncrypted),
          subject: title,
          text: `${lines.join("\n")}${more > 0 ? `${filled("另有 {count} 条", { count: more })}\n` : ""}${portal}${listPath}\n${foot}`,
          messageId: `<${bundleId}@${new URL(portal).hostname}>`,
        });
      }
      case "wechat":
        return wechat.send({
          openId: cipher.decrypt(first.openIdEncrypted),
          title,
          content: bundle.length === 1 ? first.content : bundle.map((one) => one.title).join("、"),
          at: first.createdAt,
          url: linkOf(bundle),
          messageId: bundleId,
        });
    }
  };

  const addressOf = ({ channel, ...of }: DueDelivery): string =>
    ({ sms: of.phoneEncrypted, mail: of.emailEncrypted, wechat: of.openIdEncrypted })[channel];

  const tell = async (bundle: readonly DueDelivery[]): Promise<void> => {
    const [first] = bundle;
    if (first === undefined) return;
    const ids = bundle.map(({ id }) => id);
    if (addressOf(first) === "") return deliveries.drop(ids);
    // Mailboxes and WeChat know a message by its number and show it once. An SMS of which nobody knows whether it went stays one.
    if (first.begun && first.channel === "sms")
      return deliveries.failed(ids, "it is not known whether the service took it", null);
    const bundleId = first.bundleId ?? nextId();
    await deliveries.begin(ids, bundleId);
    try {
      await hand(bundle, bundleId);
    } catch (error) {
      const waitS = retryS[first.attempts - 1];
      const left = error instanceof WechatFault && error.left;
      const fault = error instanceof Error ? error.message.slice(0, 200) : "unknown";
      if (left) await onLeft(cipher.decrypt(first.openIdEncrypted));
      await deliveries.failed(ids, fault, waitS === undefined || left ? null : new Date(now() + waitS * 1000));
      return;
    }
    await deliveries.sent(ids, new Date(now()));
  };

  /** Sends what is due now. @returns how many deliveries were taken */
  const send = async (): Promise<number> => {
    const atMs = now();
    const due = await deliveries.take(new Date(atMs), { leaseS: deliveryLeaseS, limit: mostTogether });
    const later = new Map<number, string[]>();
    const current: DueDelivery[] = [];
    for (const one of due) {
      const until = one.bundleId === null ? laterThan(atMs, one) : undefined;
      if (until === undefined) current.push(one);
      else later.set(until, [...(later.get(until) ?? []), one.id]);
    }
    for (const [until, ids] of later) await deliveries.postpone(ids, new Date(until));
    // What a try put together stays together; the rest of a person and channel goes in one.
    const bundles = Map.groupBy(current, (one) => one.bundleId ?? `${one.accountId}/${one.channel}`);
    for (const bundle of bundles.values()) {
      if (stopped) break;
      await tell(bundle).catch(onError);
    }
    return due.length;
  };

  return {
    send,
    start(): void {
      end = repeat(send, lookMs, onError);
    },
    async stop(): Promise<void> {
      stopped = true;
      await end?.();
    },
  };
}
