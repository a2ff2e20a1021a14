import { type Static, Type } from "typebox";
import { Id } from "./scalars.ts";

const OptionalId = Type.String({ description: 'id, "" where there is none' });
const alarm = Type.Object({
  alarmId: Id,
  deviceId: Id,
  farmId: OptionalId,
  unitId: OptionalId,
  kind: Type.String({ description: "kind of the device" }),
  ruleId: Type.String(),
  severity: Type.Enum(["WARN", "MINOR", "MAJOR", "CRITICAL"] as const),
});
const device = Type.Object({ deviceId: Id, serialNumber: Type.String() });

const eventOf = <Name extends string, Data extends ReturnType<typeof Type.Object>>(type: Name, data: Data) =>
  Type.Object({
    type: Type.Literal(type),
    timestamp: Type.String({ description: "when it happened, ISO 8601 in UTC" }),
    data,
  });

/**
 * Bodies that webhooks get, by their events: what happened to which row. They hold ids and states and no personal data; the rest is
 * read by the API. New fields may be added to `data`.
 */
export const webhookBodies = {
  "alarm.raised": eventOf("alarm.raised", alarm),
  "alarm.ended": eventOf("alarm.ended", alarm),
  "device.online": eventOf("device.online", device),
  "device.offline": eventOf("device.offline", device),
  "device.bound": eventOf("device.bound", device),
  "device.unbound": eventOf("device.unbound", device),
  "work_order.changed": eventOf(
    "work_order.changed",
    Type.Object({
      workOrderId: Id,
      number: Type.String(),
      type: Type.Enum(["after_sales", "complaint", "suggestion"] as const),
      state: Type.String(),
      deviceId: OptionalId,
    }),
  ),
  "sale_order.changed": eventOf(
    "sale_order.changed",
    Type.Object({ orderId: Id, number: Type.String(), state: Type.String(), heads: Type.Integer() }),
  ),
  "contract.changed": eventOf(
    "contract.changed",
    Type.Object({ contractId: Id, number: Type.String(), state: Type.String() }),
  ),
  /** Sent by the button that tries a hook; nothing happened. */
  test: eventOf("test", Type.Object({ webhookId: Id })),
} as const;
export type WebhookEvent = keyof typeof webhookBodies;
export type WebhookBody = { [Event in WebhookEvent]: Static<(typeof webhookBodies)[Event]> }[WebhookEvent];
