import { type Static, Type } from "typebox";
import { DeviceKindId, DeviceStatus, PigstyType, UnitMode } from "./codes.ts";
import { DeviceDetail, JudgedBy, Readings } from "./devices.ts";
import { type Endpoint, permission } from "./endpoint.ts";
import { deviceKindNames } from "./generated/device-kind-ids.ts";
import { choice, moment, number, resource, text } from "./resource/index.ts";
import { DateTime, Empty, EpochMs, Id } from "./scalars.ts";

/** A person can grant only menus that they hold, so the group's staff hold the customers' menu, too. */
const barn = ["owner", "farm_manager", "veterinarian", "worker", "administrator", "device_engineer"];

/**
 * The registry of devices (product.md 3): the group's staff register devices; customers see and name their own. Binding,
 * placing and credentials have operations of their own below.
 */
export const deviceRegistry = resource({
  name: "device",
  table: "devices",
  view: "device_registry",
  path: "/api/muyuan-iot/registry",
  scope: "own-or-all-tenants",
  addedBy: "group",
  words: { one: "设备", many: "全部设备", oneEn: "Device" },
  title: "name",
  find: { by: ["serialNumber"], places: ["farmId", "houseId", "unitId"] },
  menu: {
    parent: "equipment",
    icon: "devices",
    path: "/equipment/device",
    type: "admin",
    roles: ["administrator", "device_engineer"],
    viewers: ["customer_service"],
  },
  customerMenu: {
    code: "device_all",
    icon: "devices",
    path: "/selfCenter/equipmentManage/allDevices",
    type: "equipmentManage",
    roles: ["owner", "farm_manager"],
    viewers: barn,
  },
  views: [
    { id: "bad", name: "要看的", where: { status: "fault,offline" } },
    { id: "bound", name: "已绑定", where: { bound: "bound" } },
    { id: "unbound", name: "未绑定", where: { bound: "unbound" } },
  ],
  order: [{ field: "name", direction: "asc" }],
  card: ["place", "reportAt"],
  fields: {
    name: text("设备名称", { required: true, max: 60, search: true, column: true }),
    // Shown below the name.
    serialNumber: text("序列号", {
      required: true,
      max: 64,
      rule: "code",
      unique: "scope",
      search: true,
      sort: true,
      fixed: true,
    }),
    // The problem is shown beside the name, at every screen width.
    status: choice("数据", {
      options: [
        ["online", "按时上报"],
        ["fault", "故障"],
        ["offline", "没有上报"],
        ["unactivated", "未激活"],
        ["blocked", "已停用"],
      ],
      derived: true,
      filter: true,
      column: true,
    }),
    // Who reports is connected; the column can be added.
    connection: choice("连接", {
      options: [
        ["connected", "已连接"],
        ["disconnected", "断开"],
      ],
      derived: true,
      filter: true,
    }),
    // Names say it, and the list has more telling columns.
    kind: choice("设备类型", { required: true, options: deviceKindNames, filter: true, sort: true, fixed: true }),
    place: text("位置", { max: 200, derived: true, column: true }),
    bound: choice("绑定", {
      options: [
        ["bound", "已绑定"],
        ["unbound", "未绑定"],
      ],
      derived: true,
      filter: true,
    }),
    droppedCount: number("未保存的消息", { min: 0, max: 2_147_483_647, derived: true }),
    reportAt: moment("最近上报", { column: true }),
    firmwareVersion: text("固件", { max: 20, derived: true }),
  },
  sheets: { key: "serialNumber", maxRows: 50_000 },
});

/** Digits of the code on a device's label. */
export const verificationCodeLength = 6;

const SerialNumber = Type.String({ minLength: 1, maxLength: 200 });
const Code = Type.String({ minLength: 1, maxLength: 16, description: "6 digits from the label" });

/** Position of a device in its unit, seen from above. */
const position = {
  /** Distance from the west end in ten-thousandths of the unit's length. */
  positionX: Type.Optional(Type.Integer({ minimum: 0, maximum: 10_000 })),
  /** Distance from the north side in ten-thousandths of the unit's width. */
  positionY: Type.Optional(Type.Integer({ minimum: 0, maximum: 10_000 })),
  /** Height above the floor in cm. */
  heightCm: Type.Optional(Type.Integer({ minimum: 0, maximum: 2000 })),
};

const place = {
  farmId: Id,
  houseId: Type.Optional(Id),
  /** Requires `houseId`. */
  unitId: Type.Optional(Id),
  ...position,
};

/** The device that a label identifies, before it is bound. */
export const LabelledDevice = Type.Object({
  name: Type.String(),
  serialNumber: Type.String(),
  kind: DeviceKindId,
  /** When it was registered. */
  createTime: DateTime,
});
export type LabelledDevice = Static<typeof LabelledDevice>;

const bind = { access: permission("device_claim"), owner: "tenant", personal: {}, form: "envelope" } as const;

export const deviceLookUp = {
  method: "POST",
  path: "/api/muyuan-iot/device/look-up",
  summary:
    "Says which device a serial number and the verification code on its label stand for; one answer for all that can't be bound.",
  ...bind,
  rate: "guarded",
  query: Empty,
  body: Type.Object({ serialNumber: SerialNumber, code: Code }),
  reply: LabelledDevice,
} satisfies Endpoint;

export const deviceDemoLabels = {
  method: "GET",
  path: "/api/muyuan-iot/device/demo-label/list",
  summary:
    "Labels of the demo's devices that nobody has bound yet, so that binding can be tried; none outside of a demo.",
  ...bind,
  rate: "read",
  query: Empty,
  body: Empty,
  reply: Type.Array(
    Type.Object({ name: Type.String(), serialNumber: Type.String(), kind: DeviceKindId, code: Type.String() }),
  ),
} satisfies Endpoint;

