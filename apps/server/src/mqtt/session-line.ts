import type { Uplink } from "../modules/telemetry/index.ts";

/** What a session needs of the uplink. */
export type SessionUplink = Pick<
  Uplink,
  | "telemetry"
  | "attributes"
  | "events"
  | "requestAttributes"
  | "parseRequest"
  | "answer"
  | "call"
  | "admit"
  | "drop"
  | "links"
  | "gateways"
  | "telemetryOf"
  | "attributesOf"
  | "eventsOf"
  | "answerOf"
  | "claim"
  | "firmware"
  | "opened"
  | "closed"
>;

/** What a session may do with the connection that carries it. */
export interface Line {
  /**
   * Sends a message to the device: bytes as they are, anything else as JSON.
   * @param onDelivered called when the device acknowledged it; at once where it asked for no acknowledgements
   * @returns false when the device does not listen to the topic
   */
  send(topic: string, content: unknown, onDelivered?: () => void): boolean;
  listensTo(topic: string): boolean;
}

/** What a device is told of settings that changed: those that are gone are named beside the others. */
export const settingsMessage = (values: Readonly<Record<string, unknown>>, deleted: readonly string[]) => ({
  ...values,
  ...(deleted.length > 0 && { deleted }),
});
