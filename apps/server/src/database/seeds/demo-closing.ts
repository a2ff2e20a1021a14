import type { CancellationState } from "@herdwise/contract";
import { type Kysely, sql } from "kysely";
import type { PersonalCipher } from "../../personal-cipher.ts";
import type { DB } from "../generated/database.ts";
import { pseudonym } from "../personal-columns.ts";

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;

interface CardSeed {
  account: string;
  bank: string;
  /** Card number with a valid check digit that belongs to nobody. */
  number: string;
  holder: string;
  phone: string;
  state: "verified" | "arrived" | "failed";
  isDefault?: boolean;
  daysAgo: number;
}
const cards: readonly CardSeed[] = [
  {
    account: "farm",
    bank: "中国农业银行",
    number: "6228480000000080937",
    holder: "南阳示例牧业有限公司",
    phone: "13800000002",
    state: "verified",
    isDefault: true,
    daysAgo: 61,
  },
  {
    account: "farm",
    bank: "中国邮政储蓄银行",
    number: "6210980000000006612",
    holder: "南阳示例牧业有限公司",
    phone: "13800000002",
    state: "arrived",
    daysAgo: 0.2,
  },
  {
    account: "sunli",
    bank: "中国工商银行",
    number: "6222020000000009001",
    holder: "孙丽",
    phone: "13800000011",
    state: "failed",
    daysAgo: 3,
  },
];

interface ClosingSeed {
  /** Login name of the person who asked; for an erased account, nobody's. */
  account: string;
  kind: "account" | "tenant";
  state: CancellationState;
  reason: string;
  daysAgo: number;
  answer?: string;
}
const closings: readonly ClosingSeed[] = [
  { account: "guoht", kind: "account", state: "waiting", reason: "no_farming", daysAgo: 8.1 },
  { account: "xingnong", kind: "tenant", state: "cooling", reason: "service", daysAgo: 2.2 },
  {
    account: "lvyuan",
    kind: "account",
    state: "refused",
    reason: "",
    daysAgo: 20,
    answer: "实名认证还在审核，审完再来办。",
  },
];

const stepsOf: Readonly<Record<CancellationState, readonly string[]>> = {
  cooling: ["ask"],
  waiting: ["ask", "ripen"],
  accepted: ["ask", "ripen", "accept"],
  refused: ["ask", "ripen", "refuse"],
  taken_back: ["ask", "take_back"],
  erased: ["ask", "ripen", "accept", "erase"],
};

