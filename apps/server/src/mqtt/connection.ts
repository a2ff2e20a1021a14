import { randomUUID } from "node:crypto";
import type { Duplex } from "node:stream";
import type { FastifyBaseLogger } from "fastify";
import { generate, type IConnackPacket, type Packet } from "mqtt-packet";
import type { KnownDevice } from "../modules/devices/index.ts";
import type { DropReason, Uplink } from "../modules/telemetry/index.ts";
import { DeviceSession } from "./device-session.ts";
import { asksForMuch, filterMatches, maySubscribe, type Subscriber } from "./device-topics.ts";
import { type Flow, flowLimits } from "./flow.ts";
import {
  type ConnectPacket,
  decodeAcknowledgement,
  decodeConnect,
  decodeDisconnect,
  decodeEmpty,
  decodePublish,
  decodeSubscribe,
  decodeUnsubscribe,
  type ProtocolVersion,
  type PublishPacket,
  type Subscription,
  UnknownVersion,
  versionOf,
} from "./packet-decoder.ts";
import { type Frame, PacketReader, packetLimits, packetType } from "./packet-reader.ts";
import { ProvisionSession, provisionName } from "./provision-session.ts";
import { codeOfDrop, PacketFault, protocolError, reasonCode, returnCodes } from "./reason-codes.ts";
import type { Line } from "./session-line.ts";

/** What a connection may take of time, in ms. */
export interface ConnectionTimes {
  /** From its begin to an accepted CONNECT. */
  connectMs: number;
  /** A client that does not take what is sent to it is disconnected after this time. */
  drainMs: number;
  /** From the last word to a client until its socket is torn down, so that the word arrives. */
  lingerMs: number;
  /** The longest keep alive of an MQTT 5 client, and that of one which asks for none. */
  keepAliveMs: number;
}

export const connectionTimes: ConnectionTimes = {
  connectMs: 10_000,
  drainMs: 30_000,
  lingerMs: 1000,
  keepAliveMs: 1_200_000,
};

/** What MQTT 5 clients are told, and what holds for everybody where it can. */
export const sessionLimits = {
  /** Messages of QoS 1 and 2 that a client may have unacknowledged. */
  receiveMaximum: 1000,
  topicAliasMaximum: 16,
  /** Messages of QoS 2 that an MQTT 3 client, which knows no such limit, may leave unreleased. */
  unreleased: 4096,
  /** Bytes of a client id. */
  clientId: 256,
  /** Subscriptions of one connection; the protocol needs five. */
  subscriptions: 50,
  /** Messages to a client that it has not acknowledged, whatever it offers to take. */
  downUnderWay: 100,
  /** Messages to a client that wait for one of those. */
  downWaiting: 500,
} as const;

/** What MQTT 5 clients are told of the size of packets, which counts the header with its three bytes of length. */
const largestFromClient = packetLimits.publish + 4;
/** Bytes for the client that wait for the next turn of the event loop; with as many nothing more of it is taken. */
const longestUnsent = 256 * 1024;
/** Acknowledgements that were sent are let go in batches of this many at least. */
const longestSettled = 1024;

export interface ConnectionDependencies {
  uplink: Uplink;
  log: FastifyBaseLogger;
  flow: Flow;
  /** The connections whose device is known, by device and client id. */
  sessions: Map<string, Connection>;
  /** Whose unknown tokens are counted; undefined for nobody's. */
  caller: string | undefined;
  /** The device is known. */
  onAccepted: () => void;
  times: ConnectionTimes;
}

/** An acknowledgement that is owed: they are sent in the order of their messages. */
interface Owed {
  id: number;
  qos: 1 | 2;
  /** Reason code; undefined until the message is stored or dropped. */
  code: number | undefined;
  dropped: DropReason | undefined;
}

interface Session {
  device: KnownDevice;
  key: string;
  /** What the uplink knows the connection by. */
  open: { close(): void };
}

