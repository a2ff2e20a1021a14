import { type Static, Type } from "typebox";
import { knownLengths } from "./alarm-asking.ts";
import { DeviceKindId } from "./codes.ts";
import { rejectReasons } from "./devices.ts";
import { type Endpoint, permission, signedIn } from "./endpoint.ts";
import { DateOnly, Empty, EpochMs, Id, idList, pageOf, pageQuery } from "./scalars.ts";

/** Severities from the least to the worst. */
export const alarmSeverities = ["WARN", "MINOR", "MAJOR", "CRITICAL"] as const;
export type AlarmSeverity = (typeof alarmSeverities)[number];
const Severity = Type.Enum(alarmSeverities);

/** Chinese names of the severities, keys of the translations. */
export const alarmSeverityNames: Readonly<Record<AlarmSeverity, string>> = {
  WARN: "提示",
  MINOR: "一般",
  MAJOR: "严重",
  CRITICAL: "紧急",
};

/** Channels by which a person is notified of alarms. */
export const alarmChannels = ["site", "sms", "mail", "webhook", "wechat-robot"] as const;
export type AlarmChannel = (typeof alarmChannels)[number];

/** Minutes after its raising at which an unacknowledged critical alarm is sent to the receivers of the first, second and third step. */
export const criticalStepMinutes = [0, 5, 15] as const;

/** Screen on which people choose how they are told of alarms, and see who would be woken. */
export const alarmPushPath = "/selfCenter/biosafety/alarm";

/** Screen of the warning centre; with `?id=` it shows one alarm. */
export const alarmPath = "/selfCenter/vet/alarm";

/**
 * States of an alarm.
 * - `open`: the condition holds.
 * - `suppressed`: the condition holds, and the unit's mode or a masking period hides the alarm.
 * - `cleared`: the condition is over.
 * - `closed`: the condition is over, and a person dealt with the alarm.
 * - `late`: data that arrived too late would have raised it.
 * - `withdrawn`: data in another order showed that the condition never held.
 */
export const alarmStates = ["open", "suppressed", "cleared", "closed", "late", "withdrawn"] as const;
export type AlarmState = (typeof alarmStates)[number];

/** How a closed alarm was dealt with. */
export const alarmResolutions = ["resolved", "false-alarm", "expected", "other"] as const;
export type AlarmResolution = (typeof alarmResolutions)[number];

const Value = Type.Unknown({ description: "number, boolean or text" });
const Words = Type.Object({ zh: Type.String(), en: Type.String() });

/** Who knows of an alarm, so that it does not ask again before that time. */
export const AlarmKnown = Type.Object({
  /** It asks again then, or earlier when it gets worse. */
  untilMs: EpochMs,
  by: Type.String({
    description: 'name of who acknowledged it, or the alarm that caused it; "" for a removed account',
  }),
});
export type AlarmKnown = Static<typeof AlarmKnown>;

/** The measured value that an alarm is about, as it was when the alarm was raised, in the unit of the kind's declaration. */
export const AlarmFigure = Type.Object({
  key: Type.Optional(Type.String({ description: "channel, derived value, or type of the event" })),
  value: Type.Optional(Value),
  limit: Type.Optional(Value),
  /** For an alarm about rejected readings: why they were rejected, and the newest of them. */
  rejected: Type.Optional(Type.Object({ reason: Type.Enum(rejectReasons), text: Type.String() })),
});

