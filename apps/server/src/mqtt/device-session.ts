import type { DownLink } from "../modules/commands/index.ts";
import type { DeviceIdentity, KnownDevice } from "../modules/devices/index.ts";
import type { DropReason } from "../modules/telemetry/index.ts";
import { downTopics, upTopic } from "./device-topics.ts";
import { GatewaySession } from "./gateway-session.ts";
import { type Line, type SessionUplink, settingsMessage } from "./session-line.ts";

const linkOver = (line: Line): DownLink => ({
  listensTo: (kind) => line.listensTo(kind === "rpc" ? downTopics.rpcRequest(0) : downTopics.attributes),
  send: (message, onDelivered) =>
    message.kind === "rpc"
      ? line.send(
          downTopics.rpcRequest(message.requestId),
          { method: message.method, params: message.params },
          onDelivered,
        )
      : line.send(downTopics.attributes, settingsMessage(message.values, message.deleted), onDelivered),
});

/** One connection of a device, whichever broker brought it: handles what it says, and is a way to it and those behind it. */
export class DeviceSession {
  private readonly uplink: SessionUplink;
  private readonly device: KnownDevice;
  private readonly line: Line;
  private readonly link: DownLink;
  private readonly gateway: GatewaySession | undefined;

  constructor(uplink: SessionUplink, device: KnownDevice, line: Line) {
    this.uplink = uplink;
    this.device = device;
    this.line = line;
    this.link = linkOver(line);
    if (device.isGateway) this.gateway = new GatewaySession(uplink, device, line);
    uplink.links.add(device.id, this.link);
  }

  /** The device listens to more topics than before. */
  subscribed(): void {
    for (const kind of ["rpc", "attributes"] as const)
      if (this.link.listensTo(kind)) this.uplink.links.listening(this.device.id, kind);
    this.gateway?.subscribed();
  }

  /** The connection ended. */
  close(): void {
    this.uplink.links.remove(this.device.id, this.link);
    this.gateway?.close();
  }

  /**
   * Handles one message. Resolves when it may be acknowledged: stored, answered, or dropped and counted.
   * @returns why the message was dropped; undefined when it was taken
   */
  handle(topic: string, payload: Buffer): Promise<DropReason | undefined> {
    const known = upTopic(topic);
    // Nearly all messages: no promise more than needed.
    if (known?.kind === "telemetry") return this.uplink.telemetry(this.device, payload);
    return this.handleRare(known, payload);
  }

  private async handleRare(known: ReturnType<typeof upTopic>, payload: Buffer): Promise<DropReason | undefined> {
    const { uplink, device, line } = this;
    switch (known?.kind) {
      case "telemetry":
      case "attributes":
      case "events":
        return uplink[known.kind](device, payload);
      case "attributes-request": {
        const request = uplink.parseRequest(payload);
        if (request === undefined) return drop(uplink, device, "not_json");
        const keys = (name: string) => (typeof request[name] === "string" ? (request[name] as string) : undefined);
        const held = await uplink.requestAttributes(device, {
          clientKeys: keys("clientKeys"),
          sharedKeys: keys("sharedKeys"),
        });
        line.send(downTopics.attributesResponse(known.id), held);
        return undefined;
      }
      case "rpc-request": {
        const request = uplink.parseRequest(payload);
        if (request === undefined) return drop(uplink, device, "not_json");
        line.send(downTopics.rpcResponse(known.id), uplink.call(device, request));
        return undefined;
      }
      case "claim":
        // An empty message claims with the usual secret and time.
        if (payload.length === 0) return uplink.claim(device, {});
        return uplink.claim(device, uplink.parseRequest(payload));
      case "rpc-response":
        return uplink.answer(device, known.id, payload);
      case "firmware": {
        // The payload is the size of a chunk as text; without one the whole file is asked for.
        const size = Number(payload.toString("latin1", 0, 16));
        if (!Number.isSafeInteger(size) || size < 0) return drop(uplink, device, "wrong_form");
        const bytes = await uplink.firmware(device, undefined, size, known.chunk);
        if (bytes === undefined) {
          line.send(downTopics.firmwareError, Buffer.from("no firmware is offered to this device"));
          return "no_firmware";
        }
        line.send(downTopics.firmware(known.id, known.chunk), bytes);
        return undefined;
      }
      case "gateway":
        if (this.gateway !== undefined) return this.gateway.handle(known.of, payload);
        return drop(uplink, device, "not_a_gateway");
      default:
        return drop(uplink, device, "unknown_topic");
    }
  }
}

function drop(uplink: SessionUplink, device: DeviceIdentity, reason: DropReason): DropReason {
  uplink.drop(device, reason);
  return reason;
}
