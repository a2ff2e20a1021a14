import { type Static, Type } from "typebox";
import { DeviceKindId, DeviceStatus, deviceKindIds, FarmType, PigstyType, Resolution } from "./codes.ts";
import { commandStates } from "./commands.ts";
import { type Endpoint, signedIn } from "./endpoint.ts";
import { UnitSummary } from "./farms.ts";
import { OwnAlarmRule } from "./own-rule.ts";
import { DateTime, Empty, EpochMs, Id, pageOf, pageQuery } from "./scalars.ts";
import { unitStates } from "./unit-states.ts";

/** A value that a device sends: number, boolean, text or JSON (device-protocol.md). */
export const ReadingValue = Type.Unknown({ description: "number, boolean, text or JSON" });

/** The newest value of a key with the device's time, ms since 1970. */
export const Reading = Type.Object({ value: ReadingValue, ts: EpochMs });
export type Reading = Static<typeof Reading>;

/** Newest value per key: `{t_in: {value: 21.4, ts: 1716000000000}}`. */
export const Readings = Type.Record(Type.String(), Reading);
export type Readings = Record<string, Reading>;

export const Device = Type.Object({
  id: Id,
  name: Type.String(),
  serialNumber: Type.String(),
  kind: DeviceKindId,
  status: DeviceStatus,
  /** The device holds a connection now; `status` tells whether it reports. */
  connected: Type.Boolean(),
  bound: Type.Boolean(),
  farmId: Type.String(),
  farmName: Type.String(),
  houseId: Type.String(),
  houseName: Type.String(),
  unitId: Type.String(),
  unitName: Type.String(),
  firmwareVersion: Type.String(),
  /** Device time of the newest telemetry. */
  reportAt: DateTime,
  createTime: DateTime,
});
export type Device = Static<typeof Device>;

/** Number of dropped messages of a device by reason, with the time of the newest. */
export const DroppedMessages = Type.Object({ reason: Type.String(), count: Type.Integer(), lastAt: DateTime });

/** Reasons for dropping a message, in Chinese, keys of the translations; a reason without a text is shown as its code. */
export const dropReasonNames: Readonly<Record<string, string>> = {
  too_large: "消息太大（上限 256 KB）",
  too_fast: "发得太快",
  not_utf8: "不是 UTF-8 编码",
  not_json: "不是 JSON",
  wrong_form: "格式不对",
  too_deep: "嵌套太深",
  too_many_keys: "字段太多（上限 500 个）",
  readings_full: "长文本太多",
  bad_text: "含有不能保存的字符",
  bad_number: "数字太大",
  bad_time: "时间不对",
  time_in_seconds: "时间像是秒，应为毫秒",
  time_in_microseconds: "时间像是微秒，应为毫秒",
  too_old: "早于数据保留期",
  not_storable: "无法保存",
  attributes_full: "属性太多",
  late_answer: "应答对不上命令",
  not_a_gateway: "不是网关",
  child_refused: "网关下的设备不可用",
  bad_claim: "认领请求不对",
  no_firmware: "没有这个固件",
  unknown_topic: "主题不存在",
};

export const rejectReasons = ["type", "range", "step"] as const;
export type RejectReasonCode = (typeof rejectReasons)[number];

/** Number of rejected readings of a channel by reason; rejected readings are in no figure. */
export const RejectedReadingCount = Type.Object({
  key: Type.String(),
  reason: Type.Enum(rejectReasons),
  count: Type.Integer(),
  lastText: Type.String({ description: "what the newest of them said, as JSON, shortened to 64 characters" }),
  lastAt: DateTime,
});

const RuleSeverity = Type.Enum(["WARN", "MINOR", "MAJOR", "CRITICAL"] as const);

