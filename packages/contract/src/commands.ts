import { type Static, Type } from "typebox";
import { DeviceKindId, DeviceStatus, UnitMode } from "./codes.ts";
import { type Endpoint, permission, signedIn } from "./endpoint.ts";
import { DateTime, Empty, EpochMs, Id, pageOf, pageQuery } from "./scalars.ts";

/**
 * States of a command; the last five are final.
 * - `sent`: handed to a connection; `delivered`: the device acknowledged it, and its answer is awaited.
 * - `failed`: the device reported a failure; `timed_out`: sent, but not answered in time; `expired`: never sent.
 */
export const commandStates = [
  "queued",
  "sent",
  "delivered",
  "succeeded",
  "failed",
  "timed_out",
  "expired",
  "cancelled",
] as const;
export type CommandState = (typeof commandStates)[number];

/** A call of the server to a device. */
export const DeviceCommand = Type.Object({
  id: Id,
  deviceId: Id,
  deviceName: Type.String(),
  /** Number in the device's topic `v1/devices/me/rpc/request/<requestId>`; commands of one device run in this order. */
  requestId: Type.Integer(),
  method: Type.String(),
  params: Type.Record(Type.String(), Type.Unknown()),
  /** Complete once delivered; no answer is awaited. */
  oneWay: Type.Boolean(),
  state: Type.Enum(commandStates),
  /** Number of times it was handed to a connection, at most 3. */
  attempts: Type.Integer(),
  /** What the device answered: any JSON. */
  response: Type.Unknown(),
  /** Failure as the device worded it; "" where there is none. */
  error: Type.String(),
  /** Name of the person who gave the command. */
  actorName: Type.String(),
  createTime: DateTime,
  sentTime: DateTime,
  deliveredTime: DateTime,
  finishTime: DateTime,
  /** It expires unless it is delivered by then. */
  expireTime: DateTime,
});
export type DeviceCommand = Static<typeof DeviceCommand>;

/** Range and default of a command's times, in seconds. */
export const commandTimes = { timeout: { min: 1, max: 3600, usual: 60 }, expiry: { min: 5, max: 604_800, usual: 600 } };

const base = "/api/muyuan-iot/command";
const own = { actorName: "own" } as const;

/** A JSON object for a device, with names of at most 128 characters. */
const DeviceObject = Type.Record(Type.String({ maxLength: 128 }), Type.Unknown());

export const commandSubmit = {
  method: "POST",
  path: `${base}/submit`,
  summary:
    "Gives a device a command that its kind declares, within the declared ranges; commands that move machines need `confirmed`.",
  access: permission("device_command"),
  owner: "tenant",
  rate: "write",
  personal: own,
  form: "envelope",
  query: Empty,
  body: Type.Object({
    deviceId: Id,
    method: Type.String({ minLength: 1, maxLength: 64 }),
    params: Type.Optional(DeviceObject),
    oneWay: Type.Optional(Type.Boolean()),
    timeoutS: Type.Optional(
      Type.Integer({
        minimum: commandTimes.timeout.min,
        maximum: commandTimes.timeout.max,
        description: "how long the answer may take after delivery, s; 60 when it is not given",
      }),
    ),
    expiresInS: Type.Optional(
      Type.Integer({
        minimum: commandTimes.expiry.min,
        maximum: commandTimes.expiry.max,
        description: "how long a device that is away is waited for, s; 600 when it is not given",
      }),
    ),
    requestKey: Type.Optional(
      Type.String({
        minLength: 8,
        maxLength: 64,
        description: "made up by the caller; sent again, the same key answers the same command and gives no second one",
      }),
    ),
    confirmed: Type.Optional(Type.Boolean({ description: "the person has read what the command does" })),
  }),
  reply: DeviceCommand,
} satisfies Endpoint;

export const commandPage = {
  method: "GET",
  path: `${base}/page`,
  summary: "Commands of the session's tenant, newest first; of one device when it is named.",
  access: signedIn,
  owner: "tenant",
  rate: "read",
  personal: own,
  form: "envelope",
  query: Type.Object({
    ...pageQuery,
    deviceId: Type.Optional(Id),
    state: Type.Optional(Type.Enum(commandStates)),
  }),
  body: Empty,
  reply: pageOf(DeviceCommand),
} satisfies Endpoint;

export const commandDetail = {
  method: "GET",
  path: `${base}/detail`,
  summary: "One command; 404 for another tenant's.",
  access: signedIn,
  owner: "tenant",
  rate: "read",
  personal: own,
  form: "envelope",
  query: Type.Object({ id: Id }),
  body: Empty,
  reply: DeviceCommand,
} satisfies Endpoint;

export const commandCancel = {
  method: "POST",
  path: `${base}/cancel`,
  summary: "Takes a command back that no connection has taken yet; any other is refused.",
  access: permission("device_command"),
  owner: "tenant",
  rate: "write",
  personal: own,
  form: "envelope",
  query: Type.Object({ id: Id }),
  body: Empty,
  reply: DeviceCommand,
} satisfies Endpoint;

/**
 * States of a desired setting.
 * - `refused`: the device reported another value after the setting was pushed; `drifted`: after it had been applied.
 * - `expired`: the device took it through no connection in time, so it was withdrawn and the earlier desired value applies
 *   again.
 */
export const parameterStates = ["pending", "applied", "refused", "drifted", "expired"] as const;
export type ParameterState = (typeof parameterStates)[number];

/**
 * Outcomes of one change of a setting; `replaced`: another change came before the device answered; "" for changes from before
 * outcomes were stored.
 */
export const parameterOutcomes = ["pending", "applied", "refused", "expired", "replaced", ""] as const;
export type ParameterOutcome = (typeof parameterOutcomes)[number];

