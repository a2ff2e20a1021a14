import { lookup } from "node:dns/promises";
import { request as plainRequest } from "node:http";
import { request as secureRequest } from "node:https";
import { BlockList, isIP } from "node:net";
import type { WebhookFaultReason } from "@herdwise/contract";
import { addressMatcher } from "../address.ts";
import { serviceLimitMs } from "../outside-service.ts";

/** Sends notices to addresses that people typed. */
export interface WebhookSender {
  /** Checks an address without calling it. @throws {WebhookFault} */
  check(address: string): Promise<void>;
  /** Posts JSON; any answer of 2xx is taken for success. @throws {WebhookFault} */
  post(address: string, body: object): Promise<void>;
  /**
   * Posts a body and tells how it was answered, whatever the status.
   * @param headers beside those of the body
   * @throws {WebhookFault} where there was no answer
   */
  deliver(address: string, body: string, headers: Readonly<Record<string, string>>): Promise<WebhookAnswer>;
  /** Sends a text by a group robot of WeChat Work. @throws {WebhookFault} */
  robot(address: string, text: string): Promise<void>;
}

interface WebhookAnswer {
  readonly status: number;
  /** Beginning of the answer. */
  readonly text: string;
}

/** The notice did not arrive, or its address may not be called. The text names the reason and never the address, which holds a secret. */
export class WebhookFault extends Error {
  override readonly name = "WebhookFault";
  readonly reason: WebhookFaultReason;
  constructor(message: string, reason: WebhookFaultReason) {
    super(message);
    this.reason = reason;
  }
}

export interface WebhookOptions {
  /** Networks of the own side that may be called, such as `10.1.0.0/16`; none by default. Only they may be called without TLS. */
  allowedNetworks: readonly string[] | (() => readonly string[]);
  /** Resolves a name to its addresses. */
  resolve?: (host: string) => Promise<readonly string[]>;
}

/** Bytes of an answer that are read; more is no answer of a webhook. */
const largestAnswer = 16 * 1024;
const longestAddress = 1000;
/** A receiver of a delivery has this long to answer, ms. */
const deliveryLimitMs = 10_000;
/** Bytes of the answer to a delivery that are kept. */
const keptAnswer = 500;
/** Characters of a robot's text; its limit is 2,048 bytes. */
const longestText = 600;

/** What is not the internet: own machine, private and shared networks, link-local, documentation, multicast, reserved. */
const inside = new BlockList();
for (const [network, length] of [
  ["0.0.0.0", 8],
  ["10.0.0.0", 8],
  ["100.64.0.0", 10],
  ["127.0.0.0", 8],
  ["169.254.0.0", 16],
  ["172.16.0.0", 12],
  ["192.0.0.0", 24],
  ["192.0.2.0", 24],
  ["192.88.99.0", 24],
  ["192.168.0.0", 16],
  ["198.18.0.0", 15],
  ["198.51.100.0", 24],
  ["203.0.113.0", 24],
  ["224.0.0.0", 4],
  ["240.0.0.0", 4],
] as const)
  inside.addSubnet(network, length, "ipv4");
/** Of IPv6 only what is routed on the internet may be called, without the ranges that carry other addresses inside. */
const outside6 = new BlockList();
outside6.addSubnet("2000::", 3, "ipv6");
for (const [network, length] of [
  ["2001::", 23],
  ["2001:db8::", 32],
  ["2002::", 16],
  ["3fff::", 20],
] as const)
  inside.addSubnet(network, length, "ipv6");

/** Whether an address is one of the internet. */
export function isPublicAddress(address: string): boolean {
  const version = isIP(address);
  if (version === 4) return !inside.check(address, "ipv4");
  return version === 6 && outside6.check(address, "ipv6") && !inside.check(address, "ipv6");
}

const resolveAll = async (host: string): Promise<readonly string[]> =>
  (await lookup(host, { all: true, verbatim: true })).map(({ address }) => address);

/**
 * Calls addresses that people typed, and nothing else: https on the internet, or what the administrator names. A name is
 * resolved once; every address of it must be allowed, and the call goes to the one that was checked. Redirects are not followed.
 */
