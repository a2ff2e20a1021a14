import { isUtf8 } from "node:buffer";
import { type Frame, packetType } from "./packet-reader.ts";
import { malformed, PacketFault, protocolError, reasonCode } from "./reason-codes.ts";

/** 3 is MQTT 3.1, 4 is 3.1.1. */
export type ProtocolVersion = 3 | 4 | 5;

/** Properties of MQTT 5 that the server does something with. Others are checked and left out. */
interface Properties {
  /** Seconds that the client wants its session to be kept. */
  sessionExpiry?: number;
  receiveMaximum?: number;
  maximumPacketSize?: number;
  /** Whether reason strings may be sent with acknowledgements. */
  problemInformation?: number;
  authenticationMethod?: string;
  authenticationData?: Buffer;
  topicAlias?: number;
  subscriptionId?: number;
}

export interface ConnectPacket {
  version: ProtocolVersion;
  clean: boolean;
  keepAliveS: number;
  clientId: string;
  username: string | undefined;
  password: Buffer | undefined;
  properties: Properties;
  willRetain: boolean;
}

export interface PublishPacket {
  qos: 0 | 1 | 2;
  retain: boolean;
  /** Empty when a topic alias stands for it. */
  topic: string;
  /** 0 with QoS 0. */
  id: number;
  topicAlias: number | undefined;
  payload: Buffer;
}

export interface Subscription {
  filter: string;
  qos: 0 | 1 | 2;
}

type Kind = "byte" | "flag" | "two" | "four" | "variable" | "text" | "binary" | "pair";
type Place = "connect" | "will" | "publish" | "subscribe" | "unsubscribe" | "acknowledgement" | "disconnect" | "auth";

interface PropertyRule {
  kind: Kind;
  places: readonly Place[];
  /** Where the value goes. */
  name?: keyof Properties;
  /** The standard forbids 0. */
  notZero?: boolean;
  /** May stand more than once. */
  many?: boolean;
}

/** What clients may send (2.2.2.2 of MQTT 5). */
const propertyRules: ReadonlyMap<number, PropertyRule> = new Map<number, PropertyRule>([
  [0x01, { kind: "flag", places: ["publish", "will"] }],
  [0x02, { kind: "four", places: ["publish", "will"] }],
  [0x03, { kind: "text", places: ["publish", "will"] }],
  [0x08, { kind: "text", places: ["publish", "will"] }],
  [0x09, { kind: "binary", places: ["publish", "will"] }],
  [0x0b, { kind: "variable", places: ["subscribe"], name: "subscriptionId", notZero: true }],
  [0x11, { kind: "four", places: ["connect", "disconnect"], name: "sessionExpiry" }],
  [0x15, { kind: "text", places: ["connect", "auth"], name: "authenticationMethod" }],
  [0x16, { kind: "binary", places: ["connect", "auth"], name: "authenticationData" }],
  [0x17, { kind: "flag", places: ["connect"], name: "problemInformation" }],
  [0x18, { kind: "four", places: ["will"] }],
  [0x19, { kind: "flag", places: ["connect"] }],
  [0x1f, { kind: "text", places: ["acknowledgement", "disconnect", "auth"] }],
  [0x21, { kind: "two", places: ["connect"], name: "receiveMaximum", notZero: true }],
  [0x22, { kind: "two", places: ["connect"] }],
  // 0 has a reason code of its own, which the connection gives.
  [0x23, { kind: "two", places: ["publish"], name: "topicAlias" }],
  [
    0x26,
    {
      kind: "pair",
      places: ["connect", "will", "publish", "subscribe", "unsubscribe", "acknowledgement", "disconnect", "auth"],
      many: true,
    },
  ],
  [0x27, { kind: "four", places: ["connect"], name: "maximumPacketSize", notZero: true }],
]);

const noProperties: Properties = {};

