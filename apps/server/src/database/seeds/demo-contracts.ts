import { type ContractForm, type ContractState, type PriceTerm, valueOfRole } from "@herdwise/contract";
import { shanghaiDay } from "@herdwise/contract/shanghai";
import { type Kysely, sql } from "kysely";
import { createWordsService, signBy, type Words, writePaper } from "../../modules/contracts/index.ts";
import type { PersonalCipher } from "../../personal-cipher.ts";
import type { DB } from "../generated/database.ts";
import { seedTranslations } from "./demo.ts";
import { maintenanceForm, purchaseForm, saleForm, serviceForm } from "./demo-contract-texts.ts";
import { groupTenantId } from "./foundation.ts";

export interface ContractSeeding {
  cipher: PersonalCipher;
  nextId: () => string;
  /** ms since 1970. */
  now: number;
}

const templates: readonly { name: string; kind: string; form: ContractForm }[] = [
  { name: "设备维护保养合同", kind: "maintenance", form: maintenanceForm },
  { name: "设备采购合同", kind: "purchase", form: purchaseForm },
  { name: "生猪购销合同", kind: "pig_sale", form: saleForm },
  { name: "远程兽医服务合同", kind: "service", form: serviceForm },
];

interface Seed {
  tenantId: string;
  /** Login of the person who signs or rejects it. */
  signer: string;
  template: number;
  state: ContractState;
  /** Days since its newest version was sent. */
  sent: number;
  /** Days until its term ends; it began a year earlier. */
  ends: number;
  values: Readonly<Record<string, string>>;
  /** Earlier versions: their different values, and the reason for their rejection. */
  before?: readonly { values: Readonly<Record<string, string>>; reason: string; sent: number }[];
  reason?: string;
  signDays?: number;
  /** Price terms, which hold as long as the contract. */
  terms?: readonly Omit<PriceTerm, "field" | "saleRegion" | "place" | "fromDay" | "toDay">[];
}

const seeds: readonly Seed[] = [
  {
    tenantId: "100002",
    signer: "farm",
    template: 0,
    state: "ended",
    sent: 420,
    ends: -30,
    values: { units: "25", amount: "3900000", remote_hours: "4", place: "两个场区" },
  },
  {
    tenantId: "100002",
    signer: "farm",
    template: 2,
    state: "signed",
    sent: 200,
    ends: 160,
    values: { heads: "6000", amount: "1260000000", breed: "外三元", weight: "118" },
    terms: [
      { category: "outer", fromKg: 105, toKg: 125, kind: "fixed", fen: 1462, heads: 3600 },
      { category: "outer", fromKg: 115, toKg: 135, kind: "board", fen: -15, heads: 2400 },
    ],
  },
  {
    tenantId: "100001",
    signer: "sunli",
    template: 3,
    state: "signed",
    sent: 100,
    ends: 21,
    values: { amount: "360000", visits: "6" },
  },
  {
    tenantId: "100002",
    signer: "farm",
    template: 3,
    state: "signed",
    sent: 340,
    ends: 18,
    values: { amount: "1280000", visits: "24" },
  },
  {
    tenantId: "100003",
    signer: "heqing",
    template: 0,
    state: "signed",
    sent: 12,
    ends: 350,
    values: { units: "120", amount: "17880000", remote_hours: "2", place: "全部场区" },
  },
  {
    tenantId: "100002",
    signer: "farm",
    template: 1,
    state: "expired",
    sent: 40,
    ends: 300,
    values: { goods: "除臭控制柜 2 台", amount: "4680000", delivery: "30" },
  },
  {
    tenantId: "100002",
    signer: "farm",
    template: 1,
    state: "withdrawn",
    sent: 25,
    ends: 320,
    values: { goods: "饮水消毒泵 6 台", amount: "2340000", delivery: "20" },
    reason: "型号写错了，换一份再发。",
  },
  {
    tenantId: "100002",
    signer: "farm",
    template: 1,
    state: "rejected",
    sent: 5,
    ends: 330,
    values: { goods: "咳嗽监测仪 12 台", amount: "9960000", delivery: "45" },
    reason: "交货期太长，请改到 30 天以内。",
  },
  {
    tenantId: "100003",
    signer: "heqing",
    template: 1,
    state: "seen",
    sent: 6,
    ends: 360,
    values: { goods: "智能洗澡间 2 套", amount: "15800000", delivery: "30" },
  },
  {
    tenantId: "100001",
    signer: "sunli",
    template: 1,
    state: "sent",
    sent: 1,
    ends: 364,
    values: { goods: "无针注射器 1 台", amount: "860000", delivery: "15" },
  },
  {
    tenantId: "100002",
    signer: "farm",
    template: 2,
    state: "seen",
    sent: 2,
    ends: 180,
    values: { heads: "1200", amount: "252000000", breed: "内三元", weight: "110" },
    signDays: 14,
  },
  {
    tenantId: "100002",
    signer: "farm",
    template: 0,
    state: "sent",
    sent: 0.2,
    ends: 365,
    values: { units: "36", amount: "5364000", remote_hours: "2", place: "三个场区" },
    before: [
      {
        values: { units: "25", amount: "3900000", remote_hours: "4", place: "两个场区" },
        reason: "少写了老河繁殖场的 11 个单元。",
        sent: 5,
      },
      {
        values: { units: "36", amount: "5616000", remote_hours: "4", place: "三个场区" },
        reason: "单价偏高，响应也慢。",
        sent: 3,
      },
    ],
  },
  {
    tenantId: "100003",
    signer: "heqing",
    template: 2,
    state: "draft",
    sent: 0,
    ends: 200,
    values: { heads: "800", amount: "168000000", breed: "本地土猪", weight: "125" },
  },
  {
    tenantId: "100001",
    signer: "sunli",
    template: 0,
    state: "draft",
    sent: 0,
    ends: 365,
    values: { units: "6", amount: "936000", remote_hours: "4", place: "全部场区" },
  },
];

