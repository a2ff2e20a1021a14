/** What a device may publish (device-protocol.md), recognised. */
export type UpTopic =
  | { kind: "telemetry" | "attributes" | "events" }
  | { kind: "attributes-request" | "rpc-request" | "rpc-response"; id: string };

const plain = { telemetry: "telemetry", attributes: "attributes", events: "events" } as const;
const numbered = /^(attributes\/request|rpc\/request|rpc\/response)\/([0-9A-Za-z_-]{1,64})$/;
const kinds = {
  "attributes/request": "attributes-request",
  "rpc/request": "rpc-request",
  "rpc/response": "rpc-response",
} as const;

export const devicePrefix = "v1/devices/me/";

/** Recognises the part of a topic behind `v1/devices/me/`; undefined for anything else. */
export function upTopic(rest: string): UpTopic | undefined {
  if (Object.hasOwn(plain, rest)) return { kind: plain[rest as keyof typeof plain] };
  const [, path, id] = numbered.exec(rest) ?? [];
  return path === undefined || id === undefined ? undefined : { kind: kinds[path as keyof typeof kinds], id };
}

/** Whether a message asks for attributes, which may be many. */
export const asksForAttributes = (topic: string): boolean => topic.startsWith(`${devicePrefix}attributes/request/`);

const subscribable =
  /^v1\/devices\/me\/(attributes|attributes\/response\/(\+|[0-9A-Za-z_-]{1,64})|rpc\/(request|response)\/(\+|[0-9A-Za-z_-]{1,64}))$/;

/** A device reads its own down topics only; wildcards reach no further than the id of a request. */
export const maySubscribe = (filter: string): boolean => subscribable.test(filter);

/** Whether a filter of `maySubscribe` takes in a topic. */
export const filterMatches = (filter: string, topic: string): boolean =>
  filter.endsWith("/+")
    ? topic.startsWith(filter.slice(0, -1)) && !topic.includes("/", filter.length - 1)
    : filter === topic;