/** Reads the fields of a packet one after the other. Each throws a `PacketFault` where the packet ends too early. */
class Fields {
  private readonly bytes: Buffer;
  private at = 0;

  constructor(bytes: Buffer) {
    this.bytes = bytes;
  }

  get isAtEnd(): boolean {
    return this.at >= this.bytes.length;
  }

  byte(): number {
    const value = this.bytes[this.at];
    if (value === undefined) throw malformed("the packet ends inside a field");
    this.at += 1;
    return value;
  }

  two(): number {
    return this.byte() * 256 + this.byte();
  }

  four(): number {
    return this.two() * 65_536 + this.two();
  }

  variable(): number {
    let value = 0;
    let factor = 1;
    for (let i = 0; i < 4; i += 1) {
      const byte = this.byte();
      value += (byte & 0x7f) * factor;
      if ((byte & 0x80) === 0) return value;
      factor *= 128;
    }
    throw malformed("a number of more than four bytes");
  }

  take(length: number): Buffer {
    const end = this.at + length;
    if (end > this.bytes.length) throw malformed("the packet ends inside a field");
    const taken = this.bytes.subarray(this.at, end);
    this.at = end;
    return taken;
  }

  binary(): Buffer {
    return this.take(this.two());
  }

  /** Well-formed UTF-8 without NUL, as 1.5.3 of MQTT 3.1.1 and 1.5.4 of MQTT 5 demand. */
  text(): string {
    const bytes = this.binary();
    if (!isUtf8(bytes)) throw malformed("a text that is no UTF-8");
    if (bytes.includes(0)) throw malformed("a text with NUL");
    return bytes.toString("utf8");
  }

  rest(): Buffer {
    return this.take(this.bytes.length - this.at);
  }

  packetId(): number {
    const id = this.two();
    if (id === 0) throw protocolError("packet id 0");
    return id;
  }

  properties(place: Place): Properties {
    const length = this.variable();
    if (length === 0) return noProperties;
    const fields = new Fields(this.take(length));
    const found: Properties = {};
    const seen = new Set<number>();
    while (!fields.isAtEnd) {
      const id = fields.variable();
      const rule = propertyRules.get(id);
      if (rule === undefined) throw malformed(`property ${id} is unknown`);
      if (!rule.places.includes(place)) throw malformed(`property ${id} does not belong here`);
      if (seen.has(id) && !rule.many) throw protocolError(`property ${id} stands twice`);
      seen.add(id);
      const value = fields.value(rule.kind);
      if (rule.kind === "flag" && value !== 0 && value !== 1) throw protocolError(`property ${id} is neither 0 nor 1`);
      if (rule.notZero && value === 0) throw protocolError(`property ${id} is 0`);
      if (rule.name !== undefined) Object.assign(found, { [rule.name]: value });
    }
    return found;
  }

  end(): void {
    if (!this.isAtEnd) throw malformed("the packet is longer than its fields");
  }

  private value(kind: Kind): number | string | Buffer {
    switch (kind) {
      case "byte":
      case "flag":
        return this.byte();
      case "two":
        return this.two();
      case "four":
        return this.four();
      case "variable":
        return this.variable();
      case "text":
        return this.text();
      case "binary":
        return this.binary();
      case "pair":
        this.text();
        return this.text();
    }
  }
}

/** The protocol that a CONNECT asks for is none of ours. */
export class UnknownVersion extends PacketFault {
  /** In which form the answer is understood. */
  readonly answerVersion: ProtocolVersion;
  constructor(name: string, level: number) {
    super(reasonCode.unsupportedVersion, `${name} with level ${level}`);
    this.answerVersion = level > 5 ? 5 : 4;
  }
}

const levels: Readonly<Record<string, readonly number[]>> = { MQIsdp: [3], MQTT: [4, 5] };

/** Flags of CONNECT. */
const connectFlag = {
  reserved: 0x01,
  clean: 0x02,
  will: 0x04,
  willRetain: 0x20,
  password: 0x40,
  username: 0x80,
} as const;

