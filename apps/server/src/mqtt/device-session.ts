import type { DeviceIdentity } from "../modules/devices/index.ts";
import type { DropReason, Uplink } from "../modules/telemetry/index.ts";
import { devicePrefix, upTopic } from "./device-topics.ts";

/** What a session needs of the uplink. */
export type SessionUplink = Pick<
  Uplink,
  "telemetry" | "attributes" | "events" | "requestAttributes" | "parseRequest" | "drop"
>;

/** Sends to one device, on the part of the topic behind `v1/devices/me/`. */
export type SendDown = (rest: string, payload: unknown) => void;

/**
 * Handles one message of a device, whichever broker brought it. Resolves when the message may be acknowledged: stored,
 * answered, or dropped and counted.
 * @param topic the full topic as the device published it
 * @returns why the message was dropped; undefined when it was taken
 */
export async function handleUp(
  uplink: SessionUplink,
  device: DeviceIdentity,
  topic: string,
  payload: Buffer,
  sendDown: SendDown,
): Promise<DropReason | undefined> {
  const drop = (reason: DropReason): DropReason => {
    uplink.drop(device, reason);
    return reason;
  };
  const known = topic.startsWith(devicePrefix) ? upTopic(topic.slice(devicePrefix.length)) : undefined;
  switch (known?.kind) {
    case "telemetry":
    case "attributes":
    case "events":
      return uplink[known.kind](device, payload);
    case "attributes-request": {
      const request = uplink.parseRequest(payload);
      if (request === undefined) return drop("not_json");
      const keys = (name: string) => (typeof request[name] === "string" ? (request[name] as string) : undefined);
      sendDown(
        `attributes/response/${known.id}`,
        await uplink.requestAttributes(device, { clientKeys: keys("clientKeys"), sharedKeys: keys("sharedKeys") }),
      );
      return undefined;
    }
    case "rpc-request": {
      const request = uplink.parseRequest(payload);
      if (request === undefined) return drop("not_json");
      const answer =
        request.method === "getCurrentTime"
          ? Date.now()
          : { error: `unknown method: ${String(request.method).slice(0, 64)}` };
      sendDown(`rpc/response/${known.id}`, answer);
      return undefined;
    }
    default:
      // Answers to commands are taken once there is a command that waits for them.
      return drop("unknown_topic");
  }
}