/** What one kind of client may say. */
interface Speaker {
  handle(topic: string, payload: Buffer): Promise<DropReason | undefined>;
  subscribed(): void;
  close(): void;
}

interface Down {
  topic: string;
  payload: Buffer;
  onDelivered: () => void;
}

type ConnackProperties = NonNullable<IConnackPacket["properties"]>;

/** The answers of two bytes that nearly every message gets: the same in all versions. */
const successOf = { puback: 0x40, pubrec: 0x50, pubcomp: 0x70 } as const;

/** A SUBACK of MQTT 3 knows one refusal. */
const subscriptionFailure = 0x80;

/** Wildcards stand for whole levels, `#` for the last. */
const isFilter = (filter: string): boolean =>
  filter !== "" &&
  filter.split("/").every((level, at, { length }) => {
    if (level.includes("#")) return level === "#" && at === length - 1;
    return level === "+" || !level.includes("+");
  });

/**
 * One connection of a device: MQTT 3.1, 3.1.1 or 5 over any stream of bytes. What the device sends goes to the uplink and to
 * nobody else; sessions, retained messages and wills are not kept (decision 0020).
 */
export class Connection {
  private readonly stream: Duplex;
  private readonly parts: ConnectionDependencies;
  private readonly reader = new PacketReader();
  private phase: "connecting" | "authenticating" | "open" | "ended" = "connecting";
  private version: ProtocolVersion = 4;
  private session: Session | undefined;
  /** Who handles what the client says. */
  private speaker: Speaker | undefined;
  private sessionExpiryS = 0;
  /** What an MQTT 5 client says that it takes, in bytes. */
  private largestToClient = Number.POSITIVE_INFINITY;
  private wantsProblems = true;

  private isReading = true;
  private underWay = 0;
  /** In the order of their messages, from `firstOwed` on. */
  private owed: Owed[] = [];
  private firstOwed = 0;
  private owedOnce = 0;
  /** Messages of QoS 2 that were taken and not yet released: another one with such an id is the same message. */
  private readonly unreleased = new Set<number>();
  private readonly aliases = new Map<number, string>();

  private outgoing: Buffer[] = [];
  private unsent = 0;
  private hasSpoken = false;
  private readonly granted = new Map<string, 0 | 1>();
  /** What is to be done when the client acknowledges, by packet id. */
  private readonly downUnderWay = new Map<number, () => void>();
  private readonly downWaiting: Down[] = [];
  private downLimit: number = sessionLimits.downUnderWay;
  private lastDownId = 0;

  private lastSeen = Date.now();
  private readonly connectTimer: NodeJS.Timeout;
  private drainTimer: NodeJS.Timeout | undefined;
  private keepAliveTimer: NodeJS.Timeout | undefined;
  private lingerTimer: NodeJS.Timeout | undefined;

  constructor(stream: Duplex, parts: ConnectionDependencies) {
    this.stream = stream;
    this.parts = parts;
    this.connectTimer = setTimeout(() => stream.destroy(), parts.times.connectMs);
    stream.on("error", (error) => this.tell(error, "mqtt connection"));
    stream.on("data", (chunk: Buffer) => this.arrived(chunk));
    stream.on("drain", () => this.drained());
    stream.once("close", () => this.closed());
  }

  /**
   * Ends the connection. What is owed and ready goes out before; an MQTT 5 client is told why.
   * @param code reason code of DISCONNECT; without one nothing is said
   */
  end(code?: number, text = ""): void {
    if (this.phase === "ended") return;
    if (code !== undefined && this.phase === "open" && this.version === 5) {
      this.send({ cmd: "disconnect", reasonCode: code, properties: { reasonString: text } });
    }
    this.finish();
  }

  /** The server stops: says so, and waits for nothing from the other side. */
  shutDown(): void {
    this.end(reasonCode.serverShuttingDown, "the server stops");
  }

