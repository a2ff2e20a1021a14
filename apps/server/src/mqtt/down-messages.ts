import { filterMatches, maySubscribe, type Subscriber } from "./device-topics.ts";
import type { Subscription } from "./packet-decoder.ts";
import type { PacketWriter } from "./packet-writer.ts";
import { reasonCode } from "./reason-codes.ts";
import { sessionLimits } from "./session-limits.ts";

interface Down {
  topic: string;
  payload: Buffer;
  onDelivered: () => void;
}

/** A SUBACK of MQTT 3 knows one refusal. */
const subscriptionFailure = 0x80;

/** Wildcards stand for whole levels, `#` for the last. */
const isFilter = (filter: string): boolean =>
  filter !== "" &&
  filter.split("/").every((level, at, { length }) => {
    if (level.includes("#")) return level === "#" && at === length - 1;
    return level === "+" || !level.includes("+");
  });

/** What one client listens to, and the messages to it that it has not acknowledged. */
export class DownMessages {
  /** Messages that the client takes unacknowledged. */
  limit: number = sessionLimits.downUnderWay;
  private readonly writer: PacketWriter;
  private readonly onOverflow: () => void;
  private readonly granted = new Map<string, 0 | 1>();
  /** What is to be done when the client acknowledges, by packet id. */
  private readonly underWay = new Map<number, () => void>();
  private readonly waiting: Down[] = [];
  private lastId = 0;

  /** @param onOverflow the client acknowledges nothing, and more waits for it than may */
  constructor(writer: PacketWriter, onOverflow: () => void) {
    this.writer = writer;
    this.onOverflow = onOverflow;
  }

  /** @returns the granted QoS, or why there is none */
  subscribe({ filter, qos }: Subscription, by: Subscriber): number {
    const refused = this.refusalOf(filter, by);
    if (refused !== undefined) return this.writer.version === 5 ? refused : subscriptionFailure;
    const granted = qos === 0 ? 0 : 1;
    this.granted.set(filter, granted);
    return granted;
  }

  /** @returns a reason code */
  unsubscribe(filter: string): number {
    return this.granted.delete(filter) ? reasonCode.success : reasonCode.noSubscriptionExisted;
  }

  listensTo(topic: string): boolean {
    return [...this.granted.keys()].some((filter) => filterMatches(filter, topic));
  }

  /** Sends a message to the device if it listens. @returns whether it does */
  send(topic: string, content: unknown, onDelivered: () => void = () => undefined): boolean {
    const granted = [...this.granted].filter(([filter]) => filterMatches(filter, topic)).map(([, qos]) => qos);
    if (granted.length === 0) return false;
    const payload = Buffer.isBuffer(content) ? content : Buffer.from(JSON.stringify(content ?? null));
    if (!granted.includes(1)) {
      const isSent = this.writer.send({ cmd: "publish", topic, payload, qos: 0, retain: false, dup: false });
      if (isSent) onDelivered();
      return isSent;
    }
    if (this.waiting.length >= sessionLimits.downWaiting) {
      this.onOverflow();
      return false;
    }
    this.waiting.push({ topic, payload, onDelivered });
    this.sendWaiting();
    return true;
  }

  /** The client has a message. */
  acknowledged(id: number): void {
    const onDelivered = this.underWay.get(id);
    this.underWay.delete(id);
    onDelivered?.();
    this.sendWaiting();
  }

  /** The client is gone, and with it what it had not acknowledged. */
  clear(): void {
    this.underWay.clear();
    this.waiting.length = 0;
  }

  private refusalOf(filter: string, by: Subscriber): number | undefined {
    if (!isFilter(filter)) return reasonCode.topicFilterInvalid;
    if (filter.startsWith("$share/")) return reasonCode.sharedSubscriptionsNotSupported;
    if (!maySubscribe(filter, by)) return reasonCode.notAuthorized;
    const isFull = this.granted.size >= sessionLimits.subscriptions && !this.granted.has(filter);
    return isFull ? reasonCode.quotaExceeded : undefined;
  }

  private sendWaiting(): void {
    while (this.underWay.size < this.limit) {
      const down = this.waiting.shift();
      if (down === undefined) return;
      const { topic, payload, onDelivered } = down;
      do this.lastId = (this.lastId % 65_535) + 1;
      while (this.underWay.has(this.lastId));
      const messageId = this.lastId;
      // What is larger than the client takes counts as delivered (3.1.2.11.4 of MQTT 5).
      if (this.writer.send({ cmd: "publish", topic, payload, messageId, qos: 1, retain: false, dup: false }))
        this.underWay.set(messageId, onDelivered);
    }
  }
}