export const Alarm = Type.Object({
  id: Id,
  tenantId: Type.String(),
  deviceId: Id,
  deviceName: Type.String(),
  kind: DeviceKindId,
  ruleId: Type.String({ description: "a rule of the kind, or own-<id> of one that the farm wrote itself" }),
  ruleName: Type.String({ description: 'name of a rule that the farm wrote itself; "" for one of the kind' }),
  /** The sentence as it was when the alarm was raised: the rule, the measured value, and its distance from the limit. */
  sentence: Words,
  severity: Severity,
  state: Type.Enum(alarmStates),
  farmId: Type.String(),
  farmName: Type.String(),
  houseId: Type.String(),
  houseName: Type.String(),
  unitId: Type.String(),
  unitName: Type.String(),
  /** Heads in the unit now; 0 without a unit. */
  headCount: Type.Integer({ minimum: 0 }),
  figure: AlarmFigure,
  /** The newest reading of the figure's channel; absent where the figure is no channel. */
  currentValue: Type.Optional(Value),
  /** When the condition began to hold, by the device's clock. */
  sinceMs: EpochMs,
  raisedMs: EpochMs,
  endedMs: Type.Optional(EpochMs),
  /** When somebody acknowledged it first. */
  acknowledgedMs: Type.Optional(EpochMs),
  acknowledgedBy: Type.String({ description: 'name; "" before' }),
  /** Absent while the alarm asks for somebody; see `asksNow`. */
  known: Type.Optional(AlarmKnown),
  assignedTo: Type.String({ description: 'id of the account; "" for nobody' }),
  assignedName: Type.String(),
  closedMs: Type.Optional(EpochMs),
  resolution: Type.String({ description: `${alarmResolutions.join(", ")}, or "" before it is closed` }),
  /** Id of the alarm that caused this one; "" where no other alarm caused it. */
  causeId: Type.String(),
  /** Highest escalation step reached, counted from 0. */
  step: Type.Integer({ minimum: 0 }),
  /** When the next step is due unless somebody acknowledges it. */
  nextStepMs: Type.Optional(EpochMs),
});
export type Alarm = Static<typeof Alarm>;

/** What a person did or said about an alarm, or what its escalation did. */
export const AlarmEntry = Type.Object({
  id: Id,
  action: Type.Enum(["acknowledge", "assign", "comment", "clear", "close", "escalate", "call", "ask"] as const),
  personName: Type.String({ description: 'who; "" for what happened by itself' }),
  body: Type.String({
    description:
      "comment, name of the person assigned or called, resolution; minutes for which an acknowledgement holds; why it asks again: time or worse",
  }),
  atMs: EpochMs,
});
export type AlarmEntry = Static<typeof AlarmEntry>;

/** Trend of the figure over the last 15 minutes. */
export const AlarmTrend = Type.Object({
  /** Change per 10 minutes, in the figure's unit. */
  perTenMinutes: Type.Number(),
  /** The dangerous value that the figure approaches at this rate. */
  toward: Type.Optional(Type.Number()),
  /** Minutes until that value is reached; absent beyond 4 hours. */
  minutes: Type.Optional(Type.Integer({ minimum: 0 })),
});
export type AlarmTrend = Static<typeof AlarmTrend>;

export const AlarmDetail = Type.Object({
  ...Alarm.properties,
  entries: Type.Array(AlarmEntry),
  trend: Type.Optional(AlarmTrend),
  /** Alarms that this alarm caused. */
  effects: Type.Array(Alarm),
});
export type AlarmDetail = Static<typeof AlarmDetail>;

/** Number of open alarms by severity and state. */
export const AlarmCounts = Type.Object({
  WARN: Type.Integer(),
  MINOR: Type.Integer(),
  MAJOR: Type.Integer(),
  CRITICAL: Type.Integer(),
  unacknowledged: Type.Integer({ description: "open ones that ask for somebody now" }),
  mine: Type.Integer({ description: "assigned to the session's account" }),
  suppressed: Type.Integer(),
});
export type AlarmCounts = Static<typeof AlarmCounts>;

/** Summary of an open alarm for start pages: what is wrong, where, since when, why, and what to do first. */
export const WorstAlarm = Type.Object({
  id: Id,
  severity: Severity,
  rule: Words,
  /** As `Alarm.sentence`. */
  sentence: Words,
  /** Absent where the kind declares no cause, as for rules that a farm wrote itself. */
  cause: Type.Optional(Words),
  firstStep: Type.Optional(Words),
  farmName: Type.String(),
  houseName: Type.String(),
  unitName: Type.String(),
  deviceName: Type.String(),
  raisedMs: EpochMs,
  acknowledged: Type.Boolean({ description: "whether it is known, and so does not ask" }),
  known: Type.Optional(AlarmKnown),
  /** Sentence of the alarm that it follows from. */
  follows: Type.Optional(Words),
});
export type WorstAlarm = Static<typeof WorstAlarm>;

