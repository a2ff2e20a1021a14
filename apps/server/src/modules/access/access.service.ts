import { type AccessRequestReply, type MenuNode, roleGrantCode } from "@herdwise/contract";
import { refuse } from "../../http/errors.ts";
import { rolesOf, type Session } from "../../http/session.ts";
import type { Store } from "../../providers/store.ts";
import type { AccessRepository, MenuRow } from "./access.repository.ts";

const menu = 1;
const button = 2;

const nodeOf = (row: MenuRow): MenuNode => ({ ...row, parentId: row.parentId ?? "0", source: row.icon });

/** Builds trees from rows that hold every ancestor. `children` is present only when non-empty (wire.md 1.2). */
function menuTrees(rows: readonly MenuRow[]): MenuNode[] {
  const nodes = new Map(rows.map((row) => [row.id, nodeOf(row)]));
  const roots: MenuNode[] = [];
  for (const node of nodes.values()) {
    const parent = nodes.get(node.parentId);
    if (parent === undefined) roots.push(node);
    else parent.children = [...(parent.children ?? []), node];
  }
  return roots;
}

/** One request for a menu stands for a day; asking again meanwhile tells nobody anew. */
const requestStandsS = 86_400;

export interface AccessDependencies {
  repository: AccessRepository;
  store: Store;
  /** Leaves a message in an account's inbox. */
  notify(accountId: string, title: string, content: string): Promise<void>;
  /** How a session's person is called in its tenant. */
  nameOf(session: Session): Promise<string>;
}

/** Who may see what, and asking for more. */
export function createAccessService({ repository, store, notify, nameOf }: AccessDependencies) {
  const treesOf = async (session: Session | undefined, roleIds?: readonly string[]): Promise<MenuNode[]> =>
    session === undefined
      ? []
      : menuTrees((await repository.grantedMenus(session, roleIds)).filter((row) => row.category === menu));
  return {
    /**
     * The menus that the session's roles grant, by which the answer is kept.
     * @param topMenuId only what stands below this one of `top`
     */
    async routes(session: Session | undefined, topMenuId?: string): Promise<MenuNode[]> {
      const trees = await treesOf(session, session && rolesOf(session.grants));
      return topMenuId ? (trees.find(({ id }) => id === topMenuId)?.children ?? []) : trees;
    },
    /** The menus at the top. */
    async top(session: Session | undefined) {
      const trees = await treesOf(session);
      return trees.map(({ id, code, name, source, sort }) => ({
        id,
        tenantId: session?.tenantId ?? "",
        code,
        name,
        source,
        sort,
      }));
    },
    /** Menus that hold granted buttons, with those buttons. */
    async buttons(session: Session): Promise<MenuNode[]> {
      const rows = await repository.grantedMenus(session);
      const holders = new Set(rows.filter((row) => row.category === button).map((row) => row.parentId));
      return menuTrees(rows.filter((row) => row.category === button || holders.has(row.id)));
    },
    /**
     * Asks everybody who may give roles in the session's tenant for a menu.
     * @throws Refusal 404 for a code of no screen, or of a screen that this kind of tenant can't have; 400 when the menu is
     *   granted already or nobody could grant it
     */
    async request(session: Session, menuCode: string): Promise<AccessRequestReply> {
      const wanted = await repository.screenMenu(menuCode);
      // Screens of the group's staff are nothing that a customer's owner could give.
      if (!wanted || (wanted.type === "admin" && session.tenantType !== "group")) throw refuse("access.menu");
      const granted = await repository.grantedMenus(session);
      if (granted.some(({ code }) => code === menuCode)) {
        throw refuse("access.granted");
      }
      const holders = await repository.holdersOf(session, roleGrantCode);
      const receivers = new Set(holders.map(({ accountId }) => accountId).filter((id) => id !== session.accountId));
      if (receivers.size === 0) throw refuse("access.nobody");
      const roles = [...new Set(holders.map(({ roleName }) => roleName))];
      const key = `access:request:${session.membershipId}:${menuCode}`;
      if (!(await store.add(key, "1", requestStandsS))) return { roles, asked: true };
      try {
        const content = `${await nameOf(session)} 申请开通“${wanted.name}”（${wanted.code}）。同意的话，请在其角色中勾选这个菜单，或换一个角色。`;
        for (const accountId of receivers) await notify(accountId, "权限申请", content);
      } catch (error) {
        await store.delete(key);
        throw error;
      }
      return { roles, asked: false };
    },
  };
}
export type AccessService = ReturnType<typeof createAccessService>;
