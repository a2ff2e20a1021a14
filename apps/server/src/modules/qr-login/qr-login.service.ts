import { createHash, randomBytes, timingSafeEqual } from "node:crypto";
import { type QrAsking, type QrCode, type QrState, qrLifetimeS, qrStatus, type TokenReply } from "@herdwise/contract";
import { OAuthRefusal, refuse } from "../../http/errors.ts";
import type { Session } from "../../http/session.ts";
import type { Store } from "../../providers/store.ts";

/** A QR log-in as the store holds it, under the hash of its key. */
interface Entry {
  status: number;
  /** Hash of the cookie of the browser that asked. */
  browser: string;
  userAgent: string;
  address: string;
  askedAt: number;
  /** Who scanned it, and in which tenant. */
  accountId?: string;
  tenantId?: string;
  nickName?: string;
  avatar?: string;
}

export interface Asking {
  userAgent: string;
  remoteAddress: string;
}

export interface QrLoginDependencies {
  store: Store;
  /** Address under which phones reach the portal. */
  publicUrl: string;
  now: () => number;
  /** A session of its own for the browser. */
  openSession(accountId: string, tenantId: string): (caller: Asking & { clientId: string }) => Promise<TokenReply>;
  personOf(session: Session): Promise<{ nickName: string; avatar: string }>;
  /** Browser and system in words. */
  describeDevice(userAgent: string): string;
}

const sha256 = (text: string) => createHash("sha256").update(text).digest("base64url");
const same = (a: string, b: string) => a.length === b.length && timingSafeEqual(Buffer.from(a), Buffer.from(b));
const entryKey = (qrcodeKey: string) => `qr:${sha256(qrcodeKey)}`;
/** An answered code is kept a moment longer than it lives, so that the browser learns the answer. */
const graceS = 20;

/**
 * Log-in of a browser by a signed-in phone. The key in the picture is not enough: the browser that asked holds a cookie, and
 * only with it the state is told and the session given. The phone sees which browser asks and must agree.
 */
export function createQrLogin(dependencies: QrLoginDependencies) {
  const { store, publicUrl, now } = dependencies;

  const load = async (qrcodeKey: string): Promise<{ entry: Entry; text: string } | undefined> => {
    const text = await store.get(entryKey(qrcodeKey));
    return text === undefined ? undefined : { entry: JSON.parse(text) as Entry, text };
  };
  const isOver = (entry: Entry) => now() > entry.askedAt + qrLifetimeS * 1000;
  const change = async (qrcodeKey: string, text: string, entry: Entry): Promise<void> => {
    if (!(await store.swap(entryKey(qrcodeKey), text, JSON.stringify(entry)))) {
      throw refuse("qr.changed");
    }
  };
  const usable = async (qrcodeKey: string) => {
    const held = await load(qrcodeKey);
    if (held === undefined || isOver(held.entry)) throw refuse("qr.expired");
    return held;
  };
  const askingOf = (entry: Entry): Omit<QrAsking, "askedAt"> & { askedAt: Date } => ({
    status: entry.status,
    device: dependencies.describeDevice(entry.userAgent),
    address: entry.address,
    askedAt: new Date(entry.askedAt),
  });

  return {
    /** @returns the code, and the secret for the asking browser's cookie */
    async generate(asking: Asking): Promise<{ code: QrCode; cookie: string }> {
      const qrcodeKey = randomBytes(24).toString("base64url");
      const cookie = randomBytes(24).toString("base64url");
      const entry: Entry = {
        status: qrStatus.waiting,
        browser: sha256(cookie),
        userAgent: asking.userAgent.slice(0, 400),
        address: asking.remoteAddress,
        askedAt: now(),
      };
      await store.set(entryKey(qrcodeKey), JSON.stringify(entry), qrLifetimeS + graceS);
      return {
        code: { qrcodeKey, qrcodeUrl: `${publicUrl}/scan?qrcodeKey=${qrcodeKey}`, expiresIn: qrLifetimeS },
        cookie,
      };
    },

    /** The state for the browser that asked; to anybody else every key looks expired. */
    async check(qrcodeKey: string, cookie: string | undefined): Promise<QrState> {
      const held = await load(qrcodeKey);
      if (held === undefined || cookie === undefined || !same(held.entry.browser, sha256(cookie))) {
        return { status: qrStatus.expired };
      }
      const { entry } = held;
      const open = entry.status === qrStatus.waiting || entry.status === qrStatus.scanned;
      if (open && isOver(entry)) return { status: qrStatus.expired };
      const { status, nickName, avatar } = entry;
      return { status, ...(nickName !== undefined && { nickName, avatar: avatar ?? "" }) };
    },

    async scan(session: Session, qrcodeKey: string) {
      const { entry, text } = await usable(qrcodeKey);
      if (entry.status === qrStatus.scanned && entry.accountId === session.accountId) return askingOf(entry);
      if (entry.status !== qrStatus.waiting) throw refuse("qr.used");
      const scanned = {
        ...entry,
        status: qrStatus.scanned,
        accountId: session.accountId,
        tenantId: session.tenantId,
        ...(await dependencies.personOf(session)),
      };
      await change(qrcodeKey, text, scanned);
      return askingOf(scanned);
    },

    /** The answer of the phone that scanned it. */
    async answer(session: Session, qrcodeKey: string, approved: boolean): Promise<void> {
      const { entry, text } = await usable(qrcodeKey);
      if (
        entry.status !== qrStatus.scanned ||
        entry.accountId !== session.accountId ||
        entry.tenantId !== session.tenantId
      ) {
        throw refuse("qr.not_scanned");
      }
      await change(qrcodeKey, text, { ...entry, status: approved ? qrStatus.confirmed : qrStatus.rejected });
    },

    /**
     * grant_type=qrcode: turns a confirmed code into a session, once, for the browser that asked.
     * @throws {OAuthRefusal}
     */
    async exchange(
      qrcodeKey: string,
      cookie: string | undefined,
      caller: Asking & { clientId: string },
    ): Promise<TokenReply> {
      const refused = new OAuthRefusal(400, "access_denied", "二维码已过期，请刷新后重新扫描");
      const held = await load(qrcodeKey);
      if (held === undefined || cookie === undefined || !same(held.entry.browser, sha256(cookie))) throw refused;
      const { status, accountId, tenantId } = held.entry;
      if (status !== qrStatus.confirmed || accountId === undefined || tenantId === undefined) throw refused;
      // Of many exchanges at once one takes it.
      if ((await store.take(entryKey(qrcodeKey))) === undefined) throw refused;
      return dependencies.openSession(accountId, tenantId)(caller);
    },
  };
}
export type QrLogin = ReturnType<typeof createQrLogin>;
