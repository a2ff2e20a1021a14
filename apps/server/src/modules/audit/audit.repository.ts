import { createHash } from "node:crypto";
import { type AuditAction, type AuditChange, auditSummarized } from "@herdwise/contract";
import { type Kysely, sql } from "kysely";
import { awaitedRestShare, createBreather, createPace } from "../../breather.ts";
import { likeWord } from "../../database/conditions.ts";
import type { DB } from "../../database/generated/database.ts";
import { jsonRows } from "../../database/json-rows.ts";
import { type PageRange, readQuery } from "../../database/pages.ts";
import { pseudonym } from "../../database/personal-columns.ts";
import {
  accountOf,
  isSystemScope,
  requireSystemScope,
  type SystemScope,
  type TenantScope,
} from "../../tenant-scope.ts";

/** Records that wait for the end of a long piece of work. */
interface SpooledRecords {
  isEmpty(): boolean;
  batches(): AsyncIterable<readonly AuditRecord[]>;
}

/** What is written down of a change. */
export interface AuditRecord {
  resource: string;
  rowId: string;
  rowTitle: string;
  action: AuditAction;
  changes: readonly AuditChange[];
}

export interface AuditRow extends AuditRecord {
  id: string;
  accountId: string | null;
  chain: string;
  actorName: string;
  remoteAddress: string;
  createdAt: Date;
}

interface ChainedRow extends AuditRow {
  position: string;
  previousHash: Buffer;
  hash: Buffer;
}

export interface AuditFilter {
  /** Entries of rows that belong to no tenant, which everybody who may see the rows may see. */
  installation?: boolean;
  resource?: string | undefined;
  rowId?: string | undefined;
  accountId?: string | undefined;
  actions?: readonly string[];
  keyword?: string | undefined;
  from?: Date | undefined;
  to?: Date | undefined;
}

export interface PersonSummary {
  accountId: string | null;
  actorName: string;
  entries: number;
  lastTime: Date;
}
export interface RowSummary {
  resource: string;
  rowId: string;
  rowTitle: string;
  actorName: string;
  entries: number;
  lastTime: Date;
}
const mostSummaries = 200;

/** Chain of rows that belong to no tenant. */
export const installationChain = "installation";
const firstHash: Buffer = Buffer.alloc(32);

/** Keys in order, so that the hash does not depend on how the database keeps JSON. */
const canonical = (value: unknown): string =>
  JSON.stringify(value, (_key, held: unknown) =>
    typeof held === "object" && held !== null && !Array.isArray(held)
      ? Object.fromEntries(Object.entries(held).sort(([a], [b]) => (a < b ? -1 : 1)))
      : held,
  );

const hashOf = (row: Omit<ChainedRow, "hash">): Buffer =>
  createHash("sha256")
    .update(row.previousHash)
    .update(
      canonical([
        row.id,
        row.chain,
        String(row.position),
        row.accountId,
        row.actorName,
        row.resource,
        row.rowId,
        row.rowTitle,
        row.action,
        row.changes,
        row.remoteAddress,
        row.createdAt.toISOString(),
      ]),
    )
    .digest();

/** What an entry is after names were taken out of it, bound to what it was. */
const redactedHashOf = (row: ChainedRow): Buffer => createHash("sha256").update(row.hash).update(hashOf(row)).digest();

/** Of all that one cancellation took out of a chain; an entry of that chain holds it. */
const sealOf = (hashes: readonly Buffer[]): string =>
  hashes.reduce((digest, hash) => digest.update(hash), createHash("sha256")).digest("hex");
const sealField = "redacted";

/** Entries from which names are taken out. */
export interface Redaction {
  cancellationId: string;
  /** Accounts that are gone. */
  accountIds: readonly string[];
  /** Customers that are gone: their chains have no person's name any more. */
  tenantIds: readonly string[];
}

const columnsOf = (row: ChainedRow): Record<string, unknown> => ({
  id: row.id,
  chain: row.chain,
  position: row.position,
  account_id: row.accountId,
  actor_name: row.actorName,
  resource: row.resource,
  row_id: row.rowId,
  row_title: row.rowTitle,
  action: row.action,
  changes: row.changes,
  remote_address: row.remoteAddress,
  created_at: row.createdAt,
  previous_hash: row.previousHash,
  hash: row.hash,
});

