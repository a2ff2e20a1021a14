import { createHash } from "node:crypto";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  creditCheckCharacter,
  idCheckCharacter,
  type RealNameKind,
  realNameItems,
} from "@herdwise/contract/real-name-checks";
import { type Kysely, sql } from "kysely";
import { drawPicture } from "../../modules/files/index.ts";
import type { PersonalCipher } from "../../personal-cipher.ts";
import { type MemberScope, memberScope, systemScope } from "../../tenant-scope.ts";
import type { DB } from "../generated/database.ts";
import { demoPassword, seedTranslations } from "./demo.ts";
import { grantSeededMenus, groupTenantId, seedRoles } from "./foundation.ts";
import { customerRoles } from "./menus.ts";

/**
 * An ID number with a place of birth that does not exist, and a valid check character.
 * @param start 17 digits
 */
const idNumber = (start: string): string => start + idCheckCharacter(start);
const creditCode = (start: string): string => start + creditCheckCharacter(start);

interface Enterprise {
  name: string;
  /** First 17 characters of a credit code. */
  code: string;
  legalName: string;
  /** First 17 digits of an ID number. */
  legalId: string;
  phone: string;
  bank: string;
  branch: string;
  bankCode: string;
  account: string;
  until: string;
}

const enterpriseValues = (of: Enterprise): Record<string, string> => ({
  enterpriseName: of.name,
  creditCode: creditCode(of.code),
  legalName: of.legalName,
  licenceUntil: of.until,
  legalIdNumber: idNumber(of.legalId),
  legalPhone: of.phone,
  contactPhone: of.phone,
  accountName: of.name,
  bankName: of.bank,
  branchName: of.branch,
  bankCode: of.bankCode,
  bankAccount: of.account,
});

interface Seed {
  tenantId: string;
  /** Login of the owner who sends it. */
  account: string;
  kind: RealNameKind;
  state: "passed" | "suspended" | "waiting" | "second_look" | "rejected";
  values: Record<string, string>;
  /** Hours ago. */
  submitted: number;
  picture?: string;
  returned?: Readonly<Record<string, { reason: string; note: string; document?: string }>>;
  decidedBy?: string;
}

/** Demo customers that are authenticated from the start, so that they can bind devices. */
const authenticated: readonly Seed[] = [
  {
    tenantId: "100001",
    account: "sunli",
    kind: "personal",
    state: "passed",
    values: { personName: "孙丽", idNumber: idNumber("41138119850612002") },
    submitted: 24 * 200,
  },
  {
    tenantId: "100002",
    account: "farm",
    kind: "enterprise",
    state: "passed",
    values: enterpriseValues({
      name: "中原牧业有限公司",
      code: "91411325MA9K7T4Q2",
      legalName: "周建平",
      legalId: "41132519760318201",
      phone: "13800000002",
      bank: "示例农商银行",
      branch: "内乡县灌涨支行",
      bankCode: "402513600021",
      account: "8111000022220937",
      until: "2041-03-27",
    }),
    submitted: 24 * 300,
  },
  {
    tenantId: "100003",
    account: "heqing",
    kind: "enterprise",
    state: "passed",
    values: enterpriseValues({
      name: "东岗种猪集团",
      code: "91420625MA4A1B2C3",
      legalName: "何清",
      legalId: "42062519800105301",
      phone: "13800000015",
      bank: "示例农商银行",
      branch: "谷城县城关支行",
      bankCode: "402528700016",
      account: "8111000033334102",
      until: "9999-12-31",
    }),
    submitted: 24 * 120,
  },
];

const lvyuan: Enterprise = {
  name: "信阳市浉河区绿源饲料厂",
  code: "91411502MA3X8B5N6",
  legalName: "郑有田",
  legalId: "41150219790925051",
  phone: "13800000022",
  bank: "示例农商银行",
  branch: "浉河支行",
  bankCode: "402515000038",
  account: "8111000044445566",
  until: "2036-03-27",
};
const xingnong: Enterprise = {
  name: "唐河县源潭兴农合作社",
  code: "93411328MA45C6D7E",
  legalName: "冯建军",
  legalId: "41132819710811003",
  phone: "13800000023",
  bank: "示例农商银行",
  branch: "源潭支行",
  bankCode: "402513700045",
  account: "8111000055556677",
  until: "2033-08-31",
};

/** Its licence has ended, so its authentication is suspended. */
const rangyuan: Omit<Enterprise, "until"> = {
  name: "邓州市穰原牧业",
  code: "91411381MA4F6G7H8",
  legalName: "吴长河",
  legalId: "41138119740512001",
  phone: "13800000026",
  bank: "示例农商银行",
  branch: "穰东支行",
  bankCode: "402513800012",
  account: "8111000066667788",
};
/** Days since the end of its licence. */
const overDays = 20;

