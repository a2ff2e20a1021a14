import { type Kysely, sql } from "kysely";
import type { PersonalCipher } from "../../personal-cipher.ts";
import type { DB } from "../generated/database.ts";
import { seedTranslations } from "./demo.ts";
import { groupTenantId } from "./foundation.ts";

interface DepartmentSeed {
  name: string;
  fullName: string;
  /** Key of the dictionary org_category: 1 company, 2 department, 3 group. */
  category: "1" | "2" | "3";
  /** Logins of demo accounts that work there. */
  members?: readonly string[];
  children?: readonly DepartmentSeed[];
}

const departments: readonly DepartmentSeed[] = [
  {
    name: "慧牧集团",
    fullName: "慧牧农业科技集团股份有限公司",
    category: "1",
    members: ["admin"],
    children: [
      {
        name: "营销中心",
        fullName: "慧牧集团营销中心",
        category: "2",
        children: [
          { name: "华中大区", fullName: "营销中心华中大区", category: "3" },
          { name: "华东大区", fullName: "营销中心华东大区", category: "3" },
          { name: "客户服务部", fullName: "营销中心客户服务部", category: "2", members: ["kefu01"] },
        ],
      },
      {
        name: "智能装备中心",
        fullName: "慧牧集团智能装备中心",
        category: "2",
        children: [
          { name: "设备研发部", fullName: "智能装备中心设备研发部", category: "2" },
          { name: "现场工程部", fullName: "智能装备中心现场工程部", category: "2" },
        ],
      },
      { name: "养殖技术部", fullName: "慧牧集团养殖技术部", category: "2" },
      { name: "财务部", fullName: "慧牧集团财务部", category: "2" },
      { name: "信息中心", fullName: "慧牧集团信息中心", category: "2" },
    ],
  },
  { name: "慧牧智联公司", fullName: "慧牧智联物联网有限公司", category: "1" },
];

/** Categories of the dictionary post_category: 1 senior, 2 middle, 3 basic. */
const posts = [
  { code: "GM", name: "总经理", category: "1", remark: "" },
  { code: "REGION", name: "大区经理", category: "2", remark: "管一个销售大区" },
  { code: "ENGINEER", name: "设备工程师", category: "3", remark: "现场安装与维护" },
  { code: "SERVICE", name: "客服专员", category: "3", remark: "" },
  { code: "VET", name: "技术兽医", category: "3", remark: "驻场服务" },
  { code: "ACCOUNTANT", name: "会计", category: "3", remark: "" },
] as const;

const regions = [
  { key: "central", name: "华中大区", provinces: ["41", "42", "43"], principal: "高远" },
  { key: "north", name: "华北大区", provinces: ["11", "12", "13", "14", "15", "37"], principal: "孟磊" },
  { key: "east", name: "华东大区", provinces: ["31", "32", "33", "34", "35", "36"], principal: "许静" },
  { key: "south", name: "华南大区", provinces: ["44", "45", "46"], principal: "梁伟" },
  { key: "southwest", name: "西南大区", provinces: ["50", "51", "52", "53", "54"], principal: "罗敏" },
  { key: "northeast", name: "东北大区", provinces: ["21", "22", "23"], principal: "于海" },
] as const;

/** The fourth is a key of `regions`, the fifth a code of the national divisions; capacity in heads, area in tenths of a mu. */
const fields = [
  ["NX01", "内乡第一商品场", "commercial", "central", "411325", "马山口镇", "郑强", "13900000101", 1860, 12_000],
  ["NX02", "内乡第二种猪场", "breeding", "central", "411325", "灌涨镇", "冯涛", "13900000102", 2240, 4800],
  ["DZ01", "邓州商品场", "commercial", "central", "411381", "穰东镇", "袁杰", "13900000103", 1520, 9600],
  ["ZY01", "正阳扩繁场", "multiplication", "central", "411724", "真阳镇", "邱明", "13900000104", 980, 3600],
  ["CX01", "曹县商品场", "commercial", "north", "371721", "庄寨镇", "魏东", "13900000105", 1340, 8000],
  ["QN01", "黔南公猪站", "boar-station", "southwest", "522701", "甘塘镇", "田波", "13900000106", 260, 400],
  ["SH01", "绥化商品场", "commercial", "northeast", "231202", "秦家镇", "佟亮", "13900000107", 2100, 15_000],
] as const;

const serviceDepartments = [
  ["内乡服务部", "central", "0377-65300101", "秦岩", "411325", "湍东镇范蠡大街 68 号", "09:00-12:00"],
  ["邓州服务部", "central", "0377-62200102", "段峰", "411381", "花洲街道新华东路 112 号", ""],
  ["襄阳服务部", "central", "0710-35400103", "汪洁", "420606", "长虹北路 20 号", "09:00-12:00"],
  ["菏泽服务部", "north", "0530-55600104", "韩冰", "371702", "中华路 1558 号", ""],
  ["滁州服务部", "east", "0550-30700105", "俞斌", "341103", "南谯中路 9 号", "09:00-16:00"],
  ["玉林服务部", "south", "0775-28100106", "黎军", "450902", "人民东路 233 号", ""],
  ["都匀服务部", "southwest", "0854-82300107", "蒙恩", "522701", "斗篷山路 41 号", ""],
] as const;

