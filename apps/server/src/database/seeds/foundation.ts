import { settingList } from "@herdwise/contract/setting-declarations";
import { type Kysely, type RawBuilder, sql } from "kysely";
import type { DB } from "../generated/database.ts";
import { seedAgreements } from "./agreements.ts";
import { seedDictionaries } from "./dictionaries.ts";
import { seedFinds } from "./finds.ts";
import { customerRoles, groupRoles, type MenuSeed, menuSeeds } from "./menus.ts";
import { seedRegions } from "./regions.ts";

export const groupTenantId = "000000";

/** Adds missing roles of a tenant, with the menus that are seeded for them. */
export async function seedRoles(
  db: Kysely<DB>,
  tenantId: string,
  roles: readonly { alias: string; name: string }[],
  nextId: () => string,
): Promise<void> {
  await db
    .insertInto("roles")
    .values(roles.map(({ alias, name }, sort) => ({ id: nextId(), tenantId, roleAlias: alias, roleName: name, sort })))
    .onConflict((conflict) => conflict.columns(["tenantId", "roleAlias"]).doNothing())
    .execute();
}

/**
 * Grants menus to roles by their aliases in one statement. A customer's own role with the alias of a group role gets nothing of
 * the group's, and vice versa.
 * @param tenantId only this tenant's roles; all roles where it is left out
 */
async function grantMenus(db: Kysely<DB>, seeds: readonly FlatMenu["seed"][], tenantId?: string): Promise<void> {
  const ofGroup = new Set<string>(groupRoles.map(({ alias }) => alias));
  const ofCustomers = new Set<string>(customerRoles.map(({ alias }) => alias));
  const grants = seeds.flatMap(({ id, roles }) =>
    roles.flatMap((alias) => [
      ...(ofGroup.has(alias) ? [{ id, alias, group: true }] : []),
      ...(ofCustomers.has(alias) ? [{ id, alias, group: false }] : []),
    ]),
  );
  if (grants.length === 0) return;
  await sql`
    insert into role_menus (role_id, menu_id)
    select r.id, g.menu_id
      from unnest(${grants.map(({ id }) => id)}::bigint[], ${grants.map(({ alias }) => alias)}::text[],
                  ${grants.map((grant) => grant.group)}::boolean[]) as g(menu_id, role_alias, of_group)
      join roles r on r.role_alias = g.role_alias and (r.tenant_id = ${groupTenantId}) = g.of_group
     ${tenantId === undefined ? sql`` : sql`where r.tenant_id = ${tenantId}`}
    on conflict do nothing`.execute(db);
}

interface FlatMenu {
  seed: Omit<MenuSeed, "children" | "buttons"> & { alias?: string };
  parentId: string | null;
  sort: number;
  category: 1 | 2;
}

function flatten(seeds: readonly MenuSeed[], parentId: string | null): FlatMenu[] {
  return seeds.flatMap(({ children = [], buttons = [], ...seed }, sort) => [
    { seed, parentId, sort, category: 1 as const },
    ...flatten(children, seed.id),
    ...buttons.map((button, at) => ({
      seed: { ...button, type: seed.type, path: "", component: "" },
      parentId: seed.id,
      sort: at,
      category: 2 as const,
    })),
  ]);
}

/** All seeded menus and buttons, parents first. */
export const flatMenuSeeds = (): FlatMenu[] => flatten(menuSeeds, null);

/** Grants a new tenant's roles their seeded menus. */
export const grantSeededMenus = (db: Kysely<DB>, tenantId: string): Promise<void> =>
  grantMenus(
    db,
    flatMenuSeeds().map(({ seed }) => seed),
    tenantId,
  );

/** The seeded value of a column, unless an administrator entered another one than the version before had. */
const kept = <Value>(column: string, name = column): RawBuilder<Value> =>
  sql<Value>`case when menus.seeded is null or menus.${sql.id(column)}::text is not distinct from menus.seeded->>${sql.lit(name)}
                  then excluded.${sql.id(column)} else menus.${sql.id(column)} end`;

