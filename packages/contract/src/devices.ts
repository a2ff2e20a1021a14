import { type Static, Type } from "typebox";
import { DeviceKindId, DeviceStatus, deviceKindIds, FarmType, PigstyType, Resolution } from "./codes.ts";
import { commandStates } from "./commands.ts";
import { type Endpoint, signedIn } from "./endpoint.ts";
import { UnitSummary } from "./farms.ts";
import { OwnAlarmRule } from "./own-rule.ts";
import { DateTime, Empty, EpochMs, Id, pageOf, pageQuery } from "./scalars.ts";

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
  /** The device holds a connection right now; kept apart from `status`, which tells whether it reports. */
  connected: Type.Boolean(),
  bound: Type.Boolean(),
  farmId: Type.String(),
  farmName: Type.String(),
  houseId: Type.String(),
  houseName: Type.String(),
  unitId: Type.String(),
  unitName: Type.String(),
  firmwareVersion: Type.String(),
  /** Time of the newest telemetry. */
  reportAt: DateTime,
  createTime: DateTime,
});
export type Device = Static<typeof Device>;

/** Messages of a device that were dropped, by reason, with the newest time. */
export const DroppedMessages = Type.Object({ reason: Type.String(), count: Type.Integer(), lastAt: DateTime });

/** Why a message of a device was dropped, in words that are keys of the translations; a code without words is shown as it is. */
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

/** Readings of a channel that were not believed, by reason: they are part of no figure. */
export const RejectedReadingCount = Type.Object({
  key: Type.String(),
  reason: Type.Enum(rejectReasons),
  count: Type.Integer(),
  lastText: Type.String({ description: "what the newest of them said, as JSON, shortened to 64 characters" }),
  lastAt: DateTime,
});

const RuleSeverity = Type.Enum(["WARN", "MINOR", "MAJOR", "CRITICAL"] as const);

/** What a device is judged by beside the declaration of its kind. */
export const JudgedBy = Type.Object({
  /** Rules that its farm changed, the nearest change of each. */
  rules: Type.Array(
    Type.Object({
      ruleId: Type.String(),
      enabled: Type.Boolean(),
      severity: Type.Optional(RuleSeverity),
      raiseAfterS: Type.Optional(Type.Integer()),
      thresholds: Type.Record(Type.String(), Type.Number()),
    }),
  ),
  /** Rules that its farm wrote of the device's own values. */
  written: Type.Array(
    Type.Object({
      id: Type.String(),
      name: Type.String(),
      severity: RuleSeverity,
      /** Seconds that it must hold until it is raised, and be gone until it is cleared. */
      raiseAfterS: Type.Integer(),
      clearAfterS: Type.Integer(),
      ...OwnAlarmRule.properties,
    }),
  ),
  /** Rules whose alarms are masked for some time; of none named, all. */
  masked: Type.Array(Type.Object({ ruleIds: Type.Array(Type.String()), startsMs: EpochMs, endsMs: EpochMs })),
  /** Its own settings that limits refer to. */
  parameters: Type.Record(Type.String(), Type.Unknown()),
});
export type JudgedBy = Static<typeof JudgedBy>;

export const DeviceDetail = Type.Object({
  ...Device.properties,
  /** Absent where nothing differs from the kind. */
  judgedBy: Type.Optional(JudgedBy),
  /** When the tenant bound it; "" while nobody has. */
  boundTime: DateTime,
  isGateway: Type.Boolean(),
  /** Share of the unit's length in ten-thousandths, from the west end; absent where nobody said. */
  positionX: Type.Optional(Type.Integer({ minimum: 0, maximum: 10_000 })),
  /** Share of the unit's width in ten-thousandths, from the north side. */
  positionY: Type.Optional(Type.Integer({ minimum: 0, maximum: 10_000 })),
  /** Above the floor, cm. */
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
  /** raw: `[ts, value]`; else `[ts of the bucket's start, min, avg, max]`. Ascending; ts in ms since 1970. */
  points: Type.Array(Type.Array(Type.Unknown())),
  /** There are more than the 100,000 raw values that an answer has of a key; absent otherwise. */
  truncated: Type.Optional(Type.Boolean()),
  /**
   * Where readings were not believed: `[from, to, readings]`, ascending; ts in ms since 1970. Of raw values from the first to the last
   * between two accepted ones, else the bucket. Absent where there are none.
   */
  rejected: Type.Optional(Type.Array(Type.Tuple([EpochMs, EpochMs, Type.Integer({ minimum: 1 })]))),
  /** Days without buckets because what is left of them is not reliable: `[from, to)`, ascending; ts in ms since 1970. Absent where there are none. */
  unreliable: Type.Optional(Type.Array(Type.Tuple([EpochMs, EpochMs]))),
});
export type HistoryReply = Static<typeof HistoryReply>;