/** Bank cards and cancellations of a new demo. @param now ms since 1970 */
export async function seedDemoClosing(
  db: Kysely<DB>,
  { cipher, nextId, now = Date.now() }: { cipher: PersonalCipher; nextId: () => string; now?: number },
): Promise<void> {
  const memberOf = async (to: Kysely<DB>, account: string) => {
    const { rows } = await sql<{ id: string; tenantId: string; name: string }>`
      select a.id, m.tenant_id, t.name from accounts a join memberships m on m.account_id = a.id join tenants t on t.tenant_id = m.tenant_id
       where a.account_key = ${account} and a.demo_note is not null order by m.id limit 1`.execute(to);
    return rows[0];
  };
  await db.transaction().execute(async (to) => {
    for (const { account, bank, number, holder, phone, state, isDefault = false, daysAgo } of cards) {
      const owner = await memberOf(to, account);
      if (owner === undefined) continue;
      const [id, at] = [nextId(), new Date(now - daysAgo * dayMs)];
      const name = account === "farm" ? owner.name : holder;
      await sql`
        insert into bank_cards (id, tenant_id, created_by, state, bank_name, number_encrypted, number_index, holder_encrypted,
                                phone_encrypted, last_four, is_default, created_at)
        values (${id}, ${owner.tenantId}, ${owner.id}, ${state}, ${bank}, ${cipher.encrypt(number)}, ${cipher.index(number)},
                ${cipher.encrypt(name)}, ${cipher.encrypt(phone)}, ${number.slice(-4)}, ${isDefault}, ${at})`.execute(
        to,
      );
      await sql`
        insert into bank_card_remittances (id, tenant_id, bank_card_id, amount_fen, failure, sandbox, reference, arrivals, created_at, sent_at, arrived_at, expires_at)
        values (${nextId()}, ${owner.tenantId}, ${id}, 37, ${state === "failed" ? "name_mismatch" : ""}, true, ${`SB${id.slice(-10)}`},
                ${state === "failed" ? 0 : 1}, ${at}, ${at}, ${state === "failed" ? null : at}, ${new Date(at.getTime() + 72 * hourMs)})`.execute(
        to,
      );
    }
    const { rows } = await sql<{
      id: string;
    }>`select id from accounts where account_key = 'admin' and demo_note is not null`.execute(to);
    const admin = rows[0]?.id ?? null;
    const insert = async (
      { id: accountId, tenantId }: { id: string; tenantId: string },
      { kind, state, reason, daysAgo, answer = "" }: Omit<ClosingSeed, "account">,
      report: object | null = null,
    ): Promise<string> => {
      const [id, at] = [nextId(), now - daysAgo * dayMs];
      const decided = state === "refused" || state === "erased";
      await sql`
        insert into cancellations (id, kind, state, tenant_id, account_id, reason, asked_at, cool_until, due_at, decided_by, decided_at, answer, erased_at, report)
        values (${id}, ${kind}, ${state}, ${tenantId}, ${accountId}, ${reason}, ${new Date(at)}, ${new Date(at + 7 * dayMs)},
                ${new Date(at + 12 * dayMs)}, ${decided ? admin : null}::bigint, ${decided ? new Date(at + 8 * dayMs) : null}, ${answer},
                ${state === "erased" ? new Date(at + 9 * dayMs) : null}, ${report && JSON.stringify(report)}::jsonb)`.execute(
        to,
      );
      let hours = 0;
      for (const what of stepsOf[state]) {
        await sql`
          insert into cancellation_steps (id, cancellation_id, what, account_id, created_at)
          values (${nextId()}, ${id}, ${what}, ${what === "accept" || what === "refuse" ? admin : null}::bigint, ${new Date(at + hours * hourMs)})`.execute(
          to,
        );
        hours += what === "ask" ? 168 : 24;
      }
      return id;
    };
    for (const { account, ...closing } of closings) {
      const owner = await memberOf(to, account);
      if (owner !== undefined) await insert(owner, closing);
    }
    // An erased account: no name, its report, and the data that law requires to be kept.
    const gone = nextId();
    await to
      .insertInto("accounts")
      .values({
        id: gone,
        account: `removed-${gone}`,
        accountKey: `removed-${gone}`,
        type: "personal",
        realName: pseudonym,
        nickName: pseudonym,
        passwordHash: "",
        status: 0,
        removedAt: new Date(now - 5 * dayMs),
      })
      .execute();
    const id = await insert(
      { id: gone, tenantId: "100001" },
      { kind: "account", state: "erased", reason: "other_account", daysAgo: 14 },
      {
        erased: [
          { what: "账号资料", rows: 1 },
          { what: "所在单位", rows: 1 },
          { what: "登录会话", rows: 6 },
          { what: "账号记录", rows: 21 },
          { what: "消息", rows: 48 },
          { what: "联系地址", rows: 1 },
        ],
        anonymized: [
          { what: "操作记录", rows: 17 },
          { what: "告警处理", rows: 9 },
        ],
      },
    );
    const day = (days: number) => new Date(now + days * dayMs).toISOString().slice(0, 10);
    for (const [category, content, days] of [
      ["identity", { accounts: [{ account: "example", phone: "" }], items: [] }, 1090],
      ["log_ins", [{ kind: "log_in", createdAt: day(-30) }], 175],
    ] as const)
      await sql`
        insert into retained_records (id, cancellation_id, category, content_encrypted, keep_until)
        values (${nextId()}, ${id}, ${category}, ${cipher.encrypt(JSON.stringify(content))}, ${day(days)}::date)`.execute(
        to,
      );
  });
}
