import type { RemittanceFailure } from "@herdwise/contract";
import type { BankCardState } from "@herdwise/contract/bank-card-rules";
import { type Kysely, type RawBuilder, type SqlBool, sql } from "kysely";
import { inOneTenant, inScope, likeWord } from "../../database/conditions.ts";
import type { DB } from "../../database/generated/database.ts";
import { type PageRange, readList } from "../../database/pages.ts";
import { type Due, remittancesTogether, remittanceTable } from "../../processes/index.ts";
import type { MemberScope, SystemScope, TenantScope } from "../../tenant-scope.ts";

export interface BankCardRow {
  id: string;
  tenantId: string;
  customer: string;
  createdBy: string | null;
  state: BankCardState;
  bankName: string;
  numberEncrypted: string;
  holderEncrypted: string;
  phoneEncrypted: string;
  lastFour: string;
  isDefault: boolean;
  defaultAt: Date | null;
  version: number;
  createdAt: Date;
  /** Of the newest small amount. */
  remittanceId: string;
  amountFen: number;
  failure: RemittanceFailure | "";
  sandbox: boolean;
  arrivals: number;
  tries: number;
  sentAt: Date | null;
  expiresAt: Date;
}

/** What changes beside the state. */
export interface CardChange {
  isDefault?: boolean;
  defaultAt?: Date | null;
}

/** Cards whose time to become the default one has come. */
export const defaultDue = (now: Date): Due => ({
  table: "bankCards",
  alias: "b",
  at: sql`b.default_at`,
  before: sql`${now}::timestamptz`,
  where: sql<SqlBool>`b.default_at is not null`,
});