/** Newer customers: one whose papers wait, one not authenticated, one with an ended licence, and one disabled. */
export const newcomers = [
  {
    tenantId: "100004",
    name: "郭海涛养殖户",
    type: "personal",
    account: "guoht",
    realName: "郭海涛",
    phone: "13800000021",
  },
  {
    tenantId: "100005",
    name: lvyuan.name,
    type: "enterprise",
    account: "lvyuan",
    realName: "郑有田",
    phone: lvyuan.phone,
  },
  {
    tenantId: "100006",
    name: xingnong.name,
    type: "enterprise",
    account: "xingnong",
    realName: "冯建军",
    phone: xingnong.phone,
  },
  {
    tenantId: "100008",
    name: "西峡县回车猪场",
    type: "personal",
    account: "huiche",
    realName: "杨守田",
    phone: "13800000025",
  },
  {
    tenantId: "100009",
    name: rangyuan.name,
    type: "enterprise",
    account: "rangyuan",
    realName: "吴长河",
    phone: rangyuan.phone,
  },
  {
    tenantId: "100010",
    name: "社旗县兴隆养殖场",
    type: "personal",
    account: "xinglong",
    realName: "马玉成",
    phone: "13800000027",
  },
] as const;
/** The group's other reviewer, because one person may not do both reviews of an enterprise. */
export const reviewer = { account: "chenrui", realName: "陈睿", phone: "13800000024" };

const dayMs = 86_400_000;
/** For how long they have been customers, in days: longer than their papers and what they asked for. */
const customerDays: Readonly<Record<string, number>> = {
  "100004": 34,
  "100005": 45,
  "100006": 52,
  "100008": 16,
  "100009": 410,
  "100010": 75,
};

const underWay: readonly Seed[] = [
  {
    tenantId: "100004",
    account: "guoht",
    kind: "personal",
    state: "waiting",
    values: { personName: "郭海涛", idNumber: idNumber("41132519880214121") },
    submitted: 1,
  },
  {
    tenantId: "100005",
    account: "lvyuan",
    kind: "enterprise",
    state: "second_look",
    values: enterpriseValues(lvyuan),
    submitted: 5,
    picture: lvyuan.name,
    decidedBy: reviewer.account,
  },
  {
    tenantId: "100006",
    account: "xingnong",
    kind: "enterprise",
    state: "rejected",
    values: enterpriseValues({ ...xingnong, legalName: "冯建" }),
    submitted: 30,
    picture: xingnong.name,
    returned: {
      legalName: { reason: "mismatch", note: "", document: "冯建军" },
      licencePicture: { reason: "missing", note: "右下角的登记机关印章没有拍全，请重拍。" },
    },
    decidedBy: reviewer.account,
  },
];

const licenceOver = (): Seed => ({
  tenantId: "100009",
  account: "rangyuan",
  kind: "enterprise",
  state: "suspended",
  values: enterpriseValues({
    ...rangyuan,
    until: new Date(Date.now() - overDays * 24 * 3_600_000).toISOString().slice(0, 10),
  }),
  submitted: 24 * 400,
  picture: rangyuan.name,
  decidedBy: reviewer.account,
});

const demoTranslations = {
  郭海涛养殖户: "Guo Haitao's farm",
  信阳市浉河区绿源饲料厂: "Lvyuan Feed Mill",
  唐河县源潭兴农合作社: "Xingnong Co-op",
  西峡县回车猪场: "Huiche Pig Farm",
  邓州市穰原牧业: "Rangyuan Livestock",
  社旗县兴隆养殖场: "Xinglong Farm",
} as const;

