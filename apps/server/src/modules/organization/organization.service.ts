import type { TreeNode } from "@herdwise/contract";
import { refuse } from "../../http/errors.ts";
import type { ResourceService } from "../../resources/index.ts";
import type { TenantScope } from "../../tenant-scope.ts";
import type { OrganizationRepository } from "./organization.repository.ts";

export interface OrganizationDependencies {
  roles: Pick<ResourceService, "lazyList" | "tree">;
  departments: Pick<ResourceService, "lazyList" | "select">;
  posts: Pick<ResourceService, "page">;
  repository: Pick<OrganizationRepository, "departmentsOf">;
}

/** A node with its descendants, at any depth. */
const nodeIn = (nodes: readonly TreeNode[], id: string): TreeNode | undefined => {
  for (const node of nodes) {
    const found = node.id === id ? node : nodeIn(node.children ?? [], id);
    if (found !== undefined) return found;
  }
  return undefined;
};

type Words = Readonly<Record<string, unknown>>;

/** Reads that clients of the family make beside those of the resources (wire.md 3.2, 3.3, 3.5). */
export function createOrganizationService({ roles, departments, posts, repository }: OrganizationDependencies) {
  return {
    /** A role with the roles below it. @throws Refusal 404 */
    async rolesBelow(scope: TenantScope, roleId: string): Promise<TreeNode[]> {
      const node = nodeIn(await roles.tree(scope, {}), roleId);
      if (node === undefined) throw refuse("row.not_found");
      return [node];
    },

    searchRoles: (scope: TenantScope, words: Words) => roles.lazyList(scope, words),
    searchDepartments: (scope: TenantScope, words: Words) => departments.lazyList(scope, words),
    searchPosts: (scope: TenantScope, query: Parameters<ResourceService["page"]>[1]) => posts.page(scope, query),

    /** Departments to choose from; those of a member, or named ones. */
    async selectDepartments(
      scope: TenantScope,
      {
        userId,
        deptId,
        ...query
      }: Parameters<ResourceService["select"]>[1] & { userId?: string | undefined; deptId?: string | undefined },
    ) {
      const ids =
        userId === undefined ? deptId || query.ids : (await repository.departmentsOf(scope, userId)).join(",");
      // Without a department nothing is chosen, and not everything.
      return ids === "" && userId !== undefined ? [] : departments.select(scope, { ...query, ...(ids && { ids }) });
    },
  };
}
export type OrganizationService = ReturnType<typeof createOrganizationService>;
