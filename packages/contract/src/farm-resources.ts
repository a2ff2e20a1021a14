import { personField, personPhoneField, statusField } from "./archives/shared.ts";
import { choice, date, number, reference, resource, text } from "./resource/index.ts";

/** Roles that edit the structure of a farm, and roles that may only view it. */
const structureRoles = {
  type: "selfCenter",
  parent: "pig_farm",
  roles: ["owner", "farm_manager", "administrator"],
  viewers: ["veterinarian", "worker", "finance", "device_engineer", "customer_service"],
} as const;

const pigstyTypeField = choice("猪舍类型", {
  required: true,
  options: [
    ["integrated", "一体舍"],
    ["piglet", "保育舍"],
    ["fattening", "育肥舍"],
    ["boar", "公猪舍"],
    ["reserve", "后备舍"],
    ["pregnancy", "妊娠舍"],
    ["nursing", "哺乳舍"],
  ],
  filter: true,
  column: true,
  section: "基本",
});

/** Order among siblings; dragging in the structure changes it. */
const sortField = number("排序", { min: 0, max: 99_999, default: 0, section: "基本" });

/** Pig categories with their Chinese names. */
export const pigCategoryNames = [
  ["fattener", "育肥猪"],
  ["weaner", "保育猪"],
  ["suckling", "哺乳仔猪"],
  ["gilt", "后备猪"],
  ["sow", "母猪"],
  ["boar", "公猪"],
] as const;

/** What stands in a place now. */
const standing = {
  alarms: number("告警", { min: 0, max: 100_000, derived: true, column: true }),
  heads: number("存栏", { min: 0, max: 10_000_000, unit: "头", derived: true, column: true }),
  units: number("单元数", { min: 0, max: 100_000, derived: true, column: true }),
} as const;

/** A tenant's own farms (product.md 3, decisions.md 6). */
export const farms = resource({
  name: "farm",
  table: "farms",
  view: "farm_list",
  path: "/api/muyuan-farm/farm",
  scope: "tenant",
  words: { one: "猪场", many: "信息维护" },
  title: "name",
  find: { by: ["code"], opens: ["/selfCenter/vet/environment/overview?place={id}"] },
  menu: { ...structureRoles, icon: "farm", path: "/selfCenter/pigFarmArchitecture/infoMainte" },
  order: [{ field: "sort", direction: "asc" }],
  card: ["regionCode", "heads", "alarms"],
  fields: {
    code: text("场区编号", {
      required: true,
      max: 20,
      rule: "code",
      unique: "scope",
      search: true,
      column: true,
      section: "基本",
    }),
    name: text("场区名称", {
      required: true,
      min: 2,
      max: 30,
      unique: "scope",
      search: true,
      column: true,
      section: "基本",
    }),
    type: choice("场区类型", {
      required: true,
      options: [
        ["breeding", "种猪场"],
        ["multiplication", "扩繁场"],
        ["commercial", "商品场"],
        ["boar-station", "公猪站"],
      ],
      filter: true,
      column: true,
      section: "基本",
    }),
    ...standing,
    status: { ...statusField, section: "基本" },
    sort: sortField,
    principal: { ...personField("负责人"), section: "联系" },
    contactPhone: { ...personPhoneField, section: "联系" },
    regionCode: text("所在地区", {
      required: true,
      max: 6,
      rule: "region",
      filter: true,
      column: true,
      section: "位置",
    }),
    address: text("详细地址", { max: 100, search: true, section: "位置" }),
    latitude: number("纬度", { min: -90_000_000, max: 90_000_000, decimals: 6, unit: "°", section: "位置" }),
    longitude: number("经度", { min: -180_000_000, max: 180_000_000, decimals: 6, unit: "°", section: "位置" }),
    areaSquareMeters: number("占地面积", { min: 0, max: 100_000_000, unit: "m²", section: "规模" }),
  },
  sheets: { key: "code", maxRows: 5000 },
});