  /** There is room again for messages under way. */
  resume(): void {
    this.take();
  }

  private tell(error: unknown, what: string): void {
    this.parts.log.debug({ err: error, device: this.session?.device.serialNumber }, what);
  }

  private arrived(chunk: Buffer): void {
    if (this.phase === "ended") return;
    this.lastSeen = Date.now();
    this.reader.push(chunk);
    this.take();
  }

  /** Handles what has arrived as far as it may. */
  private take(): void {
    try {
      while (this.mayTake()) {
        const frame = this.reader.next();
        if (frame === undefined) break;
        if (this.phase === "connecting") this.connect(frame);
        else this.handle(frame);
      }
    } catch (error) {
      this.fail(error);
    }
    this.readOrWait();
  }

  private mayTake(): boolean {
    if (this.phase === "connecting") return true;
    if (this.phase !== "open" || this.underWay >= flowLimits.connection) return false;
    // Who does not take answers asks for no more of them.
    if (this.drainTimer !== undefined || this.unsent >= longestUnsent) return false;
    if (!this.parts.flow.isFull) return true;
    this.parts.flow.wait(this);
    return false;
  }

  /** Reads on, or leaves what comes in the network: then the sender waits. What follows the end is read and thrown away. */
  private readOrWait(): void {
    const mayRead = this.phase === "ended" || this.mayTake();
    if (mayRead === this.isReading) return;
    this.isReading = mayRead;
    if (mayRead) {
      // Time in which nothing was read is not the client's silence.
      this.lastSeen = Date.now();
      this.stream.resume();
    } else this.stream.pause();
  }

  private fail(error: unknown): void {
    this.tell(error, "mqtt packet refused");
    if (!(error instanceof PacketFault)) {
      this.end(reasonCode.implementationError, "the packet could not be handled");
      return;
    }
    const device = this.session?.device;
    if (error.code === reasonCode.packetTooLarge && device !== undefined) this.parts.uplink.drop(device, "too_large");
    this.end(error.code, error.message);
  }

  private connect(frame: Frame): void {
    let isVersionKnown = false;
    try {
      this.version = versionOf(frame);
      isVersionKnown = true;
      const packet = decodeConnect(frame, this.version);
      this.agree(packet);
      this.authenticate(packet);
    } catch (error) {
      if (!(error instanceof PacketFault)) throw error;
      this.tell(error, "mqtt connect refused");
      if (error instanceof UnknownVersion) this.version = error.answerVersion;
      else if (!isVersionKnown) {
        this.finish();
        return;
      }
      this.refuseConnect(error.code, error.message);
    }
  }

  /** Takes over what the client says of itself. @throws {PacketFault} where that is nothing the server can do */
  private agree({ version, clientId, clean, properties, willRetain, keepAliveS }: ConnectPacket): void {
    if (properties.authenticationMethod !== undefined)
      throw new PacketFault(reasonCode.badAuthenticationMethod, "no authentication method is known");
    // MQTT 3.1 knows no empty id, and 3.1.1 only for sessions that are not kept.
    const needsId = version === 3 || (version === 4 && !clean);
    if ((needsId && clientId === "") || Buffer.byteLength(clientId) > sessionLimits.clientId)
      throw new PacketFault(reasonCode.clientIdNotValid, "the client id is empty or too long");
    if (version === 5 && willRetain) throw new PacketFault(reasonCode.retainNotSupported, "the will is retained");
    const { sessionExpiry = 0, receiveMaximum, maximumPacketSize, problemInformation } = properties;
    this.sessionExpiryS = sessionExpiry;
    if (receiveMaximum !== undefined) this.downLimit = Math.min(receiveMaximum, this.downLimit);
    if (maximumPacketSize !== undefined) this.largestToClient = maximumPacketSize;
    this.wantsProblems = problemInformation !== 0;
    const agreedMs = (this.serverKeepAlive(keepAliveS) ?? keepAliveS) * 1000;
    if (agreedMs > 0) this.watchSilence(agreedMs * 1.5);
  }

