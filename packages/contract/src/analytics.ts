import { type Static, Type } from "typebox";
import { DeviceKindId } from "./codes.ts";
import { type Endpoint, signedIn } from "./endpoint.ts";
import { Empty, EpochMs, Id } from "./scalars.ts";

/** Most devices in one answer. */
export const analyticsDevices = 100;

/** One row of a figure: a team, a reason, a tank, a pen or a day. */
export const AnalyticRow = Type.Object({
  /**
   * The label that devices sent, with people's names shortened and several names joined by " · "; a day is yyyy-MM-dd in
   * Asia/Shanghai.
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
  /** Progress against a plan. */
  state: Type.Optional(Type.Enum(["planned", "overdue", "done-late"] as const)),
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

export const DeviceAnalytics = Type.Object({
  deviceId: Id,
  deviceName: Type.String(),
  farmId: Type.String(),
  results: Type.Array(AnalyticResult),
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