/** Settings that a device is judged by in addition to the declaration of its kind. */
export const JudgedBy = Type.Object({
  /** Changed rules of the kind; for each the change nearest to the device. */
  rules: Type.Array(
    Type.Object({
      ruleId: Type.String(),
      enabled: Type.Boolean(),
      severity: Type.Optional(RuleSeverity),
      raiseAfterS: Type.Optional(Type.Integer()),
      thresholds: Type.Record(Type.String(), Type.Number()),
    }),
  ),
  /** Rules that its farm wrote, which read only this device. */
  written: Type.Array(
    Type.Object({
      id: Type.String(),
      name: Type.String(),
      severity: RuleSeverity,
      /** Seconds for which the condition must hold before the alarm is raised, and must be over before it is cleared. */
      raiseAfterS: Type.Integer(),
      clearAfterS: Type.Integer(),
      ...OwnAlarmRule.properties,
    }),
  ),
  /** Periods in which rules are masked; an empty `ruleIds` means all rules. */
  masked: Type.Array(Type.Object({ ruleIds: Type.Array(Type.String()), startsMs: EpochMs, endsMs: EpochMs })),
  /** Settings of the device that limits refer to. */
  parameters: Type.Record(Type.String(), Type.Unknown()),
});
export type JudgedBy = Static<typeof JudgedBy>;

export const DeviceDetail = Type.Object({
  ...Device.properties,
  /** Absent where nothing differs from the kind. */
  judgedBy: Type.Optional(JudgedBy),
  /** When the tenant bound it; "" while it is not bound. */
  boundTime: DateTime,
  isGateway: Type.Boolean(),
  /** Distance from the west end in ten-thousandths of the unit's length; absent where it was not entered. */
  positionX: Type.Optional(Type.Integer({ minimum: 0, maximum: 10_000 })),
  /** Distance from the north side in ten-thousandths of the unit's width. */
  positionY: Type.Optional(Type.Integer({ minimum: 0, maximum: 10_000 })),
  /** Height above the floor in cm. */
  heightCm: Type.Optional(Type.Integer()),
  /** Client attributes as the device reported them. */
  attributes: Type.Record(Type.String(), Type.Unknown()),
  dropped: Type.Array(DroppedMessages),
  rejected: Type.Array(RejectedReadingCount),
});
export type DeviceDetail = Static<typeof DeviceDetail>;

export const HistoryReply = Type.Object({
  key: Type.String(),
  resolution: Type.Enum(["raw", "minute", "hour", "day"] as const),
  /** Ascending points: raw ones are `[ts, value]`, buckets are `[start, min, avg, max]`; times in ms since 1970. */
  points: Type.Array(Type.Array(Type.Unknown())),
  /** Present where a key has more than the 100,000 raw values that an answer may hold. */
  truncated: Type.Optional(Type.Boolean()),
  /**
   * Intervals with rejected readings: `[from, to, readings]`, ascending, in ms since 1970; absent where there are none.
   * For raw values an interval reaches from the first to the last rejected reading between two accepted ones; otherwise it is
   * the bucket.
   */
  rejected: Type.Optional(Type.Array(Type.Tuple([EpochMs, EpochMs, Type.Integer({ minimum: 1 })]))),
  /**
   * Days without buckets because their remaining values are not reliable: `[from, to)`, ascending, in ms since 1970; absent
   * where there are none.
   */
  unreliable: Type.Optional(Type.Array(Type.Tuple([EpochMs, EpochMs]))),
});
export type HistoryReply = Static<typeof HistoryReply>;

/** History of several keys of several devices over the same period at the same resolution. */
export const SeriesReply = Type.Object({
  resolution: HistoryReply.properties.resolution,
  /** One series for each device and key, in the order of the request; without points where the device sent nothing. */
  series: Type.Array(Type.Object({ id: Id, ...Type.Omit(HistoryReply, ["resolution"]).properties })),
});
export type SeriesReply = Static<typeof SeriesReply>;

const placedDevice = {
  deviceId: Type.String(),
  deviceName: Type.String(),
  status: DeviceStatus,
  /** Time of the newest telemetry in ms since 1970; absent before the first. */
  reportedAtMs: Type.Optional(EpochMs),
  readings: Readings,
  /** Absent where nothing differs from the kind. */
  judgedBy: Type.Optional(JudgedBy),
};

/** A device as an overview shows it. */
export const KindDevice = Type.Object(placedDevice);
export type KindDevice = Static<typeof KindDevice>;

/** Words in both languages. */
const LocalWords = Type.Object({ zh: Type.String(), en: Type.String() });

