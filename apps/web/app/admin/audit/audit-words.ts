import { type AuditAction, resourceScreens } from "@herdwise/contract";

export const auditActionNames: Readonly<Record<AuditAction, string>> = {
  create: "新增",
  update: "修改",
  remove: "删除",
  move: "移动",
  import: "导入",
  undo: "撤销导入",
  grant: "授权",
  view: "查看",
};

/** Resources by name with their Chinese titles; a resource with two screens once. */
export const resourceTitles: ReadonlyMap<string, string> = new Map(
  resourceScreens.map(({ name, title }) => [name, title]),
);

const yearMonthDay = /^\d{4}-\d{2}-\d{2}$/;

/** A day of the address; "" for none or for something else. */
export const knownDay = (value: string | null): string => {
  if (value === null || !yearMonthDay.test(value)) return "";
  return Number.isNaN(Date.parse(`${value}T00:00:00Z`)) ? "" : value;
};