/**
 * Updates the menus to this version: adds new ones, updates changed ones, and removes others.
 * @returns the new menus, which must still be granted
 */
async function seedMenus(db: Kysely<DB>): Promise<FlatMenu["seed"][]> {
  const wanted = flatMenuSeeds();
  const rows = wanted.map(({ seed, parentId, sort, category }) => ({
    id: seed.id,
    parentId,
    code: seed.code,
    name: seed.name,
    alias: seed.alias ?? "menu",
    path: seed.path ?? "",
    component: seed.component ?? "",
    source: seed.icon ?? "",
    type: seed.type,
    sort,
    category,
    action: category === 2 ? 1 : 0,
    hidden: seed.hidden ?? false,
    activeMenu: seed.activeMenu ?? "",
    seeded: JSON.stringify({ name: seed.name, source: seed.icon ?? "", sort, hidden: seed.hidden ?? false, parentId }),
  }));
  const known = new Set((await db.selectFrom("menus").select("id").execute()).map(({ id }) => id));
  await db
    .insertInto("menus")
    .values(rows)
    .onConflict((conflict) =>
      conflict.column("id").doUpdateSet((row) => ({
        parentId: kept<string | null>("parent_id", "parentId"),
        code: row.ref("excluded.code"),
        name: kept<string>("name"),
        alias: row.ref("excluded.alias"),
        path: row.ref("excluded.path"),
        component: row.ref("excluded.component"),
        source: kept<string>("source"),
        type: row.ref("excluded.type"),
        sort: kept<number>("sort"),
        hidden: kept<boolean>("hidden"),
        activeMenu: row.ref("excluded.activeMenu"),
        seeded: row.ref("excluded.seeded"),
      })),
    )
    .execute();
  // A menu that nobody added and that is not seeded belonged to an earlier version.
  await db
    .deleteFrom("menus")
    .where("createdBy", "is", null)
    .where(
      "id",
      "not in",
      rows.map(({ id }) => id),
    )
    .execute();
  return wanted.filter(({ seed }) => !known.has(seed.id)).map(({ seed }) => seed);
}

/** Adds the settings that the portal reads to the parameters; values that administrators entered stay. */
async function seedParameters(db: Kysely<DB>, nextId: () => string): Promise<void> {
  // Those that an environment variable may hold are shown among the settings alone.
  const rows = settingList
    .filter(({ kind, env }) => kind === "number" && env === undefined)
    .map(({ key, words, hint, fallback }) => ({
      id: nextId(),
      paramKey: key,
      paramName: words.zh,
      paramValue: fallback,
      remark: hint?.zh ?? "",
    }));
  await db
    .insertInto("parameters")
    .values(rows)
    .onConflict((conflict) => conflict.column("paramKey").doNothing())
    .execute();
}

/**
 * Data that every installation needs: the group's tenant with its roles, menus, dictionaries, settings and agreements.
 * Runs at each start; a new menu is granted once, and grants by administrators stay.
 */
export async function seedFoundation(db: Kysely<DB>, nextId: () => string): Promise<void> {
  await db.transaction().execute(async (transaction) => {
    await sql`select pg_advisory_xact_lock(hashtext('seeds'))`.execute(transaction);
    await seedFinds(transaction);
    await transaction
      .insertInto("tenants")
      .values({ tenantId: groupTenantId, name: "慧牧集团", type: "group" })
      .onConflict((conflict) => conflict.doNothing())
      .execute();
    await seedRoles(transaction, groupTenantId, groupRoles, nextId);
    await seedDictionaries(transaction);
    await seedRegions(transaction);
    await grantMenus(transaction, await seedMenus(transaction));
    await seedParameters(transaction, nextId);
  });
  await seedAgreements(db);
}