/** Open alarms of a farm by severity, without masked ones. */
export const FarmAlarms = Type.Object({
  farmId: Id,
  WARN: Type.Integer(),
  MINOR: Type.Integer(),
  MAJOR: Type.Integer(),
  CRITICAL: Type.Integer(),
});
export type FarmAlarms = Static<typeof FarmAlarms>;

/** Most alarms that `alarmCounts` names. */
export const mostWorstAlarms = 4;

/** Most open alarms in one answer; the worst come first. */
export const mostOpenAlarms = 500;

export const OpenAlarms = Type.Object({ counts: AlarmCounts, alarms: Type.Array(Alarm) });
export type OpenAlarms = Static<typeof OpenAlarms>;

export const AlarmStatistics = Type.Object({
  days: Type.Array(
    Type.Object({
      day: Type.String({ description: "yyyy-MM-dd in Asia/Shanghai" }),
      WARN: Type.Integer(),
      MINOR: Type.Integer(),
      MAJOR: Type.Integer(),
      CRITICAL: Type.Integer(),
    }),
  ),
  rules: Type.Array(
    Type.Object({
      kind: DeviceKindId,
      ruleId: Type.String(),
      ruleName: Type.String({ description: "as in an alarm" }),
      count: Type.Integer(),
      /** Mean seconds until an alarm was acknowledged, over the acknowledged ones; and until it cleared. */
      acknowledgeS: Type.Optional(Type.Number()),
      clearS: Type.Optional(Type.Number()),
    }),
  ),
  farms: Type.Array(Type.Object({ farmId: Type.String(), farmName: Type.String(), count: Type.Integer() })),
  /** Units with the most alarms, at most 100. */
  units: Type.Array(
    Type.Object({
      unitId: Type.String(),
      farmName: Type.String(),
      houseName: Type.String(),
      unitName: Type.String(),
      count: Type.Integer(),
    }),
  ),
  total: Type.Integer(),
  suppressed: Type.Integer(),
  falseAlarms: Type.Integer(),
  /** Median seconds until acknowledgement, and until the alarm cleared. */
  acknowledgeS: Type.Optional(Type.Number()),
  clearS: Type.Optional(Type.Number()),
});
export type AlarmStatistics = Static<typeof AlarmStatistics>;

/**
 * `alarm` carries the newest state of one alarm; `reset` tells the client to read the list again, because more changed than a
 * stream holds.
 */
export const AlarmEvent = Type.Union([
  Type.Object({ type: Type.Literal("alarm"), alarm: Alarm }),
  Type.Object({ type: Type.Literal("reset") }),
]);
export type AlarmEvent = Static<typeof AlarmEvent>;

const base = "/api/muyuan-iot/alarm";
const people = { acknowledgedBy: "own", assignedName: "own" } as const;
/** Button code of the right to acknowledge and handle alarms. */
export const alarmHandleCode = "alarm_handle";

const filters = {
  severity: Type.Optional(Type.String({ maxLength: 60, description: "comma-separated" })),
  kind: Type.Optional(DeviceKindId),
  ruleId: Type.Optional(Type.String({ maxLength: 64 })),
  farmId: Type.Optional(Id),
  unitId: Type.Optional(Id),
  deviceId: Type.Optional(Id),
};

const logFilters = {
  ...filters,
  state: Type.Optional(Type.String({ maxLength: 80, description: `comma-separated: ${alarmStates.join(", ")}` })),
  from: Type.Optional(EpochMs),
  to: Type.Optional(EpochMs),
  fromDay: Type.Optional(DateOnly),
  toDay: Type.Optional(Type.String({ format: "wire-date", description: "the whole day" })),
};

export const alarmPage = {
  method: "GET",
  path: `${base}/page`,
  summary: "The log of the tenant's alarms, newest first, with what was suppressed, late or withdrawn.",
  access: signedIn,
  owner: "tenant",
  rate: "read",
  personal: people,
  form: "envelope",
  query: Type.Object({
    ...pageQuery,
    ...logFilters,
  }),
  body: Empty,
  reply: pageOf(Alarm),
} satisfies Endpoint;

