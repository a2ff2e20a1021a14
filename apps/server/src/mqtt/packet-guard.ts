import type { Socket } from "node:net";

/** Sizes in bytes, times in ms. */
export const packetLimits = {
  /** The largest CONNECT, and the largest packet of any kind but PUBLISH. */
  control: 64 * 1024,
  /** A PUBLISH up to this is parsed: the 256 KiB of a message and room for its topic. */
  publish: 256 * 1024 + 1024,
  /** A PUBLISH up to this is swallowed and answered; beyond it the connection is closed. */
  swallowed: 16 * 1024 * 1024,
  /** From the connection to an accepted CONNECT. */
  connectMs: 10_000,
} as const;

/**
 * What one connection, and all together, may have under way: their messages wait for the commit. Beyond it nothing more is
 * read from the socket, so that the sender waits and not the server's memory. A message counts with its payload and
 * `messageCost`, about what a small one costs once it is parsed.
 */
export const flowLimits = { connection: 2 * 1024 * 1024, all: 16 * 1024 * 1024, messageCost: 512 } as const;

/** Topic of what takes the place of a PUBLISH that was swallowed; no device's own topic. */
export const swallowedTopic = "$too-large";

const connectType = 1;
const publishType = 3;
/** Type, flags and up to four bytes of length. */
const longestHeader = 5;

/** What all connections of a broker have under way. */
export class Flow {
  private held = 0;
  private messages = 0;
  private stopped = false;
  private readonly waiting = new Set<PacketGuard>();
  private whenIdle: (() => void) | undefined;

  get isFull(): boolean {
    return this.stopped || this.held >= flowLimits.all;
  }

  /** Bytes that count as under way. */
  get heldBytes(): number {
    return this.held;
  }

  add(cost: number): void {
    this.held += cost;
    this.messages += 1;
  }

  remove(cost: number): void {
    this.held -= cost;
    this.messages -= 1;
    if (this.messages === 0) this.whenIdle?.();
    for (const guard of this.waiting) {
      if (this.isFull) return;
      this.waiting.delete(guard);
      guard.resume();
    }
  }

  wait(guard: PacketGuard): void {
    this.waiting.add(guard);
  }

  forget(guard: PacketGuard): void {
    this.waiting.delete(guard);
  }

  /** Nothing more is read. Resolves when nothing is under way any more, or after `limitMs`. */
  async stop(limitMs: number): Promise<void> {
    this.stopped = true;
    if (this.messages === 0) return;
    await new Promise<void>((resolve) => {
      const limit = setTimeout(resolve, limitMs);
      this.whenIdle = () => {
        clearTimeout(limit);
        resolve();
      };
    });
  }
}

/** The packet whose bytes are being dropped. */
interface Swallowed {
  firstByte: number;
  length: number;
  /** Bytes behind the header that were seen. */
  seen: number;
  topicLength: number;
  messageId: number;
}

function remainingLength(length: number): number[] {
  const bytes: number[] = [];
  let rest = length;
  do {
    const low = rest & 0x7f;
    rest >>>= 7;
    bytes.push(rest > 0 ? low | 0x80 : low);
  } while (rest > 0);
  return bytes;
}

/**
 * Stands between a socket and the broker's parser, which has no limit of its own and collects a packet of any size before
 * anybody looks at it. It takes the place of the socket's `read`, which costs no second stream, and follows the packets'
 * boundaries:
 *
 * - until the broker accepts the connection, only one CONNECT of 64 KB at most passes, and what follows it is held back;
 * - then a PUBLISH of more than 256 KiB is dropped as it arrives, and an empty one to `swallowedTopic` with its message id
 *   takes its place, so that it is acknowledged in its turn and not sent for ever;
 * - whatever is larger than 16 MB, or has a length that is none, ends the connection.
 */
export class PacketGuard {
  private readonly socket: Socket;
  private readonly flow: Flow;
  private readonly readSocket: () => Buffer | null;
  private readonly limit: NodeJS.Timeout;
  private accepted = false;
  private connectSeen = false;
  private underWay = 0;
  private stalled = false;
  /** Read from the socket, not yet given on: what followed CONNECT. */
  private kept: Buffer | undefined;
  /** The begin of a header that is not complete. */
  private header: Buffer | undefined;
  /** Bytes of the packet in work that still pass. */
  private passing = 0;
  private swallowed: Swallowed | undefined;

  /** @param connectMs time until CONNECT must be accepted */
  constructor(socket: Socket, flow: Flow, connectMs: number = packetLimits.connectMs) {
    this.socket = socket;
    this.flow = flow;
    const read = socket.read.bind(socket);
    this.readSocket = () => read() as Buffer | null;
    // Node itself calls read(0) to ask for more without taking anything.
    socket.read = (size?: number) => (size === 0 ? read(0) : this.next());
    this.limit = setTimeout(() => this.end("CONNECT was not accepted in time"), connectMs);
    socket.once("close", () => {
      clearTimeout(this.limit);
      this.kept = undefined;
      flow.forget(this);
    });
  }

  /** The broker knows the device: packets may pass. */
  accept(): void {
    clearTimeout(this.limit);
    this.accepted = true;
  }

  /** A message of this connection was given to the broker. */
  begin(payloadBytes: number): void {
    const cost = payloadBytes + flowLimits.messageCost;
    this.underWay += cost;
    this.flow.add(cost);
  }

  /** The message is stored, or was dropped. */
  finish(payloadBytes: number): void {
    const cost = payloadBytes + flowLimits.messageCost;
    this.underWay -= cost;
    if (this.stalled && this.underWay < flowLimits.connection) this.resume();
    this.flow.remove(cost);
  }

