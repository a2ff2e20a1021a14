import { createGate } from "../gate.ts";
import type { DownLink } from "../modules/commands/index.ts";
import type { KnownDevice } from "../modules/devices/index.ts";
import type { DropReason } from "../modules/telemetry/index.ts";
import { downTopics, type GatewayTopic } from "./device-topics.ts";
import { type Line, type SessionUplink, settingsMessage } from "./session-line.ts";

/** A device behind the gateway, as long as the gateway says that it is there. */
interface Child {
  readonly device: KnownDevice;
  readonly link: DownLink;
  readonly open: { close(): void };
}

/** Statements for the devices of one message that run at a time; their telemetry shares commits without that. */
const writesAtATime = 4;

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);
const asList = (value: unknown): unknown => (isRecord(value) ? [value] : value);

/** One connection of a gateway: what it says for the devices behind it, by their names, and the ways to them. */
export class GatewaySession {
  private readonly uplink: SessionUplink;
  private readonly gateway: KnownDevice;
  private readonly line: Line;
  private readonly children = new Map<string, Child>();
  private readonly inTurn = createGate(writesAtATime);
  private isClosed = false;

  constructor(uplink: SessionUplink, gateway: KnownDevice, line: Line) {
    this.uplink = uplink;
    this.gateway = gateway;
    this.line = line;
  }

  subscribed(): void {
    for (const { device, link } of this.children.values()) this.tellListening(device, link);
  }

  close(): void {
    this.isClosed = true;
    for (const name of [...this.children.keys()]) this.leave(name);
  }

  async handle(topic: GatewayTopic, payload: Buffer): Promise<DropReason | undefined> {
    const dropped = this.uplink.admit(this.gateway);
    if (dropped !== undefined) return dropped;
    const message = this.uplink.parseRequest(payload);
    if (message === undefined) return this.drop("not_json");
    switch (topic) {
      case "connect":
        return this.connect(message);
      case "disconnect":
        if (typeof message.device !== "string") return this.drop("wrong_form");
        this.leave(message.device);
        return undefined;
      case "telemetry":
        return this.each(message, (child, content) => this.uplink.telemetryOf(child, asList(content)));
      case "attributes":
        return this.each(message, (child, content) => this.inTurn(() => this.uplink.attributesOf(child, content)));
      case "events":
        return this.each(message, (child, content) => this.inTurn(() => this.uplink.eventsOf(child, asList(content))));
      case "attributes-request":
        return this.requestAttributes(message);
      case "rpc":
        return this.answer(message);
      case "claim":
        return this.each(message, (child, content) => this.inTurn(() => this.uplink.claim(child, content)));
    }
  }

  private drop(reason: DropReason): DropReason {
    this.uplink.drop(this.gateway, reason);
    return reason;
  }

  private async connect({ device, type }: Record<string, unknown>): Promise<DropReason | undefined> {
    if (typeof device !== "string") return this.drop("wrong_form");
    const found = await this.find([device], typeof type === "string" ? type : undefined);
    return found.size === 0 ? this.drop("child_refused") : undefined;
  }

  /** Hands what the message says of each device on. @returns why, when nothing of it was taken */
  private async each(
    message: Readonly<Record<string, unknown>>,
    take: (child: KnownDevice, content: unknown) => Promise<DropReason | undefined>,
  ): Promise<DropReason | undefined> {
    const names = Object.keys(message);
    const found = await this.find(names);
    const dropped = await Promise.all(
      names.map((name) => {
        const child = found.get(name);
        return child === undefined ? this.drop("child_refused") : take(child, message[name]);
      }),
    );
    return dropped.includes(undefined) ? undefined : dropped[0];
  }

  private async requestAttributes(message: Record<string, unknown>): Promise<DropReason | undefined> {
    const { id, device, client, key, keys } = message;
    if (typeof device !== "string" || (typeof id !== "number" && typeof id !== "string"))
      return this.drop("wrong_form");
    const wanted =
      typeof key === "string" ? [key] : Array.isArray(keys) ? keys.filter((one) => typeof one === "string") : [];
    const child = (await this.find([device])).get(device);
    if (child === undefined) return this.drop("child_refused");
    const side = client === true ? "client" : "shared";
    const held = (await this.uplink.requestAttributes(child, { [`${side}Keys`]: wanted.join(",") }))[side] ?? {};
    const answer = typeof key === "string" ? { value: held[key] } : { values: held };
    this.line.send(downTopics.gatewayAttributesResponse, { id, device, ...answer });
    return undefined;
  }

  private async answer({ device, id, data }: Record<string, unknown>): Promise<DropReason | undefined> {
    if (typeof device !== "string") return this.drop("wrong_form");
    const child = (await this.find([device])).get(device);
    return child === undefined ? this.drop("child_refused") : this.uplink.answerOf(child, String(id), data);
  }

  /** The devices of these names, which are connected from now on; those that the gateway may not speak for are left out. */
  private async find(names: readonly string[], type?: string): Promise<Map<string, KnownDevice>> {
    const found = new Map<string, KnownDevice>();
    const unknown: string[] = [];
    for (const name of names) {
      const child = this.children.get(name);
      if (child === undefined) unknown.push(name);
      else found.set(name, child.device);
    }
    if (unknown.length === 0) return found;
    for (const [name, device] of await this.uplink.gateways.children(this.gateway, unknown, type)) {
      found.set(name, device);
      if (!this.isClosed && !this.children.has(name)) this.enter(name, device);
    }
    return found;
  }

  private enter(name: string, device: KnownDevice): void {
    const link: DownLink = {
      listensTo: (kind) => this.line.listensTo(kind === "rpc" ? downTopics.gatewayRpc : downTopics.gatewayAttributes),
      send: (message, onDelivered) =>
        message.kind === "rpc"
          ? this.line.send(
              downTopics.gatewayRpc,
              {
                device: name,
                data: { id: message.requestId, method: message.method, params: message.params },
              },
              onDelivered,
            )
          : this.line.send(
              downTopics.gatewayAttributes,
              { device: name, data: settingsMessage(message.values, message.deleted) },
              onDelivered,
            ),
    };
    // The device was removed or moved: the gateway's connection stays, and speaks for it no longer.
    const child: Child = { device, link, open: { close: () => this.leave(name) } };
    this.children.set(name, child);
    this.uplink.links.add(device.id, link);
    this.uplink.opened(device, child.open);
    this.tellListening(device, link);
  }

  private leave(name: string): void {
    const child = this.children.get(name);
    if (child === undefined) return;
    this.children.delete(name);
    this.uplink.links.remove(child.device.id, child.link);
    this.uplink.closed(child.device, child.open);
  }

  private tellListening(device: KnownDevice, link: DownLink): void {
    for (const kind of ["rpc", "attributes"] as const)
      if (link.listensTo(kind)) this.uplink.links.listening(device.id, kind);
  }
}
