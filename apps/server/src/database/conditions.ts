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

/** A LIKE pattern that contains a word, with its special characters escaped. */
export const likeWord = (word: string): string => `%${word.replace(/[\\%_]/g, "\\$&")}%`;

/**
 * Pieces by which an index of `word_pieces` is searched: the single character, or each pair of neighbours; the matches must
 * then be checked for the word itself.
 */
function wordPieces(word: string): string[] {
  const characters = [...word];
  return characters.length === 1
    ? characters
    : characters.slice(1).map((character, at) => `${characters[at]}${character}`);
}

/**
 * Rows with a word in a text that has an index of `word_pieces`.
 * @param words the text in lower case
 */
export function hasWord(words: RawBuilder<unknown>, word: string): RawBuilder<SqlBool> {
  const lower = word.toLowerCase();
  const pieces = wordPieces(lower);
  const found = sql<SqlBool>`word_pieces(${words}) @> ${pieces}::text[]`;
  // A single piece is the word itself, so no row has to be checked again.
  return pieces.length === 1 ? found : sql<SqlBool>`(${found} and ${words} like ${likeWord(lower)})`;
}

/**
 * Accounts whose owner proved a phone number; no code, link or name is sent to a number that was only typed.
 * @param indexes keyed hashes of the number, by every key
 */
export const ofPhone = (where: ExpressionBuilder<DB, "accounts">, indexes: readonly Buffer[]) =>
  where.and([where("phoneIndex", "in", [...indexes]), where("phoneVerifiedAt", "is not", null)]);

/**
 * Rows that a scope reaches.
 * @param table alias of a table with tenant_id
 */
export const inScope = (scope: TenantScope | SystemScope, table: string): RawBuilder<SqlBool> =>
  isSystemScope(scope) || scope.everyTenant ? sql<SqlBool>`true` : inOneTenant(scope, table);

/**
 * Rows of the scope's own tenant only, even for a scope that reaches all.
 * @param table alias of a table with tenant_id
 */
export const inOneTenant = (scope: MemberScope, table: string): RawBuilder<SqlBool> =>
  sql<SqlBool>`${sql.ref(`${table}.tenant_id`)} = ${scope.tenantId}`;

/**
 * Name of a device for the tenant of a row that outlives its binding; the name that a new owner gave must not be shown to a
 * former owner.
 * @param table alias of a table with tenant_id, joined to devices as `d`
 */
export const deviceNameFor = (table: string): RawBuilder<string> => sql<string>`case
  when d.tenant_id = ${sql.ref(`${table}.tenantId`)} then d.name
  else coalesce((select b.device_name from device_bindings b where b.device_id = d.id and b.tenant_id = ${sql.ref(`${table}.tenantId`)}
                  order by b.bound_at desc limit 1), d.serial_number) end`;

/**
 * Status of a device, the same for lists, trees and its own page.
 * The SQL function is inlined by the planner, so it is cheap over 100,000 devices; a query inside it would run for each device.
 * @param device alias of devices
 * @param state alias of device_states
 */
export const deviceStatus = (device = "d", state = "s"): RawBuilder<DeviceStatus> => sql<DeviceStatus>`device_status(
  ${sql.ref(device)}, ${sql.ref(state)}, exists (select from alarms fa where fa.device_id = ${sql.ref(`${device}.id`)}
    and fa.ended_at is null and fa.fault and not fa.suppressed and not fa.late))`;

/**
 * Display name of an account.
 * @param alias alias of accounts, which may be outer-joined
 */
export const personName = (alias: string) =>
  sql<string>`coalesce(nullif(${sql.ref(`${alias}.realName`)}, ''), nullif(${sql.ref(`${alias}.nickName`)}, ''), ${sql.ref(`${alias}.account`)}, '')`;

/**
 * Rows of an account.
 * @param table alias of a table with account_id
 */
export const ofAccount = (scope: AccountScope, table: string): RawBuilder<SqlBool> =>
  sql<SqlBool>`${sql.ref(`${table}.accountId`)} = ${scope.accountId}`;

/**
 * Rows of an account in one tenant.
 * @param table alias of a table with account_id and tenant_id
 */
export const ofMember = (scope: MemberScope, table: string): RawBuilder<SqlBool> =>
  sql<SqlBool>`(${ofAccount(scope, table)} and ${inOneTenant(scope, table)})`;

/**
 * Rows that a data scope reaches.
 * @param table alias of a table with created_by and created_dept
 */
export const inRowScope = ({ rows, accountId }: TenantScope, table: string): RawBuilder<SqlBool> => {
  if (rows.all) return sql<SqlBool>`true`;
  const own = rows.own ? sql<SqlBool>`${sql.ref(`${table}.created_by`)} = ${accountId}` : sql<SqlBool>`false`;
  return sql<SqlBool>`(${own} or ${sql.ref(`${table}.created_dept`)} = any(${[...rows.departmentIds]}::bigint[]))`;
};

/**
 * An account that is a member of a tenant in the scope.
 * @param id column with the account's id
 */
export const isMemberIn = (scope: TenantScope, id: string): RawBuilder<SqlBool> =>
  sql<SqlBool>`exists (select from memberships reached where reached.account_id = ${sql.ref(id)} and ${inScope(scope, "reached")})`;

/**
 * Name of a place, as a subquery that runs only for the rows shown. With places and people as joins, a page of alarms had nine
 * tables, which PostgreSQL planned for 14 ms each time and read in less than one.
 * @param id column with the place's id
 */
export const placeName = (table: "farms" | "pigHouses" | "units", id: string) =>
  sql<string | null>`(select name from ${sql.table(table)} where id = ${sql.ref(id)})`;
