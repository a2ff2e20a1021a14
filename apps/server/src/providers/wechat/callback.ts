import { createHash, timingSafeEqual } from "node:crypto";

/** What the service tells of a user. */
export interface WechatEvent {
  openId: string;
  /** `subscribe` and `SCAN` come from a scanned QR code, `unsubscribe` from somebody who leaves. */
  event: string;
  /** Of the QR code; "" for none. */
  scene: string;
}

/** A call that is older is not taken, s. */
const oldestS = 300;

/** Whether a call comes from the service: SHA-1 over token, timestamp and nonce in order, as it signs them. */
export function isSigned(
  token: string,
  { signature, timestamp, nonce }: { signature: string; timestamp: string; nonce: string },
  nowMs: number,
): boolean {
  if (!/^\d{1,12}$/.test(timestamp) || Math.abs(nowMs / 1000 - Number(timestamp)) > oldestS) return false;
  const expected = createHash("sha1").update([token, timestamp, nonce].sort().join("")).digest();
  const given = /^[0-9a-f]{40}$/.test(signature) ? Buffer.from(signature, "hex") : Buffer.alloc(20);
  return timingSafeEqual(expected, given);
}

const tagOf = (xml: string, tag: string): string =>
  new RegExp(`<${tag}>(?:<!\\[CDATA\\[([^\\]]{0,200})\\]\\]>|([^<]{0,200}))</${tag}>`)
    .exec(xml)
    ?.slice(1)
    .find(Boolean) ?? "";

/** Reads the XML of an event; undefined for what is none. Nothing but four tags is looked at, so there is nothing to expand. */
export function readEvent(xml: string): WechatEvent | undefined {
  const [openId, type, event] = [tagOf(xml, "FromUserName"), tagOf(xml, "MsgType"), tagOf(xml, "Event")];
  if (type !== "event" || !/^[\w-]{6,64}$/.test(openId)) return undefined;
  return { openId, event, scene: tagOf(xml, "EventKey").replace(/^qrscene_/, "") };
}