/** How a unit stands at the moment of the answer, for who shows it before the rules of its kind are loaded. */
export const JudgedNow = Type.Object({
  state: Type.Enum(unitStates),
  /** The name of the worst problem in both languages; absent where nothing is wrong. */
  problem: Type.Optional(LocalWords),
  /** Among units in the same state the one with the larger number comes first. */
  urgency: Type.Number(),
});
export type JudgedNow = Static<typeof JudgedNow>;

/** A unit with its devices of one kind. */
export const KindUnit = Type.Object({
  ...UnitSummary.properties,
  /** The first device of the kind; `deviceId` and the device's other fields are empty where none is bound. */
  ...placedDevice,
  /** The unit's other devices of the kind. */
  more: Type.Array(KindDevice),
  /** The verdict of the kind's rules on the unit; the live stream brings newer values, which are judged by who shows them. Absent where more than 200 units are listed. */
  judged: Type.Optional(JudgedNow),
});
export type KindUnit = Static<typeof KindUnit>;

/** Counts for a place that holds too much to be listed. */
export const PlaceCounts = Type.Object({
  units: Type.Integer(),
  headCount: Type.Integer(),
  /** Number of devices of the kind. */
  devices: Type.Integer(),
  online: Type.Integer(),
  /** Number of devices that report and have a fault. */
  fault: Type.Integer(),
  /** Number of devices that reported earlier and do not report now. */
  offline: Type.Integer(),
  /** Number of devices that never reported. */
  silent: Type.Integer(),
  /** Number of units without a device of the kind, where its devices stand in units. */
  bare: Type.Integer(),
  /** Open alarms of the kind's devices by severity, without masked ones. */
  alarms: Type.Object({
    WARN: Type.Integer(),
    MINOR: Type.Integer(),
    MAJOR: Type.Integer(),
    CRITICAL: Type.Integer(),
  }),
});
export type PlaceCounts = Static<typeof PlaceCounts>;

/** Most units and devices that an overview lists; above that it returns counts until the request names a place. */
export const mostListed = 1000;

export const KindHouse = Type.Object({
  id: Id,
  name: Type.String(),
  pigstyType: PigstyType,
  units: Type.Array(KindUnit),
  /** Counts of the house where its units and devices are not listed; absent where they are. */
  unlisted: Type.Optional(PlaceCounts),
});
export type KindHouse = Static<typeof KindHouse>;

export const KindFarm = Type.Object({
  id: Id,
  code: Type.String(),
  name: Type.String(),
  type: FarmType,
  regionName: Type.String(),
  latitude: Type.Optional(Type.Number()),
  longitude: Type.Optional(Type.Number()),
  houses: Type.Array(KindHouse),
  /** Devices of the kind that serve the farm or a house as a whole. */
  devices: Type.Array(KindDevice),
  /** Counts of the devices that serve the farm as a whole, where they are not listed. */
  unlisted: Type.Optional(PlaceCounts),
});
export type KindFarm = Static<typeof KindFarm>;

/**
 * Event of a live stream. `telemetry` carries only the keys that changed, `presence` a change of status, `command` the state of
 * a command.
 */
export const LiveEvent = Type.Union([
  Type.Object({ type: Type.Literal("telemetry"), id: Id, readings: Readings }),
  Type.Object({ type: Type.Literal("presence"), id: Id, status: DeviceStatus, connected: Type.Boolean() }),
  Type.Object({ type: Type.Literal("command"), id: Id, commandId: Id, state: Type.Enum(commandStates) }),
  /** Settings of the device were changed, sent, reported or withdrawn. */
  Type.Object({ type: Type.Literal("parameter"), id: Id }),
]);
export type LiveEvent = Static<typeof LiveEvent>;