  /** The keep alive that takes the place of what an MQTT 5 client asks for, in seconds. */
  private serverKeepAlive(askedS: number): number | undefined {
    const longestS = this.parts.times.keepAliveMs / 1000;
    return this.version === 5 && (askedS === 0 || askedS > longestS) ? longestS : undefined;
  }

  private authenticate(packet: ConnectPacket): void {
    const { uplink, caller, log } = this.parts;
    this.phase = "authenticating";
    if (packet.username === provisionName) {
      this.accept(packet, undefined);
      return;
    }
    const { username = "", password, clientId } = packet;
    const login = password?.length ? { password: password.toString("utf8"), clientId } : undefined;
    uplink.authenticate(username, caller, login).then(
      (device) => {
        if (this.phase !== "authenticating") return;
        if (device !== undefined) this.accept(packet, device);
        else this.refuseConnect(reasonCode.badUserNameOrPassword, "the user name is no device token");
      },
      (error: unknown) => {
        log.warn({ err: error }, "a device could not be looked up");
        this.refuseConnect(reasonCode.serverUnavailable, "try again later");
      },
    );
  }

  private refuseConnect(code: number, text: string): void {
    if (this.phase === "ended") return;
    const returnCode = returnCodes.get(code);
    if (this.version === 5) {
      this.send({ cmd: "connack", sessionPresent: false, reasonCode: code, properties: { reasonString: text } });
    } else if (returnCode !== undefined) this.send({ cmd: "connack", sessionPresent: false, returnCode });
    this.finish();
  }

  /** @param device undefined for somebody who has come to be registered, who has no more time than for that */
  private accept(packet: ConnectPacket, device: KnownDevice | undefined): void {
    const { onAccepted } = this.parts;
    if (device !== undefined) {
      clearTimeout(this.connectTimer);
      onAccepted();
    }
    const clientId = packet.clientId === "" ? randomUUID() : packet.clientId;
    const serverKeepAlive = this.serverKeepAlive(packet.keepAliveS);
    const properties: ConnackProperties = {
      ...(this.sessionExpiryS > 0 && { sessionExpiryInterval: 0 }),
      receiveMaximum: sessionLimits.receiveMaximum,
      maximumPacketSize: largestFromClient,
      topicAliasMaximum: sessionLimits.topicAliasMaximum,
      retainAvailable: false,
      wildcardSubscriptionAvailable: true,
      subscriptionIdentifiersAvailable: false,
      sharedSubscriptionAvailable: false,
      ...(packet.clientId === "" && { assignedClientIdentifier: clientId }),
      ...(serverKeepAlive !== undefined && { serverKeepAlive }),
    };
    const isSent =
      this.version === 5
        ? this.send({ cmd: "connack", sessionPresent: false, reasonCode: reasonCode.success, properties })
        : this.send({ cmd: "connack", sessionPresent: false, returnCode: 0 });
    if (!isSent) {
      this.finish();
      return;
    }
    this.phase = "open";
    this.reader.swallows = this.version !== 5;
    const line = {
      send: (topic: string, content: unknown, onDelivered?: () => void) => this.sendDown(topic, content, onDelivered),
      listensTo: (topic: string) => this.listensTo(topic),
    };
    if (device === undefined) this.speaker = new ProvisionSession(this.parts.uplink, line, this.parts.caller);
    else this.begin(device, clientId, line);
    this.take();
  }

  private begin(device: KnownDevice, clientId: string, line: Line): void {
    const { sessions, uplink } = this.parts;
    // Ids are the device's own choice: with its key in front nobody can push another device off.
    const key = `${device.id}/${clientId}`;
    sessions.get(key)?.end(reasonCode.sessionTakenOver, "another connection has this client id");
    sessions.set(key, this);
    const open = { close: () => this.end(reasonCode.administrativeAction, "the server closes this connection") };
    this.session = { device, key, open };
    this.speaker = new DeviceSession(uplink, device, line);
    uplink.opened(device, open);
  }

