import { departments, posts, roles } from "@herdwise/contract";
import type { Kysely } from "kysely";
import type { DB } from "../../database/generated/database.ts";
import { refuse } from "../../http/errors.ts";
import type { ServerModule } from "../../module.ts";
import { type ResourceContext, type ResourceOptions, resourceModule } from "../../resources/index.ts";
import type { TenantScope } from "../../tenant-scope.ts";
import { auditRepository } from "../audit/index.ts";
import { type OrganizationRepository, organizationRepository } from "./organization.repository.ts";
import { roleGrantRepository } from "./role-grant.repository.ts";
import { roleGrantRoutes } from "./role-grant.routes.ts";
import { createRoleGrantService, grantIn, mayGiveScope } from "./role-grant.service.ts";

/** Aliases that the portal itself looks for: their roles can be renamed, but not lose the alias or go. */
const builtInAliases = ["administrator", "owner"];

const members = (found: ReadonlyMap<string, number>) =>
  [...found].map(([id, count]) => ({ id, resource: "成员", count }));

const roleOptions: ResourceOptions<OrganizationRepository> = {
  extra: organizationRepository,
  hooks: {
    async beforeSave({ held, values, scope }) {
      const alias = held?.roleAlias;
      if (typeof alias === "string" && builtInAliases.includes(alias) && values.roleAlias !== alias) {
        throw refuse("role.built_in", { field: "roleAlias" });
      }
      const { dataScope } = values;
      if (dataScope !== held?.dataScope && !mayGiveScope(scope.rows, String(dataScope)))
        throw refuse("role.scope_beyond", { field: "dataScope" });
    },
    async beforeRemove({ rows }) {
      if (rows.some(({ roleAlias }) => builtInAliases.includes(String(roleAlias)))) throw refuse("role.built_in");
    },
    obstacles: async ({ ids, scope, extra }) => members(await extra.membersOfRoles(scope, ids)),
  },
};

/** Adds a menu to what a role grants, within a transaction. @throws {Refusal} 400 where the scope does not hold it, 404 */
export const addMenuToRole =
  (db: Kysely<DB>, nextId: () => string) =>
  (scope: TenantScope, roleId: string, menuId: string): Promise<void> =>
    grantIn({ grants: roleGrantRepository(db), audit: auditRepository(db), nextId }, scope, {
      roleIds: [roleId],
      menus: (before) => [...before, menuId],
    });

/** Departments, posts and roles of a tenant. */
export function createOrganizationModules(context: ResourceContext): ServerModule[] {
  const { kysely, nextId } = context.platform;
  const roleModule = resourceModule<OrganizationRepository>(context, roles, roleOptions);
  const grants = createRoleGrantService({
    repository: roleGrantRepository(kysely),
    inTransaction: (work) =>
      kysely.transaction().execute((transaction) =>
        work({
          grants: roleGrantRepository(transaction),
          audit: auditRepository(transaction),
          roles: roleModule.serviceIn(transaction),
        }),
      ),
    nextId,
  });
  return [
    resourceModule<OrganizationRepository>(context, departments, {
      extra: organizationRepository,
      hooks: { obstacles: async ({ ids, scope, extra }) => members(await extra.membersOfDepartments(scope, ids)) },
    }),
    resourceModule<OrganizationRepository>(context, posts, {
      extra: organizationRepository,
      hooks: { obstacles: async ({ ids, scope, extra }) => members(await extra.membersOfPosts(scope, ids)) },
    }),
    roleModule,
    { routes: (router) => roleGrantRoutes(router, grants) },
  ];
}
