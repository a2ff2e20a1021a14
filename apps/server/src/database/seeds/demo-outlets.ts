import { type Kysely, sql } from "kysely";
import { readRegions } from "../../regions.ts";
import type { DB } from "../generated/database.ts";
import { seedTranslations } from "./demo.ts";

/** County by its GB/T 2260 code, area code of its telephones, street in both languages, and where its town is, degrees. */
const places = [
  ["411328", "0377", "新春路", "Xinchun Road", 32.69, 112.83],
  ["411721", "0396", "解放路", "Jiefang Road", 33.39, 114.02],
  ["410526", "0372", "文明路", "Wenming Road", 35.57, 114.52],
  ["411627", "0394", "谢安路", "Xie'an Road", 34.06, 114.84],
  ["410221", "0371", "金城大道", "Jincheng Avenue", 34.55, 114.78],
  ["410482", "0375", "广成路", "Guangcheng Road", 34.17, 112.84],
  ["420881", "0724", "王府大道", "Wangfu Avenue", 31.17, 112.59],
  ["421181", "0713", "将军路", "Jiangjun Road", 31.17, 115.01],
  ["421088", "0716", "江城路", "Jiangcheng Road", 29.84, 112.9],
  ["420683", "0710", "光武大道", "Guangwu Avenue", 32.13, 112.77],
  ["431181", "0746", "浯溪路", "Wuxi Road", 26.58, 111.85],
  ["430321", "0731", "凤凰路", "Fenghuang Road", 27.78, 112.95],
  ["430725", "0736", "武陵路", "Wuling Road", 28.9, 111.48],
  ["430182", "0731", "春城路", "Chuncheng Road", 28.28, 112.55],
  ["371327", "0539", "隆山路", "Longshan Road", 35.17, 118.83],
  ["370783", "0536", "圣城街", "Shengcheng Street", 36.86, 118.79],
  ["370782", "0536", "密州路", "Mizhou Road", 36.0, 119.41],
  ["371721", "0530", "青菏路", "Qinghe Road", 34.83, 115.55],
  ["340323", "0552", "汉兴大道", "Hanxing Avenue", 33.32, 117.32],
  ["341621", "0558", "向阳路", "Xiangyang Road", 33.51, 116.21],
  ["340881", "0556", "龙眠路", "Longmian Road", 31.04, 116.95],
  ["340422", "0554", "楚都大道", "Chudu Avenue", 32.57, 116.79],
  ["321283", "0523", "国庆路", "Guoqing Road", 32.17, 120.05],
  ["321322", "0527", "台州路", "Taizhou Road", 34.11, 118.77],
  ["320981", "0515", "海陵路", "Hailing Road", 32.87, 120.32],
  ["130682", "0312", "中山路", "Zhongshan Road", 38.52, 114.99],
  ["130229", "0315", "无终街", "Wuzhong Street", 39.9, 117.74],
  ["130181", "0311", "建设街", "Jianshe Street", 37.94, 115.22],
  ["510722", "0816", "梓州路", "Zizhou Road", 31.1, 105.09],
  ["511421", "028", "建设路", "Jianshe Road", 30.0, 104.13],
  ["510981", "0825", "太和大道", "Taihe Avenue", 30.87, 105.39],
  ["360923", "0795", "敖阳路", "Aoyang Road", 28.23, 114.92],
  ["361003", "0794", "恒安路", "Heng'an Road", 28.24, 116.6],
  ["440981", "0668", "府前路", "Fuqian Road", 21.92, 110.85],
  ["441781", "0662", "春江大道", "Chunjiang Avenue", 22.17, 111.79],
  ["450923", "0775", "人民路", "Renmin Road", 22.27, 109.98],
  ["450110", "0771", "灵源路", "Lingyuan Road", 23.16, 108.27],
  ["330803", "0570", "信安大道", "Xin'an Avenue", 28.98, 118.96],
  ["350181", "0591", "清昌大道", "Qingchang Avenue", 25.72, 119.38],
  ["211224", "024", "北京路", "Beijing Road", 42.79, 124.11],
  ["210726", "0416", "中大街", "Zhongda Street", 41.69, 122.12],
  ["220122", "0431", "宝塔街", "Baota Street", 44.43, 125.18],
  ["231221", "0455", "中央大街", "Zhongyang Street", 46.83, 126.49],
  ["230113", "0451", "承旭路", "Chengxu Road", 45.38, 126.31],
  ["150429", "0476", "大宁路", "Daning Road", 41.6, 119.34],
  ["150502", "0475", "新华大街", "Xinhua Street", 43.62, 122.26],
  ["140727", "0354", "昌源路", "Changyuan Road", 37.36, 112.34],
  ["610431", "029", "后稷路", "Houji Road", 34.26, 108.2],
  ["620602", "0935", "祁连大道", "Qilian Avenue", 37.93, 102.64],
  ["640302", "0953", "利通街", "Litong Street", 37.98, 106.2],
  ["652301", "0994", "延安路", "Yan'an Road", 44.01, 87.31],
  ["530381", "0874", "振兴街", "Zhenxing Street", 26.22, 104.1],
  ["500153", "023", "昌州大道", "Changzhou Avenue", 29.4, 105.59],
] as const;

