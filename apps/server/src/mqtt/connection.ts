import { randomUUID } from "node:crypto";
import type { Duplex } from "node:stream";
import type { FastifyBaseLogger } from "fastify";
import type { KnownDevice } from "../modules/devices/index.ts";
import type { DropReason, Uplink } from "../modules/telemetry/index.ts";
import { Acknowledgements } from "./acknowledgements.ts";
import { DeviceSession } from "./device-session.ts";
import { asksForMuch, type Subscriber } from "./device-topics.ts";
import { DownMessages } from "./down-messages.ts";
import { type Flow, flowLimits } from "./flow.ts";
import { type Agreement, agreementWith, welcome } from "./handshake.ts";
import {
  type ConnectPacket,
  decodeAcknowledgement,
  decodeConnect,
  decodeDisconnect,
  decodeEmpty,
  decodePublish,
  decodeSubscribe,
  decodeUnsubscribe,
  type PublishPacket,
  UnknownVersion,
  versionOf,
} from "./packet-decoder.ts";
import { type Frame, PacketReader, packetType } from "./packet-reader.ts";
import { PacketWriter } from "./packet-writer.ts";
import { ProvisionSession, provisionName } from "./provision-session.ts";
import { PacketFault, protocolError, reasonCode, returnCodes } from "./reason-codes.ts";
import { sessionLimits } from "./session-limits.ts";
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

/**
 * One connection of a device: MQTT 3.1, 3.1.1 or 5 over any stream of bytes. What the device sends goes to the uplink and to
 * nobody else; sessions, retained messages and wills are not kept (decision 0020).
 */
export class Connection {
  private readonly stream: Duplex;
  private readonly parts: ConnectionDependencies;
  private readonly reader = new PacketReader();
  private readonly writer: PacketWriter;
  private readonly acknowledgements: Acknowledgements;
  private readonly down: DownMessages;
  private phase: "connecting" | "authenticating" | "open" | "ended" = "connecting";
  private session: Session | undefined;
  /** Who handles what the client says. */
  private speaker: Speaker | undefined;
  private sessionExpiryS = 0;

  private isReading = true;
  private underWay = 0;
  private readonly aliases = new Map<number, string>();

  private lastSeen = Date.now();
  private readonly connectTimer: NodeJS.Timeout;
  private keepAliveTimer: NodeJS.Timeout | undefined;
  private lingerTimer: NodeJS.Timeout | undefined;

  constructor(stream: Duplex, parts: ConnectionDependencies) {
    this.stream = stream;
    this.parts = parts;
    this.writer = new PacketWriter(
      stream,
      parts.times.drainMs,
      () => this.flushed(),
      () => this.take(),
    );
    this.acknowledgements = new Acknowledgements(this.writer);
    this.down = new DownMessages(this.writer, () =>
      this.end(reasonCode.quotaExceeded, "messages are not acknowledged"),
    );
    this.connectTimer = setTimeout(() => stream.destroy(), parts.times.connectMs);
    stream.on("error", (error) => this.tell(error, "mqtt connection"));
    stream.on("data", (chunk: Buffer) => this.arrived(chunk));
    stream.once("close", () => this.closed());
  }

  /**
   * Ends the connection. What is owed and ready goes out before; an MQTT 5 client is told why.
   * @param code reason code of DISCONNECT; without one nothing is said
   */
  end(code?: number, text = ""): void {
    if (this.phase === "ended") return;
    if (code !== undefined && this.phase === "open" && this.writer.version === 5) {
      this.writer.send({ cmd: "disconnect", reasonCode: code, properties: { reasonString: text } });
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
    if (this.writer.isBlocked) return false;
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
      this.writer.version = versionOf(frame);
      isVersionKnown = true;
      const packet = decodeConnect(frame, this.writer.version);
      this.authenticate(packet, this.agree(packet));
    } catch (error) {
      if (!(error instanceof PacketFault)) throw error;
      this.tell(error, "mqtt connect refused");
      if (error instanceof UnknownVersion) this.writer.version = error.answerVersion;
      else if (!isVersionKnown) {
        this.finish();
        return;
      }
      this.refuseConnect(error.code, error.message);
    }
  }

  private agree(packet: ConnectPacket): Agreement {
    const agreed = agreementWith(packet, this.parts.times.keepAliveMs / 1000);
    this.sessionExpiryS = agreed.sessionExpiryS;
    this.down.limit = agreed.downLimit;
    this.writer.largest = agreed.largest;
    this.acknowledgements.wantsProblems = agreed.wantsProblems;
    if (agreed.silenceMs > 0) this.watchSilence(agreed.silenceMs);
    return agreed;
  }

