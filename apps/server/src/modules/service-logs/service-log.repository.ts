import { slowCallMs } from "@herdwise/contract";
import { type Kysely, type RawBuilder, type SqlBool, sql } from "kysely";
import { likeWord } from "../../database/conditions.ts";
import type { DB } from "../../database/generated/database.ts";
import { jsonRows } from "../../database/json-rows.ts";
import { type PageRange, readList } from "../../database/pages.ts";
import { requireSystemScope, type SystemScope, type TenantScope } from "../../tenant-scope.ts";
import type { LogEntry, LogKind } from "./log-entry.ts";

export interface LogFilter {
  /** Columns that must be equal. */
  equal: Readonly<Record<string, string | undefined>>;
  /** Columns that must contain a word. */
  like: Readonly<Record<string, string | undefined>>;
  /** Of calls: those that were refused or broke, or took long. */
  outcome?: "failed" | "slow" | undefined;
  account?: string | undefined;
  from?: Date | undefined;
  to?: Date | undefined;
}

export interface LogRow {
  id: string;
  createTime: Date;
  tenantId: string;
  createBy: string;
  serviceId: string;
  serverHost: string;
  remoteIp: string;
  userAgent: string;
  requestId: string;
  requestUri: string;
  method: string;
  methodName: string;
  params: string;
}
interface UsualRow extends LogRow {
  logLevel: string;
  logId: string;
  logData: string;
}
interface ApiRow extends LogRow {
  title: string;
  timeMs: number;
  status: number;
}
interface ErrorRow extends LogRow {
  stackTrace: string;
  exceptionName: string;
  message: string;
  fileName: string;
  lineNumber: number;
}
export interface LogRows {
  usual: UsualRow;
  api: ApiRow;
  error: ErrorRow;
}

interface RequestRow {
  kind: LogKind;
  id: string;
  methodName: string;
  told: string;
  createTime: Date;
}

const tables = { usual: "usual_logs", api: "api_logs", error: "error_logs" } as const;
const own = {
  usual: sql`l.log_level, l.log_id, l.log_data`,
  api: sql`l.title, l.time_ms, l.status`,
  error: sql`l.stack_trace, l.exception_name, l.message, l.file_name, l.line_number`,
} as const;

const columnsOf = (kind: LogKind) => sql`
  l.id::text, l.created_at as create_time, l.tenant_id, coalesce((select a.account from accounts a where a.id = l.account_id), '') as create_by,
  l.service_id, l.server_host, l.remote_address as remote_ip, l.user_agent, l.request_id, l.request_uri, l.method,
  l.operation as method_name, l.params, ${own[kind]}`;

/** Entries of all tenants are read by the group's staff alone. @param db a pool or an open transaction */
export function serviceLogRepository(db: Kysely<DB>) {
  return {
    async add(scope: SystemScope, kind: LogKind, entries: readonly LogEntry[]): Promise<void> {
      requireSystemScope(scope);
      const table = sql.table(tables[kind]);
      await sql`insert into ${table} select * from jsonb_populate_recordset(null::${table}, ${jsonRows(entries)}::jsonb)`.execute(
        db,
      );
    },

    page<Kind extends LogKind>(
      scope: TenantScope,
      kind: Kind,
      { equal, like, outcome, account, from, to }: LogFilter,
      request: PageRange,
    ): Promise<{ rows: LogRows[Kind][]; total: number }> {
      const where: RawBuilder<SqlBool>[] = [
        scope.everyTenant ? sql<SqlBool>`true` : sql<SqlBool>`l.tenant_id = ${scope.tenantId}`,
      ];
      for (const [column, value] of Object.entries(equal))
        if (value) where.push(sql<SqlBool>`${sql.ref(`l.${column}`)} = ${value}`);
      for (const [column, word] of Object.entries(like))
        if (word) where.push(sql<SqlBool>`${sql.ref(`l.${column}`)} ilike ${likeWord(word)}`);
      if (outcome === "failed") where.push(sql<SqlBool>`l.status >= 400`);
      if (outcome === "slow") where.push(sql<SqlBool>`l.time_ms >= ${slowCallMs}`);
      if (account) where.push(sql<SqlBool>`l.account_id in (select a.id from accounts a where a.account = ${account})`);
      if (from) where.push(sql<SqlBool>`l.created_at >= ${from}`);
      if (to) where.push(sql<SqlBool>`l.created_at < ${to}`);
      return readList<LogRows[Kind]>(
        db,
        {
          table: sql`${sql.table(tables[kind])} l`,
          where,
          order: [{ by: sql`l.id`, descending: true }],
          columns: columnsOf(kind),
          key: "l.id",
          bounded: true,
        },
        request,
      );
    },

    async find<Kind extends LogKind>(scope: TenantScope, kind: Kind, id: string): Promise<LogRows[Kind] | undefined> {
      const { rows } = await sql<LogRows[Kind]>`
        select ${columnsOf(kind)} from ${sql.table(tables[kind])} l
         where l.id = ${id} and ${scope.everyTenant ? sql`true` : sql`l.tenant_id = ${scope.tenantId}`}`.execute(db);
      return rows[0];
    },

    /** The entries of one request in all logs, failures first. */
    async ofRequest(scope: TenantScope, requestId: string): Promise<RequestRow[]> {
      const part = (kind: LogKind, told: RawBuilder<unknown>) => sql`
        select ${kind}::text as kind, l.id, l.operation, ${told} as told, l.created_at from ${sql.table(tables[kind])} l
         where l.request_id = ${requestId} and ${scope.everyTenant ? sql`true` : sql`l.tenant_id = ${scope.tenantId}`}`;
      const { rows } = await sql<RequestRow>`
        select kind, id::text, operation as method_name, told, created_at as create_time
          from (${part("error", sql`l.message`)} union all ${part("usual", sql`l.log_id`)} union all ${part("api", sql`l.title`)}) found
         order by array_position(array['error', 'usual', 'api'], kind), id limit 50`.execute(db);
      return rows;
    },

    /** Removes entries older than some days, a part at a time. @returns how many */
    async removeBefore(scope: SystemScope, kind: LogKind, before: Date, limit: number): Promise<number> {
      requireSystemScope(scope);
      const table = sql.table(tables[kind]);
      const { numAffectedRows } = await sql`
        delete from ${table} where id in (select id from ${table} where created_at < ${before} limit ${limit})`.execute(
        db,
      );
      return Number(numAffectedRows ?? 0n);
    },
  };
}
export type ServiceLogRepository = ReturnType<typeof serviceLogRepository>;