/** Range and default of the seconds that a setting waits for an absent device. */
export const parameterExpiry = { min: 1, max: 2_592_000, usual: 86_400 };

/** A desired setting of a device. */
export const ParameterSetting = Type.Object({
  key: Type.String(),
  desired: Type.Unknown(),
  reported: Type.Unknown(),
  state: Type.Enum(parameterStates),
  changeTime: DateTime,
  /** When the setting was handed to a connection of the device. */
  pushTime: DateTime,
  /** When the device last reported the value. */
  reportTime: DateTime,
  /** Time by which a connection must have taken it; "" for no limit. */
  expireTime: DateTime,
  /** The withdrawn value of an expired setting; null otherwise. */
  missed: Type.Unknown(),
  /** Name of the person who changed it last. */
  actorName: Type.String(),
});
export type ParameterSetting = Static<typeof ParameterSetting>;

export const parameterSubmit = {
  method: "POST",
  path: "/api/muyuan-iot/parameter/submit",
  summary:
    "Sets what a device shall run with, checked by its kind's rules, all or nothing; null takes a setting back. What the device did not follow may be sent again unchanged. Answers the states of the keys.",
  access: permission("parameter_edit"),
  owner: "tenant",
  rate: "write",
  personal: own,
  form: "envelope",
  query: Empty,
  body: Type.Object({
    deviceId: Id,
    values: Type.Record(Type.String({ maxLength: 128 }), Type.Unknown(), {
      maxProperties: 100,
      description: "by key of the kind's parameters",
    }),
    confirmed: Type.Optional(Type.Boolean({ description: "needed to empty or wash a unit, which masks its alarms" })),
    expiresInS: Type.Optional(
      Type.Integer({
        minimum: parameterExpiry.min,
        maximum: parameterExpiry.max,
        description: "how long a device that is away is waited for, s; 86400 when it is not given",
      }),
    ),
  }),
  reply: Type.Array(ParameterSetting),
} satisfies Endpoint;

export const parameterStatus = {
  method: "GET",
  path: "/api/muyuan-iot/parameter/status",
  summary: "The settings of a device that somebody set, with what has become of each.",
  access: signedIn,
  owner: "tenant",
  rate: "read",
  personal: own,
  form: "envelope",
  query: Type.Object({ id: Id }),
  body: Empty,
  reply: Type.Array(ParameterSetting),
} satisfies Endpoint;

export const parameterHistory = {
  method: "GET",
  path: "/api/muyuan-iot/parameter/history",
  summary: "Who changed which setting of a device, newest first.",
  access: signedIn,
  owner: "tenant",
  rate: "read",
  personal: own,
  form: "envelope",
  query: Type.Object({ ...pageQuery, id: Id }),
  body: Empty,
  reply: pageOf(
    Type.Object({
      id: Id,
      key: Type.String(),
      /** null: no value was desired before. */
      before: Type.Unknown(),
      after: Type.Unknown(),
      actorName: Type.String(),
      createTime: DateTime,
      outcome: Type.Enum(parameterOutcomes),
      /** When the outcome became known; "" while it is pending. */
      outcomeTime: DateTime,
    }),
  ),
} satisfies Endpoint;

/** A device that settings can be copied to. */
export const ParameterPeer = Type.Object({
  id: Id,
  name: Type.String(),
  farmName: Type.String(),
  houseName: Type.String(),
  unitName: Type.String(),
  status: DeviceStatus,
  /** Desired values by key of the kind. */
  desired: Type.Record(Type.String(), Type.Unknown()),
  /** Values that the device reports, by key of the kind. */
  reported: Type.Record(Type.String(), Type.Unknown()),
  /** Number of settings that differ from the desired value, by state. */
  pending: Type.Integer(),
  refused: Type.Integer(),
  drifted: Type.Integer(),
  expired: Type.Integer(),
});
export type ParameterPeer = Static<typeof ParameterPeer>;

export const parameterPeers = {
  method: "GET",
  path: "/api/muyuan-iot/parameter/peers",
  summary:
    "The tenant's devices of a kind with their settings, at most 500: those that settings can be compared with and copied to.",
  access: signedIn,
  owner: "tenant",
  rate: "read",
  personal: {},
  form: "envelope",
  query: Type.Object({ kind: DeviceKindId }),
  body: Empty,
  reply: Type.Array(ParameterPeer),
} satisfies Endpoint;

/** Range and default of the seconds after which washing ends by itself; washing masks alarms. */
export const washingTime = { min: 600, max: 86_400, usual: 14_400 };

export const unitModeSubmit = {
  method: "POST",
  path: "/api/muyuan-iot/unit/mode",
  summary:
    "Changes the mode of a unit and tells its controllers. Empty and washing mask alarms: they need `confirmed`, and the tenant's owners are told. Washing ends by itself after `endsInS`; sent again it begins anew.",
  access: permission("parameter_edit"),
  owner: "tenant",
  rate: "write",
  personal: {},
  form: "envelope",
  query: Empty,
  body: Type.Object({
    unitId: Id,
    mode: UnitMode,
    confirmed: Type.Optional(Type.Boolean()),
    endsInS: Type.Optional(
      Type.Integer({
        minimum: washingTime.min,
        maximum: washingTime.max,
        description: "how long the unit is washed, s; 14400 when it is not given, refused for other modes",
      }),
    ),
  }),
  reply: Type.Object({
    unitId: Id,
    mode: UnitMode,
    /** When washing ends by itself; absent in the other modes. */
    modeEndsMs: Type.Optional(EpochMs),
    /** Ids of the controllers that received the new mode. */
    deviceIds: Type.Array(Id),
  }),
} satisfies Endpoint;
