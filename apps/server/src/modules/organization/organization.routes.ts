import { departmentSearch, departmentSelect, postSearch, roleSearch, roleTreeBelow } from "@herdwise/contract";
import type { Router } from "../../http/router.ts";
import { scoped } from "../../resources/index.ts";
import type { OrganizationService } from "./organization.service.ts";

export function organizationRoutes(router: Router, organization: OrganizationService): void {
  router.on(roleTreeBelow, ({ scope, query }) => organization.rolesBelow(scope, query.roleId));
  router.on(roleSearch, ({ scope, query }) => organization.searchRoles(scoped(scope), query));
  router.on(departmentSearch, ({ scope, query }) => organization.searchDepartments(scoped(scope), query));
  router.on(postSearch, ({ scope, query }) => organization.searchPosts(scoped(scope), query));
  router.on(departmentSelect, ({ scope, query }) => organization.selectDepartments(scoped(scope), query));
}