export const devicePage = {
  method: "GET",
  path: "/api/muyuan-iot/device/page",
  summary:
    "Devices of the session's tenant; filter by kind, status, bound, farmId, unitId and a word in name or serial number.",
  access: signedIn,
  owner: "tenant",
  rate: "read",
  personal: {},
  form: "envelope",
  query: Type.Object({
    ...pageQuery,
    kind: Type.Optional(DeviceKindId),
    status: Type.Optional(DeviceStatus),
    bound: Type.Optional(Type.Boolean()),
    farmId: Type.Optional(Id),
    unitId: Type.Optional(Id),
    name: Type.Optional(Type.String({ maxLength: 64, description: "part of the name or serial number" })),
  }),
  body: Empty,
  reply: pageOf(Device),
} satisfies Endpoint;

export const DeviceCounts = Type.Object({
  online: Type.Integer(),
  fault: Type.Integer(),
  offline: Type.Integer(),
  unactivated: Type.Integer(),
  blocked: Type.Integer(),
  total: Type.Integer(),
});
export type DeviceCounts = Static<typeof DeviceCounts>;

export const deviceCounts = {
  method: "GET",
  path: "/api/muyuan-iot/device/counts",
  summary: "How many devices of the session's tenant there are in each state.",
  access: signedIn,
  owner: "tenant",
  rate: "read",
  personal: {},
  form: "envelope",
  query: Empty,
  body: Empty,
  reply: DeviceCounts,
} satisfies Endpoint;

export const deviceDetail = {
  method: "GET",
  path: "/api/muyuan-iot/device/detail",
  summary: "One device with its attributes and dropped messages; 404 for another tenant's.",
  access: signedIn,
  owner: "tenant",
  rate: "read",
  personal: {},
  form: "envelope",
  query: Type.Object({ id: Id }),
  body: Empty,
  reply: DeviceDetail,
} satisfies Endpoint;

export const deviceLatest = {
  method: "GET",
  path: "/api/muyuan-iot/device/latest",
  summary: "Newest value per key of one device.",
  access: signedIn,
  owner: "tenant",
  rate: "read",
  personal: {},
  form: "envelope",
  query: Type.Object({ id: Id }),
  body: Empty,
  reply: Readings,
} satisfies Endpoint;

/** A record that a device sent: a shot, a cough, a change of gear. */
export const DeviceEventRecord = Type.Object({
  /** Unique within the device and the type. */
  eventId: Type.String(),
  type: Type.String(),
  /** Device time in ms since 1970. */
  ts: EpochMs,
  /** Fields that the kind declares for this type of event; people are shortened for who may not see the users. */
  fields: Type.Record(Type.String(), Type.Unknown()),
});
export type DeviceEventRecord = Static<typeof DeviceEventRecord>;

export const deviceEventPage = {
  method: "GET",
  path: "/api/muyuan-iot/event/page",
  summary: "Records of one device, newest first; filter by type and time. 404 for another tenant's.",
  access: signedIn,
  owner: "tenant",
  rate: "read",
  personal: {},
  form: "envelope",
  query: Type.Object({
    ...pageQuery,
    id: Id,
    type: Type.Optional(Type.String({ maxLength: 64 })),
    from: Type.Optional(EpochMs),
    to: Type.Optional(EpochMs),
  }),
  body: Empty,
  reply: pageOf(DeviceEventRecord),
} satisfies Endpoint;

/** Settings of a device by key: the server's desired values, and the values that the device reports. */
export const DeviceParameters = Type.Object({
  desired: Type.Record(Type.String(), Type.Unknown()),
  reported: Type.Record(Type.String(), Type.Unknown()),
});
export type DeviceParameters = Static<typeof DeviceParameters>;

export const deviceParameters = {
  method: "GET",
  path: "/api/muyuan-iot/parameter/detail",
  summary: "Settings of one device, desired and reported, of those that its kind declares. 404 for another tenant's.",
  access: signedIn,
  owner: "tenant",
  rate: "read",
  personal: {},
  form: "envelope",
  query: Type.Object({ id: Id }),
  body: Empty,
  reply: DeviceParameters,
} satisfies Endpoint;

export const telemetryHistory = {
  method: "GET",
  path: "/api/muyuan-iot/telemetry/history",
  summary: "Values of one key in [start, end), at a resolution that fits the range.",
  access: signedIn,
  owner: "tenant",
  rate: "read",
  personal: {},
  form: "envelope",
  query: Type.Object({
    id: Id,
    key: Type.String({ minLength: 1, maxLength: 64 }),
    start: EpochMs,
    end: EpochMs,
    resolution: Type.Optional(Resolution),
  }),
  body: Empty,
  reply: HistoryReply,
} satisfies Endpoint;

