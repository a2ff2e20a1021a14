import { type Static, Type } from "typebox";
import { alarmSeverities } from "./alarms.ts";
import { DeviceKindId } from "./codes.ts";
import { type Endpoint, permission, signedIn } from "./endpoint.ts";
import { OwnAlarmRule } from "./own-rule.ts";
import { Empty, EpochMs, Id } from "./scalars.ts";

/** Levels at which a rule may be changed, from widest to narrowest; the level nearest to a device applies. */
export const alarmRuleScopes = ["tenant", "farm", "house", "unit", "device"] as const;
const Scope = Type.Enum(alarmRuleScopes);
const Severity = Type.Enum(alarmSeverities);

/** Button code of the right to change thresholds and to mask alarms. */
export const alarmRuleCode = "alarm_rule_edit";

const place = {
  scope: Scope,
  /** Id of the farm, house, unit or device; "0" for the tenant. */
  scopeId: Id,
};
const thresholds = Type.Record(Type.String(), Type.Number(), {
  description: "threshold id to number, in the unit of what it compares; ids as the kind declares them",
});

/** A change of a rule at one place, with its author and time. */
export const AlarmRuleVersion = Type.Object({
  id: Id,
  ...place,
  kind: DeviceKindId,
  ruleId: Type.String(),
  /** The change was removed, so the kind's declaration or a wider place's change applies again. */
  removed: Type.Boolean(),
  enabled: Type.Boolean(),
  severity: Type.Optional(Severity),
  raiseAfterS: Type.Optional(Type.Integer()),
  thresholds,
  personName: Type.String(),
  atMs: EpochMs,
});
export type AlarmRuleVersion = Static<typeof AlarmRuleVersion>;

const base = "/api/muyuan-iot/alarm-rule";
const shown = {
  access: signedIn,
  owner: "tenant",
  rate: "read",
  personal: { personName: "own" },
  form: "envelope",
} as const;
const changing = {
  access: permission(alarmRuleCode),
  owner: "tenant",
  rate: "write",
  personal: {},
  form: "envelope",
} as const;

export const alarmRuleList = {
  method: "GET",
  path: `${base}/list`,
  summary:
    "What the tenant changed of the rules of its kinds and holds now; everything else is as the kind declares it.",
  ...shown,
  query: Type.Object({ kind: Type.Optional(DeviceKindId) }),
  body: Empty,
  reply: Type.Array(AlarmRuleVersion),
} satisfies Endpoint;

export const alarmRuleHistory = {
  method: "GET",
  path: `${base}/history`,
  summary: "Every change of a rule, newest first: who, when, what; at most 500.",
  ...shown,
  query: Type.Object({ kind: DeviceKindId, ruleId: Type.String({ maxLength: 64 }) }),
  body: Empty,
  reply: Type.Array(AlarmRuleVersion),
} satisfies Endpoint;

export const alarmRuleSubmit = {
  method: "POST",
  path: `${base}/submit`,
  summary:
    "Changes a rule at a place. A rule of the safety class can't be switched off; numbers stay inside what the sensor can report.",
  ...changing,
  query: Empty,
  body: Type.Object({
    ...place,
    kind: DeviceKindId,
    ruleId: Type.String({ maxLength: 64 }),
    enabled: Type.Boolean(),
    severity: Type.Optional(Severity),
    raiseAfterS: Type.Optional(
      Type.Integer({ minimum: 0, maximum: 604_800, description: "seconds until it is raised" }),
    ),
    thresholds: Type.Optional(thresholds),
  }),
  reply: Empty,
} satisfies Endpoint;

export const alarmRuleRemove = {
  method: "POST",
  path: `${base}/remove`,
  summary: "Takes a change of a rule at a place back.",
  ...changing,
  query: Empty,
  body: Type.Object({ ...place, kind: DeviceKindId, ruleId: Type.String({ maxLength: 64 }) }),
  reply: Empty,
} satisfies Endpoint;

/** A period in which alarms of a place are recorded but shown to nobody; alarms of the safety class are always shown. */
export const AlarmMasking = Type.Object({
  id: Id,
  ...place,
  ruleIds: Type.Array(Type.String()),
  reason: Type.String(),
  startMs: EpochMs,
  endMs: EpochMs,
  personName: Type.String(),
});
export type AlarmMasking = Static<typeof AlarmMasking>;

export const alarmMaskingList = {
  method: "GET",
  path: "/api/muyuan-iot/masking/list",
  summary: "Masking windows of the tenant that have not ended.",
  ...shown,
  query: Empty,
  body: Empty,
  reply: Type.Array(AlarmMasking),
} satisfies Endpoint;

export const alarmMaskingSubmit = {
  method: "POST",
  path: "/api/muyuan-iot/masking/submit",
  summary:
    "Masks alarms of a farm, house, unit or device from now on for at most 24 hours; everybody who may handle alarms is told.",
  ...changing,
  query: Empty,
  body: Type.Object({
    ...place,
    ruleIds: Type.Optional(
      Type.Array(Type.String({ maxLength: 64 }), { maxItems: 50, description: "all where it is absent" }),
    ),
    minutes: Type.Integer({ minimum: 1, maximum: 1440 }),
    reason: Type.String({ minLength: 2, maxLength: 200 }),
  }),
  reply: Empty,
} satisfies Endpoint;