/**
 * Reads name and level of the protocol, which tell how the rest is to be read.
 * @throws {UnknownVersion} @throws {PacketFault}
 */
export function versionOf({ flags, body }: Frame): ProtocolVersion {
  if (flags !== 0) throw malformed("flags of CONNECT");
  const fields = new Fields(body);
  const name = fields.text();
  const known = Object.hasOwn(levels, name) ? levels[name] : undefined;
  if (known === undefined) throw protocolError("another protocol");
  const level = fields.byte();
  if (!known.includes(level)) throw new UnknownVersion(name, level);
  return level as ProtocolVersion;
}

/** @throws {PacketFault} */
export function decodeConnect({ body }: Frame, version: ProtocolVersion): ConnectPacket {
  const fields = new Fields(body);
  fields.binary();
  fields.byte();
  const flags = fields.byte();
  const has = (flag: number) => (flags & flag) !== 0;
  if (has(connectFlag.reserved)) throw malformed("the reserved flag of CONNECT is set");
  const willQos = (flags >> 3) & 3;
  if (willQos === 3) throw malformed("a will of QoS 3");
  if (!has(connectFlag.will) && (willQos !== 0 || has(connectFlag.willRetain)))
    throw malformed("flags of a will that is not there");
  if (version !== 5 && has(connectFlag.password) && !has(connectFlag.username))
    throw malformed("a password without a user name");
  const keepAliveS = fields.two();
  const properties = version === 5 ? fields.properties("connect") : noProperties;
  if (properties.authenticationData !== undefined && properties.authenticationMethod === undefined)
    throw protocolError("authentication data without a method");
  const clientId = fields.text();
  if (has(connectFlag.will)) {
    if (version === 5) fields.properties("will");
    if (!isTopicName(fields.text())) throw malformed("the topic of the will");
    fields.binary();
  }
  const username = has(connectFlag.username) ? fields.text() : undefined;
  const password = has(connectFlag.password) ? fields.binary() : undefined;
  fields.end();
  const clean = has(connectFlag.clean);
  return {
    version,
    clean,
    keepAliveS,
    clientId,
    username,
    password,
    properties,
    willRetain: has(connectFlag.willRetain),
  };
}

/** Whether it may be published to: not empty, and without the wildcards of filters. */
const isTopicName = (topic: string): boolean => topic !== "" && !topic.includes("+") && !topic.includes("#");

/** @throws {PacketFault} */
export function decodePublish({ flags, body, isSwallowed }: Frame, version: ProtocolVersion): PublishPacket {
  const qos = (flags >> 1) & 3;
  if (qos === 3) throw malformed("a message of QoS 3");
  if (qos === 0 && (flags & 0x08) !== 0) throw protocolError("a message of QoS 0 that is sent again");
  const fields = new Fields(body);
  const topic = fields.text();
  const id = qos === 0 ? 0 : fields.packetId();
  const { topicAlias } = version === 5 && !isSwallowed ? fields.properties("publish") : noProperties;
  if (topic === "" ? topicAlias === undefined : !isTopicName(topic))
    throw version === 5
      ? new PacketFault(topic === "" ? reasonCode.protocolError : reasonCode.topicNameInvalid, "the topic of a message")
      : protocolError("the topic of a message");
  return { qos: qos as 0 | 1 | 2, retain: (flags & 1) !== 0, topic, id, topicAlias, payload: fields.rest() };
}

/** Codes that a client may send with an acknowledgement, by the packet's type (3.4.2.1 to 3.7.2.1 of MQTT 5). */
const publishCodes = [0x00, 0x10, 0x80, 0x83, 0x87, 0x90, 0x91, 0x97, 0x99];
const releaseCodes = [0x00, 0x92];

