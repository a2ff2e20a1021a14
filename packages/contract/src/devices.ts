import { type Static, Type } from "typebox";
import { DeviceKindId, DeviceStatus, FarmType, PigstyType, Resolution } from "./codes.ts";
import { type Endpoint, publicAccess, signedIn } from "./endpoint.ts";
import { UnitSummary } from "./farms.ts";
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

export const DeviceDetail = Type.Object({
  ...Device.properties,
  /** Client attributes as the device reported them. */
  attributes: Type.Record(Type.String(), Type.Unknown()),
  dropped: Type.Array(DroppedMessages),
});
export type DeviceDetail = Static<typeof DeviceDetail>;

export const HistoryReply = Type.Object({
  key: Type.String(),
  resolution: Type.Enum(["raw", "minute", "hour", "day"] as const),
  /** raw: `[ts, value]`; else `[ts of the bucket's start, min, avg, max]`. Ascending; ts in ms since 1970. */
  points: Type.Array(Type.Array(Type.Unknown())),
});
export type HistoryReply = Static<typeof HistoryReply>;

/** One environment unit as the overview shows it. */
export const EnvironmentUnit = Type.Object({
  ...UnitSummary.properties,
  /** "" when no controller is bound; the other fields of the device are then empty, too. */
  deviceId: Type.String(),
  deviceName: Type.String(),
  status: DeviceStatus,
  /** Newest telemetry in ms since 1970; absent before the first. */
  reportedAtMs: Type.Optional(EpochMs),
  readings: Readings,
});
export type EnvironmentUnit = Static<typeof EnvironmentUnit>;

export const EnvironmentHouse = Type.Object({
  id: Id,
  name: Type.String(),
  pigstyType: PigstyType,
  units: Type.Array(EnvironmentUnit),
});
export type EnvironmentHouse = Static<typeof EnvironmentHouse>;

export const EnvironmentFarm = Type.Object({
  id: Id,
  code: Type.String(),
  name: Type.String(),
  type: FarmType,
  regionName: Type.String(),
  latitude: Type.Optional(Type.Number()),
  longitude: Type.Optional(Type.Number()),
  houses: Type.Array(EnvironmentHouse),
});
export type EnvironmentFarm = Static<typeof EnvironmentFarm>;

/** What a live stream sends. `telemetry` carries only the keys that changed; `presence` a status change. */
export const LiveEvent = Type.Union([
  Type.Object({ type: Type.Literal("telemetry"), id: Id, readings: Readings }),
  Type.Object({ type: Type.Literal("presence"), id: Id, status: DeviceStatus, connected: Type.Boolean() }),
]);
export type LiveEvent = Static<typeof LiveEvent>;

/** Figures of the whole portal for visitors. */
export const LiveFigures = Type.Object({
  devicesOnline: Type.Integer(),
  devices: Type.Integer(),
  farms: Type.Integer(),
  units: Type.Integer(),
  headCount: Type.Integer({ description: "pigs in care" }),
  /** Telemetry values stored in the last 24 hours. */
  valuesLastDay: Type.Integer(),
  asOfMs: EpochMs,
  /** A real unit that agreed to be shown to visitors; absent when there is none. */
  showcase: Type.Optional(
    Type.Object({
      houseName: Type.String(),
      unitName: Type.String(),
      pigstyType: PigstyType,
      headCount: Type.Integer(),
      readings: Readings,
    }),
  ),
});
export type LiveFigures = Static<typeof LiveFigures>;

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

export const environmentOverview = {
  method: "GET",
  path: "/api/muyuan-iot/environment/overview",
  summary: "All units of the session's tenant with the newest readings of their environment controllers.",
  access: signedIn,
  owner: "tenant",
  rate: "read",
  personal: {},
  form: "envelope",
  query: Empty,
  body: Empty,
  reply: Type.Array(EnvironmentFarm),
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

export const liveFigures = {
  method: "GET",
  path: "/api/muyuan-content/section/skip-secure/live-figures",
  summary: "Figures of the home page: devices online, farms, pigs in care, and one showcase unit.",
  access: publicAccess,
  owner: "nobody",
  rate: "read",
  personal: {},
  form: "envelope",
  query: Empty,
  body: Empty,
  reply: LiveFigures,
} satisfies Endpoint;
