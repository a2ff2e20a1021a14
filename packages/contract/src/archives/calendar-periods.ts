import { choice, date, number, resource, text } from "../resource/index.ts";
import { archiveRoles } from "./shared.ts";

/**
 * Days that differ from the normal week, as the State Council announces each autumn: holidays, and weekend days that are worked
 * instead.
 * A worked day wins over a holiday that names the same day. Due times of reviews and service skip days off.
 * A year without any row uses the statutory holidays alone.
 */
export const calendarPeriods = resource({
  name: "calendar_period",
  table: "calendar_periods",
  path: "/api/muyuan-system/calendar-period",
  scope: "group",
  words: { one: "日历时段", many: "工作日历" },
  title: "periodName",
  find: {},
  menu: { parent: "archives", icon: "calendar", path: "/archives/calendar-period", type: "admin", ...archiveRoles },
  order: [{ field: "firstDay", direction: "desc" }],
  fields: {
    periodName: text("名称", { required: true, min: 2, max: 30, unique: "scope", search: true, column: true }),
    kind: choice("安排", {
      required: true,
      options: [
        ["off", "放假"],
        ["worked", "调休上班"],
      ],
      default: "off",
      filter: true,
      column: true,
    }),
    firstDay: date("第一天", { required: true, filter: true, column: true, sort: true }),
    days: number("天数", { required: true, min: 1, max: 366, unit: "天", default: 1, column: true }),
  },
  sheets: { key: "periodName", maxRows: 1000 },
});
