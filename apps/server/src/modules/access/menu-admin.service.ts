import type { TreeNode } from "@herdwise/contract";
import { refuse } from "../../http/errors.ts";
import { readSomeIds } from "../../ids.ts";
import type { MemberScope, TenantScope } from "../../tenant-scope.ts";
import type { AuditRepository } from "../audit/index.ts";
import type { AccessRepository, MenuRow } from "./access.repository.ts";
import type { ListedMenuRow, MenuAdminRepository, MenuWords } from "./menu-admin.repository.ts";

export interface MenuAdminDependencies {
  repository: MenuAdminRepository;
  grantedMenus: AccessRepository["grantedMenus"];
  inTransaction<T>(
    work: (of: { menus: MenuAdminRepository; audit: Pick<AuditRepository, "append"> }) => Promise<T>,
  ): Promise<T>;
  nextId: () => string;
}

interface Listed extends Omit<ListedMenuRow, "parentId" | "hasChildren"> {
  parentId: string;
  isDeleted: number;
  hasChildren?: boolean;
  children?: Listed[];
}

const view = ({ hasChildren: _told, parentId, ...row }: ListedMenuRow): Listed => ({
  ...row,
  parentId: parentId ?? "0",
  isDeleted: 0,
});

/** Puts nodes below their parents; a node whose parent is not among them is at the top. */
function treesOf<Node extends { id: string; parentId: string; children?: Node[] }>(nodes: readonly Node[]): Node[] {
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const roots: Node[] = [];
  for (const node of nodes) {
    const parent = byId.get(node.parentId);
    if (parent === undefined) roots.push(node);
    else parent.children = [...(parent.children ?? []), node];
  }
  return roots;
}

const nodeOf = ({ id, parentId, name }: MenuRow): TreeNode => ({
  id,
  parentId: parentId ?? "0",
  title: name,
  key: id,
  value: id,
  hasChildren: false,
});

/** Lists of menus as administrators keep them, and the top menus of a tenant. */
export function createMenuAdminService({ repository, grantedMenus, inTransaction, nextId }: MenuAdminDependencies) {
  return {
    /** Menus without buttons, as trees. */
    trees: async (words: MenuWords): Promise<Listed[]> => treesOf((await repository.menus(words)).map(view)),

    /** One level of them; with a word those that fit wherever they stand. */
    async level({ parentId, ...words }: MenuWords & { parentId?: string | undefined }): Promise<Listed[]> {
      const anywhere = Object.values(words).some(Boolean);
      const rows = await repository.menus(words, anywhere ? undefined : parentId || "0");
      return rows.map((row) => ({ ...view(row), hasChildren: row.hasChildren }));
    },

    async authRoutes(member: MemberScope | undefined): Promise<Record<string, { authority: string[] }>[]> {
      if (member === undefined) return [];
      const rows = await repository.authorities(member);
      return rows.map(({ path, aliases }) => ({ [path]: { authority: aliases } }));
    },

    /** Menus that the caller holds, as a tree; buttons stand under no top menu. */
    async grantTree(scope: TenantScope): Promise<{ menu: TreeNode[] }> {
      const held = (await grantedMenus(scope)).filter(({ category }) => category === 1).map(nodeOf);
      const parents = new Set(held.map(({ parentId }) => parentId));
      return { menu: treesOf(held.map((node) => ({ ...node, hasChildren: parents.has(node.id) }))) };
    },

    keys: async (scope: TenantScope, topMenuIds: string | undefined): Promise<{ menu: string[] }> => ({
      menu: await repository.menusUnderAll(scope, readSomeIds(topMenuIds)),
    }),

    /**
     * Puts exactly these menus under top menus.
     * @throws Refusal 400 for menus that the caller does not hold, 404
     */
    async grant(
      scope: TenantScope,
      { topMenuIds, menuIds }: { topMenuIds: string[]; menuIds: string[] },
    ): Promise<void> {
      const held = new Map((await grantedMenus(scope)).map(({ id, code }) => [id, code]));
      if (menuIds.some((id) => !held.has(id))) throw refuse("role.grant_beyond", { field: "menuIds" });
      await inTransaction(async ({ menus, audit }) => {
        const rows = await menus.lockTopMenus(scope, topMenuIds);
        if (rows.length !== new Set(topMenuIds).size) throw refuse("row.not_found");
        for (const { id, tenantId, name } of rows) {
          const before = (await menus.menusUnderAll(scope, [id])).length;
          await menus.setMenus(scope, id, menuIds);
          const changes = [{ field: "menus", before, after: menuIds.length }];
          await audit.append(
            tenantId,
            scope,
            [{ resource: "topmenu", rowId: id, rowTitle: name, action: "grant", changes }],
            nextId,
          );
        }
      });
    },
  };
}
export type MenuAdminService = ReturnType<typeof createMenuAdminService>;