export const telemetrySeries = {
  method: "GET",
  path: "/api/muyuan-iot/telemetry/series",
  summary:
    "Values of several keys of several devices in [start, end), all at one resolution: at most 200 series with 200,000 points in all. 404 when one device is another tenant's.",
  access: signedIn,
  owner: "tenant",
  rate: "read",
  personal: {},
  form: "envelope",
  query: Type.Object({
    ids: Type.String({ minLength: 1, maxLength: 2000, description: "comma-separated device ids, at most 50" }),
    keys: Type.String({ minLength: 1, maxLength: 2000, description: "comma-separated, at most 50" }),
    start: EpochMs,
    end: EpochMs,
    resolution: Type.Optional(Resolution),
  }),
  body: Empty,
  reply: SeriesReply,
} satisfies Endpoint;

/** File formats of an export of raw values. */
export const telemetryExportFormats = ["xlsx", "csv"] as const;
export type TelemetryExportFormat = (typeof telemetryExportFormats)[number];

export const telemetryExport = {
  method: "POST",
  path: "/api/muyuan-iot/telemetry/export",
  summary:
    "Begins an export of raw values in [start, end) as a job: a row for each message, with a column for each key. 404 when one device is another tenant's.",
  access: signedIn,
  owner: "tenant",
  rate: "write",
  personal: {},
  form: "envelope",
  query: Empty,
  body: Type.Object({
    ids: Type.Array(Id, { minItems: 1, maxItems: 50, uniqueItems: true }),
    /** Keys to export; where it is absent, all keys that the devices ever sent, at most 500. */
    keys: Type.Optional(
      Type.Array(Type.String({ minLength: 1, maxLength: 128 }), { minItems: 1, maxItems: 100, uniqueItems: true }),
    ),
    start: EpochMs,
    end: EpochMs,
    format: Type.Enum(telemetryExportFormats),
    /** Language of the headers. */
    language: Type.Optional(Type.Enum(["zh", "en"] as const)),
  }),
  reply: Type.Object({ jobId: Id }),
} satisfies Endpoint;

/** Formats of a download of history, with their media types. */
export const historyFormats = {
  csv: "text/csv",
  ndjson: "application/x-ndjson",
  parquet: "application/vnd.apache.parquet",
} as const;
export type HistoryFormat = keyof typeof historyFormats;

/** Longest span of a download of history by resolution, in days. */
export const longestDownloadDays = { raw: 366, minute: 366, hour: 3660, day: 36_600 } as const;
export type DownloadResolution = keyof typeof longestDownloadDays;
/** Most devices and keys of a download of history. */
export const downloadLimits = { devices: 50, keys: 100 } as const;

export const telemetryDownload = {
  method: "GET",
  path: "/api/muyuan-iot/telemetry/download",
  summary:
    "Accepted readings of devices in [start, end) as a stream, a row for each device and time, of any number of rows: raw and minute over at most 366 days, hour over 3,660, day over 36,600. Buckets have the columns <key>_min, <key>_avg and <key>_max. Four at a time for each person. A transfer that breaks off is not whole. 404 when one device is another tenant's.",
  access: signedIn,
  owner: "tenant",
  rate: "read",
  personal: {},
  form: "download",
  mediaTypes: Object.values(historyFormats),
  query: Type.Object({
    ids: Type.String({ minLength: 1, maxLength: 2000, description: "comma-separated device ids, at most 50" }),
    keys: Type.Optional(
      Type.String({
        maxLength: 8000,
        description: "comma-separated, at most 100; where it is left out, the first 100 that the devices ever sent",
      }),
    ),
    start: EpochMs,
    end: EpochMs,
    resolution: Type.Optional(
      Type.Enum(Object.keys(longestDownloadDays) as DownloadResolution[], { description: "raw when it is not given" }),
    ),
    format: Type.Enum(Object.keys(historyFormats) as HistoryFormat[]),
    language: Type.Optional(
      Type.Enum(["zh", "en"] as const, {
        description: "headers of the CSV have names and units; keys when it is not given",
      }),
    ),
  }),
  body: Empty,
  reply: Empty,
} satisfies Endpoint;

