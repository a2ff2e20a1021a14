import type { MenuNode } from "@herdwise/contract";
import type { Session } from "../../http/session.ts";
import type { AccessRepository, MenuRow } from "./access.repository.ts";

const menu = 1;
const button = 2;

const nodeOf = (row: MenuRow): MenuNode => ({ ...row, parentId: row.parentId ?? "0", source: row.icon });

/** Builds trees from rows that hold every ancestor. `children` is present only when non-empty (wire.md 1.2). */
export function menuTrees(rows: readonly MenuRow[]): MenuNode[] {
  const nodes = new Map(rows.map((row) => [row.id, nodeOf(row)]));
  const roots: MenuNode[] = [];
  for (const node of nodes.values()) {
    const parent = nodes.get(node.parentId);
    if (parent === undefined) roots.push(node);
    else parent.children = [...(parent.children ?? []), node];
  }
  return roots;
}

export function createAccessService(repository: AccessRepository) {
  return {
    /** The menus that the session's roles grant. */
    async routes(session: Session | undefined): Promise<MenuNode[]> {
      if (session === undefined) return [];
      const rows = await repository.grantedMenus(session.membershipId);
      return menuTrees(rows.filter((row) => row.category === menu));
    },
    /** Menus that hold granted buttons, with those buttons. */
    async buttons(session: Session): Promise<MenuNode[]> {
      const rows = await repository.grantedMenus(session.membershipId);
      const holders = new Set(rows.filter((row) => row.category === button).map((row) => row.parentId));
      return menuTrees(rows.filter((row) => row.category === button || holders.has(row.id)));
    },
  };
}
export type AccessService = ReturnType<typeof createAccessService>;