const dayMs = 86_400_000;
const wasOpened = new Set<ContractState>(["seen", "signed", "rejected", "ended"]);
const wasSigned = new Set<ContractState>(["signed", "ended"]);

/** Templates and contracts in every state; `seedDemoContractDocuments` makes their files afterwards. */
export async function seedDemoContracts(db: Kysely<DB>, { cipher, nextId, now }: ContractSeeding): Promise<void> {
  const words = createWordsService(cipher);
  const accounts = new Map(
    (await db.selectFrom("accounts").select(["id", "accountKey"]).execute()).map(({ id, accountKey }) => [
      accountKey,
      id,
    ]),
  );
  const clerk = accounts.get("admin") ?? null;
  const templateIds: string[] = [];
  for (const { name, kind, form } of templates) {
    const id = nextId();
    templateIds.push(id);
    await sql`
      insert into contract_templates (id, template_name, kind, version_number, worded_at, created_by, updated_by)
      values (${id}, ${name}, ${kind}, 1, ${new Date(now - 500 * dayMs)}, ${clerk}::bigint, ${clerk}::bigint)`.execute(
      db,
    );
    await sql`
      insert into contract_template_versions (template_id, number, form, saved_by, saved_at)
      values (${id}, 1, ${JSON.stringify(form)}::jsonb, ${clerk}::bigint, ${new Date(now - 500 * dayMs)})`.execute(db);
  }
  const counted = new Map<number, number>();
  for (const seed of seeds) {
    const template = templates[seed.template];
    const templateId = templateIds[seed.template];
    if (template === undefined || templateId === undefined) continue;
    const sentAt = new Date(now - seed.sent * dayMs);
    const versions = [...(seed.before ?? []), { values: seed.values, reason: "", sent: seed.sent }];
    const draftedAt = new Date(now - ((versions[0]?.sent ?? 0) + 1.5) * dayMs);
    const year = draftedAt.getUTCFullYear();
    counted.set(year, (counted.get(year) ?? 75) + 1);
    const [id, number] = [nextId(), `HT-${year}-${String(counted.get(year)).padStart(4, "0")}`];
    const signer = accounts.get(seed.signer) ?? null;
    const endMs = now + seed.ends * dayMs;
    const terms = (seed.terms ?? []).map((term) => ({
      ...term,
      ...{ field: "", saleRegion: "", place: "" },
      fromDay: shanghaiDay(endMs - 364 * dayMs),
      toDay: shanghaiDay(endMs),
    }));
    const filled = (values: Seed["values"]): Words => ({
      form: template.form,
      values: { ...values, from: shanghaiDay(endMs - 364 * dayMs), until: shanghaiDay(endMs) },
      terms,
    });
    const newest = filled(seed.values);
    const signDays = seed.signDays ?? 7;
    const isSent = seed.state !== "draft";
    const signedAt = wasSigned.has(seed.state) ? new Date(sentAt.getTime() + 1.3 * dayMs) : null;
    const updatedAt =
      signedAt ??
      (seed.state === "rejected" || seed.state === "withdrawn" ? new Date(sentAt.getTime() + dayMs) : sentAt);
    await sql`
      insert into contracts
        (id, tenant_id, number, template_id, template_version, kind, state, title, title_en, version, amount_fen, start_day, end_day, sign_days,
         sign_by, sent_at, signed_at, reason, created_by, created_at, updated_by, updated_at, told_30)
      values (${id}, ${seed.tenantId}, ${number}, ${templateId}, 1, ${template.kind}, ${seed.state}, ${template.form.title},
              ${template.form.titleEn}, ${versions.length}, ${valueOfRole(newest.form, newest.values, "amount")}::bigint,
              ${newest.values.from}::date, ${newest.values.until}::date, ${signDays},
              ${isSent ? signBy(sentAt.getTime(), signDays) : null}::timestamptz,
              ${isSent ? sentAt : null}::timestamptz, ${signedAt}::timestamptz, ${seed.reason ?? ""}, ${clerk}::bigint, ${draftedAt},
              ${(wasSigned.has(seed.state) || seed.state === "rejected" ? signer : clerk) ?? null}::bigint, ${updatedAt}, ${seed.ends <= 30 && seed.state === "signed"})`.execute(
      db,
    );
    if (signedAt)
      for (const [index, term] of terms.entries())
        await sql`
          insert into contract_terms (id, tenant_id, contract, line, category, place, from_kg, to_kg, kind, fen, heads, from_day, to_day,
                                      created_by, created_at)
          values (${nextId()}, ${seed.tenantId}, ${id}, ${index + 1}::smallint, ${term.category}, '', ${term.fromKg}::integer,
                  ${term.toKg}::integer, ${term.kind}, ${term.fen}::integer, ${term.heads}::integer, ${term.fromDay}::date,
                  ${term.toDay}::date, ${signer ?? null}::bigint, ${signedAt})`.execute(db);
    const event = async (
      what: string,
      side: string,
      accountId: string | null,
      version: number,
      atMs: number,
      body = "",
    ) => {
      await sql`
        insert into contract_events (id, contract_id, what, side, account_id, version, body, created_at)
        values (${nextId()}, ${id}, ${what}, ${side}, ${accountId}::bigint, ${version}::integer, ${body}, ${new Date(atMs)})`.execute(
        db,
      );
    };
    for (const [at, held] of versions.entries()) {
      const version = at + 1;
      const heldAt = now - held.sent * dayMs;
      const writtenAt = heldAt - 0.1 * dayMs;
      const reason =
        held.reason || (version === versions.length && seed.state === "rejected" ? (seed.reason ?? "") : "");
      await sql`
        insert into contract_versions (contract_id, version, words_encrypted, written_by, created_at, sent_at, reason)
        values (${id}, ${version}::integer, ${words.seal(filled(held.values))}, ${clerk}::bigint, ${new Date(writtenAt)},
                ${isSent ? new Date(heldAt) : null}::timestamptz, ${reason})`.execute(db);
      await event(at === 0 ? "draft" : "revise", "desk", clerk, version, writtenAt);
      if (isSent) await event("send", "desk", clerk, version, heldAt);
      if (held.reason !== "") {
        await event("see", "customer", signer, version, heldAt + 0.5 * dayMs);
        await event("reject", "customer", signer, version, heldAt + dayMs, held.reason);
      }
    }
    const sentMs = sentAt.getTime();
    if (wasOpened.has(seed.state)) await event("see", "customer", signer, versions.length, sentMs + 0.02 * dayMs);
    if (seed.state === "rejected")
      await event("reject", "customer", signer, versions.length, sentMs + dayMs, seed.reason);
    if (seed.state === "withdrawn")
      await event("withdraw", "desk", clerk, versions.length, sentMs + dayMs, seed.reason);
    if (seed.state === "expired")
      await event("expire", "clock", null, versions.length, sentMs + (signDays + 1) * dayMs);
    if (signedAt) await event("sign", "customer", signer, versions.length, signedAt.getTime());
    if (seed.state === "ended") await event("end", "clock", null, versions.length, endMs + dayMs);
  }
  for (const [year, last] of counted)
    await sql`insert into contract_numbers (year, last) values (${year}::integer, ${last}::integer) on conflict (year) do nothing`.execute(
      db,
    );
  await seedTranslations(
    db,
    Object.fromEntries(
      [
        ...templates.map(({ name, form }) => [name, form.titleEn]),
        ...Object.entries(reasonsInEnglish),
        ...Object.entries(valuesInEnglish),
      ].map((pair) => pair),
    ),
  );
}