/** English addresses of the departments in the initial archives, and where they are, degrees. */
const earlier: Readonly<Record<string, readonly [addressEn: string, latitude: number, longitude: number]>> = {
  内乡服务部: ["68 Fanli Street, Tuandong, Neixiang County, Nanyang", 33.05, 111.85],
  邓州服务部: ["112 Xinhua East Road, Huazhou, Dengzhou, Nanyang", 32.68, 112.09],
  襄阳服务部: ["20 Changhong North Road, Fancheng District, Xiangyang", 32.04, 112.14],
  菏泽服务部: ["1558 Zhonghua Road, Mudan District, Heze", 35.24, 115.47],
  滁州服务部: ["9 Nanqiao Middle Road, Nanqiao District, Chuzhou", 32.3, 118.31],
  玉林服务部: ["233 Renmin East Road, Yuzhou District, Yulin", 22.65, 110.16],
  都匀服务部: ["41 Doupengshan Road, Duyun, Qiannan", 26.26, 107.52],
};

/** Services of the outlets, in turn: all repair and have parts, some do more. */
const services = [
  ["repair", "parts", "installation", "calibration"],
  ["repair", "parts", "installation"],
  ["repair", "parts", "training"],
  ["repair", "parts", "calibration", "disinfection"],
  ["repair", "installation", "calibration", "training"],
] as const;

/** Millionths of a degree, as they are stored. */
const micro = (degrees: number): number => Math.round(degrees * 1_000_000);
const plain = (name: string): string => name.replace(/(自治县|县|区|市)$/, "");
const plainEnglish = (name: string): string => name.replace(/ (County|District)$/, "");

/** Sixty outlets over the country, including those of the archives, marked as examples. */
export async function seedDemoOutlets(db: Kysely<DB>, nextId: () => string): Promise<void> {
  await db.transaction().execute(async (to) => {
    await sql`select pg_advisory_xact_lock(hashtext('seeds'))`.execute(to);
    const { rows: kept } = await sql`select from service_departments where example limit 1`.execute(to);
    if (kept.length > 0) return;
    const regions = new Map(readRegions().map((region) => [region.code, region]));
    const rows = places.map(([code, area, street, streetEn, latitude, longitude], at) => {
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
        latitude: micro(latitude),
        longitude: micro(longitude),
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
        rows.map(({ name, nameEn, code, phone, street, addressEn, services: held, weekend, latitude, longitude }) => ({
          id: nextId(),
          departmentName: name,
          departmentNameEn: nameEn,
          regionCode: code,
          phone,
          address: street,
          addressEn,
          latitude,
          longitude,
          weekdayHours: "08:30-12:00,14:00-18:00",
          weekendHours: weekend,
          services: [...held],
          example: true,
        })),
      )
      .onConflict((conflict) => conflict.doNothing())
      .execute();
    for (const [name, [addressEn, latitude, longitude]] of Object.entries(earlier)) {
      await sql`
        update service_departments d
           set department_name_en = coalesce((select t.translation from translations t where t.source = d.department_name and t.language = 'en'), ''),
               address_en = ${addressEn}, services = ${[...services[0]]}, example = true,
               latitude = ${micro(latitude)}, longitude = ${micro(longitude)}
         where department_name = ${name}`.execute(to);
    }
  });
}