export function createWebhookSender({ allowedNetworks, resolve = resolveAll }: WebhookOptions): WebhookSender {
  const isAllowed = (address: string): boolean =>
    addressMatcher(typeof allowedNetworks === "function" ? allowedNetworks() : allowedNetworks)(address);

  const target = async (address: string): Promise<{ url: URL; pinned: string }> => {
    if (address.length > longestAddress || !URL.canParse(address))
      throw new WebhookFault("the address can't be read", "unreadable");
    const url = new URL(address);
    if (url.protocol !== "https:" && url.protocol !== "http:")
      throw new WebhookFault("only http and https are called", "unreadable");
    if (url.username !== "" || url.password !== "") throw new WebhookFault("the address holds a log-in", "unreadable");
    const host = url.hostname.replace(/^\[|\]$/g, "");
    const found = isIP(host) !== 0 ? [host] : await resolve(host).catch(() => []);
    const [pinned] = found;
    if (pinned === undefined) throw new WebhookFault("the name is not known", "unknown");
    const own = found.every((one) => isAllowed(one));
    if (!own && !found.every(isPublicAddress)) throw new WebhookFault("the address is not on the internet", "inside");
    if (!own && (url.protocol !== "https:" || (url.port !== "" && url.port !== "443" && url.port !== "8443"))) {
      throw new WebhookFault("outside of the own networks only https on its usual ports is called", "plain");
    }
    return { url, pinned };
  };

  /** @param most bytes of the answer that are read */
  const exchange = async (
    address: string,
    body: string,
    {
      headers,
      limitMs,
      most,
      cut,
    }: { headers?: Readonly<Record<string, string>>; limitMs: number; most: number; cut: boolean },
  ): Promise<WebhookAnswer> => {
    const { url, pinned } = await target(address);
    const payload = Buffer.from(body);
    const start = url.protocol === "https:" ? secureRequest : plainRequest;
    return new Promise((resolve, reject) => {
      const fail = (text: string) => reject(new WebhookFault(text, "unreachable"));
      const request = start(
        url,
        {
          method: "POST",
          headers: {
            ...headers,
            "content-type": "application/json",
            "content-length": payload.length,
            "user-agent": "Herdwise",
          },
          signal: AbortSignal.timeout(limitMs),
          agent: false,
          // The name is not asked for again: the address that was checked is the one that is called.
          lookup: (_host, options, done) => {
            const family = isIP(pinned);
            if (options.all)
              (done as (error: null, all: { address: string; family: number }[]) => void)(null, [
                { address: pinned, family },
              ]);
            else (done as (error: null, address: string, family: number) => void)(null, pinned, family);
          },
        },
        (answer) => {
          const chunks: Buffer[] = [];
          let length = 0;
          const end = () => resolve({ status: answer.statusCode ?? 0, text: Buffer.concat(chunks).toString() });
          answer.on("data", (chunk: Buffer) => {
            length += chunk.length;
            if (length <= most) chunks.push(chunk);
            else if (cut) {
              chunks.push(chunk.subarray(0, chunk.length - (length - most)));
              end();
              answer.destroy();
            } else answer.destroy(new Error("too large"));
          });
          answer.on("error", () => fail("the answer broke off or is too large"));
          answer.on("end", end);
        },
      );
      request.on("error", () => fail("the address can't be reached, or takes too long"));
      request.end(payload);
    });
  };

  const call = async (address: string, body: object): Promise<string> => {
    const limits = { limitMs: serviceLimitMs, most: largestAnswer, cut: false };
    const { status, text } = await exchange(address, JSON.stringify(body), limits);
    if (status < 200 || status > 299) throw new WebhookFault(`the address answered ${status}`, "refused");
    return text;
  };

  return {
    async check(address) {
      await target(address);
    },
    async post(address, body) {
      await call(address, body);
    },
    deliver: (address, body, headers) =>
      exchange(address, body, { headers, limitMs: deliveryLimitMs, most: keptAnswer, cut: true }),
    async robot(address, text) {
      const answer = await call(address, { msgtype: "text", text: { content: text.slice(0, longestText) } });
      let code: unknown;
      try {
        code = (JSON.parse(answer) as { errcode?: unknown }).errcode;
      } catch {
        throw new WebhookFault("the robot's answer is no JSON", "refused");
      }
      if (code !== 0) throw new WebhookFault(`the robot answered ${String(code)}`, "refused");
    },
  };
}