/** Bank cards with their small amounts. @param db a pool or an open transaction */
export function bankCardRepository(db: Kysely<DB>) {
  const columns = sql`
    b.id, b.tenant_id, t.name as customer, b.created_by, b.state, b.bank_name, b.number_encrypted, b.holder_encrypted, b.phone_encrypted,
    b.last_four, b.is_default, b.default_at, b.version, b.created_at, r.id as remittance_id, r.amount_fen, r.failure, r.sandbox, r.arrivals,
    r.tries, r.sent_at, r.expires_at`;
  const customers = sql`join tenants t on t.tenant_id = b.tenant_id`;
  const remittances = sql`
    join lateral (select * from bank_card_remittances n where n.bank_card_id = b.id order by n.id desc limit 1) r on true`;
  const tables = sql`bank_cards b ${customers} ${remittances}`;
  const rowsOf = async (condition: RawBuilder<unknown>): Promise<BankCardRow[]> => {
    const { rows } = await sql<BankCardRow>`select ${columns} from ${tables} where ${condition}`.execute(db);
    return rows;
  };

  return {
    ...remittanceTable(db, "bankCardRemittances"),

    list: (scope: MemberScope): Promise<BankCardRow[]> =>
      rowsOf(sql`b.state <> 'unbound' and ${inOneTenant(scope, "b")} order by b.is_default desc, b.id`),

    /** One card, held against other changes. */
    async find(scope: TenantScope | SystemScope, id: string, lock = false): Promise<BankCardRow | undefined> {
      if (lock)
        await sql`select from bank_cards b where b.id = ${id} and ${inScope(scope, "b")} for update`.execute(db);
      return (await rowsOf(sql`b.id = ${id} and ${inScope(scope, "b")}`))[0];
    },

    /** Waits for other changes of the same customer's cards, so that limits hold. */
    async lockTenant(scope: MemberScope): Promise<void> {
      await sql`select pg_advisory_xact_lock(hashtext(${`bank cards ${scope.tenantId}`}))`.execute(db);
    },

    /** @param indexes of the number, by every key */
    async isBound(scope: MemberScope, indexes: readonly Buffer[]): Promise<boolean> {
      const { rows } = await sql`
        select from bank_cards b where b.number_index = any(${[...indexes]}::bytea[]) and ${inOneTenant(scope, "b")}`.execute(
        db,
      );
      return rows.length > 0;
    },

    async insert(
      scope: TenantScope,
      row: {
        id: string;
        bankName: string;
        numberEncrypted: string;
        numberIndex: Buffer;
        holderEncrypted: string;
        phoneEncrypted: string;
        lastFour: string;
      },
    ): Promise<void> {
      await sql`
        insert into bank_cards (id, tenant_id, created_by, bank_name, number_encrypted, number_index, holder_encrypted, phone_encrypted, last_four)
        values (${row.id}, ${scope.tenantId}, ${scope.accountId}, ${row.bankName}, ${row.numberEncrypted}, ${row.numberIndex},
                ${row.holderEncrypted}, ${row.phoneEncrypted}, ${row.lastFour})`.execute(db);
    },

    async order(
      scope: TenantScope,
      row: { id: string; cardId: string; amountFen: number; sandbox: boolean; expiresAt: Date },
    ): Promise<void> {
      await sql`
        insert into bank_card_remittances (id, tenant_id, bank_card_id, amount_fen, sandbox, expires_at)
        select ${row.id}, b.tenant_id, b.id, ${row.amountFen}, ${row.sandbox}, ${row.expiresAt}
          from bank_cards b where b.id = ${row.cardId} and ${inScope(scope, "b")}`.execute(db);
    },

    /** Brings a card on. Callers hold its lock and looked at the table of transitions. */
    async move(scope: TenantScope | SystemScope, id: string, state: BankCardState, to: CardChange = {}): Promise<void> {
      const gone = state === "unbound";
      await sql`
        update bank_cards b set
          state = ${state}, version = b.version + 1, updated_at = now(),
          default_ended_at = case when b.is_default and ${gone || to.isDefault === false} then now() else b.default_ended_at end,
          is_default = ${gone ? sql`false` : to.isDefault === undefined ? sql`b.is_default` : sql`${to.isDefault}::boolean`},
          default_at = ${gone ? sql`null` : to.defaultAt === undefined ? sql`b.default_at` : sql`${to.defaultAt}::timestamptz`},
          number_encrypted = ${gone ? "" : sql`b.number_encrypted`},
          number_index = ${gone ? sql`null` : sql`b.number_index`},
          holder_encrypted = ${gone ? "" : sql`b.holder_encrypted`},
          phone_encrypted = ${gone ? "" : sql`b.phone_encrypted`}
         where b.id = ${id} and ${inScope(scope, "b")}`.execute(db);
    },

    /** Takes the default away from whichever card has it, before another one gets it. */
    async clearDefault(scope: SystemScope | TenantScope, tenantId: string): Promise<void> {
      await sql`
        update bank_cards b set is_default = false, default_ended_at = now(), version = b.version + 1, updated_at = now()
         where b.tenant_id = ${tenantId} and b.is_default and ${inScope(scope, "b")}`.execute(db);
    },
    /** Stops whatever waits to become the default. */
    async clearWaiting(scope: TenantScope, tenantId: string): Promise<void> {
      await sql`
        update bank_cards b set default_at = null, version = b.version + 1, updated_at = now()
         where b.tenant_id = ${tenantId} and b.default_at is not null and ${inScope(scope, "b")}`.execute(db);
    },
    /** Whether a customer has a default card, or had one within some hours. */
    async hadDefault(scope: TenantScope, tenantId: string, withinHours: number): Promise<boolean> {
      const { rows } = await sql`
        select from bank_cards b
         where b.tenant_id = ${tenantId} and (b.is_default or b.default_ended_at > now() - make_interval(hours => ${withinHours})) and ${inScope(scope, "b")}`.execute(
        db,
      );
      return rows.length > 0;
    },
    async hasWaiting(scope: TenantScope | SystemScope, tenantId: string): Promise<boolean> {
      const { rows } = await sql`
        select from bank_cards b where b.tenant_id = ${tenantId} and b.default_at is not null and ${inScope(scope, "b")}`.execute(
        db,
      );
      return rows.length > 0;
    },

    /** Cards that the bank, or the clock, has to bring on, by id after one. @param id of this one alone */
    running: (
      scope: SystemScope,
      state: BankCardState,
      after: string,
      id: string | undefined,
    ): Promise<BankCardRow[]> =>
      rowsOf(
        sql`b.state = ${sql.lit(state)} and b.id > ${after} and ${inScope(scope, "b")} and ${id === undefined ? sql`true` : sql`b.id = ${id}`}
            order by b.id limit ${remittancesTogether}`,
      ),

    page(
      scope: TenantScope,
      { state, keyword }: { state?: BankCardState | undefined; keyword?: string | undefined },
      request: PageRange,
    ): Promise<{ rows: BankCardRow[]; total: number }> {
      const where = [inScope(scope, "b")];
      if (state !== undefined) where.push(sql<SqlBool>`b.state = ${state}`);
      if (keyword) where.push(sql<SqlBool>`(t.name ilike ${likeWord(keyword)} or b.last_four = ${keyword})`);
      const list = {
        table: sql`bank_cards b`,
        found: customers,
        where,
        order: [{ by: sql`b.id`, descending: true }],
        columns,
        key: "b.id",
        joins: sql`${customers} ${remittances}`,
      };
      return readList<BankCardRow>(db, list, request);
    },
  };
}
export type BankCardRepository = ReturnType<typeof bankCardRepository>;
