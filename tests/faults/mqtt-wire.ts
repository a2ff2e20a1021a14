import { connect, type Socket } from "node:net";

/** Remaining length of MQTT: 7 bits a byte, lowest first. */
export function remainingLength(length: number): Buffer {
  const bytes: number[] = [];
  let rest = length;
  do {
    const low = rest % 128;
    rest = Math.floor(rest / 128);
    bytes.push(rest > 0 ? low | 0x80 : low);
  } while (rest > 0);
  return Buffer.from(bytes);
}

const field = (text: string | Buffer): Buffer => {
  const bytes = Buffer.from(text);
  const length = Buffer.alloc(2);
  length.writeUInt16BE(bytes.length);
  return Buffer.concat([length, bytes]);
};

/** A CONNECT of MQTT 3.1.1 with a clean session and the token as the user name. */
export function connectPacket(token: string, clientId: string, keepAliveS = 0): Buffer {
  const keepAlive = Buffer.from([keepAliveS >> 8, keepAliveS & 0xff]);
  const body = Buffer.concat([field("MQTT"), Buffer.from([4, 0x82]), keepAlive, field(clientId), field(token)]);
  return Buffer.concat([Buffer.from([0x10]), remainingLength(body.length), body]);
}

/** A PUBLISH; QoS 1 when it has a message id, QoS 0 otherwise. */
export function publishPacket(topic: string, payload: string | Buffer, messageId?: number): Buffer {
  const bytes = Buffer.from(payload);
  const id = messageId === undefined ? Buffer.alloc(0) : Buffer.from([messageId >> 8, messageId & 0xff]);
  const head = Buffer.concat([field(topic), id]);
  return Buffer.concat([
    Buffer.from([messageId === undefined ? 0x30 : 0x32]),
    remainingLength(head.length + bytes.length),
    head,
    bytes,
  ]);
}

/** What comes back from a broker, as far as a publisher looks at it. */
export interface WireEvents {
  /** The return code of CONNACK; 0 is welcome. */
  onConnack?(code: number): void;
  onPuback?(messageId: number): void;
  /** The connection ended, whoever ended it. */
  onClose?(): void;
}

/**
 * A publisher on the bare protocol: it decides itself what is sent when, and never sends again by itself, so that a test
 * knows exactly what was acknowledged.
 */
export class WirePublisher {
  readonly socket: Socket;
  private rest: Buffer = Buffer.alloc(0);
  private lastId = 0;
  private readonly events: WireEvents;

  constructor(port: number, events: WireEvents, host = "127.0.0.1") {
    this.events = events;
    this.socket = connect({ port, host, noDelay: true });
    this.socket.on("data", (chunk: Buffer) => this.read(chunk));
    this.socket.on("error", () => undefined);
    this.socket.on("close", () => events.onClose?.());
  }

  /** Connects and waits for the answer. @returns the return code of CONNACK; -1 when the connection ended without one */
  static async open(
    port: number,
    token: string,
    clientId: string,
    events: Omit<WireEvents, "onConnack"> = {},
    host = "127.0.0.1",
    keepAliveS = 0,
  ): Promise<{ publisher: WirePublisher; code: number }> {
    return new Promise((resolve) => {
      const publisher = new WirePublisher(
        port,
        {
          ...events,
          onConnack: (code) => resolve({ publisher, code }),
          onClose: () => {
            resolve({ publisher, code: -1 });
            events.onClose?.();
          },
        },
        host,
      );
      publisher.socket.once("connect", () => publisher.socket.write(connectPacket(token, clientId, keepAliveS)));
    });
  }

  /** Message ids go round from 1 to 65535; whoever keeps fewer than that under way never meets one twice. */
  nextId(): number {
    this.lastId = (this.lastId % 65_535) + 1;
    return this.lastId;
  }

  /** Sends with QoS 1. @returns the id that the PUBACK will carry */
  publish(topic: string, payload: string | Buffer): number {
    const id = this.nextId();
    this.socket.write(publishPacket(topic, payload, id));
    return id;
  }

  close(): void {
    this.socket.destroy();
  }

  private read(chunk: Buffer): void {
    let bytes = this.rest.length === 0 ? chunk : Buffer.concat([this.rest, chunk]);
    for (;;) {
      // Answers to a publisher are short: one byte tells their length.
      const length = bytes[1];
      if (length === undefined || bytes.length < 2 + length) break;
      const type = (bytes[0] as number) >> 4;
      if (type === 2) this.events.onConnack?.(bytes[3] as number);
      else if (type === 4) this.events.onPuback?.(bytes.readUInt16BE(2));
      bytes = bytes.subarray(2 + length);
    }
    this.rest = bytes;
  }
}
