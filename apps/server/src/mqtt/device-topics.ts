/** What a gateway may publish for the devices behind it. */
const gatewayTopics = {
  connect: "connect",
  disconnect: "disconnect",
  telemetry: "telemetry",
  attributes: "attributes",
  events: "events",
  "attributes/request": "attributes-request",
  rpc: "rpc",
  claim: "claim",
} as const;
export type GatewayTopic = (typeof gatewayTopics)[keyof typeof gatewayTopics];

/** What a device may publish (device-protocol.md), recognised. */
export type UpTopic =
  | { kind: "telemetry" | "attributes" | "events" | "claim" }
  | { kind: "attributes-request" | "rpc-request" | "rpc-response"; id: string }
  | { kind: "firmware"; id: string; chunk: number }
  | { kind: "gateway"; of: GatewayTopic };

const plain = { telemetry: "telemetry", attributes: "attributes", events: "events", claim: "claim" } as const;
const numbered = /^(attributes\/request|rpc\/request|rpc\/response)\/([0-9A-Za-z_-]{1,64})$/;
const kinds = {
  "attributes/request": "attributes-request",
  "rpc/request": "rpc-request",
  "rpc/response": "rpc-response",
} as const;
const firmware = /^v2\/fw\/request\/([0-9A-Za-z_-]{1,64})\/chunk\/(\d{1,9})$/;

const devicePrefix = "v1/devices/me/";
const gatewayPrefix = "v1/gateway/";

/** Topics on which the server speaks. */
export const downTopics = {
  attributes: `${devicePrefix}attributes`,
  attributesResponse: (id: string) => `${devicePrefix}attributes/response/${id}`,
  rpcRequest: (id: number) => `${devicePrefix}rpc/request/${id}`,
  rpcResponse: (id: string) => `${devicePrefix}rpc/response/${id}`,
  firmware: (id: string, chunk: number) => `v2/fw/response/${id}/chunk/${chunk}`,
  firmwareError: "v2/fw/error",
  gatewayAttributes: `${gatewayPrefix}attributes`,
  gatewayAttributesResponse: `${gatewayPrefix}attributes/response`,
  gatewayRpc: `${gatewayPrefix}rpc`,
  provisioned: "/provision/response",
} as const;

/** The one topic that a client may publish to that has come to be registered. */
export const provisionTopic = "/provision/request";

/** Recognises a topic; undefined for what is none of the protocol's. */
export function upTopic(topic: string): UpTopic | undefined {
  if (topic.startsWith(devicePrefix)) {
    const rest = topic.slice(devicePrefix.length);
    if (Object.hasOwn(plain, rest)) return { kind: plain[rest as keyof typeof plain] };
    const [, path, id] = numbered.exec(rest) ?? [];
    return path === undefined || id === undefined ? undefined : { kind: kinds[path as keyof typeof kinds], id };
  }
  if (topic.startsWith(gatewayPrefix)) {
    const rest = topic.slice(gatewayPrefix.length);
    return Object.hasOwn(gatewayTopics, rest)
      ? { kind: "gateway", of: gatewayTopics[rest as keyof typeof gatewayTopics] }
      : undefined;
  }
  const [, id, chunk] = firmware.exec(topic) ?? [];
  return id === undefined || chunk === undefined ? undefined : { kind: "firmware", id, chunk: Number(chunk) };
}

/** Whether the answer to a message may be much larger than itself. */
export const asksForMuch = (topic: string): boolean =>
  topic.startsWith(`${devicePrefix}attributes/request/`) ||
  topic === `${gatewayPrefix}attributes/request` ||
  topic.startsWith("v2/fw/request/");

const requestId = "(\\+|[0-9A-Za-z_-]{1,64})";
const ofDevices = new RegExp(
  `^(v1/devices/me/(attributes|attributes/response/${requestId}|rpc/(request|response)/${requestId})` +
    `|v2/fw/response/${requestId}(/chunk/(\\+|\\d{1,9}))?|v2/fw/error)$`,
);
const ofGateways = /^v1\/gateway\/(attributes|attributes\/response|rpc|disconnect)$/;

/** Who subscribes: a device, one that is a gateway, or somebody who has come to be registered. */
export type Subscriber = "device" | "gateway" | "provision";

/** Who connects reads the own down topics only; wildcards reach no further than the numbers in them. */
export function maySubscribe(filter: string, by: Subscriber): boolean {
  if (by === "provision") return filter === downTopics.provisioned;
  return ofDevices.test(filter) || (by === "gateway" && ofGateways.test(filter));
}

/** What client libraries subscribe to for firmware; the standard's `+` would not reach the chunks below it. */
const firmwareFilter = /^v2\/fw\/response\/[^/]+$/;

/** Whether a filter of `maySubscribe` takes in a topic. */
export function filterMatches(filter: string, topic: string): boolean {
  if (firmwareFilter.test(filter)) return filterMatches(`${filter}/chunk/+`, topic);
  const levels = filter.split("/");
  const named = topic.split("/");
  return levels.length === named.length && levels.every((level, at) => level === "+" || level === named[at]);
}
