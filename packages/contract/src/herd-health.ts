import { choice, date, number, reference, resource, text } from "./resource/index.ts";

/** Menu and roles of the records of a herd's health. */
const healthMenu = {
  type: "vet",
  parent: "herd_health",
  roles: ["owner", "farm_manager", "veterinarian", "administrator"],
  viewers: ["worker", "device_engineer"],
} as const;

/** Vaccines and medicines with their withdrawal periods, by the names that injectors report. */
export const medicines = resource({
  name: "medicine",
  table: "medicines",
  path: "/api/muyuan-iot/medicine",
  scope: "tenant",
  words: { one: "药品", many: "药品与休药期" },
  title: "name",
  find: {},
  menu: { ...healthMenu, icon: "box", path: "/selfCenter/vet/medicine" },
  // By type, so that medicines which are alike stand together in both languages.
  order: [
    { field: "type", direction: "asc" },
    { field: "name", direction: "asc" },
  ],
  fields: {
    name: text("药品名称", {
      required: true,
      max: 40,
      unique: "scope",
      search: true,
      column: true,
      hint: "疫苗要和注射器上选的名称一致，休药期才能对上",
    }),
    type: choice("药品类型", {
      required: true,
      options: [
        ["vaccine", "疫苗"],
        ["antibiotic", "抗菌药"],
        ["parasiticide", "驱虫药"],
        ["other", "其他"],
      ],
      default: "vaccine",
      filter: true,
      column: true,
    }),
    withdrawalDays: number("休药期", { required: true, min: 0, max: 365, unit: "天", sort: true, column: true }),
    basis: text("休药期依据", { max: 100, column: true, hint: "例如说明书或公告的编号" }),
  },
});

/** Planned injections of a unit, with their dates. */
export const vaccinationPlans = resource({
  name: "vaccination_plan",
  table: "vaccination_plans",
  view: "vaccination_plan_rows",
  path: "/api/muyuan-iot/vaccination-plan",
  scope: "tenant",
  words: { one: "免疫计划", many: "免疫计划", oneEn: "Vaccination plan", search: "疫苗、舍、单元或任务编号" },
  title: "task",
  find: {},
  menu: { ...healthMenu, icon: "clock", path: "/selfCenter/vet/vaccinationPlan" },
  views: [
    // As many as the menu and the console count.
    { id: "due", name: "到期要打的", where: { state: "overdue,today" } },
    { id: "planned", name: "计划中", where: { state: "planned" } },
    { id: "unheard", name: "注射器没有报", where: { state: "unheard" } },
    { id: "done", name: "已打", where: { state: "done" } },
  ],
  order: [{ field: "plannedOn", direction: "asc" }],
  urgent: { field: "state", values: ["overdue", "today", "unheard", "planned"] },
  fields: {
    // Drawn with its vaccine, which says more than its number.
    task: text("免疫任务", {
      required: true,
      max: 40,
      rule: "code",
      unique: "scope",
      search: true,
      column: true,
      hint: "和注射器上的任务编号一致，按时率按它对上",
    }),
    unitId: reference("单元", { to: "unit", required: true, filter: true, column: true }),
    medicineId: reference("疫苗", { to: "medicine", required: true, filter: true }),
    plannedOn: date("计划日期", { required: true, filter: true, sort: true, column: true }),
    state: choice("状态", {
      options: [
        ["overdue", "逾期未打"],
        ["today", "今天"],
        ["planned", "已计划"],
        ["done", "已打"],
        ["unheard", "注射器没有报"],
      ],
      derived: true,
      filter: true,
      column: true,
    }),
    what: text("疫苗和单元", { max: 200, derived: true, search: true }),
    remark: text("备注", { max: 200, lines: 2 }),
  },
});

/** Findings and treatments of a veterinarian in a unit. */
export const treatments = resource({
  name: "treatment",
  table: "treatments",
  path: "/api/muyuan-iot/treatment",
  scope: "tenant",
  words: { one: "诊疗记录", many: "诊疗记录", oneEn: "Vet record", search: "看到的、做的或记录编号" },
  title: "finding",
  menu: { ...healthMenu, icon: "history", path: "/selfCenter/vet/treatment" },
  order: [{ field: "onDay", direction: "desc" }],
  fields: {
    finding: text("看到什么、做了什么", { required: true, min: 2, max: 200, lines: 2, search: true, column: true }),
    type: choice("记录类型", {
      required: true,
      options: [
        ["diagnosis", "诊断"],
        ["treatment", "用药"],
        ["necropsy", "剖检"],
      ],
      default: "diagnosis",
      filter: true,
      column: true,
    }),
    unitId: reference("单元", { to: "unit", required: true, filter: true, column: true }),
    onDay: date("日期", { required: true, filter: true, sort: true, column: true }),
    days: number("用药天数", {
      required: true,
      min: 1,
      max: 60,
      default: 1,
      unit: "天",
      column: true,
      hint: "从日期那天起连用几天；休药期从最后一天算起。",
    }),
    medicineId: reference("药品", { to: "medicine", filter: true, column: true }),
    code: text("记录编号", { required: true, max: 40, rule: "code", unique: "scope", search: true }),
    heads: number("头数", { min: 0, max: 100_000, unit: "头", column: true }),
  },
});
