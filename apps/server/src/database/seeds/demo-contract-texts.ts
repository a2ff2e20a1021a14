import type { ContractField, ContractForm } from "@herdwise/contract";

/** A clause in both languages. */
const clause = (heading: string, headingEn: string, body: string, bodyEn: string) => ({
  heading,
  headingEn,
  body,
  bodyEn,
});
const field = (
  key: string,
  type: ContractField["type"],
  name: string,
  nameEn: string,
  more: Partial<ContractField> = {},
): ContractField => ({ key, type, role: "", required: true, name, nameEn, options: [], ...more });

const amount = field("amount", "money", "合同金额", "Amount", { role: "amount" });
const from = field("from", "date", "开始日期", "First day", { role: "from" });
const until = field("until", "date", "结束日期", "Last day", { role: "until" });
const term = clause("期限", "Term", "自 {{from}}起，至 {{until}}止。", "From {{from}} to {{until}}.");
const dispute = clause(
  "争议",
  "Disputes",
  "协商不成的，向甲方所在地人民法院起诉。",
  "What can't be settled amicably goes to the people's court of the place of Party A.",
);

export const maintenanceForm: ContractForm = {
  title: "设备维护保养合同",
  titleEn: "Equipment maintenance contract",
  fields: [
    amount,
    from,
    until,
    field("units", "number", "单元数", "Units"),
    field("place", "choice", "场区", "Farms", {
      options: [
        { zh: "全部场区", en: "all farms" },
        { zh: "三个场区", en: "three farms" },
        { zh: "两个场区", en: "two farms" },
        { zh: "一个场区", en: "one farm" },
      ],
    }),
    field("remote_hours", "number", "远程响应小时", "Hours to a remote response"),
  ],
  clauses: [
    clause(
      "范围",
      "Scope",
      "乙方为甲方{{place}}、{{units}} 个单元的环境控制、除臭与饮水消毒设备提供维护保养，清单见附件一。",
      "Party B maintains the climate, deodorization and water disinfection equipment of {{units}} units of Party A ({{place}}), as listed in annex 1.",
    ),
    term,
    clause(
      "费用",
      "Fees",
      "合计 {{amount}}。\n合同生效后 10 日内付 50%，其余在开始后六个月内付清。",
      "{{amount}} in all.\n50% within 10 days after the contract takes effect, the rest within six months after its first day.",
    ),
    clause(
      "响应",
      "Response",
      "乙方接到紧急告警后 {{remote_hours}} 小时内远程处理，需要到场的，48 小时内到达。\n超时一次，减免该单元当月费用。",
      "Party B acts remotely within {{remote_hours}} hours after a critical alarm, and is on site within 48 hours where that is needed.\nEach time it is late, the unit's fee of that month is waived.",
    ),
    clause(
      "备件",
      "Spare parts",
      "易损件由乙方承担；因断电、雷击造成的损坏，由甲方承担材料费。",
      "Party B bears wear parts; Party A bears the material after power cuts and lightning.",
    ),
    clause(
      "数据",
      "Data",
      "乙方为维护需要查看设备数据，不向第三方提供；合同结束后 30 日内停止查看。",
      "Party B reads device data for maintenance, hands them to nobody else, and stops within 30 days after the contract.",
    ),
    dispute,
  ],
};

export const purchaseForm: ContractForm = {
  title: "设备采购合同",
  titleEn: "Equipment purchase contract",
  fields: [
    amount,
    from,
    until,
    field("goods", "text", "设备与数量", "Goods"),
    field("delivery", "number", "交货天数", "Days to delivery"),
  ],
  clauses: [
    clause(
      "标的",
      "Goods",
      "甲方向乙方采购：{{goods}}，含安装与调试。",
      "Party A buys from Party B: {{goods}}, with installation and commissioning.",
    ),
    clause(
      "价款",
      "Price",
      "合同总价 {{amount}}，含税含运费。\n签订后付 30%，到货付 60%，验收付 10%。",
      "{{amount}} in all, with tax and freight.\n30% when signed, 60% on arrival, 10% after acceptance.",
    ),
    clause(
      "交货",
      "Delivery",
      "签订后 {{delivery}} 日内送到甲方指定场区。",
      "Within {{delivery}} days after signing, to the farm that Party A names.",
    ),
    clause(
      "质保",
      "Warranty",
      "自 {{from}}至 {{until}}，非人为损坏免费更换。",
      "From {{from}} to {{until}} defects not caused by misuse are replaced free of charge.",
    ),
    dispute,
  ],
};

export const saleForm: ContractForm = {
  title: "生猪购销合同",
  titleEn: "Pig sale contract",
  fields: [
    amount,
    from,
    until,
    field("heads", "number", "头数", "Heads"),
    field("breed", "choice", "品种", "Breed", {
      options: [
        { zh: "外三元", en: "DLY crossbred" },
        { zh: "内三元", en: "domestic three-way" },
        { zh: "本地土猪", en: "local breed" },
      ],
    }),
    field("weight", "number", "约定均重（kg）", "Mean weight (kg)"),
  ],
  clauses: [
    clause(
      "标的",
      "Subject",
      "乙方向甲方供应{{breed}}生猪 {{heads}} 头，约定均重 {{weight}} kg。",
      "Party B supplies Party A with {{heads}} pigs ({{breed}}) of {{weight}} kg on average.",
    ),
    term,
    clause(
      "价款与结算",
      "Price and settlement",
      "预计货款 {{amount}}，按当日报价与实际过磅重量结算，多退少补。",
      "About {{amount}}, settled by the day's price and the weighed weight; the difference is paid or returned.",
    ),
    clause(
      "检疫与洗消",
      "Quarantine and disinfection",
      "每车随附动物检疫合格证明；承运车辆装猪前须有 24 小时内的洗消证明，缺少的不装车。",
      "Each load comes with its quarantine certificate; a vehicle without a disinfection certificate of the last 24 hours is not loaded.",
    ),
    clause(
      "质量",
      "Quality",
      "装车前健康无外伤，途中死亡由承运方承担。",
      "Pigs are healthy and unhurt when they are loaded; the carrier bears deaths on the way.",
    ),
    dispute,
  ],
};

export const serviceForm: ContractForm = {
  title: "远程兽医服务合同",
  titleEn: "Remote veterinary service contract",
  fields: [amount, from, until, field("visits", "number", "到场次数", "Visits on site")],
  clauses: [
    clause(
      "服务",
      "Service",
      "乙方兽医每周查看咳嗽、体温与免疫数据，给出书面建议；期内到场 {{visits}} 次。",
      "Party B's veterinarians read cough, temperature and vaccination data weekly and advise in writing; they come {{visits}} times.",
    ),
    term,
    clause("费用", "Fees", "服务费 {{amount}}，签订后 15 日内付清。", "{{amount}}, within 15 days after signing."),
    clause(
      "责任",
      "Liability",
      "建议以数据与照片为限，用药由甲方执业兽医开具处方。",
      "Advice rests on data and pictures; medicines are prescribed by Party A's licensed veterinarian.",
    ),
    dispute,
  ],
};
