import { newSiteFormNumber, siteForms } from "@herdwise/contract";
import { type Kysely, sql } from "kysely";
import type { PersonalCipher } from "../../personal-cipher.ts";
import { columnsOf, defaultsOf } from "../../resources/index.ts";
import type { DB } from "../generated/database.ts";
import { seedTranslations } from "./demo.ts";

/** Forms that visitors of the demo's site sent; names are invented, and the numbers belong to nobody. */
const forms = [
  {
    kind: "service",
    state: "new",
    contactName: "贺文清",
    contactPhone: "13800000051",
    organization: "青石坡养殖场",
    regionCode: "410325",
    service: "季度巡检",
    content: "两栋育肥，去年十月装的环控，想在入冬前检查一遍。",
    hoursAgo: 2,
  },
  {
    kind: "solution",
    state: "new",
    contactName: "Anna Berg",
    contactPhone: "13800000052",
    contactEmail: "anna.berg@example.com",
    organization: "Nordgris Research",
    solution: "ammoniaDeodorization",
    content: "Do you have removal figures for outlet temperatures below 5 °C? We plan a trial with two towers.",
    formLanguage: "en",
    hoursAgo: 6,
  },
  {
    kind: "partner",
    state: "working",
    contactName: "邵一鸣",
    contactPhone: "13800000053",
    organization: "河岸水处理设备厂",
    regionCode: "3205",
    partnerKind: "water",
    content: "做超声波流量计，想对接饮水与粪水两条线。",
    hoursAgo: 30,
    taken: true,
  },
  {
    kind: "feedback",
    state: "working",
    contactName: "罗桂芳",
    contactPhone: "13800000054",
    content: "行情页在我的旧手机上字太小，能不能大一号。",
    hoursAgo: 52,
    taken: true,
  },
  {
    kind: "service",
    state: "done",
    contactName: "康永年",
    contactPhone: "0379-60000055",
    organization: "北沟合作社",
    regionCode: "410326",
    service: "温湿度与气体探头校准",
    content: "六支氨气探头到期。",
    note: "11 月 12 日上门，六支都已校准，证书已寄。",
    hoursAgo: 12 * 24,
    taken: true,
  },
  {
    kind: "partner",
    state: "refused",
    contactName: "谭立",
    contactPhone: "13800000056",
    organization: "远程贷",
    partnerKind: "service",
    content: "希望在网站上放贷款广告。",
    note: "网站不放第三方广告，已电话说明。",
    hoursAgo: 20 * 24,
    taken: true,
  },
] as const;

const english: Readonly<Record<string, string>> = {
  贺文清: "He Wenqing",
  邵一鸣: "Shao Yiming",
  罗桂芳: "Luo Guifang",
  康永年: "Kang Yongnian",
  谭立: "Tan Li",
  青石坡养殖场: "Qingshipo Farm",
  河岸水处理设备厂: "Riverbank Water Works",
  北沟合作社: "Beigou Cooperative",
  远程贷: "Yuancheng Loans",
  "两栋育肥，去年十月装的环控，想在入冬前检查一遍。":
    "Two finishing houses with climate control since last October; we would like them checked before winter.",
  "做超声波流量计，想对接饮水与粪水两条线。":
    "We make ultrasonic flow meters and would like to connect them to drinking water and manure lines.",
  "行情页在我的旧手机上字太小，能不能大一号。":
    "On my old phone the market page is set too small. Could it be one size larger?",
  "六支氨气探头到期。": "Six ammonia probes are due.",
  "希望在网站上放贷款广告。": "We would like to place advertisements for loans on the site.",
  "11 月 12 日上门，六支都已校准，证书已寄。":
    "Visited on 12 November; all six are calibrated, certificates are in the post.",
  "网站不放第三方广告，已电话说明。": "The site shows no advertisements of others; told by telephone.",
};

/** Forms for the desk of a new demo. */
export async function seedDemoSiteForms(
  db: Kysely<DB>,
  { cipher, nextId, nowMs }: { cipher: PersonalCipher; nextId: () => string; nowMs: number },
): Promise<void> {
  await db.transaction().execute(async (to) => {
    const held = await to.selectFrom("siteForms").select("id").limit(1).executeTakeFirst();
    if (held !== undefined) return;
    const services = await to.selectFrom("productServices").select(["id", "serviceName"]).execute();
    const assignee = await to.selectFrom("accounts").select("id").where("accountKey", "=", "kefu01").executeTakeFirst();
    // Oldest first: ids follow the time, as they do where visitors send forms.
    for (const { hoursAgo, ...form } of [...forms].sort((one, other) => other.hoursAgo - one.hoursAgo)) {
      const { taken, service, ...fields } = { taken: false, service: "", ...form };
      const sentMs = nowMs - hoursAgo * 3_600_000;
      const columns = columnsOf(
        siteForms,
        {
          ...defaultsOf(siteForms),
          ...fields,
          service: services.find(({ serviceName }) => serviceName === service)?.id ?? "",
          formNumber: newSiteFormNumber(sentMs),
        },
        cipher,
      );
      const sentAt = new Date(sentMs);
      const all = {
        ...columns,
        id: nextId(),
        created_at: sentAt,
        updated_at: sentAt,
        assignee_id: taken ? (assignee?.id ?? null) : null,
      };
      await sql`insert into site_forms (${sql.join(Object.keys(all).map((name) => sql.ref(name)))})
                values (${sql.join(Object.values(all).map((value) => sql.val(value)))})`.execute(to);
    }
    await seedTranslations(to, english);
  });
}