/** Capacity in heads per day. */
const slaughterhouses = [
  ["TZ01", "内乡肉食产业综合体", "411325", "湍东镇", "唐亮", "13900000201", 6000],
  ["TZ02", "正阳屠宰厂", "411724", "真阳镇", "沈军", "13900000202", 2500],
  ["TZ03", "绥化屠宰厂", "231202", "秦家镇", "葛洋", "13900000203", 1800],
] as const;

/** Tax rate in hundredths of a percent. */
const invoiceTypes = [
  { name: "增值税普通发票", rate: 900, needs: ["title", "tax_number", "email"] },
  { name: "增值税专用发票", rate: 900, needs: ["title", "tax_number", "bank", "bank_account", "address", "phone"] },
  { name: "农产品免税发票", rate: 0, needs: ["title", "email"] },
] as const;

/** English names, as an editor would have entered them. */
const archiveTranslations: Readonly<Record<string, string>> = {
  慧牧农业科技集团股份有限公司: "Herdwise Agricultural Technology Group Co., Ltd.",
  营销中心: "Marketing centre",
  慧牧集团营销中心: "Herdwise marketing centre",
  营销中心华中大区: "Marketing centre, Central China",
  营销中心华东大区: "Marketing centre, East China",
  客户服务部: "Customer service",
  营销中心客户服务部: "Marketing centre, customer service",
  智能装备中心: "Smart equipment centre",
  慧牧集团智能装备中心: "Herdwise smart equipment centre",
  设备研发部: "Equipment development",
  智能装备中心设备研发部: "Smart equipment centre, development",
  现场工程部: "Field engineering",
  智能装备中心现场工程部: "Smart equipment centre, field engineering",
  养殖技术部: "Farming technology",
  慧牧集团养殖技术部: "Herdwise farming technology",
  财务部: "Finance",
  慧牧集团财务部: "Herdwise finance",
  信息中心: "Information technology",
  慧牧集团信息中心: "Herdwise information technology",
  慧牧智联公司: "Herdwise Connect",
  慧牧智联物联网有限公司: "Herdwise Connect IoT Co., Ltd.",
  总经理: "General manager",
  大区经理: "Regional manager",
  管一个销售大区: "Runs one sales region",
  设备工程师: "Device engineer",
  现场安装与维护: "Installs and maintains on site",
  客服专员: "Customer service agent",
  技术兽医: "Technical veterinarian",
  驻场服务: "Works on the farms",
  会计: "Accountant",
  华中大区: "Central China",
  华北大区: "North China",
  华东大区: "East China",
  华南大区: "South China",
  西南大区: "Southwest China",
  东北大区: "Northeast China",
  内乡第一商品场: "Neixiang commercial farm 1",
  内乡第二种猪场: "Neixiang breeding farm 2",
  邓州商品场: "Dengzhou commercial farm",
  正阳扩繁场: "Zhengyang multiplication farm",
  曹县商品场: "Caoxian commercial farm",
  黔南公猪站: "Qiannan boar station",
  绥化商品场: "Suihua commercial farm",
  马山口镇: "Mashankou",
  灌涨镇: "Guanzhang",
  穰东镇: "Rangdong",
  真阳镇: "Zhenyang",
  庄寨镇: "Zhuangzhai",
  甘塘镇: "Gantang",
  秦家镇: "Qinjia",
  湍东镇: "Tuandong",
  内乡服务部: "Neixiang service outlet",
  邓州服务部: "Dengzhou service outlet",
  襄阳服务部: "Xiangyang service outlet",
  菏泽服务部: "Heze service outlet",
  滁州服务部: "Chuzhou service outlet",
  玉林服务部: "Yulin service outlet",
  都匀服务部: "Duyun service outlet",
  "湍东镇范蠡大街 68 号": "68 Fanli Street, Tuandong",
  "花洲街道新华东路 112 号": "112 Xinhua East Road",
  "长虹北路 20 号": "20 Changhong North Road",
  "中华路 1558 号": "1558 Zhonghua Road",
  "南谯中路 9 号": "9 Nanqiao Middle Road",
  "人民东路 233 号": "233 Renmin East Road",
  "斗篷山路 41 号": "41 Doupengshan Road",
  内乡肉食产业综合体: "Neixiang meat complex",
  正阳屠宰厂: "Zhengyang abattoir",
  绥化屠宰厂: "Suihua abattoir",
  增值税普通发票: "VAT invoice",
  增值税专用发票: "Special VAT invoice",
  农产品免税发票: "Tax-free invoice for farm produce",
  高远: "Gao Yuan",
  孟磊: "Meng Lei",
  许静: "Xu Jing",
  梁伟: "Liang Wei",
  罗敏: "Luo Min",
  于海: "Yu Hai",
  郑强: "Zheng Qiang",
  冯涛: "Feng Tao",
  袁杰: "Yuan Jie",
  邱明: "Qiu Ming",
  魏东: "Wei Dong",
  田波: "Tian Bo",
  佟亮: "Tong Liang",
  秦岩: "Qin Yan",
  段峰: "Duan Feng",
  汪洁: "Wang Jie",
  韩冰: "Han Bing",
  俞斌: "Yu Bin",
  黎军: "Li Jun",
  蒙恩: "Meng En",
  唐亮: "Tang Liang",
  沈军: "Shen Jun",
  葛洋: "Ge Yang",
};

