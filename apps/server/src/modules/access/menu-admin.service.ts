import type { BodyOf, MenuChangeEffect, menuPreview, TreeNode } from "@herdwise/contract";
import { refuse } from "../../http/errors.ts";
import { rolesOf, type Session } from "../../http/session.ts";
import { readSomeIds } from "../../ids.ts";
import type { TenantScope } from "../../tenant-scope.ts";
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

/** Roles that an effect names. */
const mostRoles = 50;

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

/** The top of the tree on the wire. */
const topId = "0";
/** What each menu stands below; null at the top. */
type Places = ReadonlyMap<string, string | null>;

/** A menu and those above it, from the innermost. */
function upFrom(places: Places, id: string | null): string[] {
  const up: string[] = [];
  for (let at = id; at !== null && !up.includes(at); at = places.get(at) ?? null) up.push(at);
  return up;
}

/** Menus and everything below them. */
function belowOf(places: Places, ids: readonly string[]): string[] {
  const children = Map.groupBy(places.keys(), (id) => places.get(id) ?? null);
  const found = ids.filter((id) => places.has(id));
  for (const id of found) for (const child of children.get(id) ?? []) if (!found.includes(child)) found.push(child);
  return found;
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
    async level({ parentId, name, code, alias }: MenuWords & { parentId?: string | undefined }): Promise<Listed[]> {
      const anywhere = Boolean(name || code || alias);
      const rows = await repository.menus({ name, code, alias }, anywhere ? undefined : parentId || "0");
      return rows.map((row) => ({ ...view(row), hasChildren: row.hasChildren }));
    },

    async authRoutes(session: Session | undefined): Promise<Record<string, { authority: string[] }>[]> {
      if (session === undefined) return [];
      const rows = await repository.authorities(session, rolesOf(session.grants));
      const own = session.preview && (await repository.authorities(session, rolesOf(session.preview.ownGrants)));
      const seen = own ? rows.filter(({ path }) => own.some((held) => held.path === path)) : rows;
      return seen.map(({ path, aliases }) => ({ [path]: { authority: aliases } }));
    },

    /**
     * Whom a change of menus concerns, without making it.
     * @throws Refusal 404, 400 for a place below itself
     */
    async effect(
      scope: TenantScope,
      { id, parentId, hidden, removed = false, moves }: BodyOf<typeof menuPreview>,
    ): Promise<MenuChangeEffect> {
      const places = await repository.places();
      const before: Places = new Map(places.map((menu) => [menu.id, menu.parentId]));
      const steps = moves ?? (id === undefined || parentId === undefined ? [] : [{ id, parentId }]);
      const named = [...new Set([...(id === undefined ? [] : [id]), ...steps.map((step) => step.id)])];
      if (named.length === 0 || named.some((one) => !before.has(one))) throw refuse("row.not_found");
      const after = new Map(before);
      for (const step of steps) {
        const parent = step.parentId === topId ? null : step.parentId;
        if (upFrom(after, parent).includes(step.id)) throw refuse("row.parent_self", { field: "parentId" });
        after.set(step.id, parent);
      }
      const moved = named.filter((one) => removed || before.get(one) !== after.get(one));
      const gone = removed ? new Set(belowOf(before, named)) : new Set<string>();
      for (const one of gone) after.delete(one);
      const above = new Set(
        moved.flatMap((one) => [...upFrom(before, before.get(one) ?? null), ...upFrom(after, after.get(one) ?? null)]),
      );
      const below = [...above].flatMap((one) =>
        ([before, after] as const).flatMap((tree) =>
          belowOf(tree, [one]).map((menu) => ({ above: one, menu, after: tree === after })),
        ),
      );
      const [roles, seen, buttons] = await Promise.all([
        repository.rolesLeadingTo(scope, named),
        repository.seenAbove(scope, below),
        removed && id !== undefined ? repository.buttonsOf(id) : [],
      ]);
      const all = roles.find(({ roleName }) => roleName === null);
      const wasHidden = places.find((menu) => menu.id === id)?.hidden;
      const hides = id !== undefined && hidden !== undefined && hidden !== wasHidden;
      return {
        entry: removed ? "removed" : hides ? (hidden ? "hidden" : "shown") : moved.length > 0 ? "moves" : "stays",
        persons: all?.persons ?? 0,
        tenants: all?.tenants ?? 0,
        roles: roles
          .flatMap(({ roleName, ...counts }) => (roleName === null ? [] : [{ roleName, ...counts }]))
          .slice(0, mostRoles),
        above: seen,
        buttons,
      };
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
