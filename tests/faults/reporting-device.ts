import { WirePublisher } from "./mqtt-wire.ts";

/** About so long after a connection ended or was refused the next one is tried, ms. */
const retryMs = 100;

/** A message that was not acknowledged. */
interface Unacknowledged {
  value: number;
  payload: string;
}

/**
 * A device as the field's libraries behave: keeps what is not acknowledged, connects again when its connection ends, and sends
 * that again before anything new. Each message holds a number `message`, a key that no kind declares, which no other one has, and
 * a time of its own.
 */
export class ReportingDevice {
  /** Numbers that were acknowledged. */
  readonly acknowledged = new Set<number>();
  /** Connections that were opened. */
  connections = 0;
  private readonly port: number;
  private readonly token: string;
  private readonly keepAliveS: number;
  private kept: Unacknowledged[] = [];
  private underWay = new Map<number, Unacknowledged>();
  private publisher: WirePublisher | undefined;
  private lastTs = 0;
  private isEnded = false;

  constructor(port: number, token: string, keepAliveS = 0) {
    this.port = port;
    this.token = token;
    this.keepAliveS = keepAliveS;
  }

  /** Connects, again and again until somebody answers. */
  async connect(): Promise<void> {
    while (!this.isEnded) {
      // An end before an answer is told before there is a publisher.
      let opened: WirePublisher | undefined;
      const { publisher, code } = await WirePublisher.open(
        this.port,
        this.token,
        "reporting",
        { onPuback: (id) => this.acked(id), onClose: () => this.closed(opened) },
        "127.0.0.1",
        this.keepAliveS,
      );
      opened = publisher;
      if (code === 0 && !publisher.socket.destroyed) {
        this.connections += 1;
        this.publisher = publisher;
        const again = this.kept;
        this.kept = [];
        for (const message of again) this.write(message);
        return;
      }
      publisher.close();
      await new Promise((resolve) => setTimeout(resolve, retryMs * (0.5 + Math.random())));
    }
  }

  /** Reports a number; it waits while there is no connection. */
  report(value: number): void {
    const ts = Math.max(Date.now(), this.lastTs + 1);
    this.lastTs = ts;
    const message = { value, payload: `{"ts":${ts},"values":{"message":${value}}}` };
    if (this.publisher === undefined) this.kept.push(message);
    else this.write(message);
  }

  /** Messages that are not acknowledged. */
  get waiting(): number {
    return this.kept.length + this.underWay.size;
  }

  get isConnected(): boolean {
    return this.publisher !== undefined;
  }

  /** Gives a connection up from which nothing is heard, and opens another one. */
  giveUp(): void {
    this.publisher?.close();
  }

  end(): void {
    this.isEnded = true;
    this.publisher?.close();
  }

  private write(message: Unacknowledged): void {
    const id = this.publisher?.publish("v1/devices/me/telemetry", message.payload);
    if (id !== undefined) this.underWay.set(id, message);
  }

  private acked(id: number): void {
    const message = this.underWay.get(id);
    if (message === undefined) throw new Error(`message ${id} was acknowledged but not under way`);
    this.underWay.delete(id);
    this.acknowledged.add(message.value);
  }

  private closed(publisher: WirePublisher | undefined): void {
    if (publisher === undefined || this.publisher !== publisher) return;
    this.publisher = undefined;
    this.kept = [...this.underWay.values(), ...this.kept];
    this.underWay = new Map();
    if (!this.isEnded) void this.connect();
  }
}