export const alarmExport = {
  method: "POST",
  path: `${base}/export`,
  summary: "Begins an export of the log, newest first, as a job; its result is a file of the caller.",
  access: permission(alarmHandleCode),
  owner: "tenant",
  rate: "write",
  personal: {},
  form: "envelope",
  query: Empty,
  body: Type.Object({
    ...logFilters,
    format: Type.Enum(["csv", "xlsx"] as const),
    language: Type.Optional(Type.Enum(["zh", "en"] as const)),
  }),
  reply: Type.Object({ jobId: Id }),
} satisfies Endpoint;

export const alarmOpen = {
  method: "GET",
  path: `${base}/open`,
  summary:
    "Open alarms of the tenant, those that ask first, then the worst and the oldest, at most 500, with the counts of all.",
  access: signedIn,
  owner: "tenant",
  rate: "read",
  personal: people,
  form: "envelope",
  query: Type.Object({
    ...filters,
    suppressed: Type.Optional(Type.Boolean({ description: "the masked ones instead" })),
  }),
  body: Empty,
  reply: OpenAlarms,
} satisfies Endpoint;

export const alarmCounts = {
  method: "GET",
  path: `${base}/counts`,
  summary:
    "How many alarms of the tenant are open, and the worst that follow from no other, at most 4, those first that ask for somebody.",
  access: signedIn,
  owner: "tenant",
  rate: "read",
  personal: {},
  form: "envelope",
  query: Empty,
  body: Empty,
  reply: Type.Object({
    ...AlarmCounts.properties,
    worst: Type.Array(WorstAlarm),
    /** The worst alarm that follows from another, where it is worse than all in `worst`. */
    worse: Type.Optional(WorstAlarm),
    /** Farms with open alarms. */
    farms: Type.Array(FarmAlarms),
  }),
} satisfies Endpoint;

export const alarmDetail = {
  method: "GET",
  path: `${base}/detail`,
  summary: "One alarm with what was done about it, its trend and what follows from it. 404 for another tenant's.",
  access: signedIn,
  owner: "tenant",
  rate: "read",
  personal: { ...people, personName: "own" },
  form: "envelope",
  query: Type.Object({ id: Id }),
  body: Empty,
  reply: AlarmDetail,
} satisfies Endpoint;

export const alarmPeople = {
  method: "GET",
  path: `${base}/people`,
  summary: "Members of the tenant who may handle alarms, for assigning one.",
  access: permission(alarmHandleCode),
  owner: "tenant",
  rate: "read",
  personal: { personName: "granted" },
  form: "envelope",
  query: Empty,
  body: Empty,
  reply: Type.Array(Type.Object({ id: Id, personName: Type.String() })),
} satisfies Endpoint;

const handled = {
  access: permission(alarmHandleCode),
  owner: "tenant",
  rate: "write",
  personal: {},
  form: "envelope",
} as const;
const someIds = Type.Object({ ids: idList });

export const alarmAcknowledge = {
  method: "POST",
  path: `${base}/acknowledge`,
  summary:
    "Says that the caller has seen alarms and deals with them: they and what follows from them do not ask again before the time is over or they get worse, and those of nobody become the caller's. Named again with `minutes`, a time that runs is set anew.",
  ...handled,
  query: someIds,
  body: Type.Object({
    ids: idList,
    minutes: Type.Optional(
      Type.Integer({
        minimum: Math.min(...knownLengths),
        maximum: Math.max(...knownLengths),
        description:
          "for which it holds, at most what its severity allows: 60 CRITICAL, 240 MAJOR, 480 others; 30, 120 and 480 by default",
      }),
    ),
  }),
  reply: Empty,
} satisfies Endpoint;

export const alarmAssign = {
  method: "POST",
  path: `${base}/assign`,
  summary: "Gives alarms to a member who may handle them; that person is told.",
  ...handled,
  query: Empty,
  body: Type.Object({ ids: Type.String({ maxLength: 10_000, description: "comma-separated" }), accountId: Id }),
  reply: Empty,
} satisfies Endpoint;

export const alarmComment = {
  method: "POST",
  path: `${base}/comment`,
  summary: "Leaves a comment at an alarm.",
  ...handled,
  query: Empty,
  body: Type.Object({ id: Id, text: Type.String({ minLength: 1, maxLength: 500 }) }),
  reply: Empty,
} satisfies Endpoint;

