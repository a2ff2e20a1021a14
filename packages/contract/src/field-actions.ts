import { type Static, Type } from "typebox";
import { knownLengths } from "./alarm-asking.ts";
import { alarmHandleCode } from "./alarms.ts";
import { type Endpoint, permission } from "./endpoint.ts";
import { Empty, EpochMs, Id } from "./scalars.ts";

/** Most actions in one call; a phone sends the rest in the next. */
export const mostFieldActions = 50;

/** What a person did about an alarm in a barn, possibly without a network. */
export const FieldAction = Type.Object({
  key: Type.String({
    pattern: "^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$",
    description: "made by the phone; the same action sent again has the same",
  }),
  type: Type.Enum(["acknowledge", "note"] as const),
  alarmId: Id,
  text: Type.Optional(Type.String({ maxLength: 500, description: "of a note" })),
  minutes: Type.Optional(
    Type.Integer({
      minimum: Math.min(...knownLengths),
      maximum: Math.max(...knownLengths),
      description: "for which an acknowledgement holds, from the time of the action",
    }),
  ),
  /** Time of the action by the phone's clock. */
  atMs: EpochMs,
});
export type FieldAction = Static<typeof FieldAction>;

/** `already`: the alarm was known already; `refused`: see the reason. */
export const FieldOutcome = Type.Object({
  key: Type.String(),
  outcome: Type.Enum(["done", "already", "refused"] as const),
  text: Type.String({ description: 'why it was refused, Chinese, a key of the translations; "" otherwise' }),
});
export type FieldOutcome = Static<typeof FieldOutcome>;

export const fieldActionSubmit = {
  method: "POST",
  path: "/api/muyuan-iot/field-action/submit",
  summary: `Does what was queued on a phone, in its order, each once however often it is sent; at most ${mostFieldActions}.`,
  access: permission(alarmHandleCode),
  owner: "tenant",
  rate: "write",
  personal: {},
  form: "envelope",
  query: Empty,
  body: Type.Object({
    actions: Type.Array(FieldAction, { minItems: 1, maxItems: mostFieldActions }),
    sentMs: Type.Optional(
      Type.Integer({ minimum: 0, description: "now by the phone's clock; by the server's where it is left out" }),
    ),
  }),
  reply: Type.Array(FieldOutcome),
} satisfies Endpoint;
