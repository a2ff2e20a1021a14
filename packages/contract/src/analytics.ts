import { type Static, Type } from "typebox";
import { DeviceKindId } from "./codes.ts";
import { type Endpoint, signedIn } from "./endpoint.ts";
import { Empty, EpochMs, Id } from "./scalars.ts";

/** Most devices in one answer. */
export const analyticsDevices = 100;

/** One row of a figure: a team, a reason, a tank, a pen or a day. */
export const AnalyticRow = Type.Object({
  /**
   * The label that devices sent, people shortened for who may not see the users; several names are joined by " · ", and a day is
   * yyyy-MM-dd in Asia/Shanghai.
   */
  label: Type.String(),
  /** In the unit of the analytic. */
  value: Type.Number(),
  /** Number of records or minutes that the value is computed from. */
  count: Type.Integer(),
});
export type AnalyticRow = Static<typeof AnalyticRow>;

/** One place of a grid: a unit and a vaccine, a day and an hour, a day and a pen. */
export const AnalyticCell = Type.Object({
  /** In the unit of the grid; absent where nothing is known. */
  value: Type.Optional(Type.Number()),
  /** Number of records or minutes that the value is computed from. */
  count: Type.Integer(),
  /** Progress against a plan; all but `done-late`, which was told after the days that a task may be late, as the list of plans says it. */
  state: Type.Optional(Type.Enum(["planned", "overdue", "unheard", "done", "done-late"] as const)),
  /** Day on which it is planned or was last done, yyyy-MM-dd in Asia/Shanghai. */
  day: Type.Optional(Type.String()),
});
export type AnalyticCell = Static<typeof AnalyticCell>;

/** A figure by rows and columns. */
export const AnalyticGrid = Type.Object({
  /** Unit of the values, as kinds declare units; "" for a plain number. */
  unit: Type.String(),
  /** Row labels, as in `AnalyticRow`; at most 62. */
  rows: Type.Array(Type.String()),
  /** Column labels; at most 60. */
  columns: Type.Array(Type.String()),
  /** One list for each row, one cell for each column. */
  cells: Type.Array(Type.Array(AnalyticCell)),
});
export type AnalyticGrid = Static<typeof AnalyticGrid>;

/** Result of one analytic that a kind declares (packages/device-kinds), for one device; docs/analytics.md has its formula. */
export const AnalyticResult = Type.Object({
  id: Type.String(),
  /** In the unit of the analytic; absent where the device sent nothing to compute it from. */
  value: Type.Optional(Type.Number()),
  /** Number of records or minutes that the value is computed from. */
  count: Type.Integer(),
  /** At most 50 rows, those that need attention first. */
  rows: Type.Optional(Type.Array(AnalyticRow)),
  grid: Type.Optional(AnalyticGrid),
});
export type AnalyticResult = Static<typeof AnalyticResult>;

/** What a cough monitor asks for, the gravest last. */
export const coughStates = ["calm", "unknown", "watch", "act", "act-now"] as const;
export type CoughState = (typeof coughStates)[number];

/** What is to be done about coughing, in the order of urgency. */
export const coughSteps = [
  "check-microphone",
  "call-vet",
  "stop-moves",
  "look-at-pens",
  "measure-temperature",
  "lower-ammonia",
  "even-temperature",
  "review-treatment",
  "wait-for-treatment",
  "keep-treatment",
  "look-again",
] as const;
export type CoughStep = (typeof coughSteps)[number];

/** Limits of the advice that no alarm rule holds; docs/analytics.md has their sources. */
export const coughLimits = {
  /** Mean index of the last three days over that of the four before, from which it rises; it falls below its inverse. */
  rising: 1.3,
  /** Range of temperature within 24 hours, K. */
  swing: 8,
  /** Share of the coughs of 24 hours that one zone has, %. */
  zoneShare: 40,
  /** Body temperature of a pig from which samples are taken, °C. */
  fever: 40,
  /** Days after which a treatment is to show, and by how much the index should have fallen, %. */
  treatmentDays: 3,
  treatmentFall: 20,
} as const;

