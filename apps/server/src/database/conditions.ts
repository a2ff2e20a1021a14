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

/** Functions that an index of words is made with: pairs of neighbours, or triples as well, which find a number among millions. */
export type WordIndex = "word_pieces" | "word_grams";

/** Pieces by which such an index is searched, as long as it has them; the matches must then be checked for the word itself. */
export function piecesOf(word: string, index: WordIndex): string[] {
  const characters = [...word];
  const length = Math.min(characters.length, index === "word_grams" ? 3 : 2);
  return Array.from({ length: characters.length - length + 1 }, (_, at) => characters.slice(at, at + length).join(""));
}

/**
 * Rows with a word in a text that has an index of words.
 * @param words the text in lower case
 */
export function hasWord(
  words: RawBuilder<unknown>,
  word: string,
  index: WordIndex = "word_pieces",
): RawBuilder<SqlBool> {
  const lower = word.toLowerCase();
  const pieces = piecesOf(lower, index);
  const found = sql<SqlBool>`${sql.raw(index)}(${words}) @> ${pieces}::text[]`;
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
  ${sql.ref(`${device}.blockedAt`)}, ${sql.ref(`${device}.activatedAt`)}, ${sql.ref(`${state}.onlineUntil`)},
  ${sql.ref(`${state}.tellsFault`)} or exists (select from alarms fa where fa.device_id = ${sql.ref(`${device}.id`)}
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
 * Rows that a scope reaches: of its tenants, as far as its data scope goes.
 * @param table alias of a table with tenant_id, created_by and created_dept
 */
export const inReach = (scope: TenantScope | SystemScope, table: string): RawBuilder<SqlBool> =>
  isSystemScope(scope) || scope.rows.all
    ? inScope(scope, table)
    : sql<SqlBool>`(${inScope(scope, table)} and ${inRowScope(scope, table)})`;

/** Rows whose place a data scope reaches: their unit, or where they stand in none, their house or farm. */
const placeInRowScope = (scope: TenantScope, table: string): RawBuilder<SqlBool> => {
  const held = (column: string) => sql.ref(`${table}.${column}`);
  const reached = (places: string, column: string) =>
    sql`exists (select from ${sql.table(places)} place where place.id = ${held(column)} and ${inRowScope(scope, "place")})`;
  return sql<SqlBool>`case when ${held("unit_id")} is not null then ${reached("units", "unit_id")}
    when ${held("house_id")} is not null then ${reached("pig_houses", "house_id")}
    else ${reached("farms", "farm_id")} end`;
};

/**
 * Rows of places, such as alarms, that a scope reaches: a data scope goes by who added the place.
 * @param table alias of a table with tenant_id, farm_id, house_id and unit_id
 */
export const placedInReach = (scope: TenantScope | SystemScope, table: string): RawBuilder<SqlBool> =>
  isSystemScope(scope) || scope.rows.all
    ? inScope(scope, table)
    : sql<SqlBool>`(${inScope(scope, table)} and ${placeInRowScope(scope, table)})`;

/**
 * Devices that a scope reaches: a data scope goes by who added the device, or the place in which it stands.
 * @param table alias of devices
 */
export const deviceInReach = (scope: TenantScope | SystemScope, table: string): RawBuilder<SqlBool> =>
  isSystemScope(scope) || scope.rows.all
    ? inScope(scope, table)
    : sql<SqlBool>`(${inScope(scope, table)} and (${inRowScope(scope, table)} or ${placeInRowScope(scope, table)}))`;

/**
 * Members whom a scope reaches: a data scope goes by who added them and the departments in which they stand; everybody reaches themselves.
 * @param membership column with the membership's id
 */
export const memberInRowScope = ({ rows, accountId }: TenantScope, membership: string): RawBuilder<SqlBool> => {
  if (rows.all) return sql<SqlBool>`true`;
  const departments = sql`${[...rows.departmentIds]}::bigint[]`;
  const added = rows.own ? sql`me.created_by = ${accountId}` : sql`false`;
  return sql<SqlBool>`exists (select from memberships me where me.id = ${sql.ref(membership)} and (
    me.account_id = ${accountId} or ${added} or me.created_dept = any(${departments}) or exists (
      select from membership_departments stands where stands.membership_id = me.id and stands.department_id = any(${departments}))))`;
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

/**
 * Whether an open alarm asks for somebody now; the same as `asksNow` of the contract.
 * @param alarm alias of the table alarms
 */
export const asksNow = (alarm: string): RawBuilder<SqlBool> =>
  sql<SqlBool>`(${sql.ref(`${alarm}.ended_at`)} is null and not ${sql.ref(`${alarm}.suppressed`)} and not ${isKnown(alarm)})`;

/**
 * Whether somebody knows of an alarm for some time yet.
 * @param at now where it is left out
 */
export const isKnown = (alarm: string, at: Date | RawBuilder<Date> = sql<Date>`now()`): RawBuilder<SqlBool> =>
  sql<SqlBool>`coalesce(${sql.ref(`${alarm}.known_until`)} > ${at}, false)`;

/** The order of alarms everywhere, for `order by`; the same as `worstFirst` of the contract. */
export const worstFirst = (alarm: string): RawBuilder<unknown> =>
  sql`${asksNow(alarm)} desc, ${sql.ref(`${alarm}.severity`)} desc, ${sql.ref(`${alarm}.raised_at`)}, ${sql.ref(`${alarm}.id`)}`;
