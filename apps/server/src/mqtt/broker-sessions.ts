import type { KnownDevice } from "../modules/devices/index.ts";
import { DeviceSession } from "./device-session.ts";
import type { SessionUplink } from "./session-line.ts";

/** A device that said nothing for this long is left to whichever server hears it next, in ms. */
const silentMs = 10 * 60_000;
const lookMs = 60_000;
/** Devices that one server keeps a way to; beyond it the one that spoke longest ago is forgotten. */
const mostSessions = 20_000;

/** Publishes below the level of a device. @returns whether a connection to the broker took it */
type Publish = (token: string, topic: string, payload: string | Buffer, onDelivered: () => void) => boolean;

interface Held {
  device: KnownDevice;
  session: DeviceSession;
  at: number;
}

/**
 * Sessions of devices behind a broker of the customer: a device is there from its first message on, as connections are not seen.
 * The broker's acknowledgement stands for the device's.
 */
export class BrokerSessions {
  private readonly uplink: SessionUplink;
  private readonly publish: Publish;
  private readonly held = new Map<string, Held>();
  private readonly timer: NodeJS.Timeout;

  constructor(uplink: SessionUplink, publish: Publish) {
    this.uplink = uplink;
    this.publish = publish;
    this.timer = setInterval(() => this.forgetSilent(), lookMs);
    this.timer.unref();
  }

  /** The session of a device that speaks now. */
  of(device: KnownDevice, token: string): DeviceSession {
    const held = this.held.get(token);
    this.held.delete(token);
    const isSame = held?.device.id === device.id && held.device.tenantId === device.tenantId;
    if (held !== undefined && !isSame) held.session.close();
    const session = held !== undefined && isSame ? held.session : this.open(device, token);
    this.held.set(token, { device, session, at: Date.now() });
    if (this.held.size > mostSessions) this.forget(this.held.keys().next().value);
    if (session !== held?.session) session.subscribed();
    return session;
  }

  close(): void {
    clearInterval(this.timer);
    for (const token of [...this.held.keys()]) this.forget(token);
  }

  private open(device: KnownDevice, token: string): DeviceSession {
    return new DeviceSession(this.uplink, device, {
      listensTo: () => true,
      send: (topic, content, onDelivered = () => undefined) =>
        this.publish(token, topic, Buffer.isBuffer(content) ? content : JSON.stringify(content ?? null), onDelivered),
    });
  }

  private forgetSilent(): void {
    const before = Date.now() - silentMs;
    for (const [token, { at }] of this.held) if (at < before) this.forget(token);
  }

  private forget(token: string | undefined): void {
    if (token === undefined) return;
    this.held.get(token)?.session.close();
    this.held.delete(token);
  }
}