  private handle(frame: Frame): void {
    const { version } = this;
    switch (frame.type) {
      case packetType.publish:
        this.publish(decodePublish(frame, version), frame.isSwallowed);
        return;
      case packetType.puback: {
        const id = decodeAcknowledgement(frame, version);
        const onDelivered = this.downUnderWay.get(id);
        this.downUnderWay.delete(id);
        onDelivered?.();
        this.sendWaiting();
        return;
      }
      case packetType.pubrel:
        this.release(decodeAcknowledgement(frame, version));
        return;
      case packetType.subscribe: {
        const { id, subscriptions } = decodeSubscribe(frame, version);
        this.send({ cmd: "suback", messageId: id, granted: subscriptions.map((asked) => this.subscribe(asked)) });
        this.speaker?.subscribed();
        return;
      }
      case packetType.unsubscribe: {
        const { id, filters } = decodeUnsubscribe(frame, version);
        const codeOf = (filter: string) =>
          this.granted.delete(filter) ? reasonCode.success : reasonCode.noSubscriptionExisted;
        this.send({ cmd: "unsuback", messageId: id, granted: filters.map(codeOf) });
        return;
      }
      case packetType.pingreq:
        decodeEmpty(frame);
        this.send({ cmd: "pingresp" });
        return;
      case packetType.disconnect: {
        const sessionExpiryS = decodeDisconnect(frame, version) ?? 0;
        if (sessionExpiryS > 0 && this.sessionExpiryS === 0) throw protocolError("the session was not to be kept");
        this.finish();
        return;
      }
      default:
        // Nothing is sent with QoS 2, so there is nothing to receive or complete; AUTH was never agreed on.
        throw protocolError(`a packet of type ${frame.type}`);
    }
  }

  private publish(packet: PublishPacket, isSwallowed: boolean): void {
    const { uplink, flow } = this.parts;
    const { qos, id, payload } = packet;
    if (packet.retain && this.version === 5)
      throw new PacketFault(reasonCode.retainNotSupported, "a message that is to be retained");
    const topic = this.topicOf(packet);
    const isKnown = qos === 2 && this.unreleased.has(id);
    const owed = qos === 0 ? undefined : this.owe(id, qos, isKnown);
    const { session, speaker } = this;
    if (isKnown || speaker === undefined) {
      this.settle(owed, undefined);
      return;
    }
    if (isSwallowed) {
      if (session !== undefined) uplink.drop(session.device, "too_large");
      this.settle(owed, "too_large");
      return;
    }
    const cost = payload.length + (asksForMuch(topic) ? flowLimits.answerCost : flowLimits.messageCost);
    this.underWay += cost;
    flow.add(cost);
    const done = () => {
      this.underWay -= cost;
      flow.remove(cost);
      if (!this.isReading && this.underWay < flowLimits.connection) this.take();
    };
    speaker.handle(topic, payload).then(
      (dropped) => {
        this.settle(owed, dropped);
        done();
      },
      (error: unknown) => {
        this.tell(error, "a message was not stored");
        // Without an acknowledgement, so that the device sends again.
        this.end(reasonCode.serverBusy, "the message could not be stored");
        done();
      },
    );
  }

  private topicOf({ topic, topicAlias }: PublishPacket): string {
    if (topicAlias === undefined) return topic;
    if (topicAlias === 0 || topicAlias > sessionLimits.topicAliasMaximum)
      throw new PacketFault(reasonCode.topicAliasInvalid, `topic alias ${topicAlias}`);
    if (topic !== "") this.aliases.set(topicAlias, topic);
    const known = this.aliases.get(topicAlias);
    if (known === undefined) throw protocolError(`topic alias ${topicAlias} stands for nothing`);
    return known;
  }