/** Keys of devices over the same time at the same resolution. */
export const SeriesReply = Type.Object({
  resolution: HistoryReply.properties.resolution,
  /** One for each device and key, in the order of the question; without points where nothing was sent. */
  series: Type.Array(Type.Object({ id: Id, ...Type.Omit(HistoryReply, ["resolution"]).properties })),
});
export type SeriesReply = Static<typeof SeriesReply>;

const placedDevice = {
  deviceId: Type.String(),
  deviceName: Type.String(),
  status: DeviceStatus,
  /** Newest telemetry in ms since 1970; absent before the first. */
  reportedAtMs: Type.Optional(EpochMs),
  readings: Readings,
  /** Absent where nothing differs from the kind. */
  judgedBy: Type.Optional(JudgedBy),
};

/** A device as an overview shows it. */
export const KindDevice = Type.Object(placedDevice);
export type KindDevice = Static<typeof KindDevice>;

/** A unit with its devices of one kind. */
export const KindUnit = Type.Object({
  ...UnitSummary.properties,
  /** The first device; `deviceId` is "" when none of the kind is bound, and its other fields are then empty, too. */
  ...placedDevice,
  /** The unit's other devices of the kind. */
  more: Type.Array(KindDevice),
});
export type KindUnit = Static<typeof KindUnit>;

/** A place in figures, where there is too much in it to be listed. */
export const PlaceCounts = Type.Object({
  units: Type.Integer(),
  headCount: Type.Integer(),
  /** Of the kind. */
  devices: Type.Integer(),
  online: Type.Integer(),
  /** Those that report, and have a fault. */
  fault: Type.Integer(),
  /** Those that reported before, and do not now. */
  offline: Type.Integer(),
  /** Those that never reported. */
  silent: Type.Integer(),
  /** Units without a device of the kind, where its devices stand in units: nothing is known of them. */
  bare: Type.Integer(),
  /** Open alarms of the kind's devices by severity; what is masked is left out. */
  alarms: Type.Object({
    WARN: Type.Integer(),
    MINOR: Type.Integer(),
    MAJOR: Type.Integer(),
    CRITICAL: Type.Integer(),
  }),
});
export type PlaceCounts = Static<typeof PlaceCounts>;

/** Units and devices that an overview lists at most; of more it tells figures, until a place is named. */
export const mostListed = 1000;

export const KindHouse = Type.Object({
  id: Id,
  name: Type.String(),
  pigstyType: PigstyType,
  units: Type.Array(KindUnit),
  /** What stands in the house, where its units and devices are not listed; absent where they are. */
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
  /** What serves the farm as a whole, where it is not listed. */
  unlisted: Type.Optional(PlaceCounts),
});
export type KindFarm = Static<typeof KindFarm>;

/** What a live stream sends. `telemetry` carries only the keys that changed; `presence` a status change; `command` where one stands. */
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
  /** The device's time. */
  ts: EpochMs,
  /** What the kind declares for this type; names of people are shortened. */
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

/** Settings of a device by key: what the server wants, and what the device says it runs with. */
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

/** Files that raw values are exported to. */
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
    /** All keys that the devices ever sent, at most 500, where it is absent. */
    keys: Type.Optional(
      Type.Array(Type.String({ minLength: 1, maxLength: 128 }), { minItems: 1, maxItems: 100, uniqueItems: true }),
    ),
    start: EpochMs,
    end: EpochMs,
    format: Type.Enum(telemetryExportFormats),
    /** Of the headers. */
    language: Type.Optional(Type.Enum(["zh", "en"] as const)),
  }),
  reply: Type.Object({ jobId: Id }),
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
