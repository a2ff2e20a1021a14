import { type Kysely, sql } from "kysely";
import type { DB } from "../generated/database.ts";
import { seedAgreements } from "./agreements.ts";
import { seedDictionaries } from "./dictionaries.ts";
import { customerRoles, groupRoles, type MenuSeed, menuSeeds } from "./menus.ts";

export const groupTenantId = "000000";

/** Adds roles that a tenant lacks, with the menus that are seeded for them. */
export async function seedRoles(
  db: Kysely<DB>,
  tenantId: string,
  roles: readonly { alias: string; name: string }[],
  nextId: () => string,
): Promise<void> {
  await db
    .insertInto("roles")
    .values(roles.map(({ alias, name }, sort) => ({ id: nextId(), tenantId, alias, name, sort })))
    .onConflict((conflict) => conflict.columns(["tenantId", "alias"]).doNothing())
    .execute();
}

/**
 * Grants a menu to roles by their aliases. A customer's own role that happens to be called like one of the group's gets
 * nothing of the group's, and the other way round.
 */
async function grantMenu(db: Kysely<DB>, menuId: string, aliases: readonly string[], tenantId?: string): Promise<void> {
  const of = (roles: readonly { alias: string }[]) => {
    const known = roles.map(({ alias }) => alias).filter((alias) => aliases.includes(alias));
    return known.length === 0 ? [""] : known;
  };
  if (aliases.length === 0) return;
  await db
    .insertInto("roleMenus")
    .columns(["roleId", "menuId"])
    .expression((from) => {
      const roles = from
        .selectFrom("roles")
        .select(["id", sql<string>`${menuId}::bigint`.as("menuId")])
        .where((either) =>
          either.or([
            either.and([either("tenantId", "=", groupTenantId), either("alias", "in", of(groupRoles))]),
            either.and([either("tenantId", "!=", groupTenantId), either("alias", "in", of(customerRoles))]),
          ]),
        );
      return tenantId === undefined ? roles : roles.where("tenantId", "=", tenantId);
    })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
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

/** Gives a tenant's roles what is seeded for them; for new tenants. */
export async function grantSeededMenus(db: Kysely<DB>, tenantId: string): Promise<void> {
  for (const { seed } of flatMenuSeeds()) await grantMenu(db, seed.id, seed.roles, tenantId);
}

/**
 * What every installation has: the group's tenant with its roles, the menus, the dictionary and the agreements. Runs at each start; a menu that is new in
 * this version is added and granted once, what administrators changed stays.
 */
export async function seedFoundation(db: Kysely<DB>, nextId: () => string): Promise<void> {
  await db.transaction().execute(async (transaction) => {
    await sql`select pg_advisory_xact_lock(hashtext('seeds'))`.execute(transaction);
    await transaction
      .insertInto("tenants")
      .values({ tenantId: groupTenantId, name: "慧牧集团", type: "group" })
      .onConflict((conflict) => conflict.doNothing())
      .execute();
    await seedRoles(transaction, groupTenantId, groupRoles, nextId);
    await seedDictionaries(transaction);
    for (const { seed, parentId, sort, category } of flatMenuSeeds()) {
      const added = await transaction
        .insertInto("menus")
        .values({
          id: seed.id,
          parentId,
          code: seed.code,
          name: seed.name,
          alias: seed.alias ?? "menu",
          path: seed.path ?? "",
          component: seed.component ?? "",
          icon: seed.icon ?? "",
          type: seed.type,
          sort,
          category,
          action: category === 2 ? 1 : 0,
          hidden: seed.hidden ?? false,
          activeMenu: seed.activeMenu ?? "",
        })
        .onConflict((conflict) => conflict.doNothing())
        .executeTakeFirst();
      if ((added.numInsertedOrUpdatedRows ?? 0n) > 0n) await grantMenu(transaction, seed.id, seed.roles);
    }
  });
  await seedAgreements(db);
}
