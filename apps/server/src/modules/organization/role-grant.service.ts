import type { AuditChange, BodyOf, DataScope, GrantNode, RoleKeys, roleGrant, TreeNode } from "@herdwise/contract";
import { refuse } from "../../http/errors.ts";
import { readIds, readSomeIds } from "../../ids.ts";
import type { ResourceService } from "../../resources/index.ts";
import { inTenant, type RowScope, type TenantScope, withEveryRow } from "../../tenant-scope.ts";
import type { AuditRepository } from "../audit/index.ts";
import type { RoleGrantRepository, ScopeTable } from "./role-grant.repository.ts";

export interface RoleGrantDependencies {
  repository: RoleGrantRepository;
  inTransaction<T>(
    work: (of: {
      grants: RoleGrantRepository;
      audit: AuditRepository;
      roles: Pick<ResourceService, "submit" | "detail">;
    }) => Promise<T>,
  ): Promise<T>;
  nextId: () => string;
}

const maxAffected = 200;
/** Value of the dictionary `data_scope_type` for rows that the person added. */
const ownRows = "2";

const scopeNode = ({ id, title }: { id: string; title: string }): TreeNode => ({
  id,
  parentId: "0",
  title,
  key: id,
  value: id,
  hasChildren: false,
});

/**
 * Whether somebody may give a role this data scope: nobody opens what they do not see themselves. Where a department is that of
 * whoever holds the role, it may be any.
 * @param departmentIds that the role names; unknown where they are not part of what is given
 */
export const mayGiveScope = (rows: RowScope, dataScope: string, departmentIds?: readonly string[]): boolean =>
  rows.all ||
  dataScope === "self" ||
  (dataScope === "chosen" && (departmentIds?.every((id) => rows.departmentIds.includes(id)) ?? false));

