import type { DropReason } from "../modules/telemetry/index.ts";
import type { PacketWriter } from "./packet-writer.ts";
import { codeOfDrop, PacketFault, protocolError, reasonCode } from "./reason-codes.ts";
import { sessionLimits } from "./session-limits.ts";

/** Acknowledgements that were sent are let go in batches of this many at least. */
const longestSettled = 1024;

/** An acknowledgement that is owed: they are sent in the order of their messages. */
export interface Owed {
  id: number;
  qos: 1 | 2;
  /** Reason code; undefined until the message is stored or dropped. */
  code: number | undefined;
  dropped: DropReason | undefined;
}

/** What one client is owed for its messages of QoS 1 and 2. */
export class Acknowledgements {
  /** An MQTT 5 client wants to be told why a message was dropped. */
  wantsProblems = true;
  private readonly writer: PacketWriter;
  /** In the order of their messages, from `firstOwed` on. */
  private owed: Owed[] = [];
  private firstOwed = 0;
  private owedOnce = 0;
  /** Messages of QoS 2 that were taken and not yet released: another one with such an id is the same message. */
  private readonly unreleased = new Set<number>();

  constructor(writer: PacketWriter) {
    this.writer = writer;
  }

  /** Whether a message of QoS 2 with this id was taken before. */
  isKnown(id: number): boolean {
    return this.unreleased.has(id);
  }

  /** @throws {PacketFault} when the client has more unacknowledged than it may */
  owe(id: number, qos: 1 | 2, isKnown: boolean): Owed {
    const underWay = this.owedOnce + this.unreleased.size;
    if (!isKnown && this.writer.version === 5 && underWay >= sessionLimits.receiveMaximum)
      throw new PacketFault(reasonCode.receiveMaximumExceeded, `more than ${sessionLimits.receiveMaximum} messages`);
    if (this.unreleased.size >= sessionLimits.unreleased) throw protocolError("messages of QoS 2 are not released");
    const owed: Owed = { id, qos, code: undefined, dropped: undefined };
    this.owed.push(owed);
    if (qos === 2) this.unreleased.add(id);
    else this.owedOnce += 1;
    return owed;
  }

  /** The message is stored, or was dropped: it is acknowledged when all before it are. */
  settle(settled: Owed | undefined, dropped: DropReason | undefined): void {
    if (settled === undefined) return;
    settled.code = codeOfDrop(dropped);
    settled.dropped = dropped;
    for (;;) {
      const owed = this.owed[this.firstOwed];
      if (owed?.code === undefined) break;
      this.firstOwed += 1;
      this.acknowledge(owed, owed.code);
    }
    if (this.firstOwed === this.owed.length || this.firstOwed > longestSettled) {
      this.owed = this.owed.slice(this.firstOwed);
      this.firstOwed = 0;
    }
  }

  /** The client releases a message of QoS 2. */
  release(id: number): void {
    if (this.unreleased.delete(id) || this.writer.version !== 5) {
      this.writer.sendSuccess("pubcomp", id);
      return;
    }
    this.writer.send({ cmd: "pubcomp", messageId: id, reasonCode: reasonCode.packetIdNotFound });
  }

  private acknowledge({ id, qos, dropped }: Owed, code: number): void {
    const cmd = qos === 1 ? "puback" : "pubrec";
    if (qos === 1) this.owedOnce -= 1;
    if (this.writer.version !== 5 || code === reasonCode.success) {
      this.writer.sendSuccess(cmd, id);
      return;
    }
    // A refused message of QoS 2 ends here: nothing releases it.
    if (qos === 2) this.unreleased.delete(id);
    const properties = this.wantsProblems && dropped !== undefined ? { properties: { reasonString: dropped } } : {};
    this.writer.send({ cmd, messageId: id, reasonCode: code, ...properties });
  }
}
