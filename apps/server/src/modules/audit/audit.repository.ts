import { createHash } from "node:crypto";
import type { AuditAction, AuditChange } from "@herdwise/contract";
import { type Kysely, sql } from "kysely";
import { createBreather, createPace } from "../../breather.ts";
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
  chain: string;
  actorName: string;
  remoteAddress: string;
  createdAt: Date;
}

interface ChainedRow extends AuditRow {
  position: string;
  accountId: string | null;
  previousHash: Buffer;
  hash: Buffer;
}

export interface AuditFilter {
  /** Entries of rows that belong to no tenant, which everybody who may see the rows may see. */
  installation?: boolean;
  resource?: string | undefined;
  rowId?: string | undefined;
  actions?: readonly string[];
  keyword?: string | undefined;
  from?: Date | undefined;
  to?: Date | undefined;
}

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
    const { installation, resource, rowId, actions, keyword, from, to } = filter;
    let query = db.selectFrom("auditEntries as e");
    if (installation) query = query.where("e.chain", "=", installationChain);
    else if (!scope.everyTenant) query = query.where("e.chain", "=", scope.tenantId);
    if (resource) query = query.where("e.resource", "=", resource);
    if (rowId) query = query.where("e.rowId", "=", rowId);
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
    const last = await db
      .selectFrom("auditEntries")
      .select(["position", "hash"])
      .where("chain", "=", chain)
      .orderBy("position", "desc")
      .limit(1)
      .executeTakeFirst();
    // The clock has no account.
    const accountId = accountOf(by);
    const actor = await db
      .selectFrom("accounts")
      .select(sql<string>`coalesce(nullif(real_name, ''), account)`.as("name"))
      .where("id", "=", accountId ?? "0")
      .executeTakeFirst();
    const createdAt = new Date();
    let position = BigInt(last?.position ?? 0);
    let previousHash: Buffer = last?.hash ?? firstHash;
    const breathe = createBreather();
    const rest = createPace();
    let batchCount = 0;
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
        await breathe();
      }
      await sql`insert into audit_entries
        select * from jsonb_populate_recordset(null::audit_entries, ${jsonRows(rows)}::jsonb)`.execute(db);
    }
  };

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
          .select(["e.id", "e.chain", "e.actorName", "e.resource", "e.rowId", "e.rowTitle", "e.remoteAddress"])
          .select([
            "e.createdAt",
            sql<AuditChange[]>`e.changes`.as("changes"),
            sql<AuditAction>`e.action`.as("action"),
          ]),
        [{ by: sql`e.id`, descending: true }],
        request,
      ),

    async chains(scope: TenantScope | SystemScope): Promise<string[]> {
      if (!isSystemScope(scope) && !scope.everyTenant) return [scope.tenantId];
      const rows = await db.selectFrom("auditEntries").select("chain").distinct().execute();
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
     * Follows a chain from its beginning, some thousand entries at a time.
     * @returns how many entries hold, and the first that does not
     */
    async verify(
      scope: TenantScope | SystemScope,
      chain: string,
    ): Promise<{ entries: number; broken?: { id: string; at: Date } }> {
      if (!chainIn(scope, chain)) return { entries: 0 };
      let position = 0n;
      let previousHash: Buffer = firstHash;
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
        if (rows.length === 0) return { entries: Number(position) };
        for (const { redactedHash, ...row } of rows) {
          const entry = { ...row, action: row.action as AuditAction };
          const follows = BigInt(row.position) === position + 1n && row.previousHash.equals(previousHash);
          const holds = redactedHash ? redactedHashOf(entry).equals(redactedHash) : hashOf(entry).equals(row.hash);
          if (!follows || !holds || unsealed.has(row.id)) {
            return { entries: Number(position), broken: { id: row.id, at: row.createdAt } };
          }
          position += 1n;
          previousHash = row.hash;
        }
      }
    },
  };
}
export type AuditRepository = ReturnType<typeof auditRepository>;