  /** Lets the broker read again. */
  resume(): void {
    this.stalled = false;
    if (!this.socket.destroyed) this.socket.emit("readable");
  }

  private next(): Buffer | null {
    if (this.awaitsAccept()) return null;
    if (this.flow.isFull) {
      this.flow.wait(this);
      return null;
    }
    if (this.underWay >= flowLimits.connection) {
      this.stalled = true;
      return null;
    }
    for (;;) {
      const chunk = this.kept ?? this.readSocket();
      this.kept = undefined;
      if (chunk === null) return null;
      const passed = this.pass(chunk);
      if (passed !== undefined) return passed;
      if (this.socket.destroyed || this.awaitsAccept()) return null;
    }
  }

  /** CONNECT went on whole, and the broker has not said yes. */
  private awaitsAccept(): boolean {
    return this.connectSeen && !this.accepted && this.passing === 0;
  }

  private end(why: string): void {
    this.socket.destroy(new Error(why));
  }

  /** @returns the part that goes on; undefined when nothing does */
  private pass(chunk: Buffer): Buffer | undefined {
    let bytes = chunk;
    if (this.header !== undefined) {
      bytes = Buffer.concat([this.header, chunk]);
      this.header = undefined;
    }
    // Nearly always everything passes, and the chunk itself is given on; parts are made when something is left out.
    const parts: Buffer[] = [];
    let from = 0;
    let at = 0;
    while (at < bytes.length) {
      if (this.passing > 0) {
        const step = Math.min(this.passing, bytes.length - at);
        this.passing -= step;
        at += step;
        if (this.awaitsAccept()) break;
        continue;
      }
      if (this.swallowed !== undefined) {
        const step = this.swallow(this.swallowed, bytes, at);
        at += step;
        from = at;
        if (this.swallowed.seen === this.swallowed.length) {
          const stand = this.standIn(this.swallowed);
          this.swallowed = undefined;
          if (stand === undefined) {
            this.end("a packet too short for its own fields");
            return undefined;
          }
          parts.push(stand);
        }
        continue;
      }
      const size = this.headerSize(bytes, at);
      if (size === undefined) return undefined;
      if (size === 0) {
        this.header = Buffer.from(bytes.subarray(at));
        if (at > from) parts.push(bytes.subarray(from, at));
        return parts.length > 1 ? Buffer.concat(parts) : parts[0];
      }
      const length = this.lengthOf(bytes, at, size);
      const firstByte = bytes[at] as number;
      const type = firstByte >> 4;
      if (!this.connectSeen && type !== connectType) {
        this.end("the first packet is no CONNECT");
        return undefined;
      }
      if (length > (type === publishType ? packetLimits.swallowed : packetLimits.control)) {
        this.end(`a packet of type ${type} and ${length} bytes`);
        return undefined;
      }
      this.connectSeen = true;
      if (type === publishType && length > packetLimits.publish) {
        if (at > from) parts.push(bytes.subarray(from, at));
        this.swallowed = { firstByte, length, seen: 0, topicLength: 0, messageId: 0 };
        at += size;
        from = at;
      } else {
        at += size;
        this.passing = length;
        if (this.awaitsAccept()) break;
      }
    }
    if (at < bytes.length) this.kept = bytes.subarray(at);
    if (from === 0 && parts.length === 0) return at === bytes.length ? bytes : bytes.subarray(0, at);
    if (at > from) parts.push(bytes.subarray(from, at));
    return parts.length > 1 ? Buffer.concat(parts) : parts[0];
  }

  /** @returns bytes of the header at `at`; 0 when more must arrive first; undefined when the length is none */
  private headerSize(bytes: Buffer, at: number): number | undefined {
    for (let size = 2; size <= longestHeader; size += 1) {
      const last = bytes[at + size - 1];
      if (last === undefined) return 0;
      if ((last & 0x80) === 0) return size;
    }
    this.end("a length of more than four bytes");
    return undefined;
  }

  private lengthOf(bytes: Buffer, at: number, size: number): number {
    let length = 0;
    for (let i = size - 1; i >= 1; i -= 1) length = length * 128 + ((bytes[at + i] as number) & 0x7f);
    return length;
  }

  /** Drops bytes of `packet`, keeping what is needed to answer it. @returns how many */
  private swallow(packet: Swallowed, bytes: Buffer, at: number): number {
    const step = Math.min(packet.length - packet.seen, bytes.length - at);
    const byteAt = (position: number): number | undefined =>
      position >= packet.seen && position < packet.seen + step ? bytes[at + position - packet.seen] : undefined;
    packet.topicLength |= ((byteAt(0) ?? 0) << 8) | (byteAt(1) ?? 0);
    // Both bytes of the length were seen when the id, which follows the topic, is reached.
    if (packet.seen + step > 2) {
      const id = 2 + packet.topicLength;
      packet.messageId |= ((byteAt(id) ?? 0) << 8) | (byteAt(id + 1) ?? 0);
    }
    packet.seen += step;
    return step;
  }

  /** The packet that takes the place of a swallowed one. */
  private standIn({ firstByte, length, topicLength, messageId }: Swallowed): Buffer | undefined {
    const withId = (firstByte & 0x06) !== 0;
    if (2 + topicLength + (withId ? 2 : 0) > length) return undefined;
    const topic = Buffer.from(swallowedTopic);
    const body = [0, topic.length, ...topic, ...(withId ? [messageId >> 8, messageId & 0xff] : [])];
    // Never retained: there is nothing to retain.
    return Buffer.from([firstByte & 0xfe, ...remainingLength(body.length), ...body]);
  }
}
