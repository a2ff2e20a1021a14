import { createHash } from "node:crypto";
import { addressBucket } from "../../providers/address.ts";
import type { DeviceService, KnownDevice } from "../devices/index.ts";

/** Milliseconds for which a look-up of an access token is cached; an unknown token is looked up again sooner. */
const knownTokenMs = 10_000;
const unknownTokenMs = 5000;
/** Most cached tokens of devices, beyond which the oldest is dropped; fewer unknown tokens, because anybody can invent those. */
const rememberedKnown = 50_000;
const rememberedUnknown = 2000;
/** Longest token that is looked up; ours have 43 characters, those of the demo fewer. */
const longestToken = 128;
/**
 * Unknown tokens that one address may send within a minute. Devices of a farm share an address: one that retries every second
 * uses a tenth of the limit, and known devices are not affected.
 */
export const failuresPerMinute = 600;
const rememberedAddresses = 10_000;
const windowMs = 60_000;

/** Credentials that a client sends besides the user name. */
export interface Login {
  password: string;
  clientId: string;
}

/** Cache entry of an access token. */
interface Entry {
  device: Promise<KnownDevice | undefined>;
  until: number;
  /** The device, once it was found. */
  found?: KnownDevice | undefined;
  /** A device was changed during the look-up, so the result may be outdated. */
  outdated: boolean;
}

/** Sets a key of a bounded map; the oldest key is dropped. */
export function remember<Value>(map: Map<string, Value>, key: string, value: Value, most: number): void {
  if (map.size >= most && !map.has(key)) {
    const [oldest] = map.keys();
    if (oldest !== undefined) map.delete(oldest);
  }
  map.set(key, value);
}

/**
 * Finds devices by access token; results are cached for some seconds, so that a storm of reconnects needs one look-up per
 * token.
 */
export function createKnownTokens(
  devices: Pick<DeviceService, "byAccessToken" | "byLogin" | "activate">,
  now: () => number,
) {
  const known = new Map<string, Entry>();
  const unknown = new Map<string, Entry>();
  const failures = new Map<string, { count: number; until: number }>();
  /** Devices as they were before a change; a connection that is just being opened may still have one. */
  const outdated = new WeakSet<KnownDevice>();

  /** Looks up by password first, because libraries also send one beside a token. */
  const findDevice = async (accessToken: string, login: Login | undefined): Promise<KnownDevice | undefined> => {
    const byLogin = login && (await devices.byLogin(accessToken, login.password, login.clientId));
    return byLogin ?? devices.byAccessToken(accessToken);
  };
  const lookUp = (accessToken: string, login: Login | undefined, key: string): Entry => {
    const entry: Entry = {
      outdated: false,
      until: now() + knownTokenMs,
      device: findDevice(accessToken, login).then(async (device) => {
        if (device) await devices.activate(device.id);
        entry.found = device;
        if (device === undefined && known.get(key) === entry) {
          entry.until = now() + unknownTokenMs;
          known.delete(key);
          remember(unknown, key, entry, rememberedUnknown);
        }
        return device;
      }),
    };
    unknown.delete(key);
    remember(known, key, entry, rememberedKnown);
    // The database was unavailable; the next call looks up again.
    entry.device.catch(() => {
      if (known.get(key) === entry) known.delete(key);
    });
    return entry;
  };

  const mayAsk = (bucket: string): boolean => {
    const held = failures.get(bucket);
    return held === undefined || held.until <= now() || held.count < failuresPerMinute;
  };
  const countFailure = (bucket: string): void => {
    const held = failures.get(bucket);
    if (held !== undefined && held.until > now()) held.count += 1;
    else {
      failures.delete(bucket);
      remember(failures, bucket, { count: 1, until: now() + windowMs }, rememberedAddresses);
    }
  };

  return {
    /**
     * The device of an access token or user name.
     * @param address address of the caller, whose unknown tokens are limited; undefined when a broker in between hides it
     * @param login the password and client id that were sent with it
     */
    async find(accessToken: string, address: string | undefined, login?: Login): Promise<KnownDevice | undefined> {
      const bucket = address === undefined ? undefined : addressBucket(address);
      if (accessToken === "" || accessToken.length > longestToken) return undefined;
      // Hashed, so that the stored key has the same length whatever a client sends.
      const shown = login === undefined ? accessToken : JSON.stringify([accessToken, login.password, login.clientId]);
      const key = createHash("sha256").update(shown).digest("base64");
      for (;;) {
        const held = known.get(key) ?? unknown.get(key);
        const fresh = held !== undefined && held.until > now();
        // A device that was known a moment ago is looked up again regardless of its address's limit.
        if (!fresh && held?.found === undefined && bucket !== undefined && !mayAsk(bucket)) return undefined;
        const entry = fresh ? held : lookUp(accessToken, login, key);
        const device = await entry.device;
        if (entry.outdated) continue;
        if (device === undefined && bucket !== undefined) countFailure(bucket);
        return device;
      }
    },

    /** Drops the cached entries of a device, and unknown or pending tokens, which may be its new one. */
    forget(deviceId: string): void {
      for (const [key, entry] of known) {
        if (entry.found !== undefined && entry.found.id !== deviceId) continue;
        entry.outdated = true;
        if (entry.found !== undefined) outdated.add(entry.found);
        known.delete(key);
      }
      unknown.clear();
    },

    /** Whether a device was changed since it was found. */
    isOutdated: (device: KnownDevice): boolean => outdated.has(device),
  };
}
