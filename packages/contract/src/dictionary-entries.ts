import { number, onOff, resource, text } from "./resource/index.ts";

const fields = {
  dictValue: text("字典名称", { required: true, max: 60, search: true, column: true }),
  code: text("字典编码", { required: true, max: 60, rule: "code", search: true, column: true }),
  dictKey: text("字典键值", {
    required: true,
    max: 40,
    unique: "siblings",
    filter: true,
    sort: true,
    hint: "字典本身填 -1",
  }),
  entries: number("选项数", { min: 0, max: 1_000_000, derived: true, column: true }),
  sort: number("排序", { min: 0, max: 9999, default: 0 }),
  isSealed: onOff("封存", { filter: true, column: true, hint: "封存后不再供选择，已使用的仍可读" }),
  remark: text("备注", { max: 200, lines: 3 }),
} as const;

/** Dictionaries: a code stands at the top, its values below it (wire.md 3.8). */
export const dictionaryEntries = resource({
  name: "dict",
  table: "dictionaries",
  view: "dictionary_list",
  path: "/api/muyuan-system/dict",
  scope: "group",
  words: { one: "字典项", many: "字典管理" },
  title: "dictValue",
  find: { by: ["code"] },
  menu: { parent: "platform", icon: "book", path: "/system/dict", type: "admin", roles: ["administrator"] },
  tree: { maxDepth: 2 },
  replaced: ["list"],
  card: ["entries"],
  fields,
  sheets: { key: "dictKey", maxRows: 5000 },
});

/** Dictionaries of a tenant's own (wire.md 3.8, `dict-biz`); no field of the product reads them. */
export const businessDictionaries = resource({
  name: "dict_biz",
  table: "business_dictionaries",
  view: "business_dictionary_list",
  path: "/api/muyuan-system/dict-biz",
  scope: "own-or-all-tenants",
  words: {
    one: "业务字典项",
    many: "业务字典",
    nothing: "业务字典是本组织自己的选项，例如投诉的原因；可以一条条建，也可以用表格一次导入。",
  },
  title: "dictValue",
  find: { by: ["code"] },
  menu: { parent: "organization", icon: "book", path: "/system/dictbiz", type: "admin", roles: ["administrator"] },
  tree: { maxDepth: 2 },
  replaced: ["list"],
  fields,
  sheets: { key: "dictKey", maxRows: 5000 },
});
