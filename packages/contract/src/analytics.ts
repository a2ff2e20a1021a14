import { type Static, Type } from "typebox";
import { DeviceKindId } from "./codes.ts";
import { type Endpoint, signedIn } from "./endpoint.ts";
import { Empty, EpochMs, Id } from "./scalars.ts";

/** Most devices of one answer. */
export const analyticsDevices = 100;

/** A part of a figure: a team, a reason, a tank, a pen, a day. */
export const AnalyticRow = Type.Object({
  /** As devices name it; names of people are shortened. Several names have " · " between them. A day is yyyy-MM-dd in Asia/Shanghai. */
  label: Type.String(),
  /** In the unit of the analytic. */
  value: Type.Number(),
  /** How many records or minutes it rests on. */
  count: Type.Integer(),
});
export type AnalyticRow = Static<typeof AnalyticRow>;

/** One place of a grid: a unit and a vaccine, a day and an hour, a day and a pen. */
export const AnalyticCell = Type.Object({
  /** In the unit of the grid; absent where nothing is known. */
  value: Type.Optional(Type.Number()),
  /** How many records or minutes it rests on. */
  count: Type.Integer(),
  /** Where it stands against a plan. */
  state: Type.Optional(Type.Enum(["planned", "overdue", "done-late"] as const)),
  /** yyyy-MM-dd in Asia/Shanghai: when it is planned, or was last done. */
  day: Type.Optional(Type.String()),
});
export type AnalyticCell = Static<typeof AnalyticCell>;

/** A figure over two directions. */
export const AnalyticGrid = Type.Object({
  /** In the unit of the values, as kinds declare it; "" for a number of its own. */
  unit: Type.String(),
  /** Labels as in rows; at most 62. */
  rows: Type.Array(Type.String()),
  /** At most 60. */
  columns: Type.Array(Type.String()),
  /** One list for each row, one cell for each column. */
  cells: Type.Array(Type.Array(AnalyticCell)),
});
export type AnalyticGrid = Static<typeof AnalyticGrid>;

/** One of the analytics that a kind declares (packages/device-kinds), of one device; its formula stands in docs/analytics.md. */
export const AnalyticResult = Type.Object({
  id: Type.String(),
  /** In the unit of the analytic; absent where nothing was told to work it out of. */
  value: Type.Optional(Type.Number()),
  /** How many records or minutes it rests on. */
  count: Type.Integer(),
  /** At most 50, those that need attention first. */
  rows: Type.Optional(Type.Array(AnalyticRow)),
  grid: Type.Optional(AnalyticGrid),
});
export type AnalyticResult = Static<typeof AnalyticResult>;

export const DeviceAnalytics = Type.Object({
  deviceId: Id,
  deviceName: Type.String(),
  farmId: Type.String(),
  results: Type.Array(AnalyticResult),
  /** Channels of which days were left out because their values are not reliable; absent where there are none. */
  unreliable: Type.Optional(Type.Array(Type.String())),
});
export type DeviceAnalytics = Static<typeof DeviceAnalytics>;

export const KindAnalytics = Type.Object({
  /** The span, ms since 1970: from its begin to now. */
  start: EpochMs,
  end: EpochMs,
  devices: Type.Array(DeviceAnalytics),
  /** Devices beyond the most of one answer; ask for one farm. */
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
