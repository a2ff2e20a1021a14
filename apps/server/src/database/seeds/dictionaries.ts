import type { Kysely } from "kysely";
import type { DB } from "../generated/database.ts";

/** The family's standard codes (wire.md 3.8), with names and values. */
const seeds: readonly { code: string; name: string; values: Readonly<Record<string, string>> }[] = [
  { code: "sex", name: "性别", values: { 1: "男", 2: "女", 3: "未知" } },
  {
    code: "notice",
    name: "通知类型",
    values: { 1: "发布通知", 2: "批转通知", 3: "转发通知", 4: "指示通知", 5: "任免通知", 6: "事务通知" },
  },
  { code: "menu_category", name: "菜单类型", values: { 1: "菜单", 2: "按钮" } },
  { code: "button_func", name: "按钮功能", values: { 1: "工具栏", 2: "操作栏", 3: "工具操作栏" } },
  { code: "yes_no", name: "是否", values: { 1: "否", 2: "是" } },
  { code: "org_category", name: "机构类型", values: { 1: "公司", 2: "部门", 3: "小组" } },
  { code: "post_category", name: "岗位类型", values: { 1: "高层", 2: "中层", 3: "基层", 4: "其他" } },
  {
    code: "region",
    name: "行政区划",
    values: { 0: "国家", 1: "省份/直辖市", 2: "地市", 3: "区县", 4: "乡镇", 5: "村委" },
  },
  { code: "user_type", name: "用户平台", values: { 1: "WEB", 2: "APP", 3: "OTHER" } },
  {
    code: "data_scope_type",
    name: "数据权限",
    values: { 1: "全部可见", 2: "本人可见", 3: "所在机构可见", 4: "所在机构及子级可见", 5: "自定义" },
  },
  { code: "api_scope_type", name: "接口权限", values: { 1: "系统接口", 2: "业务接口" } },
  // Region codes of GB/T 2260.
  {
    code: "province",
    name: "省级行政区",
    values: {
      11: "北京市",
      12: "天津市",
      13: "河北省",
      14: "山西省",
      15: "内蒙古自治区",
      21: "辽宁省",
      22: "吉林省",
      23: "黑龙江省",
      31: "上海市",
      32: "江苏省",
      33: "浙江省",
      34: "安徽省",
      35: "福建省",
      36: "江西省",
      37: "山东省",
      41: "河南省",
      42: "湖北省",
      43: "湖南省",
      44: "广东省",
      45: "广西壮族自治区",
      46: "海南省",
      50: "重庆市",
      51: "四川省",
      52: "贵州省",
      53: "云南省",
      54: "西藏自治区",
      61: "陕西省",
      62: "甘肃省",
      63: "青海省",
      64: "宁夏回族自治区",
      65: "新疆维吾尔自治区",
      71: "台湾省",
      81: "香港特别行政区",
      82: "澳门特别行政区",
    },
  },
];

/** Chinese texts of the dictionaries; the web app's dictionary has their English. */
export const dictionaryTexts: readonly string[] = seeds.flatMap(({ name, values }) => [name, ...Object.values(values)]);

/** Fixed ids from 1560000000000002000 on, a hundred for each code, so that seeding again finds the rows. */
const firstId = 1_560_000_000_000_002_000n;

/** Adds codes that this version introduces, each once with its values; values that administrators changed or removed stay so. */
export async function seedDictionaries(db: Kysely<DB>): Promise<void> {
  for (const [at, { code, name, values }] of seeds.entries()) {
    const id = firstId + BigInt(at * 100);
    const added = await db
      .insertInto("dictionaries")
      .values({ id: String(id), parentId: null, code, dictKey: "-1", dictValue: name, sort: at })
      .onConflict((conflict) => conflict.doNothing())
      .executeTakeFirst();
    if ((added.numInsertedOrUpdatedRows ?? 0n) === 0n) continue;
    await db
      .insertInto("dictionaries")
      .values(
        Object.entries(values).map(([dictKey, dictValue], sort) => ({
          id: String(id + BigInt(sort + 1)),
          parentId: String(id),
          code,
          dictKey,
          dictValue,
          sort: sort + 1,
        })),
      )
      .execute();
  }
}