export const kindOverview = {
  method: "GET",
  path: "/api/muyuan-iot/overview/list",
  aliases: ["/api/muyuan-iot/environment/overview"],
  summary:
    "All units of the session's tenant with the newest readings of their devices of one kind. Of more than 1,000 units and devices it tells the figures of each house; those of the place that is named are listed, as far as they are no more, and those of a house always.",
  access: signedIn,
  owner: "tenant",
  rate: "read",
  personal: {},
  form: "envelope",
  query: Type.Object({
    kind: Type.Optional(Type.Enum(deviceKindIds, { description: "environment when it is not given" })),
    place: Type.Optional(Type.String({ pattern: "^\\d{1,19}$", description: "id of a farm or a house" })),
  }),
  body: Empty,
  reply: Type.Array(KindFarm),
} satisfies Endpoint;

/** A figure of a device with what its kind's rules say of it. */
const GlanceFigure = Type.Object({
  key: Type.String(),
  name: LocalWords,
  unit: LocalWords,
  /** As the page writes it; "--" where it is not known. */
  value: LocalWords,
  /** How it stands, as `Standing` of the device kinds names it. */
  standing: Type.String(),
  /** How bad it is by the alarm rules; `ok` and `unknown` are told by the standing. */
  state: Type.String(),
  reason: LocalWords,
  /** The range that it is judged by, empty without one. */
  range: LocalWords,
});

/** What a page shows first of a unit or a device; ids and names are empty where nothing of the kind stands. */
export const DeviceGlance = Type.Object({
  deviceId: Type.String(),
  deviceName: Type.String(),
  /** Of the unit; empty for a device of a farm. */
  houseName: Type.String(),
  unitName: Type.String(),
  /** Verdict on the whole; a name of unit-states.ts. */
  state: Type.Enum(unitStates),
  figures: Type.Array(GlanceFigure),
  /** The value that is worst, else the first figure, over the last 24 h; absent where none is a number or nothing was heard. */
  trend: Type.Optional(
    Type.Object({
      key: Type.String(),
      name: LocalWords,
      unit: LocalWords,
      /** Lowest and highest of the line, as the page writes them: "19.2–21.0". */
      span: Type.String(),
      /** The line as the path of an SVG whose box is 1000 wide and 100 high; it breaks where nothing was heard. */
      path: Type.String(),
      /** Top and bottom of what is shaded behind it, in the same box. */
      band: Type.Optional(Type.Tuple([Type.Number(), Type.Number()])),
    }),
  ),
});
export type DeviceGlance = Static<typeof DeviceGlance>;

export const deviceGlance = {
  method: "GET",
  path: "/api/muyuan-iot/device/glance",
  summary:
    "What the page of a unit, or of a device, shows first, in one answer: the figures of the worst device of the kind with their verdicts, and the curve that led to now; without figures where nothing of the kind stands. 404 for another tenant's.",
  access: signedIn,
  owner: "tenant",
  rate: "read",
  personal: {},
  form: "envelope",
  query: Type.Object({
    kind: Type.Enum(deviceKindIds),
    unitId: Type.Optional(Id),
    id: Type.Optional(Type.String({ pattern: "^\\d{1,19}$", description: "of a device, where no unit is given" })),
  }),
  body: Empty,
  reply: DeviceGlance,
} satisfies Endpoint;

export const live = {
  method: "GET",
  path: "/api/muyuan-iot/live",
  summary:
    "Server-sent events of the named devices, as they are stored; 404 when one is not the session's. Ends with the session.",
  access: signedIn,
  owner: "tenant",
  rate: "stream",
  personal: {},
  form: "stream",
  query: Type.Object({
    ids: Type.String({ minLength: 1, maxLength: 20_000, description: "comma-separated device ids, at most 500" }),
  }),
  body: Empty,
  reply: LiveEvent,
} satisfies Endpoint;
