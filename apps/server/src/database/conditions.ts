import type { DeviceStatus } from "@herdwise/contract";
import { type ExpressionBuilder, type RawBuilder, type SqlBool, sql } from "kysely";
import {
  type AccountScope,
  isSystemScope,
  type MemberScope,
  type SystemScope,
  type TenantScope,
} from "../tenant-scope.ts";
import type { DB } from "./generated/database.ts";

/** A word as a part of a LIKE pattern: what has a meaning there stands for itself. */
export const likeWord = (word: string): string => `%${word.replace(/[\\%_]/g, "\\$&")}%`;

/** What an index by `word_pieces` is asked for: a single character, or each pair of neighbours. The word itself is looked for then. */
export function wordPieces(word: string): string[] {
  const characters = [...word];
  return characters.length === 1
    ? characters
    : characters.slice(1).map((character, at) => `${characters[at]}${character}`);
}

/** Rows with a word in a text that an index by `word_pieces` has. @param words in lower case */
export function hasWord(words: RawBuilder<unknown>, word: string): RawBuilder<SqlBool> {
  const lower = word.toLowerCase();
  const pieces = wordPieces(lower);
  const found = sql<SqlBool>`word_pieces(${words}) @> ${pieces}::text[]`;
  // One piece is the word itself: no row is read to look at it again.
  return pieces.length === 1 ? found : sql<SqlBool>`(${found} and ${words} like ${likeWord(lower)})`;
}

/**
 * Accounts whose owner proved a number. A number that was only typed opens nothing: no code, link or name goes there.
 * @param indexes of the number, by every key
 */
export const ofPhone = (where: ExpressionBuilder<DB, "accounts">, indexes: readonly Buffer[]) =>
  where.and([where("phoneIndex", "in", [...indexes]), where("phoneVerifiedAt", "is not", null)]);

/** Rows that a scope reaches. @param table alias of a table with tenant_id */
export const inScope = (scope: TenantScope | SystemScope, table: string): RawBuilder<SqlBool> =>
  isSystemScope(scope) || scope.everyTenant ? sql<SqlBool>`true` : inOneTenant(scope, table);

/** Rows of the scope's own tenant alone, also for who reaches all. @param table alias of a table with tenant_id */
export const inOneTenant = (scope: MemberScope, table: string): RawBuilder<SqlBool> =>
  sql<SqlBool>`${sql.ref(`${table}.tenant_id`)} = ${scope.tenantId}`;

/**
 * What a device is called for the tenant of a row that outlives its binding: a new owner's name for it is none of a former
 * owner's business.
 * @param table alias of a table with tenant_id, joined to devices as `d`
 */
export const deviceNameFor = (table: string): RawBuilder<string> => sql<string>`case
  when d.tenant_id = ${sql.ref(`${table}.tenantId`)} then d.name
  else coalesce((select b.device_name from device_bindings b where b.device_id = d.id and b.tenant_id = ${sql.ref(`${table}.tenantId`)}
                  order by b.bound_at desc limit 1), d.serial_number) end`;

/**
 * Whether a device reports, has a fault or is kept out: one word for lists, trees and its own page. The planner takes the function apart, so
 * that it costs little over 100,000 devices; a query inside of it would be asked for each of them.
 * @param device alias of devices @param state alias of device_states
 */
export const deviceStatus = (device = "d", state = "s"): RawBuilder<DeviceStatus> => sql<DeviceStatus>`device_status(
  ${sql.ref(device)}, ${sql.ref(state)}, exists (select from alarms fa where fa.device_id = ${sql.ref(`${device}.id`)}
    and fa.ended_at is null and fa.fault and not fa.suppressed and not fa.late))`;

/** What an account is called among people. @param alias of accounts, which may be joined to none */
export const personName = (alias: string) =>
  sql<string>`coalesce(nullif(${sql.ref(`${alias}.realName`)}, ''), nullif(${sql.ref(`${alias}.nickName`)}, ''), ${sql.ref(`${alias}.account`)}, '')`;

/** Rows of an account. @param table alias of a table with account_id */
export const ofAccount = (scope: AccountScope, table: string): RawBuilder<SqlBool> =>
  sql<SqlBool>`${sql.ref(`${table}.accountId`)} = ${scope.accountId}`;

/** Rows of an account in one tenant. @param table alias of a table with account_id and tenant_id */
export const ofMember = (scope: MemberScope, table: string): RawBuilder<SqlBool> =>
  sql<SqlBool>`(${ofAccount(scope, table)} and ${inOneTenant(scope, table)})`;

/** Rows that a data scope reaches. @param table alias of a table with created_by and created_dept */
export const inRowScope = ({ rows, accountId }: TenantScope, table: string): RawBuilder<SqlBool> => {
  if (rows.all) return sql<SqlBool>`true`;
  const own = rows.own ? sql<SqlBool>`${sql.ref(`${table}.created_by`)} = ${accountId}` : sql<SqlBool>`false`;
  return sql<SqlBool>`(${own} or ${sql.ref(`${table}.created_dept`)} = any(${[...rows.departmentIds]}::bigint[]))`;
};

/** An account that is a member of a tenant in the scope. @param id the account's column */
export const isMemberIn = (scope: TenantScope, id: string): RawBuilder<SqlBool> =>
  sql<SqlBool>`exists (select from memberships reached where reached.account_id = ${sql.ref(id)} and ${inScope(scope, "reached")})`;

/**
 * What a place is called, looked up for the rows that are shown. With places and people as joins a page of alarms had nine tables, about
 * whose order PostgreSQL thought for 14 ms, each time anew, for a page that it then read in less than one.
 * @param id column that holds the place's id
 */
export const placeName = (table: "farms" | "pigHouses" | "units", id: string) =>
  sql<string | null>`(select name from ${sql.table(table)} where id = ${sql.ref(id)})`;