const escaped = (text: string): string => text.replace(/[&<>"]/g, (sign) => `&#${sign.charCodeAt(0)};`);

/** A drawn licence that is marked as an example. */
function licenceDrawing(values: Readonly<Record<string, string>>, name: string): string {
  const line = (y: number, label: string, value: string, x = 90) =>
    `<text x="${x}" y="${y}" font-size="19" fill="#7a5b1d">${label}</text><text x="${x + 118}" y="${y}" font-size="21" fill="#222">${escaped(value)}</text>`;
  return `<svg xmlns="http://www.w3.org/2000/svg" width="1180" height="800" font-family="Noto Sans CJK SC, Noto Sans SC, PingFang SC, Microsoft YaHei, sans-serif">
  <rect width="1180" height="800" fill="#f7f0de"/><rect x="22" y="22" width="1136" height="756" fill="none" stroke="#b8954f" stroke-width="4"/>
  <rect x="34" y="34" width="1112" height="732" fill="none" stroke="#b8954f" stroke-width="1.5"/>
  <text x="590" y="520" font-size="150" fill="#d9c48f" opacity="0.4" text-anchor="middle" transform="rotate(-14 590 480)">样张 示例</text>
  <text x="590" y="200" font-size="62" fill="#1f1f1f" text-anchor="middle" letter-spacing="22" font-weight="600">营业执照</text>
  <text x="90" y="108" font-size="19" fill="#7a5b1d">统一社会信用代码</text><text x="90" y="140" font-size="26" fill="#222">${escaped(values.creditCode ?? "")}</text>
  ${line(300, "名　　称", name)}${line(356, "法定代表人", values.legalDocument ?? values.legalName ?? "")}${line(412, "类　　型", "有限责任公司")}
  ${line(300, "注册资本", "伍佰万元整", 690)}${line(356, "成立日期", "2016 年 03 月 28 日", 690)}
  ${line(412, "营业期限", `至 ${values.licenceUntil ?? ""}`, 690)}
  <text x="690" y="640" font-size="19" fill="#7a5b1d">登记机关</text>
  <circle cx="960" cy="630" r="78" fill="none" stroke="#c63b35" stroke-width="5"/><path d="M960 590l11 33h35l-28 21 10 34-28-20-28 20 10-34-28-21h35z" fill="#c63b35"/></svg>`;
}

/** What the seeds need of a running server. */
export interface RealNameSeeding {
  cipher: PersonalCipher;
  nextId: () => string;
}

/** A decision takes about a working day. */
const decisionHours = 26;

async function insertSeed(
  db: Kysely<DB>,
  seed: Seed,
  pictureId: string | undefined,
  { cipher, nextId }: RealNameSeeding,
) {
  const { tenantId, kind, state, values, returned = {}, decidedBy } = seed;
  const accountOf = async (account: string): Promise<string | undefined> =>
    (await db.selectFrom("accounts").select("id").where("accountKey", "=", account).executeTakeFirst())?.id;
  const submittedBy = await accountOf(seed.account);
  if (submittedBy === undefined) return;
  const by = decidedBy === undefined ? null : ((await accountOf(decidedBy)) ?? null);
  const id = nextId();
  const at = (hours: number) => sql<Date>`now() - make_interval(mins => ${Math.round(hours * 60)})`;
  const decided = state === "passed" || state === "suspended" || state === "rejected";
  const subject = kind === "personal" ? values.idNumber : values.creditCode;
  await sql`
    insert into real_name_applications
      (id, tenant_id, kind, state, title, subject_index, submitted_by, submitted_at, queued_at, due_at, first_by, decided_by, decided_at,
       licence_until, rejections)
    values (${id}, ${tenantId}, ${kind}, ${state}, ${(kind === "personal" ? values.personName : values.enterpriseName) ?? ""},
            ${cipher.index(`real name ${subject ?? ""}`)}, ${submittedBy}, ${at(seed.submitted)}, ${at(seed.submitted - 0.1)},
            ${at(seed.submitted - 24)}, ${state === "second_look" ? by : null}, ${decided ? by : null},
            ${decided ? at(seed.submitted - Math.min(decisionHours, seed.submitted / 2)) : null}, ${values.licenceUntil ?? null}::date, ${state === "rejected" ? 1 : 0})`.execute(
    db,
  );
  for (const { field, form } of realNameItems[kind]) {
    const value = values[field] ?? "";
    if (value === "" && (form !== "picture" || field === "letterPicture")) continue;
    const back = returned[field];
    const verdict = back ? "returned" : state === "waiting" ? "open" : "accepted";
    await sql`
      insert into real_name_items
        (real_name_application_id, field, value_encrypted, attachment_id, verdict, reason, note, document_encrypted)
      values (${id}, ${field}, ${value === "" ? "" : cipher.encrypt(value)}, ${form === "picture" ? (pictureId ?? null) : null}::bigint,
              ${verdict}, ${back?.reason ?? (verdict === "accepted" ? "none" : "")}, ${back?.note ?? ""},
              ${back?.document ? cipher.encrypt(back.document) : ""})`.execute(db);
  }
  const event = async (what: string, hours: number, accountId: string | null, items: object[] = []) => {
    await sql`
      insert into real_name_events (id, real_name_application_id, what, account_id, items, created_at)
      values (${nextId()}, ${id}, ${what}, ${accountId}::bigint, ${JSON.stringify(items)}::jsonb, ${at(hours)})`.execute(
      db,
    );
  };
  await event("submitted", seed.submitted, null);
  if (kind === "enterprise") {
    await sql`
      insert into real_name_remittances
        (id, tenant_id, real_name_application_id, state, amount_fen, sandbox, reference, arrivals, created_at, sent_at, arrived_at, expires_at)
      values (${nextId()}, ${tenantId}, ${id}, 'confirmed', 1, true, ${`SB${id.slice(-10)}`}, 1, ${at(seed.submitted)},
              ${at(seed.submitted)}, ${at(seed.submitted - 0.05)}, ${at(seed.submitted - 72)})`.execute(db);
    await event("arrived", seed.submitted - 0.05, null);
    await event("confirmed", seed.submitted - 0.1, null);
  }
  if (state === "second_look") await event("first_look", seed.submitted / 2, by);
  if (state === "rejected")
    await event(
      "rejected",
      seed.submitted / 2,
      by,
      Object.entries(returned).map(([field, { reason }]) => ({ field, reason })),
    );
  if (state === "passed" || state === "suspended") await event("passed", seed.submitted / 2, by);
  if (state === "suspended") await event("suspended", (overDays - 1) * 24, null);
}

/** Authenticates the demo's own customers, also in installations that are older than authentication. */
export async function seedDemoAuthentications(db: Kysely<DB>, seeding: RealNameSeeding): Promise<void> {
  await db.transaction().execute(async (to) => {
    await sql`select pg_advisory_xact_lock(hashtext('seeds'))`.execute(to);
    const { rows } = await sql<{ tenantId: string }>`
      select t.tenant_id from tenants t where not exists (select from real_name_applications a where a.tenant_id = t.tenant_id)
         and exists (select from memberships m join accounts c on c.id = m.account_id
                      where m.tenant_id = t.tenant_id and c.demo_note is not null)`.execute(to);
    const without = new Set(rows.map(({ tenantId }) => tenantId));
    for (const seed of authenticated) if (without.has(seed.tenantId)) await insertSeed(to, seed, undefined, seeding);
  });
}

/** Customers of a new demo with a pending authentication, and their reviewer. */
export async function seedDemoRealName(
  db: Kysely<DB>,
  {
    keepFile,
    hashPassword,
    ...seeding
  }: RealNameSeeding & {
    hashPassword: (md5: string) => Promise<string>;
    keepFile: (
      owner: MemberScope,
      file: { path: string; originalName: string; extension: string; contentType: string },
    ) => Promise<string>;
  },
): Promise<void> {
  const { cipher, nextId } = seeding;
  const passwordHash = await hashPassword(createHash("md5").update(demoPassword).digest("hex"));
  const accounts = new Map<string, string>();
  const addPerson = async (
    to: Kysely<DB>,
    { account, realName, phone }: { account: string; realName: string; phone: string },
    { type, tenantId, role, createdAt }: { type: string; tenantId: string; role: string; createdAt: Date },
  ): Promise<void> => {
    const [id, membershipId] = [nextId(), nextId()];
    accounts.set(account, id);
    await to
      .insertInto("accounts")
      .values({
        id,
        account,
        accountKey: account,
        type,
        realName,
        nickName: realName,
        passwordHash,
        demoNote: "",
        phoneEncrypted: cipher.encrypt(phone),
        phoneIndex: cipher.index(phone),
        phoneVerifiedAt: createdAt,
        createdAt,
      })
      .execute();
    await to
      .insertInto("memberships")
      .values({ id: membershipId, accountId: id, tenantId, code: "", createdAt })
      .execute();
    await sql`
      insert into membership_roles (membership_id, role_id)
      select ${membershipId}::bigint, id from roles where tenant_id = ${tenantId} and role_alias = ${role}`.execute(to);
  };
  await db.transaction().execute(async (to) => {
    await seedTranslations(to, demoTranslations);
    await addPerson(to, reviewer, {
      type: "employee",
      tenantId: groupTenantId,
      role: "auditor",
      createdAt: new Date(Date.now() - 500 * dayMs),
    });
    for (const { tenantId, name, type, ...person } of newcomers) {
      const createdAt = new Date(Date.now() - (customerDays[tenantId] ?? 0) * dayMs);
      await to.insertInto("tenants").values({ tenantId, name, type, showcase: false, createdAt }).execute();
      await seedRoles(to, tenantId, customerRoles, nextId);
      await grantSeededMenus(to, tenantId);
      await addPerson(to, person, { type, tenantId, role: "owner", createdAt });
    }
  });
  const owners = systemScope("the demo keeps example pictures as files of its own people");
  const folder = await mkdtemp(join(tmpdir(), "herdwise-demo-"));
  try {
    for (const seed of [...underWay, licenceOver()]) {
      let pictureId: string | undefined;
      if (seed.picture !== undefined) {
        const path = join(folder, `${seed.tenantId}.png`);
        const legalDocument = seed.returned?.legalName?.document;
        const drawn = licenceDrawing({ ...seed.values, ...(legalDocument && { legalDocument }) }, seed.picture);
        await writeFile(path, await drawPicture(drawn));
        const owner = memberScope(owners, { accountId: accounts.get(seed.account) ?? "", tenantId: seed.tenantId });
        pictureId = await keepFile(owner, {
          path,
          originalName: "执照.png",
          extension: "png",
          contentType: "image/png",
        });
      }
      await db.transaction().execute((to) => insertSeed(to, seed, pictureId, seeding));
    }
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