/** What roles grant. Nobody gives or takes what they do not hold themselves. */
export function createRoleGrantService({ repository, inTransaction, nextId }: RoleGrantDependencies) {
  const requireRoles = async (scope: TenantScope, ids: readonly string[]) => {
    const found = await repository.roles(scope, ids);
    if (found.length !== new Set(ids).size) throw refuse("row.not_found");
  };

  const granted = (role: { id: string; roleName: string }, changes: readonly AuditChange[]) => ({
    resource: "role",
    rowId: role.id,
    rowTitle: role.roleName,
    action: "grant" as const,
    changes,
  });

  /** Codes that a role lost (`before`) and got (`after`). */
  const menuChange = async (
    grants: RoleGrantRepository,
    before: readonly string[],
    after: readonly string[],
  ): Promise<AuditChange[]> => {
    const [lost, got] = [before.filter((id) => !after.includes(id)), after.filter((id) => !before.includes(id))];
    if (lost.length + got.length === 0) return [];
    const codes = await grants.codes([...lost, ...got]);
    const names = (ids: readonly string[]) => ids.flatMap((id) => codes.get(id) ?? []).toSorted();
    return [{ field: "menus", before: names(lost), after: names(got) }];
  };

  /** Sets the departments that a role names, and says what of its data scope becomes another. */
  const scopeChanges = async (
    grants: RoleGrantRepository,
    scope: TenantScope,
    role: { id: string; tenantId: string; dataScope: DataScope },
    dataScope: DataScope = role.dataScope,
    departmentIds?: readonly string[],
  ): Promise<AuditChange[]> => {
    const before = await grants.departmentsOf(scope, [role.id]);
    const after = [...new Set(departmentIds ?? before)];
    const others = after.length !== before.length || after.some((id) => !before.includes(id));
    if (!others && dataScope === role.dataScope) return [];
    if (!mayGiveScope(scope.rows, dataScope, after)) throw refuse("role.scope_beyond", { field: "dataScope" });
    if (others && !(await grants.setDepartments(scope, role.id, after)))
      throw refuse("role.unknown_department", { field: "departmentIds" });
    const named = others
      ? [await grants.departmentNames(scope, before), await grants.departmentNames(scope, after)]
      : [];
    return [
      ...(dataScope === role.dataScope ? [] : [{ field: "dataScope", before: role.dataScope, after: dataScope }]),
      ...(others ? [{ field: "departments", before: named[0], after: named[1] }] : []),
    ];
  };

  /**
   * Replaces the scopes of single resources or paths that a role holds, and says what changed.
   * @throws Refusal 400 for a customer, and for rows that the caller does not see
   */
  const ruleChanges = async (
    grants: RoleGrantRepository,
    scope: TenantScope,
    roleId: string,
    table: ScopeTable,
    wanted: readonly string[] | undefined,
  ): Promise<AuditChange[]> => {
    if (wanted === undefined) return [];
    const before = await grants.scopesOf(scope, [roleId], table);
    const added = wanted.filter((id) => !before.includes(id));
    if (added.length === 0 && before.every((id) => wanted.includes(id))) return [];
    if (!scope.everyTenant) throw refuse("role.grant_beyond");
    const types = table === "data_scopes" ? await grants.scopeTypes(added) : [];
    if (types.some(({ type }) => type !== ownRows) && !scope.rows.all) throw refuse("role.scope_beyond");
    await grants.setScopes(scope, roleId, table, wanted);
    const after = await grants.scopesOf(scope, [roleId], table);
    return [{ field: table === "data_scopes" ? "dataScopes" : "apiScopes", before, after }];
  };

  return {
    /** @param roleIds roles whose grants are shown also where the caller does not hold them; "" for none */
    async tree(
      scope: TenantScope,
      roleIds: string | undefined,
    ): Promise<{ menu: GrantNode[]; dataScope: TreeNode[]; apiScope: TreeNode[] }> {
      const ids = readIds(roleIds);
      if (ids.length > 0) await requireRoles(scope, ids);
      const menus = await repository.grantable(scope, ids);
      const parents = new Set(menus.map(({ parentId }) => parentId));
      const nodes = new Map(
        menus.map(({ id, parentId, name, held, beyondPackage, ...menu }): [string, GrantNode] => [
          id,
          {
            ...menu,
            id,
            parentId: parentId ?? "0",
            title: name,
            key: id,
            value: id,
            hasChildren: parents.has(id),
            disabled: !held || beyondPackage,
            beyondPackage,
          },
        ]),
      );
      const roots: GrantNode[] = [];
      for (const node of nodes.values()) {
        const parent = nodes.get(node.parentId);
        if (parent) parent.children = [...(parent.children ?? []), node];
        else roots.push(node);
      }
      const [dataScope, apiScope] = await Promise.all([
        repository.scopes(scope, "data_scopes"),
        repository.scopes(scope, "api_scopes"),
      ]);
      return { menu: roots, dataScope: dataScope.map(scopeNode), apiScope: apiScope.map(scopeNode) };
    },

    async keys(scope: TenantScope, roleIds: string): Promise<RoleKeys> {
      const ids = readSomeIds(roleIds);
      await requireRoles(scope, ids);
      const [menu, departments, dataScope, apiScope] = await Promise.all([
        repository.menusOf(scope, ids),
        repository.departmentsOf(scope, ids),
        repository.scopesOf(scope, ids, "data_scopes"),
        repository.scopesOf(scope, ids, "api_scopes"),
      ]);
      return { menu, dataScope, apiScope, departments };
    },

    /**
     * Replaces what roles grant. What the caller does not hold can be neither given nor taken, and what the package of the
     * role's tenant does not have can't be given.
     * @throws Refusal 400, 404, 409 when the role was changed meanwhile; then nothing is changed
     */
    async grant(
      scope: TenantScope,
      { roleIds, menuIds, dataScope, departmentIds, version, dataScopeIds, apiScopeIds }: BodyOf<typeof roleGrant>,
    ): Promise<void> {
      const wanted = [...new Set(menuIds)];
      await inTransaction(async ({ grants, audit }) => {
        const held = await grants.lock(scope, roleIds);
        if (held.length !== new Set(roleIds).size) throw refuse("row.not_found");
        for (const role of held) {
          if (version !== undefined && version !== role.version) throw refuse("row.changed_meanwhile");
          const before = await grants.menusOf(scope, [role.id]);
          const added = wanted.filter((id) => !before.includes(id));
          const changed = [...added, ...before.filter((id) => !wanted.includes(id))];
          if ((await grants.beyond(scope, changed)).length > 0) throw refuse("role.grant_beyond");
          if ((await grants.outsidePackage(scope, role.id, added)).length > 0) throw refuse("role.beyond_package");
          const tenant = inTenant(scope, role.tenantId);
          const managers = await grants.managers(tenant);
          await grants.setMenus(scope, role.id, wanted);
          const changes = [
            ...(await menuChange(grants, before, await grants.menusOf(scope, [role.id]))),
            ...(await scopeChanges(grants, scope, role, dataScope, departmentIds)),
            ...(await ruleChanges(grants, scope, role.id, "data_scopes", dataScopeIds)),
            ...(await ruleChanges(grants, scope, role.id, "api_scopes", apiScopeIds)),
          ];
          await grants.trimBelow(scope, role.id);
          if (managers > 0 && (await grants.managers(tenant)) === 0) throw refuse("users.last_leader");
          if (changes.length === 0) continue;
          await grants.touch(scope, role.id, dataScope ?? role.dataScope);
          await audit.append(role.tenantId, scope, [granted(role, changes)], nextId);
        }
      });
    },

    /** What a grant would change and for whom. */
    async preview(scope: TenantScope, roleId: string, menuIds: readonly string[]) {
      await requireRoles(scope, [roleId]);
      const [members, affected, below] = await Promise.all([
        repository.memberCount(scope, roleId),
        repository.affected(scope, roleId, menuIds, maxAffected),
        repository.lostBelow(scope, roleId, menuIds),
      ]);
      return { members, affected, below };
    },

    /** A new role with the grants of another, in the same tenant, both or neither. */
    async clone(
      scope: TenantScope,
      input: { roleId: string; roleName: string; roleAlias: string },
    ): Promise<{ id: string }> {
      return inTransaction(async ({ grants, audit, roles }) => {
        const [source] = await grants.lock(scope, [input.roleId]);
        if (source === undefined) throw refuse("row.not_found");
        const menus = await grants.menusOf(scope, [source.id], true);
        if ((await grants.beyond(scope, menus)).length > 0) throw refuse("role.grant_beyond");
        if (!mayGiveScope(scope.rows, source.dataScope, await grants.departmentsOf(scope, [source.id])))
          throw refuse("role.scope_beyond");
        const from: Readonly<Record<string, unknown>> & { parentId?: string | null } = await roles.detail(
          inTenant(scope, source.tenantId),
          source.id,
        );
        const { id } = await roles.submit(
          // Its data scope was judged with its departments.
          withEveryRow(scope),
          {
            tenantId: source.tenantId,
            roleName: input.roleName,
            roleAlias: input.roleAlias,
            dataScope: from.dataScope,
            sort: from.sort,
            parentId: from.parentId,
          },
          undefined,
        );
        await grants.copyGrants(scope, source.id, id);
        const changes = await menuChange(grants, [], menus);
        if (changes.length > 0)
          await audit.append(source.tenantId, scope, [granted({ id, roleName: input.roleName }, changes)], nextId);
        return { id };
      });
    },
  };
}
export type RoleGrantService = ReturnType<typeof createRoleGrantService>;