export const alarmCall = {
  method: "POST",
  path: `${base}/call`,
  summary:
    "Whom to call about an alarm: who is in charge of its farm, with the number in full. Each look is an entry in the alarm's course. 404 for another tenant's, 400 where the farm has no number.",
  ...handled,
  personal: { principal: "granted", contactPhone: "granted" },
  query: Empty,
  body: Type.Object({ id: Id }),
  reply: Type.Object({ principal: Type.String(), contactPhone: Type.String() }),
} satisfies Endpoint;

export const alarmClear = {
  method: "POST",
  path: `${base}/clear`,
  summary: "Clears alarms whose condition can't be told any more; one that still holds is refused.",
  ...handled,
  query: someIds,
  body: someIds,
  reply: Empty,
} satisfies Endpoint;

export const alarmClose = {
  method: "POST",
  path: `${base}/close`,
  summary: "Closes alarms that are over, with how they were dealt with.",
  ...handled,
  query: Empty,
  body: Type.Object({
    ids: Type.String({ maxLength: 10_000, description: "comma-separated" }),
    resolution: Type.Enum(alarmResolutions),
    text: Type.Optional(Type.String({ maxLength: 500 })),
  }),
  reply: Empty,
} satisfies Endpoint;

export const alarmStatistics = {
  method: "GET",
  path: `${base}/statistics`,
  summary: "Alarms of the tenant per day, rule, farm and unit, with how long they took; at most 366 days.",
  access: signedIn,
  owner: "tenant",
  rate: "read",
  personal: {},
  form: "envelope",
  query: Type.Object({
    days: Type.Optional(Type.Integer({ minimum: 1, maximum: 366, description: "up to today; 14 by default" })),
    farmId: Type.Optional(Id),
    kind: Type.Optional(DeviceKindId),
  }),
  body: Empty,
  reply: AlarmStatistics,
} satisfies Endpoint;

export const alarmLive = {
  method: "GET",
  path: `${base}/live`,
  summary: "Server-sent events of all alarms of the tenant: each that begins, changes or ends. Ends with the session.",
  access: signedIn,
  owner: "tenant",
  rate: "stream",
  personal: people,
  form: "stream",
  query: Empty,
  body: Empty,
  reply: AlarmEvent,
} satisfies Endpoint;

/** Subscription of one person to alarms by one channel. */
export const AlarmSubscription = Type.Object({
  channel: Type.Enum(alarmChannels),
  /** Whether an address of a webhook or robot is stored; the address itself is never returned, because it holds a secret. */
  hasAddress: Type.Boolean(),
  leastSeverity: Severity,
  /** Empty for all farms. */
  farmIds: Type.Array(Id, { maxItems: 200 }),
  step: Type.Integer({ minimum: 1, maximum: 3, description: "told from this escalation step on; 1 at once" }),
  /** Quiet hours in minutes of the day, Asia/Shanghai; equal numbers mean none. Critical alarms ignore quiet hours. */
  quietFrom: Type.Integer({ minimum: 0, maximum: 1439 }),
  quietTo: Type.Integer({ minimum: 0, maximum: 1439 }),
  enabled: Type.Boolean(),
});
export type AlarmSubscription = Static<typeof AlarmSubscription>;

const own = { owner: "tenant", personal: {}, form: "envelope" } as const;

export const alarmPushList = {
  method: "GET",
  path: "/api/muyuan-iot/push/list",
  summary:
    "How the caller is told of alarms in this tenant, by channel; none where nothing was chosen, which means inside the portal from MINOR on, and by SMS and call of critical ones.",
  access: signedIn,
  rate: "read",
  ...own,
  query: Empty,
  body: Empty,
  reply: Type.Array(AlarmSubscription),
} satisfies Endpoint;

