import { type Static, Type } from "typebox";
import { Alarm, alarmSeverities } from "./alarms.ts";
import { AnalyticResult } from "./analytics.ts";
import { DeviceKindId } from "./codes.ts";
import { type Endpoint, permission } from "./endpoint.ts";
import { DateOnly, Empty, EpochMs, Id } from "./scalars.ts";

export const reportPeriods = ["day", "week"] as const;
export type ReportPeriod = (typeof reportPeriods)[number];
const Period = Type.Enum(reportPeriods);

/** Screen of the reports; `?farm=&period=&day=` opens one. */
export const reportPath = "/selfCenter/vet/report";

/** Ids of the analytics in a report by kind, the main one first; they are the same as on the screens. */
export const reportedAnalytics = {
  environment: [
    "comfort_time",
    "thi_hours",
    "ventilation_compliance",
    "ammonia_hours",
    "water_per_pig_day",
    "energy_per_pig_day",
  ],
  cough: ["index_against_baseline"],
  temperature: ["fever_curve", "scan_coverage", "respiratory_score"],
  needleless: ["coverage", "session_coverage", "on_time", "valid_shots", "dose_accuracy"],
  bathroom: ["compliance", "bypasses"],
  disinfect: ["residual_compliance", "ct", "water_per_pig_day"],
  deodorization: ["ammonia_removal", "compliant_hours", "missing_hours", "energy_per_air"],
  "bungalow-deodorization": ["removal", "boundary_compliance"],
  "dosing-station": ["dose_accuracy", "on_schedule"],
  weighbridge: ["weighings", "net_total", "stable_share"],
} as const satisfies Readonly<Record<DeviceKindId, readonly string[]>>;

const ReportDevice = Type.Object({
  deviceId: Id,
  deviceName: Type.String(),
  /** House and unit joined by " · "; "" for a device of the whole farm. */
  place: Type.String(),
  /** Results of `reportedAnalytics` in its order, followed by how complete the device's reports were. */
  results: Type.Array(AnalyticResult),
  /** Channels that have days left out because their values are not reliable; absent where there are none. */
  unreliable: Type.Optional(Type.Array(Type.String())),
});

/** Report of a farm over a period: alarms, results by kind, offline devices, and response times. */
export const FarmReport = Type.Object({
  farmId: Id,
  farmName: Type.String(),
  period: Period,
  /** First day of the period, yyyy-MM-dd in Asia/Shanghai; a Monday for a week. */
  day: DateOnly,
  from: EpochMs,
  /** End of the period, or now while it is running. */
  to: EpochMs,
  running: Type.Boolean(),
  units: Type.Integer(),
  headCount: Type.Integer(),
  /** Alarms that were open in the period, the worst first; at most 20. */
  wrong: Type.Array(Alarm),
  alarms: Type.Object({
    /** Number of alarms raised in the period. */
    total: Type.Integer(),
    WARN: Type.Integer(),
    MINOR: Type.Integer(),
    MAJOR: Type.Integer(),
    CRITICAL: Type.Integer(),
    acknowledged: Type.Integer(),
    /** Median seconds until acknowledgement, and until the alarm cleared. */
    acknowledgeS: Type.Optional(Type.Number()),
    clearS: Type.Optional(Type.Number()),
    /** Alarms by cause, the most frequent first; at most 20. */
    causes: Type.Array(
      Type.Object({
        kind: DeviceKindId,
        ruleId: Type.String(),
        ruleName: Type.String({ description: "as in an alarm" }),
        severity: Type.Enum(alarmSeverities),
        count: Type.Integer(),
        acknowledgeS: Type.Optional(Type.Number()),
        clearS: Type.Optional(Type.Number()),
      }),
    ),
  }),
  /** Devices that were offline, by duration, the longest first; at most 20. */
  offline: Type.Array(
    Type.Object({ deviceId: Id, deviceName: Type.String(), kind: DeviceKindId, seconds: Type.Number() }),
  ),
  offlineS: Type.Number(),
  /** In the order of the kinds; kinds without a device on the farm are left out. */
  kinds: Type.Array(Type.Object({ kind: DeviceKindId, devices: Type.Array(ReportDevice) })),
});
export type FarmReport = Static<typeof FarmReport>;

const base = "/api/muyuan-iot/report";
/** Button code of the right to read reports. */
export const reportViewCode = "report_view";
const own = { access: permission(reportViewCode), owner: "tenant", form: "envelope" } as const;
const which = { farmId: Id, period: Period, day: DateOnly };

export const reportDetail = {
  ...own,
  method: "GET",
  path: `${base}/detail`,
  summary:
    "The report of a farm for a day, or for the week (Monday to Sunday) that holds a day of the last year. 404 for another tenant's farm, 400 for a day to come.",
  rate: "read",
  personal: { acknowledgedBy: "own", assignedName: "own" },
  query: Type.Object(which),
  body: Empty,
  reply: FarmReport,
} satisfies Endpoint;

export const reportPdf = {
  ...own,
  method: "POST",
  path: `${base}/pdf`,
  summary: "Begins to write a report as a PDF, as a job; its result is a file of the caller.",
  rate: "write",
  personal: {},
  query: Empty,
  body: Type.Object({ ...which, language: Type.Optional(Type.Enum(["zh", "en"] as const)) }),
  reply: Type.Object({ jobId: Id }),
} satisfies Endpoint;

/** A member to whom reports may be sent. */
export const ReportReader = Type.Object({ id: Id, personName: Type.String() });
export type ReportReader = Static<typeof ReportReader>;

export const reportReaders = {
  ...own,
  method: "GET",
  path: `${base}/readers`,
  summary: "The tenant's other members who may read reports, for sending them one.",
  rate: "read",
  personal: { personName: "granted" },
  query: Empty,
  body: Empty,
  reply: Type.Array(ReportReader),
} satisfies Endpoint;

export const reportSend = {
  ...own,
  method: "POST",
  path: `${base}/send`,
  summary:
    "Tells members by message of a report, with its link. 404 for another tenant's farm, 400 for a day to come or for somebody who may not read reports.",
  rate: "write",
  personal: {},
  query: Empty,
  body: Type.Object({ ...which, accountIds: Type.Array(Id, { minItems: 1, maxItems: 50 }) }),
  reply: Type.Object({ sent: Type.Integer({ description: "members who were told" }) }),
} satisfies Endpoint;

/** A person's subscription to reports. */
export const ReportSubscription = Type.Object({
  farmId: Id,
  period: Period,
  minute: Type.Integer({ minimum: 0, maximum: 1439, description: "of the day in Asia/Shanghai; of a week on Mondays" }),
});
export type ReportSubscription = Static<typeof ReportSubscription>;

export const reportSubscriptionList = {
  ...own,
  method: "GET",
  path: `${base}/subscription-list`,
  summary: "Reports of the tenant's farms that the caller is told of. None unless they were asked for.",
  rate: "read",
  personal: {},
  query: Empty,
  body: Empty,
  reply: Type.Array(ReportSubscription),
} satisfies Endpoint;

export const reportSubscribe = {
  ...own,
  method: "POST",
  path: `${base}/subscribe`,
  summary:
    "Has the caller told by message, every day or on Mondays, of the report of the day or week before; or not any more. 404 for another tenant's farm.",
  rate: "write",
  personal: {},
  query: Empty,
  body: Type.Object({ ...ReportSubscription.properties, enabled: Type.Boolean() }),
  reply: Empty,
} satisfies Endpoint;
