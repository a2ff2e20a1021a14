import { createHash } from "node:crypto";
import { addressBucket } from "../../providers/address.ts";
import type { DeviceService, KnownDevice } from "../devices/index.ts";

/** What was found for an access token is believed this long; a token that is unknown is asked for again sooner. */
const knownTokenMs = 10_000;
const unknownTokenMs = 5000;
/** Tokens of devices that are remembered; beyond it the oldest is forgotten. Of unknown ones, which anybody can make up, few. */
const rememberedKnown = 50_000;
const rememberedUnknown = 2000;
/** The longest token that is looked for at all. Ours have 43 characters, those of the demo fewer. */
const longestToken = 128;
/**
 * Unknown tokens that one address may name within a minute. A farm's devices share an address: one of them that tries again every
 * second takes a tenth of it, and devices that are known pass whatever it does.
 */
export const failuresPerMinute = 600;
const rememberedAddresses = 10_000;
const windowMs = 60_000;

/** What a client sends beside a user name. */
export interface Login {
  password: string;
  clientId: string;
}

/** What is known of an access token. */
interface Entry {
  device: Promise<KnownDevice | undefined>;
  until: number;
  /** The device, once it is found. */
  found?: KnownDevice | undefined;
  /** A device was changed while this was being looked up: it may have been read before the change. */
  outdated: boolean;
}

/** Sets a key of a map that must not grow: the key that was there first makes room. */
export function remember<Value>(map: Map<string, Value>, key: string, value: Value, most: number): void {
  if (map.size >= most && !map.has(key)) {
    const [oldest] = map.keys();
    if (oldest !== undefined) map.delete(oldest);
  }
  map.set(key, value);
}

/** Finds devices by their access tokens; answers are kept for some seconds, so that a storm of reconnects asks once. */
export function createKnownTokens(
  devices: Pick<DeviceService, "byAccessToken" | "byLogin" | "activate">,
  now: () => number,
) {
  const known = new Map<string, Entry>();
  const unknown = new Map<string, Entry>();
  const failures = new Map<string, { count: number; until: number }>();
  /** Devices as they were known before a change; a connection that is just being opened may still carry one. */
  const outdated = new WeakSet<KnownDevice>();

  /** Who sends a password is looked for by it first; libraries send one beside a token, too. */
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
    // The database was away: the next call asks again.
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
     * The device of an access token, or of a user name in its place.
     * @param address of the caller, whose unknown tokens are limited; undefined when a broker in between keeps it to itself
     * @param login the password that was sent beside it, and the client id
     */
    async find(accessToken: string, address: string | undefined, login?: Login): Promise<KnownDevice | undefined> {
      const bucket = address === undefined ? undefined : addressBucket(address);
      if (accessToken === "" || accessToken.length > longestToken) return undefined;
      // Whatever somebody sends as a token, what is kept of it has one length.
      const shown = login === undefined ? accessToken : JSON.stringify([accessToken, login.password, login.clientId]);
      const key = createHash("sha256").update(shown).digest("base64");
      for (;;) {
        const held = known.get(key) ?? unknown.get(key);
        const fresh = held !== undefined && held.until > now();
        // A device that was there a moment ago is looked up again, whatever its neighbours do.
        if (!fresh && held?.found === undefined && bucket !== undefined && !mayAsk(bucket)) return undefined;
        const entry = fresh ? held : lookUp(accessToken, login, key);
        const device = await entry.device;
        if (entry.outdated) continue;
        if (device === undefined && bucket !== undefined) countFailure(bucket);
        return device;
      }
    },

    /** Forgets what was known of a device. What is not found yet may be it, and an unknown token its new one. */
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