  private authenticate(packet: ConnectPacket, agreed: Agreement): void {
    const { uplink, caller, log } = this.parts;
    this.phase = "authenticating";
    if (packet.username === provisionName) {
      this.accept(packet, agreed, undefined);
      return;
    }
    const { username = "", password, clientId } = packet;
    const login = password?.length ? { password: password.toString("utf8"), clientId } : undefined;
    uplink.authenticate(username, caller, login).then(
      (device) => {
        if (this.phase !== "authenticating") return;
        if (device !== undefined) this.accept(packet, agreed, device);
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
    if (this.writer.version === 5) {
      this.writer.send({ cmd: "connack", sessionPresent: false, reasonCode: code, properties: { reasonString: text } });
    } else if (returnCode !== undefined) this.writer.send({ cmd: "connack", sessionPresent: false, returnCode });
    this.finish();
  }

  /** @param device undefined for somebody who has come to be registered, who has no more time than for that */
  private accept(packet: ConnectPacket, agreed: Agreement, device: KnownDevice | undefined): void {
    const { onAccepted } = this.parts;
    if (device !== undefined) {
      clearTimeout(this.connectTimer);
      onAccepted();
    }
    const clientId = packet.clientId === "" ? randomUUID() : packet.clientId;
    if (!this.writer.send(welcome(packet, agreed, clientId))) {
      this.finish();
      return;
    }
    this.phase = "open";
    this.reader.swallows = this.writer.version !== 5;
    const line = {
      send: (topic: string, content: unknown, onDelivered?: () => void) =>
        this.phase === "open" && this.down.send(topic, content, onDelivered),
      listensTo: (topic: string) => this.down.listensTo(topic),
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
    const { version } = this.writer;
    switch (frame.type) {
      case packetType.publish:
        this.publish(decodePublish(frame, version), frame.isSwallowed);
        return;
      case packetType.puback:
        this.down.acknowledged(decodeAcknowledgement(frame, version));
        return;
      case packetType.pubrel:
        this.acknowledgements.release(decodeAcknowledgement(frame, version));
        return;
      case packetType.subscribe: {
        const { id, subscriptions } = decodeSubscribe(frame, version);
        const by = this.subscriber();
        this.writer.send({
          cmd: "suback",
          messageId: id,
          granted: subscriptions.map((asked) => this.down.subscribe(asked, by)),
        });
        this.speaker?.subscribed();
        return;
      }
      case packetType.unsubscribe: {
        const { id, filters } = decodeUnsubscribe(frame, version);
        const granted = filters.map((filter) => this.down.unsubscribe(filter));
        this.writer.send({ cmd: "unsuback", messageId: id, granted });
        return;
      }
      case packetType.pingreq:
        decodeEmpty(frame);
        this.writer.send({ cmd: "pingresp" });
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
    const { acknowledgements } = this;
    const { uplink, flow } = this.parts;
    const { qos, id, payload } = packet;
    if (packet.retain && this.writer.version === 5)
      throw new PacketFault(reasonCode.retainNotSupported, "a message that is to be retained");
    const topic = this.topicOf(packet);
    const isKnown = qos === 2 && acknowledgements.isKnown(id);
    const owed = qos === 0 ? undefined : acknowledgements.owe(id, qos, isKnown);
    const { session, speaker } = this;
    if (isKnown || speaker === undefined) {
      acknowledgements.settle(owed, undefined);
      return;
    }
    if (isSwallowed) {
      if (session !== undefined) uplink.drop(session.device, "too_large");
      acknowledgements.settle(owed, "too_large");
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
        acknowledgements.settle(owed, dropped);
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

  private subscriber(): Subscriber {
    if (this.session === undefined) return "provision";
    return this.session.device.isGateway ? "gateway" : "device";
  }

  private flushed(): void {
    if (this.isReading) this.readOrWait();
    else this.take();
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
    this.writer.flush();
    this.forget();
    if (!this.writer.hasSpoken) {
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
    clearTimeout(this.keepAliveTimer);
    flow.forget(this);
    this.reader.clear();
    this.writer.close();
    this.down.clear();
    this.speaker?.close();
    if (this.session === undefined) return;
    const { device, key, open } = this.session;
    if (sessions.get(key) === this) sessions.delete(key);
    uplink.closed(device, open);
  }
}
