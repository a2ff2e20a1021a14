import type { Duplex } from "node:stream";
import { generate, type Packet } from "mqtt-packet";
import type { ProtocolVersion } from "./packet-decoder.ts";

/** Bytes for the client that wait for the next turn of the event loop; with as many nothing more of it is taken. */
const longestUnsent = 256 * 1024;

/** The answers of two bytes that nearly every message gets: the same in all versions. */
const successOf = { puback: 0x40, pubrec: 0x50, pubcomp: 0x70 } as const;

/** What goes to one client: in its version, within the size that it takes, and together what is written in one turn of the event loop. */
export class PacketWriter {
  version: ProtocolVersion = 4;
  /** What an MQTT 5 client says that it takes, in bytes. */
  largest = Number.POSITIVE_INFINITY;
  private readonly stream: Duplex;
  private readonly drainMs: number;
  private readonly onFlushed: () => void;
  private outgoing: Buffer[] = [];
  private unsent = 0;
  private spoke = false;
  private isClosed = false;
  private drainTimer: NodeJS.Timeout | undefined;

  /**
   * @param drainMs a client that does not take what is sent to it is cut off after this time
   * @param onFlushed what was written in one turn of the event loop has left
   * @param onDrained the client takes again what is sent to it
   */
  constructor(stream: Duplex, drainMs: number, onFlushed: () => void, onDrained: () => void) {
    this.stream = stream;
    this.drainMs = drainMs;
    this.onFlushed = onFlushed;
    stream.on("drain", () => {
      this.stopWaiting();
      onDrained();
    });
  }

  /** Who does not take answers asks for no more of them. */
  get isBlocked(): boolean {
    return this.drainTimer !== undefined || this.unsent >= longestUnsent;
  }

  /** The client was told something. */
  get hasSpoken(): boolean {
    return this.spoke;
  }

  /** @returns whether the client takes packets of that size */
  send(packet: Packet & { properties?: object }): boolean {
    const bytes = generate(packet, { protocolVersion: this.version });
    if (bytes.length <= this.largest) {
      this.write(bytes);
      return true;
    }
    // A reason is left out before the packet is.
    if (packet.properties === undefined || packet.cmd === "publish" || "reasonString" in packet.properties === false)
      return false;
    const { properties: _reason, ...bare } = packet;
    return this.send(bare as Packet);
  }

  sendSuccess(cmd: keyof typeof successOf, id: number): void {
    this.write(Buffer.from([successOf[cmd], 2, id >> 8, id & 0xff]));
  }

  flush(): void {
    const [only] = this.outgoing;
    if (only === undefined) return;
    const bytes = this.outgoing.length === 1 ? only : Buffer.concat(this.outgoing);
    this.outgoing = [];
    this.unsent = 0;
    this.spoke = true;
    if (this.stream.writableEnded || this.stream.destroyed) return;
    if (!this.stream.write(bytes)) this.drainTimer ??= setTimeout(() => this.stream.destroy(), this.drainMs);
  }

  /** Nothing is written any more. */
  close(): void {
    this.isClosed = true;
    this.outgoing = [];
    this.stopWaiting();
  }

  /** What is written in one go of the event loop leaves together. */
  private write(bytes: Buffer): void {
    if (this.isClosed) return;
    this.unsent += bytes.length;
    if (this.outgoing.push(bytes) === 1)
      process.nextTick(() => {
        this.flush();
        this.onFlushed();
      });
  }

  private stopWaiting(): void {
    clearTimeout(this.drainTimer);
    this.drainTimer = undefined;
  }
}
