import { type Kysely, sql } from "kysely";
import { readRegions } from "../../regions.ts";
import type { DB } from "../generated/database.ts";
import { seedTranslations } from "./demo.ts";

/** County by its GB/T 2260 code, area code of its telephones, and street in both languages. */
const places = [
  ["411328", "0377", "新春路", "Xinchun Road"],
  ["411721", "0396", "解放路", "Jiefang Road"],
  ["410526", "0372", "文明路", "Wenming Road"],
  ["411627", "0394", "谢安路", "Xie'an Road"],
  ["410221", "0371", "金城大道", "Jincheng Avenue"],
  ["410482", "0375", "广成路", "Guangcheng Road"],
  ["420881", "0724", "王府大道", "Wangfu Avenue"],
  ["421181", "0713", "将军路", "Jiangjun Road"],
  ["421088", "0716", "江城路", "Jiangcheng Road"],
  ["420683", "0710", "光武大道", "Guangwu Avenue"],
  ["431181", "0746", "浯溪路", "Wuxi Road"],
  ["430321", "0731", "凤凰路", "Fenghuang Road"],
  ["430725", "0736", "武陵路", "Wuling Road"],
  ["430182", "0731", "春城路", "Chuncheng Road"],
  ["371327", "0539", "隆山路", "Longshan Road"],
  ["370783", "0536", "圣城街", "Shengcheng Street"],
  ["370782", "0536", "密州路", "Mizhou Road"],
  ["371721", "0530", "青菏路", "Qinghe Road"],
  ["340323", "0552", "汉兴大道", "Hanxing Avenue"],
  ["341621", "0558", "向阳路", "Xiangyang Road"],
  ["340881", "0556", "龙眠路", "Longmian Road"],
  ["340422", "0554", "楚都大道", "Chudu Avenue"],
  ["321283", "0523", "国庆路", "Guoqing Road"],
  ["321322", "0527", "台州路", "Taizhou Road"],
  ["320981", "0515", "海陵路", "Hailing Road"],
  ["130682", "0312", "中山路", "Zhongshan Road"],
  ["130229", "0315", "无终街", "Wuzhong Street"],
  ["130181", "0311", "建设街", "Jianshe Street"],
  ["510722", "0816", "梓州路", "Zizhou Road"],
  ["511421", "028", "建设路", "Jianshe Road"],
  ["510981", "0825", "太和大道", "Taihe Avenue"],
  ["360923", "0795", "敖阳路", "Aoyang Road"],
  ["361003", "0794", "恒安路", "Heng'an Road"],
  ["440981", "0668", "府前路", "Fuqian Road"],
  ["441781", "0662", "春江大道", "Chunjiang Avenue"],
  ["450923", "0775", "人民路", "Renmin Road"],
  ["450110", "0771", "灵源路", "Lingyuan Road"],
  ["330803", "0570", "信安大道", "Xin'an Avenue"],
  ["350181", "0591", "清昌大道", "Qingchang Avenue"],
  ["211224", "024", "北京路", "Beijing Road"],
  ["210726", "0416", "中大街", "Zhongda Street"],
  ["220122", "0431", "宝塔街", "Baota Street"],
  ["231221", "0455", "中央大街", "Zhongyang Street"],
  ["230113", "0451", "承旭路", "Chengxu Road"],
  ["150429", "0476", "大宁路", "Daning Road"],
  ["150502", "0475", "新华大街", "Xinhua Street"],
  ["140727", "0354", "昌源路", "Changyuan Road"],
  ["610431", "029", "后稷路", "Houji Road"],
  ["620602", "0935", "祁连大道", "Qilian Avenue"],
  ["640302", "0953", "利通街", "Litong Street"],
  ["652301", "0994", "延安路", "Yan'an Road"],
  ["530381", "0874", "振兴街", "Zhenxing Street"],
  ["500153", "023", "昌州大道", "Changzhou Avenue"],
] as const;

