import { type Static, Type } from "typebox";
import { type Endpoint, permission } from "./endpoint.ts";
import { choice, date, number, reference, resource, text } from "./resource/index.ts";
import { Empty, Id } from "./scalars.ts";

/** Maintenance of a device or unit: who did what with which parts, and when it is due again (decisions.md 7). */
export const maintenance = resource({
  name: "maintenance",
  table: "maintenance_entries",
  view: "maintenance_list",
  path: "/api/muyuan-iot/maintenance",
  scope: "tenant",
  words: { one: "维护记录", many: "维护记录", oneEn: "Maintenance record" },
  title: "work",
  menu: {
    parent: "pig_farm",
    icon: "wrench",
    path: "/selfCenter/pigFarmArchitecture/maintenance",
    type: "selfCenter",
    roles: ["owner", "farm_manager", "administrator"],
    viewers: ["veterinarian", "worker", "device_engineer"],
  },
  views: [{ id: "due", name: "要做的", where: { due: "late,soon" } }],
  order: [{ field: "doneOn", direction: "desc" }],
  card: ["deviceId", "doneOn", "nextDueOn"],
  urgent: { field: "due", values: ["late", "soon"] },
  fields: {
    work: text("做了什么", { required: true, min: 2, max: 200, lines: 2, search: true, column: true, section: "工作" }),
    type: choice("维护类型", {
      required: true,
      options: [
        ["inspection", "巡检"],
        ["cleaning", "清洁"],
        ["calibration", "校准"],
        ["repair", "维修"],
        ["replacement", "更换"],
        ["other", "其他"],
      ],
      default: "inspection",
      filter: true,
      column: true,
      section: "工作",
    }),
    deviceId: reference("设备", {
      to: "device",
      filter: true,
      column: true,
      section: "工作",
      hint: "表格里填序列号",
    }),
    // Told with the device.
    unitId: reference("单元", {
      to: "unit",
      filter: true,
      section: "工作",
      hint: "不填时取设备所在的单元；表格里填单元编号",
    }),
    doneOn: date("日期", { required: true, filter: true, sort: true, column: true, section: "工作" }),
    person: text("谁做的", { required: true, max: 30, search: true, column: true, section: "工作" }),
    minutes: number("用时", { min: 0, max: 14_400, unit: "分钟", section: "工作" }),
    parts: text("用了哪些零件", { max: 200, lines: 2, search: true, section: "工作" }),
    nextDueOn: date("下次到期", {
      filter: true,
      sort: true,
      column: true,
      section: "下次",
      hint: "到期前 3 天提醒能写维护记录的成员；做过同类维护就不再提醒",
    }),
    due: choice("到期情况", {
      options: [
        ["late", "已过"],
        ["soon", "快到了"],
        ["later", "还早"],
        ["none", "不用再做"],
      ],
      derived: true,
      filter: true,
    }),
    code: text("记录编号", {
      required: true,
      max: 40,
      rule: "code",
      unique: "scope",
      search: true,
      section: "下次",
    }),
  },
  sheets: { key: "code", maxRows: 20_000 },
});

/** Photos that an entry may have. */
export const mostMaintenancePhotos = 6;

const Name = Type.String({
  pattern: "^upload/[0-9]{8}/[0-9a-f-]{36}\\.(jpg|png)$",
  description: "of a shared picture that a member of the tenant uploaded, as the upload answered it",
});
const MaintenancePhoto = Type.Object({ name: Name });
export type MaintenancePhoto = Static<typeof MaintenancePhoto>;

const photo = { owner: "tenant", personal: {}, form: "envelope" } as const;

export const maintenancePhotoList = {
  ...photo,
  method: "GET",
  path: "/api/muyuan-iot/maintenance-photo/list",
  summary: "Photos of an entry of the maintenance log, oldest first.",
  access: permission("maintenance_view"),
  rate: "read",
  query: Type.Object({ entryId: Id }),
  body: Empty,
  reply: Type.Array(MaintenancePhoto),
} satisfies Endpoint;

export const maintenancePhotoAdd = {
  ...photo,
  method: "POST",
  path: "/api/muyuan-iot/maintenance-photo/submit",
  summary: `Adds an uploaded picture to an entry of the maintenance log; at most ${mostMaintenancePhotos}.`,
  access: permission("maintenance_edit"),
  rate: "write",
  query: Empty,
  body: Type.Object({ entryId: Id, name: Name }),
  reply: Empty,
} satisfies Endpoint;

export const maintenancePhotoRemove = {
  ...photo,
  method: "POST",
  path: "/api/muyuan-iot/maintenance-photo/remove",
  summary: "Takes a photo off an entry of the maintenance log.",
  access: permission("maintenance_edit"),
  rate: "write",
  query: Empty,
  body: Type.Object({ entryId: Id, name: Name }),
  reply: Empty,
} satisfies Endpoint;