/**
 * Departments, posts and archives of the demo's group; an installation that already has any of these gets none.
 * @param cipher encrypts personal data
 */
export async function seedDemoArchives(db: Kysely<DB>, cipher: PersonalCipher, nextId: () => string): Promise<void> {
  await db.transaction().execute(async (to) => {
    await sql`select pg_advisory_xact_lock(hashtext('seeds'))`.execute(to);
    const { rows: kept } = await sql`
      select from departments where tenant_id = ${groupTenantId}
      union all select from posts where tenant_id = ${groupTenantId}
      union all select from sale_regions union all select from sale_fields union all select from service_departments
      union all select from slaughterhouses union all select from invoice_types
      limit 1`.execute(to);
    if (kept.length > 0) return;
    await seedTranslations(to, archiveTranslations);

    const addDepartments = async (seeds: readonly DepartmentSeed[], parentId: string | null): Promise<void> => {
      for (const [sort, { name, fullName, category, members = [], children = [] }] of seeds.entries()) {
        const id = nextId();
        await to
          .insertInto("departments")
          .values({ id, tenantId: groupTenantId, parentId, deptName: name, fullName, deptCategory: category, sort })
          .execute();
        await sql`
          insert into membership_departments (membership_id, department_id)
          select m.id, ${id} from memberships m join accounts a on a.id = m.account_id
           where m.tenant_id = ${groupTenantId} and a.account_key = any(${members})`.execute(to);
        await addDepartments(children, id);
      }
    };
    await addDepartments(departments, null);

    await to
      .insertInto("posts")
      .values(
        posts.map(({ code, name, category, remark }, sort) => ({
          id: nextId(),
          tenantId: groupTenantId,
          postCode: code,
          postName: name,
          category,
          remark,
          sort,
        })),
      )
      .execute();

    const regionIds = new Map<string, string>(regions.map(({ key }) => [key, nextId()]));
    const idOf = (key: string): string => regionIds.get(key) ?? "";
    await to
      .insertInto("saleRegions")
      .values(
        regions.map(({ key, name, provinces, principal }, sort) => ({
          id: idOf(key),
          regionName: name,
          provinces: [...provinces],
          principal,
          sort,
        })),
      )
      .execute();
    const phoneOf = (phone: string) => ({
      contactPhoneEncrypted: cipher.encrypt(phone),
      contactPhoneIndex: cipher.index(phone),
    });
    await to
      .insertInto("saleFields")
      .values(
        fields.map(([code, name, type, region, regionCode, address, principal, phone, areaMu, capacity]) => ({
          id: nextId(),
          fieldCode: code,
          fieldName: name,
          fieldType: type,
          saleRegion: idOf(region),
          regionCode,
          address,
          principal,
          ...phoneOf(phone),
          areaMu,
          capacity,
        })),
      )
      .execute();
    await to
      .insertInto("serviceDepartments")
      .values(
        serviceDepartments.map(([departmentName, region, phone, principal, regionCode, address, weekendHours]) => ({
          id: nextId(),
          departmentName,
          saleRegion: idOf(region),
          phone,
          principal,
          regionCode,
          address,
          weekdayHours: "08:30-12:00,14:00-18:00",
          weekendHours,
        })),
      )
      .execute();
    await to
      .insertInto("slaughterhouses")
      .values(
        slaughterhouses.map(([houseCode, houseName, regionCode, address, principal, phone, dailyCapacity]) => ({
          id: nextId(),
          houseCode,
          houseName,
          regionCode,
          address,
          principal,
          ...phoneOf(phone),
          dailyCapacity,
        })),
      )
      .execute();
    await to
      .insertInto("invoiceTypes")
      .values(
        invoiceTypes.map(({ name, rate, needs }, sort) => ({
          id: nextId(),
          typeName: name,
          taxRate: rate,
          neededFields: [...needs],
          sort,
        })),
      )
      .execute();
  });
}