/** Decodes PUBACK, PUBREC, PUBREL and PUBCOMP. @returns the packet id @throws {PacketFault} */
export function decodeAcknowledgement({ type, flags, body }: Frame, version: ProtocolVersion): number {
  checkFlags(flags, type === packetType.pubrel ? 2 : 0, version);
  const fields = new Fields(body);
  const id = fields.packetId();
  if (version === 5 && !fields.isAtEnd) {
    const code = fields.byte();
    const known = type === packetType.puback || type === packetType.pubrec ? publishCodes : releaseCodes;
    if (!known.includes(code)) throw malformed("the reason code of an acknowledgement");
    if (!fields.isAtEnd) fields.properties("acknowledgement");
  }
  fields.end();
  return id;
}

/** MQTT 3.1 lets SUBSCRIBE, UNSUBSCRIBE and PUBREL say that they are sent again. */
function checkFlags(flags: number, expected: number, version: ProtocolVersion): void {
  const told = version === 3 && expected === 2 ? flags & ~0x08 : flags;
  if (told !== expected) throw malformed("flags of a packet");
}

/** @throws {PacketFault} */
export function decodeSubscribe(
  { flags, body }: Frame,
  version: ProtocolVersion,
): { id: number; subscriptions: Subscription[] } {
  checkFlags(flags, 2, version);
  const fields = new Fields(body);
  const id = fields.packetId();
  if (version === 5 && fields.properties("subscribe").subscriptionId !== undefined)
    throw new PacketFault(reasonCode.subscriptionIdsNotSupported, "a subscription identifier");
  if (fields.isAtEnd) throw protocolError("SUBSCRIBE without a filter");
  const subscriptions: Subscription[] = [];
  while (!fields.isAtEnd) {
    const filter = fields.text();
    const options = fields.byte();
    const qos = options & 3;
    if (qos === 3) throw malformed("a subscription of QoS 3");
    if ((options & (version === 5 ? 0xc0 : 0xfc)) !== 0) throw malformed("reserved options of a subscription");
    if (options >> 4 === 3) throw protocolError("retain handling 3");
    if ((options & 4) !== 0 && filter.startsWith("$share/")) throw protocolError("no local on a shared subscription");
    subscriptions.push({ filter, qos: qos as 0 | 1 | 2 });
  }
  return { id, subscriptions };
}

/** @throws {PacketFault} */
export function decodeUnsubscribe({ flags, body }: Frame, version: ProtocolVersion): { id: number; filters: string[] } {
  checkFlags(flags, 2, version);
  const fields = new Fields(body);
  const id = fields.packetId();
  if (version === 5) fields.properties("unsubscribe");
  if (fields.isAtEnd) throw protocolError("UNSUBSCRIBE without a filter");
  const filters: string[] = [];
  while (!fields.isAtEnd) filters.push(fields.text());
  return { id, filters };
}

/** A packet without fields. @throws {PacketFault} */
export function decodeEmpty({ flags, body }: Frame): void {
  if (flags !== 0 || body.length > 0) throw malformed("a packet that has no fields");
}

/** Codes that a client may end with (3.14.2.1 of MQTT 5). */
const disconnectCodes = [0x00, 0x04, 0x80, 0x81, 0x82, 0x83, 0x90, 0x93, 0x94, 0x95, 0x96, 0x97, 0x98, 0x99];

/** @returns how long the session shall be kept from now on, in seconds @throws {PacketFault} */
export function decodeDisconnect(frame: Frame, version: ProtocolVersion): number | undefined {
  if (version !== 5 || frame.body.length === 0) {
    decodeEmpty(frame);
    return undefined;
  }
  checkFlags(frame.flags, 0, version);
  const fields = new Fields(frame.body);
  if (!disconnectCodes.includes(fields.byte())) throw malformed("the reason code of DISCONNECT");
  const { sessionExpiry } = fields.isAtEnd ? noProperties : fields.properties("disconnect");
  fields.end();
  return sessionExpiry;
}