export const deviceBind = {
  method: "POST",
  path: "/api/muyuan-iot/device/bind",
  summary:
    "Binds a device by its serial number and verification code to a place of the session's tenant; with a gateway those behind it.",
  ...bind,
  rate: "guarded",
  query: Empty,
  body: Type.Object({ serialNumber: SerialNumber, code: Code, ...place }),
  reply: Type.Object({
    deviceId: Id,
    bound: Type.Integer({ description: "devices that were bound: 1, and with a gateway those behind it" }),
  }),
} satisfies Endpoint;

/** A device that came lately, by whichever way, with what it told since. */
export const FreshDevice = Type.Object({
  deviceId: Id,
  deviceName: Type.String(),
  serialNumber: Type.String(),
  kind: DeviceKindId,
  status: DeviceStatus,
  connected: Type.Boolean(),
  /** `bound`: to a place; `registered`: by a sheet, by hand or by itself, and not bound yet. */
  came: Type.Enum(["bound", "registered"] as const),
  /** When it came. */
  sinceMs: EpochMs,
  place: Type.String({ description: 'farm, house and unit; "" for none' }),
  unitId: Type.String({ description: '"" for none' }),
  /** Of its unit; absent outside of one. */
  unit: Type.Optional(
    Type.Object({
      pigstyType: PigstyType,
      mode: UnitMode,
      headCount: Type.Integer(),
      averageWeightGrams: Type.Optional(Type.Integer()),
      targetTemperature: Type.Optional(Type.Number()),
    }),
  ),
  /** Time of the newest telemetry since then; absent before the first. */
  reportedAtMs: Type.Optional(EpochMs),
  /** What it told since then. */
  readings: Readings,
  /** Absent where nothing differs from the kind. */
  judgedBy: Type.Optional(JudgedBy),
});
export type FreshDevice = Static<typeof FreshDevice>;

/** Days for which a device counts as new, and most of them in an answer. */
export const freshDevices = { days: 7, most: 20 };

export const deviceFresh = {
  method: "GET",
  path: "/api/muyuan-iot/device/fresh/list",
  summary: `Devices that were bound or registered within ${freshDevices.days} days, newest first, with what they told since; at most ${freshDevices.most}.`,
  ...bind,
  rate: "read",
  query: Type.Object({ id: Type.Optional(Id) }),
  body: Empty,
  reply: Type.Array(FreshDevice),
} satisfies Endpoint;

/** Effects of an unbinding. */
export const UnbindEffects = Type.Object({
  openAlarms: Type.Integer(),
  openCommands: Type.Integer(),
  /** Number of devices behind a gateway, which are unbound with it. */
  behind: Type.Integer(),
});
export type UnbindEffects = Static<typeof UnbindEffects>;

export const deviceUnbindEffects = {
  method: "GET",
  path: "/api/muyuan-iot/device/unbind-effects",
  summary: "What an unbinding of a device would end. 404 for another tenant's.",
  ...bind,
  rate: "read",
  query: Type.Object({ id: Id }),
  body: Empty,
  reply: UnbindEffects,
} satisfies Endpoint;

export const deviceUnbind = {
  method: "POST",
  path: "/api/muyuan-iot/device/unbind",
  summary:
    "Gives a device back to the group: ends its open alarms and commands and forgets its settings; alarms, commands and the record of the binding stay with the tenant.",
  ...bind,
  rate: "write",
  query: Empty,
  body: Type.Object({ id: Id }),
  reply: UnbindEffects,
} satisfies Endpoint;

export const devicePlace = {
  method: "POST",
  path: "/api/muyuan-iot/device/place",
  summary: "Moves a bound device to a place of its tenant, and says where in the unit it hangs.",
  ...bind,
  rate: "write",
  query: Empty,
  body: Type.Object({ id: Id, ...place }),
  reply: Empty,
} satisfies Endpoint;

export const deviceInspect = {
  method: "GET",
  path: "/api/muyuan-iot/registry/inspect",
  summary: "One device with its attributes, place and dropped messages, for the group's staff of every tenant.",
  access: permission("device_view"),
  owner: "tenants",
  rate: "read",
  personal: {},
  form: "envelope",
  query: Type.Object({ id: Id }),
  body: Empty,
  reply: DeviceDetail,
} satisfies Endpoint;

const staff = { access: permission("device_credentials"), owner: "tenants", personal: {}, form: "envelope" } as const;

export const deviceBlock = {
  method: "POST",
  path: "/api/muyuan-iot/device/block",
  summary: "Keeps a device out, whatever it shows, and ends its connections; or lets it in again.",
  ...staff,
  rate: "write",
  query: Empty,
  body: Type.Object({ id: Id, blocked: Type.Boolean() }),
  reply: Empty,
} satisfies Endpoint;

/** Data that is printed on a device's label. */
export const DeviceLabel = Type.Object({
  id: Id,
  name: Type.String(),
  serialNumber: Type.String(),
  kind: DeviceKindId,
  code: Type.String({ description: "6 digits" }),
});
export type DeviceLabel = Static<typeof DeviceLabel>;

export const deviceLabels = {
  method: "POST",
  path: "/api/muyuan-iot/device/labels",
  summary:
    "Verification codes of devices for their labels; a device without one gets one, and `renew` gives all another. Who asked stands in the audit trail.",
  ...staff,
  rate: "guarded",
  query: Empty,
  body: Type.Object({
    ids: Type.Array(Id, { minItems: 1, maxItems: 200, uniqueItems: true }),
    renew: Type.Optional(Type.Boolean()),
  }),
  reply: Type.Array(DeviceLabel),
} satisfies Endpoint;