/** @param db the transaction of the change that is written down, or a pool to read with */
export function auditRepository(db: Kysely<DB>) {
  /** Chains that a scope reaches. */
  const chainIn = (scope: TenantScope | SystemScope, chain: string) =>
    isSystemScope(scope) || scope.everyTenant || chain === scope.tenantId;

  const filtered = (scope: TenantScope, filter: AuditFilter) => {
    const { installation, resource, rowId, accountId, actions, keyword, from, to } = filter;
    let query = db.selectFrom("auditEntries as e");
    if (installation) query = query.where("e.chain", "=", installationChain);
    else if (!scope.everyTenant) query = query.where("e.chain", "=", scope.tenantId);
    if (resource) query = query.where("e.resource", "=", resource);
    if (rowId) query = query.where("e.rowId", "=", rowId);
    if (accountId) query = query.where("e.accountId", "=", accountId);
    if (actions && actions.length > 0) query = query.where("e.action", "in", [...actions]);
    if (from) query = query.where("e.createdAt", ">=", from);
    if (to) query = query.where("e.createdAt", "<", to);
    if (keyword) {
      const word = likeWord(keyword);
      query = query.where((either) =>
        either.or([either("e.actorName", "ilike", word), either("e.rowTitle", "ilike", word)]),
      );
    }
    return query;
  };

  const write = async (
    chain: string,
    by: TenantScope | SystemScope,
    batches: Iterable<readonly AuditRecord[]> | AsyncIterable<readonly AuditRecord[]>,
    nextId: () => string,
  ): Promise<void> => {
    if (chain !== installationChain && !isSystemScope(by) && !chainIn(by, chain))
      throw new Error(`the scope does not reach chain ${chain}`);
    await sql`select pg_advisory_xact_lock(hashtext(${`audit ${chain}`}))`.execute(db);
    const {
      rows: [place],
    } = await sql<{ last: string | null; head: string | null; hash: Buffer | null }>`
      select (select max(position) from audit_entries where chain = ${chain})::text as last, h.position::text as head, h.hash
        from (select 1) one left join audit_heads h on h.chain = ${chain}`.execute(db);
    // The clock has no account.
    const accountId = accountOf(by);
    const actor = await db
      .selectFrom("accounts")
      .select(sql<string>`coalesce(nullif(real_name, ''), account)`.as("name"))
      .where("id", "=", accountId ?? "0")
      .executeTakeFirst();
    const createdAt = new Date();
    // Follows the head, so that entries which were removed or appended behind the server's back are no part of the chain later either.
    const [last, noted] = [BigInt(place?.last ?? 0), BigInt(place?.head ?? 0)];
    let position = last > noted ? last : noted;
    let previousHash: Buffer = place?.hash ?? firstHash;
    const breathe = createBreather();
    const rest = createPace(awaitedRestShare);
    let batchCount = 0;
    let entryId: string | undefined;
    for await (const records of batches) {
      // A single batch is part of a request, which nobody holds up.
      if (batchCount > 0) await rest();
      batchCount += 1;
      const rows = [];
      for (const record of records) {
        position += 1n;
        const row = {
          ...record,
          id: nextId(),
          chain,
          position: String(position),
          accountId,
          actorName: actor?.name ?? "",
          remoteAddress: isSystemScope(by) ? "" : by.remoteAddress,
          createdAt,
          previousHash,
        };
        const hash = hashOf(row);
        rows.push(columnsOf({ ...row, hash }));
        previousHash = hash;
        entryId = row.id;
        await breathe();
      }
      await sql`insert into audit_entries
        select * from jsonb_populate_recordset(null::audit_entries, ${jsonRows(rows)}::jsonb)`.execute(db);
    }
    if (entryId === undefined) return;
    await sql`insert into audit_heads (chain, position, entry_id, hash, created_at)
      values (${chain}, ${String(position)}::bigint, ${entryId}::bigint, ${previousHash}::bytea, ${createdAt}::timestamptz)
      on conflict (chain) do update set position = excluded.position, entry_id = excluded.entry_id, hash = excluded.hash,
        created_at = excluded.created_at`.execute(db);
  };

  /** The newest entry of a chain as its last writer noted it. */
  const headOf = (chain: string) =>
    db.selectFrom("auditHeads").selectAll().where("chain", "=", chain).executeTakeFirst();

  return {
    /**
     * Writes records down at the end of a chain. Writers of one chain wait for each other until their transaction ends, so
     * call it last.
     * @param chain a tenant's id, or `installationChain`
     */
    async append(
      chain: string,
      by: TenantScope | SystemScope,
      records: readonly AuditRecord[],
      nextId: () => string,
    ): Promise<void> {
      if (records.length > 0) await write(chain, by, [records], nextId);
    },

    /** As `append`, for the records of a long piece of work. */
    async appendSpooled(chain: string, by: TenantScope, spool: SpooledRecords, nextId: () => string): Promise<void> {
      if (!spool.isEmpty()) await write(chain, by, spool.batches(), nextId);
    },

    /**
     * Takes names and addresses of who is gone out of entries; what was done, and when, stays. Each changed entry gets a hash of its own
     * beside the one in the chain, and each chain an entry that seals them.
     * @returns how many entries
     */
    async redact(
      scope: SystemScope,
      { cancellationId, accountIds, tenantIds }: Redaction,
      nextId: () => string,
    ): Promise<number> {
      requireSystemScope(scope);
      const by = sql`e.account_id = any(${[...accountIds]}::bigint[])`;
      // An entry about the person, or of a customer that is gone, may have names in title and values.
      const about = sql`(e.chain = any(${[...tenantIds]}::text[]) or (e.resource = 'user' and e.row_id = any(${[...accountIds]}::bigint[])))`;
      await sql`
        update audit_entries e
           set actor_name = case when ${by} then ${pseudonym} else e.actor_name end,
               remote_address = case when ${by} then '' else e.remote_address end,
               row_title = case when ${about} then '' else e.row_title end,
               changes = case when ${about} then '[]'::jsonb else e.changes end
         where (${by} or ${about}) and e.actor_name <> '' and e.resource <> 'cancellation'`.execute(db);
      await sql`
        update audit_entries e set actor_name = ${pseudonym}, remote_address = ''
         where ${by} and e.resource = 'cancellation'`.execute(db);
      const rows = await db
        .selectFrom("auditEntries as e")
        .selectAll("e")
        .select(sql<AuditChange[]>`e.changes`.as("changes"))
        .where(sql<boolean>`(${by} or (${about} and e.resource <> 'cancellation' and e.actor_name <> ''))`)
        .orderBy("e.chain")
        .orderBy("e.position")
        .execute();
      const seals = new Map<string, Buffer[]>();
      const redactions = rows.map((row) => {
        const hash = redactedHashOf({ ...row, action: row.action as AuditAction });
        seals.set(row.chain, [...(seals.get(row.chain) ?? []), hash]);
        return { audit_entry_id: row.id, cancellation_id: cancellationId, hash };
      });
      await sql`insert into audit_redactions
        select * from jsonb_populate_recordset(null::audit_redactions, ${jsonRows(redactions)}::jsonb)`.execute(db);
      for (const [chain, hashes] of seals)
        await write(
          chain,
          scope,
          [
            [
              {
                resource: "cancellation",
                rowId: cancellationId,
                rowTitle: "",
                action: "update",
                changes: [{ field: sealField, before: null, after: `${hashes.length} ${sealOf(hashes)}` }],
              },
            ],
          ],
          nextId,
        );
      return rows.length;
    },

    page: (scope: TenantScope, filter: AuditFilter, request: PageRange): Promise<{ rows: AuditRow[]; total: number }> =>
      readQuery(
        filtered(scope, filter)
          .select(["e.id", "e.chain", "e.accountId", "e.actorName", "e.resource", "e.rowId", "e.rowTitle"])
          .select(["e.remoteAddress", "e.createdAt"])
          .select([sql<AuditChange[]>`e.changes`.as("changes"), sql<AuditAction>`e.action`.as("action")]),
        [{ by: sql`e.id`, descending: true }],
        request,
      ),

    /** Entries older than a given one, newest first, for an export. @param last id of the entry before the part */
    after: (scope: TenantScope, filter: AuditFilter, last: string | undefined, limit: number): Promise<AuditRow[]> =>
      (last === undefined ? filtered(scope, filter) : filtered(scope, filter).where("e.id", "<", last))
        .select(["e.id", "e.chain", "e.accountId", "e.actorName", "e.resource", "e.rowId", "e.rowTitle"])
        .select(["e.remoteAddress", "e.createdAt"])
        .select([sql<AuditChange[]>`e.changes`.as("changes"), sql<AuditAction>`e.action`.as("action")])
        .orderBy("e.id", "desc")
        .limit(limit)
        .execute(),

    /** Who did how much among the newest entries. */
    async persons(scope: TenantScope, filter: AuditFilter): Promise<PersonSummary[]> {
      const newest = filtered(scope, filter).select(["e.id", "e.accountId", "e.actorName", "e.createdAt"]);
      const { rows } = await sql<PersonSummary>`
        select account_id::text, (array_agg(actor_name order by id desc))[1] as actor_name, count(*)::int as entries,
               max(created_at) as last_time
          from (${newest.orderBy("e.id", "desc").limit(auditSummarized)}) newest
         group by account_id order by max(id) desc limit ${mostSummaries}`.execute(db);
      return rows;
    },

    /** What was changed how often among the newest entries. */
    async rows(scope: TenantScope, filter: AuditFilter): Promise<RowSummary[]> {
      const newest = filtered(scope, filter)
        .select(["e.id", "e.resource", "e.rowId", "e.rowTitle", "e.actorName", "e.createdAt"])
        .orderBy("e.id", "desc")
        .limit(auditSummarized);
      const { rows } = await sql<RowSummary>`
        select resource, row_id::text, (array_agg(row_title order by id desc))[1] as row_title,
               (array_agg(actor_name order by id desc))[1] as actor_name, count(*)::int as entries, max(created_at) as last_time
          from (${newest}) newest
         group by resource, row_id order by max(id) desc limit ${mostSummaries}`.execute(db);
      return rows;
    },

    async chains(scope: TenantScope | SystemScope): Promise<string[]> {
      if (!isSystemScope(scope) && !scope.everyTenant) return [scope.tenantId];
      // A chain of which no entry is left has its head.
      const rows = await db
        .selectFrom("auditEntries")
        .select("chain")
        .union(db.selectFrom("auditHeads").select("chain"))
        .execute();
      return rows.map(({ chain }) => chain);
    },

    /** Entries of a chain whose redaction no entry of the chain seals. */
    async brokenSeals(scope: TenantScope | SystemScope, chain: string): Promise<ReadonlySet<string>> {
      if (!chainIn(scope, chain)) return new Set();
      const { rows } = await sql<{ cancellationId: string; ids: string[]; hashes: Buffer[]; seal: string | null }>`
        select r.cancellation_id, array_agg(e.id::text order by e.position) as ids, array_agg(r.hash order by e.position) as hashes,
               (select c->>'after' from audit_entries s cross join jsonb_array_elements(s.changes) c
                 where s.chain = ${chain} and s.resource = 'cancellation' and s.row_id = r.cancellation_id and s.account_id is null
                   and c->>'field' = ${sealField} limit 1) as seal
          from audit_redactions r join audit_entries e on e.id = r.audit_entry_id
         where e.chain = ${chain} group by r.cancellation_id`.execute(db);
      return new Set(
        rows.flatMap(({ ids, hashes, seal }) => (seal === `${hashes.length} ${sealOf(hashes)}` ? [] : ids)),
      );
    },

    /**
     * Follows a chain from its beginning to its head, some thousand entries at a time.
     * @returns how many entries hold, and the first that does not, is missing at the end, or came without a head
     */
    async verify(
      scope: TenantScope | SystemScope,
      chain: string,
    ): Promise<{ entries: number; broken?: { id: string; at: Date } }> {
      if (!chainIn(scope, chain)) return { entries: 0 };
      let position = 0n;
      let previousHash: Buffer = firstHash;
      // Entries are written while the chain is followed: it must reach the head of before, and end with that of after.
      const head = await headOf(chain);
      let last: { id: string; at: Date } | undefined;
      const unsealed = await this.brokenSeals(scope, chain);
      for (;;) {
        const rows = await db
          .selectFrom("auditEntries as e")
          .selectAll("e")
          .select(sql<AuditChange[]>`e.changes`.as("changes"))
          .select(
            sql<Buffer | null>`(select r.hash from audit_redactions r where r.audit_entry_id = e.id order by r.cancellation_id desc limit 1)`.as(
              "redactedHash",
            ),
          )
          .where("e.chain", "=", chain)
          .where("e.position", ">", String(position))
          .orderBy("e.position")
          .limit(5000)
          .execute();
        if (rows.length === 0) {
          const entries = Number(position);
          if (head !== undefined && BigInt(head.position) > position)
            return { entries, broken: { id: head.entryId, at: head.createdAt } };
          const noted = last && (await headOf(chain));
          return last && BigInt(noted?.position ?? 0) < position ? { entries, broken: last } : { entries };
        }
        for (const { redactedHash, ...row } of rows) {
          const entry = { ...row, action: row.action as AuditAction };
          const follows = BigInt(row.position) === position + 1n && row.previousHash.equals(previousHash);
          const holds = redactedHash ? redactedHashOf(entry).equals(redactedHash) : hashOf(entry).equals(row.hash);
          const isHead = head === undefined || head.position !== row.position || head.hash.equals(row.hash);
          if (!follows || !holds || !isHead || unsealed.has(row.id)) {
            return { entries: Number(position), broken: { id: row.id, at: row.createdAt } };
          }
          position += 1n;
          previousHash = row.hash;
          last = { id: row.id, at: row.createdAt };
        }
      }
    },
  };
}
export type AuditRepository = ReturnType<typeof auditRepository>;
