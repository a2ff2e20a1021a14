import { apiScopeRules, dataScopeRules, departments, posts, roles } from "@herdwise/contract";
import { refuse } from "../../http/errors.ts";
import type { ServerModule } from "../../module.ts";
import { type ResourceContext, type ResourceOptions, resourceModule } from "../../resources/index.ts";
import { auditRepository } from "../audit/index.ts";
import { type OrganizationRepository, organizationRepository } from "./organization.repository.ts";
import { organizationRoutes } from "./organization.routes.ts";
import { createOrganizationService } from "./organization.service.ts";
import { roleGrantRepository } from "./role-grant.repository.ts";
import { roleGrantRoutes } from "./role-grant.routes.ts";
import { createRoleGrantService, mayGiveScope } from "./role-grant.service.ts";

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

/** Departments, posts and roles of a tenant, and the scopes that roles hold. */
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
  const departmentModule = resourceModule<OrganizationRepository>(context, departments, {
    extra: organizationRepository,
    hooks: { obstacles: async ({ ids, scope, extra }) => members(await extra.membersOfDepartments(scope, ids)) },
  });
  const postModule = resourceModule<OrganizationRepository>(context, posts, {
    extra: organizationRepository,
    hooks: { obstacles: async ({ ids, scope, extra }) => members(await extra.membersOfPosts(scope, ids)) },
  });
  const organization = createOrganizationService({
    roles: roleModule.service,
    departments: departmentModule.service,
    posts: postModule.service,
    repository: organizationRepository(kysely),
  });
  return [
    departmentModule,
    postModule,
    roleModule,
    resourceModule(context, dataScopeRules),
    resourceModule(context, apiScopeRules),
    {
      routes(router) {
        roleGrantRoutes(router, grants);
        organizationRoutes(router, organization);
      },
    },
  ];
}