/** What to do today about coughing in a place, and why; of the 24 hours before the end of the answer's period. */
export const CoughAdvice = Type.Object({
  state: Type.Enum(coughStates),
  steps: Type.Array(Type.Enum(coughSteps)),
  /** House and unit joined by " · "; "" for a device of the whole farm. */
  place: Type.String(),
  /** "" for a device of the whole farm. */
  unitId: Type.String(),
  pigs: Type.Integer(),
  /** Coughs per pig and 24 hours; absent where fewer than 16 hours were heard. */
  index: Type.Optional(Type.Number()),
  /** Mean of the 14 days before, and that + 3σ; absent with fewer than 7 of them. */
  baseline: Type.Optional(Type.Number()),
  alert: Type.Optional(Type.Number()),
  /** The index of each 24 hours up to now, the oldest first; without a value where too little was heard. */
  days: Type.Array(Type.Object({ end: EpochMs, value: Type.Optional(Type.Number()) })),
  trend: Type.Optional(Type.Enum(["rising", "steady", "falling"] as const)),
  /** Ammonia of the unit's controller, ppm: mean and hours above the limit of its alarm rule, and mean of the 14 days before. */
  ammonia: Type.Optional(
    Type.Object({ mean: Type.Number(), hoursAbove: Type.Integer(), before: Type.Optional(Type.Number()) }),
  ),
  /** Range of the controller's temperature, K, and the mean range of the 14 days before. */
  swing: Type.Optional(Type.Object({ range: Type.Number(), before: Type.Optional(Type.Number()) })),
  /** Zone with the most coughs, and its share, %. */
  zone: Type.Optional(Type.Object({ zone: Type.String(), share: Type.Number() })),
  /** The last treatment of the 14 days before. */
  treatment: Type.Optional(
    Type.Object({
      day: Type.String({ description: "yyyy-MM-dd in Asia/Shanghai" }),
      daysAgo: Type.Integer(),
      medicine: Type.String(),
      /** Index of the last 24 hours against that of the three days before the treatment, %. */
      change: Type.Optional(Type.Number()),
    }),
  ),
});
export type CoughAdvice = Static<typeof CoughAdvice>;

export const DeviceAnalytics = Type.Object({
  deviceId: Id,
  deviceName: Type.String(),
  farmId: Type.String(),
  results: Type.Array(AnalyticResult),
  /** Only of cough monitors. */
  advice: Type.Optional(CoughAdvice),
  /** Channels that have days left out because their values are not reliable; absent where there are none. */
  unreliable: Type.Optional(Type.Array(Type.String())),
});
export type DeviceAnalytics = Static<typeof DeviceAnalytics>;

export const KindAnalytics = Type.Object({
  /** Start of the period, ms since 1970; it ends now. */
  start: EpochMs,
  end: EpochMs,
  devices: Type.Array(DeviceAnalytics),
  /** Number of devices left out because an answer holds at most `analyticsDevices`; a request for one farm returns them. */
  omitted: Type.Integer(),
});
export type KindAnalytics = Static<typeof KindAnalytics>;

export const kindAnalytics = {
  method: "GET",
  path: "/api/muyuan-iot/analytics/list",
  summary:
    "What records and values of the session's devices of one kind come to over up to 30 days, by the formulas of docs/analytics.md: at most 100 devices, of one farm or one device where it is named. 404 for another tenant's device.",
  access: signedIn,
  owner: "tenant",
  rate: "read",
  personal: {},
  form: "envelope",
  query: Type.Object({
    kind: DeviceKindId,
    days: Type.Optional(Type.Integer({ minimum: 1, maximum: 30, description: "up to now; 7 when it is not given" })),
    farmId: Type.Optional(Id),
    deviceId: Type.Optional(Id),
  }),
  body: Empty,
  reply: KindAnalytics,
} satisfies Endpoint;