  private owe(id: number, qos: 1 | 2, isKnown: boolean): Owed {
    const underWay = this.owedOnce + this.unreleased.size;
    if (!isKnown && this.version === 5 && underWay >= sessionLimits.receiveMaximum)
      throw new PacketFault(reasonCode.receiveMaximumExceeded, `more than ${sessionLimits.receiveMaximum} messages`);
    if (this.unreleased.size >= sessionLimits.unreleased) throw protocolError("messages of QoS 2 are not released");
    const owed: Owed = { id, qos, code: undefined, dropped: undefined };
    this.owed.push(owed);
    if (qos === 2) this.unreleased.add(id);
    else this.owedOnce += 1;
    return owed;
  }

  /** The message is stored, or was dropped: it is acknowledged when all before it are. */
  private settle(settled: Owed | undefined, dropped: DropReason | undefined): void {
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

  private acknowledge({ id, qos, dropped }: Owed, code: number): void {
    const cmd = qos === 1 ? "puback" : "pubrec";
    if (qos === 1) this.owedOnce -= 1;
    if (this.version !== 5 || code === reasonCode.success) {
      this.sendSuccess(cmd, id);
      return;
    }
    // A refused message of QoS 2 ends here: nothing releases it.
    if (qos === 2) this.unreleased.delete(id);
    const properties = this.wantsProblems && dropped !== undefined ? { properties: { reasonString: dropped } } : {};
    this.send({ cmd, messageId: id, reasonCode: code, ...properties });
  }

  private release(id: number): void {
    if (this.unreleased.delete(id) || this.version !== 5) {
      this.sendSuccess("pubcomp", id);
      return;
    }
    this.send({ cmd: "pubcomp", messageId: id, reasonCode: reasonCode.packetIdNotFound });
  }

  /** @returns the granted QoS, or why there is none */
  private subscribe({ filter, qos }: Subscription): number {
    const refused = this.refusalOf(filter);
    if (refused !== undefined) return this.version === 5 ? refused : subscriptionFailure;
    const granted = qos === 0 ? 0 : 1;
    this.granted.set(filter, granted);
    return granted;
  }

  private refusalOf(filter: string): number | undefined {
    if (!isFilter(filter)) return reasonCode.topicFilterInvalid;
    if (filter.startsWith("$share/")) return reasonCode.sharedSubscriptionsNotSupported;
    if (!maySubscribe(filter, this.subscriber())) return reasonCode.notAuthorized;
    const isFull = this.granted.size >= sessionLimits.subscriptions && !this.granted.has(filter);
    return isFull ? reasonCode.quotaExceeded : undefined;
  }

  private subscriber(): Subscriber {
    if (this.session === undefined) return "provision";
    return this.session.device.isGateway ? "gateway" : "device";
  }

  private listensTo(topic: string): boolean {
    return [...this.granted.keys()].some((filter) => filterMatches(filter, topic));
  }

  /** Sends a message to the device if it listens. @returns whether it does */
  private sendDown(topic: string, content: unknown, onDelivered: () => void = () => undefined): boolean {
    if (this.phase !== "open") return false;
    const granted = [...this.granted].filter(([filter]) => filterMatches(filter, topic)).map(([, qos]) => qos);
    if (granted.length === 0) return false;
    const payload = Buffer.isBuffer(content) ? content : Buffer.from(JSON.stringify(content ?? null));
    if (!granted.includes(1)) {
      const isSent = this.send({ cmd: "publish", topic, payload, qos: 0, retain: false, dup: false });
      if (isSent) onDelivered();
      return isSent;
    }
    if (this.downWaiting.length >= sessionLimits.downWaiting) {
      this.end(reasonCode.quotaExceeded, "messages are not acknowledged");
      return false;
    }
    this.downWaiting.push({ topic, payload, onDelivered });
    this.sendWaiting();
    return true;
  }

  private sendWaiting(): void {
    while (this.downUnderWay.size < this.downLimit) {
      const down = this.downWaiting.shift();
      if (down === undefined) return;
      const { topic, payload, onDelivered } = down;
      do this.lastDownId = (this.lastDownId % 65_535) + 1;
      while (this.downUnderWay.has(this.lastDownId));
      const messageId = this.lastDownId;
      // What is larger than the client takes counts as delivered (3.1.2.11.4 of MQTT 5).
      if (this.send({ cmd: "publish", topic, payload, messageId, qos: 1, retain: false, dup: false }))
        this.downUnderWay.set(messageId, onDelivered);
    }
  }

  private sendSuccess(cmd: keyof typeof successOf, id: number): void {
    this.write(Buffer.from([successOf[cmd], 2, id >> 8, id & 0xff]));
  }

  /** @returns whether the client takes packets of that size */
  private send(packet: Packet & { properties?: object }): boolean {
    const bytes = generate(packet, { protocolVersion: this.version });
    if (bytes.length <= this.largestToClient) {
      this.write(bytes);
      return true;
    }
    // A reason is left out before the packet is.
    if (packet.properties === undefined || packet.cmd === "publish" || "reasonString" in packet.properties === false)
      return false;
    const { properties: _reason, ...bare } = packet;
    return this.send(bare as Packet);
  }

  /** What is written in one go of the event loop leaves together. */
  private write(bytes: Buffer): void {
    if (this.phase === "ended") return;
    this.unsent += bytes.length;
    if (this.outgoing.push(bytes) === 1) process.nextTick(() => this.sendWritten());
  }

  private sendWritten(): void {
    this.flush();
    if (this.isReading) this.readOrWait();
    else this.take();
  }

  private flush(): void {
    const [only] = this.outgoing;
    if (only === undefined) return;
    const bytes = this.outgoing.length === 1 ? only : Buffer.concat(this.outgoing);
    this.outgoing = [];
    this.unsent = 0;
    this.hasSpoken = true;
    if (this.stream.writableEnded || this.stream.destroyed) return;
    if (!this.stream.write(bytes))
      this.drainTimer ??= setTimeout(() => this.stream.destroy(), this.parts.times.drainMs);
  }

  private drained(): void {
    clearTimeout(this.drainTimer);
    this.drainTimer = undefined;
    this.take();
  }

  private watchSilence(limitMs: number): void {
    const look = () => {
      const left = this.isReading ? this.lastSeen + limitMs - Date.now() : limitMs;
      if (left <= 0) this.end(reasonCode.keepAliveTimeout, "nothing was heard for one and a half keep alives");
      else this.keepAliveTimer = setTimeout(look, left);
    };
    this.keepAliveTimer = setTimeout(look, limitMs);
  }

  /** Says goodbye to the socket; the last bytes are given time to arrive. */
  private finish(): void {
    this.flush();
    this.forget();
    if (!this.hasSpoken) {
      // Somebody who is told nothing need not be heard out either.
      this.stream.destroy();
      return;
    }
    this.stream.end();
    this.lingerTimer = setTimeout(() => this.stream.destroy(), this.parts.times.lingerMs);
    this.readOrWait();
  }

  private closed(): void {
    clearTimeout(this.lingerTimer);
    this.forget();
  }

  private forget(): void {
    if (this.phase === "ended") return;
    const { flow, sessions, uplink } = this.parts;
    this.phase = "ended";
    clearTimeout(this.connectTimer);
    clearTimeout(this.drainTimer);
    clearTimeout(this.keepAliveTimer);
    flow.forget(this);
    this.reader.clear();
    this.outgoing = [];
    this.downUnderWay.clear();
    this.downWaiting.length = 0;
    this.speaker?.close();
    if (this.session === undefined) return;
    const { device, key, open } = this.session;
    if (sessions.get(key) === this) sessions.delete(key);
    uplink.closed(device, open);
  }
}