/** English names of the departments in the initial archives. */
const earlier: Readonly<Record<string, string>> = {
  内乡服务部: "68 Fanli Street, Tuandong, Neixiang County, Nanyang",
  邓州服务部: "112 Xinhua East Road, Huazhou, Dengzhou, Nanyang",
  襄阳服务部: "20 Changhong North Road, Fancheng District, Xiangyang",
  菏泽服务部: "1558 Zhonghua Road, Mudan District, Heze",
  滁州服务部: "9 Nanqiao Middle Road, Nanqiao District, Chuzhou",
  玉林服务部: "233 Renmin East Road, Yuzhou District, Yulin",
  都匀服务部: "41 Doupengshan Road, Duyun, Qiannan",
};

/** Services of the outlets, in turn: all repair and have parts, some do more. */
const services = [
  ["repair", "parts", "installation", "calibration"],
  ["repair", "parts", "installation"],
  ["repair", "parts", "training"],
  ["repair", "parts", "calibration", "disinfection"],
  ["repair", "installation", "calibration", "training"],
] as const;

const plain = (name: string): string => name.replace(/(自治县|县|区|市)$/, "");
const plainEnglish = (name: string): string => name.replace(/ (County|District)$/, "");

/** Sixty outlets over the country, including those of the archives, marked as examples. */
export async function seedDemoOutlets(db: Kysely<DB>, nextId: () => string): Promise<void> {
  await db.transaction().execute(async (to) => {
    await sql`select pg_advisory_xact_lock(hashtext('seeds'))`.execute(to);
    const { rows: kept } = await sql`select from service_departments where example limit 1`.execute(to);
    if (kept.length > 0) return;
    const regions = new Map(readRegions().map((region) => [region.code, region]));
    const rows = places.map(([code, area, street, streetEn], at) => {
      const county = regions.get(code);
      const city = regions.get(code.slice(0, 4));
      // Districts of a municipality are below a division that is no place.
      const cityEnglish = city?.name === "市辖区" ? "" : city?.english;
      const number = 12 + ((at * 37) % 260);
      // A county with a one-character name keeps its suffix: 滑县, never 滑.
      const short = plain(county?.name ?? "");
      return {
        name: `${short.length > 1 ? short : county?.name}服务站`,
        nameEn: `${plainEnglish(county?.english ?? "")} service outlet`,
        code,
        phone: `${area}-5550${String(1000 + at * 13).padStart(4, "0")}`,
        street: `${street} ${number} 号`,
        streetEn: `${number} ${streetEn}`,
        addressEn: [`${number} ${streetEn}`, county?.english, cityEnglish].filter(Boolean).join(", "),
        services: services[at % services.length] ?? services[0],
        weekend: at % 3 === 0 ? "09:00-12:00" : "",
      };
    });
    await seedTranslations(
      to,
      Object.fromEntries(
        rows.flatMap(({ name, nameEn, street, streetEn }) => [
          [name, nameEn],
          [street, streetEn],
        ]),
      ),
    );
    await to
      .insertInto("serviceDepartments")
      .values(
        rows.map(({ name, nameEn, code, phone, street, addressEn, services: held, weekend }) => ({
          id: nextId(),
          departmentName: name,
          departmentNameEn: nameEn,
          regionCode: code,
          phone,
          address: street,
          addressEn,
          weekdayHours: "08:30-12:00,14:00-18:00",
          weekendHours: weekend,
          services: [...held],
          example: true,
        })),
      )
      .onConflict((conflict) => conflict.doNothing())
      .execute();
    for (const [name, addressEn] of Object.entries(earlier)) {
      await sql`
        update service_departments d
           set department_name_en = coalesce((select t.translation from translations t where t.source = d.department_name and t.language = 'en'), ''),
               address_en = ${addressEn}, services = ${[...services[0]]}, example = true
         where department_name = ${name}`.execute(to);
    }
  });
}