const valuesInEnglish: Readonly<Record<string, string>> = {
  "智能洗澡间 2 套": "2 smart shower rooms",
  "无针注射器 1 台": "1 needleless injector",
  "除臭控制柜 2 台": "2 deodorization control cabinets",
  "饮水消毒泵 6 台": "6 drinking-water disinfection pumps",
  "咳嗽监测仪 12 台": "12 cough monitors",
  全部场区: "all farms",
  两个场区: "two farms",
  三个场区: "three farms",
};

const reasonsInEnglish: Readonly<Record<string, string>> = {
  "型号写错了，换一份再发。": "The model was wrong; another one follows.",
  "交货期太长，请改到 30 天以内。": "Delivery takes too long. Please make it 30 days at most.",
  "少写了老河繁殖场的 11 个单元。": "The 11 units of the Laohe breeding farm are missing.",
  "单价偏高，响应也慢。": "The price per unit is high, and the response is slow.",
};

/**
 * Makes the missing files of the demo's contracts and their signatures; it takes a few seconds in the background.
 * @param stopped ends it before the next file; the next start continues
 */
export async function seedDemoContractDocuments(
  db: Kysely<DB>,
  { cipher, publicUrl, stopped }: { cipher: PersonalCipher; publicUrl: string; stopped: () => boolean },
): Promise<void> {
  const words = createWordsService(cipher);
  const { rows: tenants } = await sql<{
    name: string;
  }>`select name from tenants where tenant_id = ${groupTenantId}`.execute(db);
  const group = tenants[0]?.name ?? "";
  const { rows } = await sql<{
    id: string;
    number: string;
    version: number;
    customer: string;
    wordsEncrypted: string;
    sentAt: Date;
    signedAt: Date | null;
    createdBy: string | null;
    updatedBy: string | null;
    clerk: string;
    clerkName: string;
    signer: string;
    signerName: string;
  }>`
    select c.id, c.number, c.version, t.name as customer, v.words_encrypted, v.sent_at, c.signed_at, c.created_by, c.updated_by,
           coalesce(k.account, '') as clerk, coalesce(k.real_name, '') as clerk_name, coalesce(s.account, '') as signer,
           coalesce(s.real_name, '') as signer_name
      from contracts c join tenants t on t.tenant_id = c.tenant_id
      join contract_versions v on v.contract_id = c.id and v.version = c.version and v.sent_at is not null
      left join accounts k on k.id = c.created_by left join accounts s on s.id = c.updated_by
     where not exists (select from contract_documents d where d.contract_id = c.id and d.version = c.version)
     order by c.state in ('sent', 'seen') desc, c.id`.execute(db);
  for (const row of rows) {
    const input = words.paperInput(row, row.version, group, words.open(row.wordsEncrypted));
    const document = await writePaper(input);
    const sides = [
      {
        side: "group" as const,
        accountId: row.createdBy,
        at: row.sentAt,
        signer: { party: group, signer: row.clerkName, account: row.clerk, phone: "" },
      },
      ...(row.signedAt === null
        ? []
        : [
            {
              side: "customer" as const,
              accountId: row.updatedBy,
              at: row.signedAt,
              signer: { party: row.customer, signer: row.signerName, account: row.signer, phone: "138****0002" },
            },
          ]),
    ];
    const sha256 = words.hashOf(document.bytes);
    const hex = sha256.toString("hex");
    const signed =
      row.signedAt === null
        ? undefined
        : await writePaper({
            ...input,
            signed: {
              sha256: hex,
              verifyUrl: words.verifyUrl(publicUrl, hex),
              signatures: sides.map(({ side, at, signer }) => ({ ...signer, side, atMs: at.getTime() })),
            },
          });
    if (stopped()) return;
    await db.transaction().execute(async (to) => {
      for (const [kind, file] of [
        ["document", document],
        ["signed", signed],
      ] as const)
        if (file)
          await sql`
            insert into contract_documents (contract_id, version, kind, sealed_encrypted, sha256, pages)
            values (${row.id}, ${row.version}::integer, ${kind}, ${words.sealBytes(file.bytes)}, ${words.hashOf(file.bytes)}, ${file.pages}::integer)
            on conflict do nothing`.execute(to);
      for (const { side, accountId, at, signer } of sides)
        await sql`
          insert into contract_signatures (contract_id, version, side, account_id, signer_encrypted, sha256, signed_at)
          values (${row.id}, ${row.version}::integer, ${side}, ${accountId}::bigint, ${words.sealSigner(signer)}, ${sha256}, ${at})
          on conflict do nothing`.execute(to);
    });
  }
}