export const alarmMaskingRemove = {
  method: "POST",
  path: "/api/muyuan-iot/masking/remove",
  summary: "Ends a masking window now.",
  ...changing,
  query: Empty,
  body: Type.Object({ id: Id }),
  reply: Empty,
} satisfies Endpoint;

const seconds = (description: string) => Type.Integer({ minimum: 0, maximum: 604_800, description });
const ownRuleFields = {
  ...place,
  kind: DeviceKindId,
  name: Type.String({ minLength: 2, maxLength: 40 }),
  enabled: Type.Boolean(),
  severity: Severity,
  raiseAfterS: seconds("seconds that it must hold until it is raised"),
  clearAfterS: seconds("seconds that it must be gone until it is cleared"),
  rule: OwnAlarmRule,
};

/** A version of a rule that the tenant wrote itself, with its author. */
export const OwnAlarmRuleVersion = Type.Object({
  id: Id,
  ruleId: Id,
  ...ownRuleFields,
  /** Other devices that the rule reads, as far as the tenant still has them. */
  others: Type.Array(Type.Object({ id: Id, name: Type.String(), kind: DeviceKindId })),
  removed: Type.Boolean(),
  personName: Type.String(),
  atMs: EpochMs,
});
export type OwnAlarmRuleVersion = Static<typeof OwnAlarmRuleVersion>;

/** Most rules that a tenant may write itself. */
export const mostOwnAlarmRules = 50;

const ownBase = "/api/muyuan-iot/own-alarm-rule";

export const ownAlarmRuleList = {
  method: "GET",
  path: `${ownBase}/list`,
  summary: "The newest version of each rule that the tenant wrote itself.",
  ...shown,
  query: Empty,
  body: Empty,
  reply: Type.Array(OwnAlarmRuleVersion),
} satisfies Endpoint;

export const ownAlarmRuleHistory = {
  method: "GET",
  path: `${ownBase}/history`,
  summary: "Every version of a rule, newest first: who, when, what; at most 500.",
  ...shown,
  query: Type.Object({ ruleId: Id }),
  body: Empty,
  reply: Type.Array(OwnAlarmRuleVersion),
} satisfies Endpoint;

export const ownAlarmRuleSubmit = {
  method: "POST",
  path: `${ownBase}/submit`,
  summary: `Writes a rule, or with \`previousId\` its next version; refused when another one followed that. At most ${mostOwnAlarmRules} rules.`,
  ...changing,
  query: Empty,
  body: Type.Object({
    ...ownRuleFields,
    previousId: Type.Optional(
      Type.String({ pattern: "^[0-9]{1,19}$", description: "id of the version that was changed" }),
    ),
  }),
  reply: Type.Object({ id: Id, ruleId: Id }),
} satisfies Endpoint;

export const ownAlarmRuleRemove = {
  method: "POST",
  path: `${ownBase}/remove`,
  summary: "Removes a rule; its open alarms end.",
  ...changing,
  query: Empty,
  body: Type.Object({ previousId: Id }),
  reply: Empty,
} satisfies Endpoint;

/** Result of trying a rule on stored data. */
export const AlarmRuleTrial = Type.Object({
  /** Start and end of the tried period. */
  fromMs: EpochMs,
  toMs: EpochMs,
  /** Number of devices of the kind at the place, and how many of them were tried: at most 20, as far as the time allowed. */
  devices: Type.Integer(),
  tried: Type.Integer(),
  /** How often the rule would have been raised, and for how many minutes in total. */
  times: Type.Integer(),
  minutes: Type.Integer(),
  /** How often the rule would have been raised as it is set now; absent for a rule that the tenant wrote itself. */
  timesNow: Type.Optional(Type.Integer()),
  days: Type.Array(
    Type.Object({ day: Type.String({ description: "yyyy-MM-dd in Asia/Shanghai" }), times: Type.Integer() }),
  ),
  /** The newest episodes, at most 50. */
  episodes: Type.Array(
    Type.Object({
      deviceId: Id,
      deviceName: Type.String(),
      fromMs: EpochMs,
      /** Absent while the condition would still hold. */
      toMs: Type.Optional(EpochMs),
    }),
  ),
});
export type AlarmRuleTrial = Static<typeof AlarmRuleTrial>;

export const alarmRuleTry = {
  method: "POST",
  path: `${base}/try`,
  summary: "Tries a changed rule, or one of one's own, on what the devices of a place sent. Changes nothing.",
  ...changing,
  query: Empty,
  body: Type.Object({
    ...place,
    kind: DeviceKindId,
    days: Type.Integer({ minimum: 1, maximum: 30 }),
    raiseAfterS: Type.Optional(seconds("seconds until it is raised")),
    /** Id of a rule of the kind that is tried with other thresholds. */
    ruleId: Type.Optional(Type.String({ maxLength: 64 })),
    thresholds: Type.Optional(thresholds),
    /** A rule that the tenant wrote itself; given instead of `ruleId`. */
    rule: Type.Optional(OwnAlarmRule),
  }),
  reply: AlarmRuleTrial,
} satisfies Endpoint;
