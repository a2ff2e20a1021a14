import { malformed, PacketFault, protocolError, reasonCode } from "./reason-codes.ts";

/** Sizes in bytes. A packet's size is what its header says, without the header itself. */
export const packetLimits = {
  /** The largest CONNECT, and the largest packet of any kind but PUBLISH. */
  control: 64 * 1024,
  /** A PUBLISH up to this is parsed: the 256 KiB of a message and room for its topic. */
  publish: 256 * 1024 + 1024,
  /** A PUBLISH up to this is swallowed and answered; beyond it the connection ends. */
  swallowed: 16 * 1024 * 1024,
} as const;

/** Type, flags and up to four bytes of length. */
const longestHeader = 5;

/** Type, and one byte of length. */
const shortestHeader = 2;
const nothing = Buffer.alloc(0);

/** Types of control packets, as the first four bits of a packet say them. */
export const packetType = {
  connect: 1,
  publish: 3,
  puback: 4,
  pubrec: 5,
  pubrel: 6,
  pubcomp: 7,
  subscribe: 8,
  unsubscribe: 10,
  pingreq: 12,
  disconnect: 14,
  auth: 15,
} as const;

/** One packet, cut out of what arrived. */
export interface Frame {
  type: number;
  /** The lower four bits of the first byte. */
  flags: number;
  /** What follows the header. */
  body: Buffer;
  /** A PUBLISH of more than `packetLimits.publish`, whose payload was thrown away; `body` is its beginning. */
  isSwallowed: boolean;
}

interface Swallowed {
  flags: number;
  /** Bytes that have not arrived yet. */
  left: number;
  /** Bytes of the begin that are still wanted: length of the topic, topic, packet id. */
  wanted: number;
  kept: Buffer[];
}

/** @returns bytes of the header at `at`; 0 when more must arrive first */
function headerSize(bytes: Buffer, at: number): number {
  for (let size = shortestHeader; size <= longestHeader; size += 1) {
    const last = bytes[at + size - 1];
    if (last === undefined) return 0;
    if ((last & 0x80) === 0) return size;
  }
  throw malformed("a length of more than four bytes");
}

/**
 * Cuts a stream of bytes into packets and holds their sizes against the limits as soon as the header is there, before anything
 * is collected. Packets that are not complete are the only bytes that it keeps.
 */
export class PacketReader {
  /** Whether a PUBLISH beyond the limit is thrown away as it arrives. MQTT 5 clients know the limit, and are refused. */
  swallows = true;
  private bytes: Buffer = nothing;
  private at = 0;
  /** What arrived since `bytes` were put together. */
  private arrived: Buffer[] = [];
  /** Bytes of both. */
  private held = 0;
  /** Bytes that must be there before it is worth looking again. */
  private needed = shortestHeader;
  private isFirst = true;
  private swallowed: Swallowed | undefined;

  push(chunk: Buffer): void {
    const { swallowed } = this;
    // What is thrown away is not collected first.
    const rest = swallowed !== undefined && this.held === 0 ? this.swallow(swallowed, chunk) : chunk;
    if (rest.length === 0) return;
    this.arrived.push(rest);
    this.held += rest.length;
  }

  /** Forgets what it holds. */
  clear(): void {
    this.keep(nothing);
    this.arrived = [];
    this.swallowed = undefined;
  }

  /**
   * @returns the next packet that is complete
   * @throws {PacketFault} when a header is wrong or names a size that is refused
   */
  next(): Frame | undefined {
    if (this.swallowed !== undefined) return this.nextSwallowed(this.swallowed);
    if (this.held < this.needed) return this.wait(this.needed);
    if (this.arrived.length > 0) {
      const rest = this.at < this.bytes.length ? [this.bytes.subarray(this.at)] : [];
      const [only] = this.arrived;
      const isWhole = rest.length === 0 && this.arrived.length === 1 && only !== undefined;
      this.keep(isWhole ? only : Buffer.concat([...rest, ...this.arrived]));
      this.arrived = [];
    }
    const { bytes, at } = this;
    const size = headerSize(bytes, at);
    if (size === 0) return this.wait(this.held + 1);
    const first = bytes[at] as number;
    const type = first >> 4;
    let length = 0;
    for (let i = size - 1; i >= 1; i -= 1) length = length * 128 + ((bytes[at + i] as number) & 0x7f);
    this.checkSize(type, length);
    if (type === packetType.publish && length > packetLimits.publish) {
      this.swallowed = { flags: first & 0x0f, left: length, wanted: 2, kept: [] };
      this.keep(this.swallow(this.swallowed, bytes.subarray(at + size)));
      return this.nextSwallowed(this.swallowed);
    }
    if (this.held < size + length) return this.wait(size + length);
    this.at += size + length;
    this.held -= size + length;
    this.needed = shortestHeader;
    return { type, flags: first & 0x0f, body: bytes.subarray(at + size, this.at), isSwallowed: false };
  }

  private keep(bytes: Buffer): void {
    this.bytes = bytes;
    this.at = 0;
    this.held = bytes.length;
  }

  private checkSize(type: number, length: number): void {
    if (this.isFirst && type !== packetType.connect) throw protocolError("the first packet is no CONNECT");
    this.isFirst = false;
    const publishLimit = this.swallows ? packetLimits.swallowed : packetLimits.publish;
    const limit = type === packetType.publish ? publishLimit : packetLimits.control;
    if (length <= limit) return;
    throw new PacketFault(reasonCode.packetTooLarge, `a packet of ${length} bytes, at most ${limit} are taken`);
  }

  /** Nothing is complete. What is left of a larger piece of memory is copied, so that the piece can go. */
  private wait(needed: number): undefined {
    this.needed = needed;
    if (this.at > 0 && this.arrived.length === 0) {
      this.keep(this.at === this.bytes.length ? nothing : Buffer.from(this.bytes.subarray(this.at)));
    }
    return undefined;
  }

  private nextSwallowed(swallowed: Swallowed): Frame | undefined {
    if (swallowed.left > 0) return undefined;
    this.swallowed = undefined;
    this.needed = shortestHeader;
    const body = Buffer.concat(swallowed.kept);
    return { type: packetType.publish, flags: swallowed.flags, body, isSwallowed: true };
  }

  /** Takes bytes of the packet that is thrown away, and keeps its beginning. @returns what follows the packet */
  private swallow(packet: Swallowed, bytes: Buffer): Buffer {
    const mine = bytes.subarray(0, packet.left);
    packet.left -= mine.length;
    let at = 0;
    while (packet.wanted > 0 && at < mine.length) {
      const piece = Buffer.from(mine.subarray(at, at + packet.wanted));
      packet.kept.push(piece);
      packet.wanted -= piece.length;
      at += piece.length;
      const begin = packet.wanted === 0 ? Buffer.concat(packet.kept) : undefined;
      // The length of the topic is known: the topic and a packet id follow.
      if (begin?.length === 2) packet.wanted = begin.readUInt16BE(0) + 2;
    }
    return bytes.subarray(mine.length);
  }
}