export const alarmPushSubmit = {
  method: "POST",
  path: "/api/muyuan-iot/push/submit",
  summary:
    "Sets how the caller is told of alarms by one channel. An address must be on the internet and https. Who may handle alarms and would be woken less for critical ones needs `confirmed`; the refusal names the farms and who is still woken for them.",
  access: signedIn,
  rate: "guarded",
  ...own,
  query: Empty,
  body: Type.Object({
    channel: Type.Enum(alarmChannels),
    address: Type.Optional(
      Type.String({
        maxLength: 1000,
        description: "of a webhook or robot; the one that is kept stays where it is absent",
      }),
    ),
    leastSeverity: Severity,
    farmIds: Type.Optional(Type.Array(Id, { maxItems: 200 })),
    step: Type.Optional(Type.Integer({ minimum: 1, maximum: 3 })),
    quietFrom: Type.Optional(Type.Integer({ minimum: 0, maximum: 1439 })),
    quietTo: Type.Optional(Type.Integer({ minimum: 0, maximum: 1439 })),
    enabled: Type.Boolean(),
    confirmed: Type.Optional(
      Type.Boolean({ description: "the person has read that critical alarms wake them less, and who is still woken" }),
    ),
  }),
  reply: Empty,
} satisfies Endpoint;

/** Days of alarms that `alarmPushPreview` works with. */
export const previewDays = 7;
/** Most messages, and most alarms of one message, that it names; its counts are of all. */
export const mostPreviewLines = 50;
export const mostPreviewAlarms = 5;

const PreviewAlarm = {
  id: Id,
  severity: Severity,
  sentence: Words,
  farmName: Type.String(),
  houseName: Type.String(),
  unitName: Type.String(),
  deviceName: Type.String(),
  step: Type.Integer({ minimum: 1, maximum: 3 }),
  /** Somebody had acknowledged it, and it asked again. */
  again: Type.Boolean(),
};
const PreviewChannel = Type.Enum([...alarmChannels, "voice"] as const);

/** What settings would have told of the alarms of the last days. */
export const AlarmPushPreview = Type.Object({
  /** Alarms of the tenant of which somebody was to be told. */
  alarms: Type.Integer({ minimum: 0 }),
  channels: Type.Array(
    Type.Object({
      channel: PreviewChannel,
      messages: Type.Integer({ description: "SMS, calls, mails or entries; several alarms may share one" }),
      /** Within the channel's quiet hours, or from 22:00 to 06:00 where it has none. */
      night: Type.Integer(),
      held: Type.Integer({ description: "of the messages: kept by quiet hours until their end" }),
    }),
  ),
  /** SMS and calls at night. */
  nights: Type.Integer(),
  /** The newest messages. */
  told: Type.Array(
    Type.Object({
      atMs: EpochMs,
      channel: PreviewChannel,
      count: Type.Integer({ minimum: 1 }),
      alarms: Type.Array(Type.Object(PreviewAlarm)),
      night: Type.Boolean(),
      heldFromMs: Type.Optional(EpochMs),
    }),
  ),
  untoldCount: Type.Integer({ minimum: 0 }),
  /** The newest that would not have been told: somebody knew of the alarm, it was over, or it was masked. */
  untold: Type.Array(
    Type.Object({
      ...PreviewAlarm,
      channel: PreviewChannel,
      atMs: EpochMs,
      why: Type.Enum(["known", "ended", "masked"] as const),
    }),
  ),
});
export type AlarmPushPreview = Static<typeof AlarmPushPreview>;

export const alarmPushPreview = {
  method: "POST",
  path: "/api/muyuan-iot/push/preview",
  summary:
    "What the alarms of the last 7 days would have told the caller with other settings, by what decides real notices and services that work; nothing is saved or sent.",
  access: signedIn,
  rate: "read",
  ...own,
  query: Empty,
  body: Type.Object({
    /** Channels that are set otherwise than they are saved. */
    settings: Type.Array(
      Type.Object({
        channel: Type.Enum(alarmChannels),
        leastSeverity: Severity,
        farmIds: Type.Array(Id, { maxItems: 200 }),
        step: Type.Integer({ minimum: 1, maximum: 3 }),
        quietFrom: Type.Integer({ minimum: 0, maximum: 1439 }),
        quietTo: Type.Integer({ minimum: 0, maximum: 1439 }),
        enabled: Type.Boolean(),
      }),
      { maxItems: alarmChannels.length },
    ),
  }),
  reply: AlarmPushPreview,
} satisfies Endpoint;

/** Most farms that a refusal of `alarmPushSubmit` names. */
export const mostLessWoken = 20;

/** A farm for which the change in `alarmPushSubmit` would wake the caller less than before, as its refusal names it. */
export interface LessWoken {
  farmId: string;
  farmName: string;
  /** Names of the other people who are still woken. */
  woken: string[];
}