/** Pig houses of a farm. House names may repeat between farms, so sheets refer to a house by its code. */
export const pigHouses = resource({
  name: "pig_house",
  table: "pig_houses",
  view: "pig_house_list",
  path: "/api/muyuan-farm/house",
  scope: "tenant",
  words: { one: "猪舍", many: "猪舍管理" },
  title: "name",
  find: { by: ["code"], places: ["farmId"], opens: ["/selfCenter/vet/environment/overview?place={id}"] },
  menu: { ...structureRoles, icon: "unit", path: "/selfCenter/pigFarmArchitecture/pigHouseManage" },
  order: [
    { field: "farmId", direction: "asc" },
    { field: "sort", direction: "asc" },
  ],
  card: ["farmId", "heads", "alarms"],
  fields: {
    code: text("猪舍编号", {
      required: true,
      max: 30,
      rule: "code",
      unique: "scope",
      search: true,
      column: true,
      section: "基本",
    }),
    name: text("猪舍名称", { required: true, max: 30, search: true, column: true, section: "基本" }),
    farmId: reference("所属场区", { to: "farm", required: true, filter: true, column: true, section: "基本" }),
    pigstyType: pigstyTypeField,
    ...standing,
    capacity: number("设计存栏", { min: 0, max: 10_000_000, unit: "头", derived: true, column: true }),
    floor: number("楼层", { required: true, min: 1, max: 99, default: 1, filter: true, sort: true, section: "基本" }),
    status: { ...statusField, section: "基本" },
    sort: sortField,
  },
  sheets: { key: "code", maxRows: 20_000 },
});

/**
 * Units of a pig house. Head counts change by movements, and the mode by the unit's controllers, each with operations of its
 * own.
 */
export const units = resource({
  name: "unit",
  table: "units",
  view: "unit_list",
  path: "/api/muyuan-farm/unit",
  scope: "tenant",
  words: { one: "单元", many: "单元管理" },
  title: "name",
  titleWithin: "houseId",
  find: { by: ["code"], places: ["houseId"], opens: ["/selfCenter/vet/environment/unit?id={id}"] },
  menu: { ...structureRoles, icon: "board", path: "/selfCenter/pigFarmArchitecture/unitManage" },
  order: [
    { field: "houseId", direction: "asc" },
    { field: "sort", direction: "asc" },
  ],
  card: ["farmName", "headCount", "alarms"],
  views: [{ id: "alarmed", name: "要看的", where: { alarms_ge: "1" } }],
  fields: {
    code: text("单元编号", {
      required: true,
      max: 40,
      rule: "code",
      unique: "scope",
      search: true,
      column: true,
      section: "基本",
    }),
    name: text("单元名称", { required: true, max: 30, search: true, column: true, section: "基本" }),
    // Told with the unit.
    houseId: reference("所属猪舍", {
      to: "pig_house",
      required: true,
      filter: true,
      section: "基本",
      hint: "表格里填猪舍编号",
    }),
    farmName: text("场区", { max: 30, derived: true, column: true }),
    alarms: standing.alarms,
    // The names of houses say it.
    pigstyType: { ...pigstyTypeField, column: false },
    category: choice("猪只类别", { options: pigCategoryNames, filter: true, section: "基本" }),
    status: { ...statusField, section: "基本" },
    sort: sortField,
    capacity: number("设计存栏", {
      required: true,
      min: 0,
      max: 100_000,
      unit: "头",
      default: 0,
      column: true,
      section: "规模",
    }),
    areaSquareMeters: number("面积", { min: 0, max: 1_000_000, unit: "m²", section: "规模" }),
    volumeCubicMeters: number("容积", { min: 0, max: 10_000_000, unit: "m³", section: "规模" }),
    batchArrivedOn: date("进舍日期", { section: "批次" }),
    batchArrivalAgeDays: number("进舍日龄", { min: 0, max: 3000, unit: "天", section: "批次" }),
    averageWeightGrams: number("平均体重", { min: 0, max: 500_000, decimals: 3, unit: "kg", section: "批次" }),
  },
  derived: {
    headCount: number("存栏", { min: 0, max: 1_000_000, unit: "头" }),
    mode: choice("运行模式", {
      options: [
        ["normal", "正常饲养"],
        ["empty", "空栏"],
        ["washing", "冲洗"],
      ],
    }),
  },
  sheets: { key: "code", maxRows: 50_000 },
});