/** State of a sending service: it works, none is configured for alarms, or it last reported that its credit is used up. */
export const sendStates = ["works", "missing", "out-of-money"] as const;
export type SendState = (typeof sendStates)[number];

/** State of the services that wake people. */
export const SendServices = Type.Object({ sms: Type.Enum(sendStates), voice: Type.Enum(sendStates) });
export type SendServices = Static<typeof SendServices>;

/** Why a person is not woken: no proven phone number, their own choice, or a disabled account. */
export const unwokenReasons = ["", "no-phone", "chose-less", "disabled"] as const;
export type UnwokenReason = (typeof unwokenReasons)[number];

/** A person who is responsible for critical alarms of a farm. */
export const RosterPerson = Type.Object({
  accountId: Id,
  personName: Type.String(),
  phone: Type.String({ description: 'masked; "" for none that its owner proved' }),
  /** Channels for each step of `criticalStepMinutes`, counted from 1; a step without channels is left out. */
  steps: Type.Array(
    Type.Object({
      step: Type.Integer({ minimum: 1, maximum: 3 }),
      channels: Type.Array(Type.String({ description: `${alarmChannels.join(", ")} or voice` })),
    }),
  ),
  /** Whether an SMS or a call reaches the person at any step while the services work. */
  woken: Type.Boolean(),
  reason: Type.Enum(unwokenReasons),
});
export type RosterPerson = Static<typeof RosterPerson>;

/** The people whom a critical alarm of a farm would wake now; critical alarms ignore quiet hours. */
export const AlarmRoster = Type.Object({
  services: SendServices,
  /** Farms with devices; those that wake nobody come first. */
  farms: Type.Array(Type.Object({ farmId: Id, farmName: Type.String(), woken: Type.Boolean() })),
  /** Farm that `people` belongs to; "" where the tenant has no farm. */
  farmId: Type.String(),
  people: Type.Array(RosterPerson),
});
export type AlarmRoster = Static<typeof AlarmRoster>;

export const alarmRoster = {
  method: "GET",
  path: "/api/muyuan-iot/push/roster",
  summary:
    "Who would be woken by a critical alarm of one farm of the tenant now, step by step, and why somebody is not; of the first farm for which nobody is where none is named. 404 for another tenant's.",
  access: permission(alarmHandleCode),
  owner: "tenant",
  rate: "read",
  personal: { phone: "mask-phone" },
  form: "envelope",
  query: Type.Object({ farmId: Type.Optional(Id) }),
  body: Empty,
  reply: AlarmRoster,
} satisfies Endpoint;

/** Most farms that `alarmUnwoken` names. */
export const mostUnwoken = 10;

export const AlarmUnwoken = Type.Object({
  services: SendServices,
  /** Number of farms with devices. */
  total: Type.Integer({ minimum: 0 }),
  /** Number of farms whose critical alarms wake nobody. */
  count: Type.Integer({ minimum: 0 }),
  farms: Type.Array(Type.Object({ farmId: Id, farmName: Type.String(), tenantName: Type.String() })),
});
export type AlarmUnwoken = Static<typeof AlarmUnwoken>;

export const alarmUnwoken = {
  method: "GET",
  path: "/api/muyuan-iot/push/unwoken",
  summary:
    "Farms for whose critical alarms nobody would be woken by SMS or call, how many and at most 10 by name, and whether the services for both work; the group's staff reach those of every tenant.",
  access: permission(alarmHandleCode),
  owner: "tenants",
  rate: "read",
  personal: {},
  form: "envelope",
  query: Empty,
  body: Empty,
  reply: AlarmUnwoken,
} satisfies Endpoint;

export const alarmPushTest = {
  method: "POST",
  path: "/api/muyuan-iot/push/test",
  summary:
    "Sends a test to the caller by one channel, as an alarm would come, and says whether it was taken; at most 5 a day by SMS and mail.",
  access: signedIn,
  rate: "guarded",
  ...own,
  query: Empty,
  body: Type.Object({ channel: Type.Enum(alarmChannels) }),
  reply: Type.Object({ arrived: Type.Boolean(), fault: Type.String() }),
} satisfies Endpoint;
