import { type AccessRequestReply, type MenuNode, roleGrantCode } from "@herdwise/contract";
import { Refusal, refuse } from "../../http/errors.ts";
import { rolesOf, type Session } from "../../http/session.ts";
import type { TenantScope } from "../../tenant-scope.ts";
import type { AccessRepository, MenuRow } from "./access.repository.ts";
import { fitsTenant } from "./access-reasons.service.ts";
import type { MenuAdminRepository } from "./menu-admin.repository.ts";
import type { accessRequestModule } from "./requests.ts";

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

/** Trees with the wanted menus alone, and what leads there. */
const menusAmong = (trees: readonly MenuNode[], wanted: ReadonlySet<string>): MenuNode[] =>
  trees.flatMap(({ children: below = [], ...node }) => {
    const children = menusAmong(below, wanted);
    if (children.length > 0) return [{ ...node, children }];
    return wanted.has(node.id) ? [node] : [];
  });

export interface AccessDependencies {
  repository: AccessRepository;
  topMenus: Pick<MenuAdminRepository, "topMenus" | "menusUnder">;
  requests: Pick<ReturnType<typeof accessRequestModule>["service"], "begin" | "act">;
}

/** Who may see what, and asking for more. */
export function createAccessService({ repository, topMenus, requests }: AccessDependencies) {
  /**
   * What the member's roles grant; in a preview what the role grants, and no more than the person's own roles.
   * @param kept of the roles that the session has, by which the answer is kept, also when the member has others by now
   */
  const menusOf = async (session: Session, kept = false): Promise<MenuRow[]> => {
    const [rows, own] = await Promise.all([
      repository.grantedMenus(session, kept || session.preview ? rolesOf(session.grants) : undefined),
      session.preview && repository.grantedMenus(session, rolesOf(session.preview.ownGrants)),
    ]);
    const ids = own && new Set(own.map(({ id }) => id));
    return ids === undefined ? rows : rows.filter(({ id }) => ids.has(id));
  };
  const treesOf = async (session: Session | undefined, kept = false): Promise<MenuNode[]> =>
    session === undefined ? [] : menuTrees((await menusOf(session, kept)).filter((row) => row.category === menu));
  return {
    /**
     * The menus that the session's roles grant, by which the answer is kept.
     * @param topMenuId only what stands below this one of `top`
     */
    async routes(session: Session | undefined, topMenuId?: string): Promise<MenuNode[]> {
      const trees = await treesOf(session, true);
      if (!topMenuId || session === undefined) return trees;
      const wanted = new Set(await topMenus.menusUnder(session, topMenuId));
      if (wanted.size > 0) return menusAmong(trees, wanted);
      return trees.find(({ id }) => id === topMenuId)?.children ?? [];
    },
    /** The top menus of the session's tenant; where it has none, the menus at the top of the session's trees. */
    async top(session: Session | undefined) {
      const own = session === undefined ? [] : await topMenus.topMenus(session);
      if (own.length > 0) return own;
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
      const rows = await menusOf(session);
      const holders = new Set(rows.filter((row) => row.category === button).map((row) => row.parentId));
      return menuTrees(rows.filter((row) => row.category === button || holders.has(row.id)));
    },
    /**
     * Asks everybody who may give roles in the session's tenant for a menu.
     * @throws Refusal 404 for a code of no screen, or of a screen that this kind of tenant can't have; 400 when the menu is
     *   granted already, the tenant's package lacks it, or nobody could grant it
     */
    async request(session: Session, scope: TenantScope, menuCode: string): Promise<AccessRequestReply> {
      const wanted = await repository.screenMenu(menuCode);
      if (!wanted || !fitsTenant(wanted.type, session.tenantType)) throw refuse("access.menu");
      const granted = await repository.grantedMenus(session);
      if (granted.some(({ code }) => code === menuCode)) {
        throw refuse("access.granted");
      }
      if ((await repository.packageOf(session, menuCode))?.has === false) throw refuse("access.package");
      const holders = await repository.holdersOf(session, roleGrantCode);
      if (holders.every(({ accountId }) => accountId === session.accountId)) throw refuse("access.nobody");
      const roles = [...new Set(holders.map(({ roleName }) => roleName))];
      const open = await repository.openRequest(session, wanted.id);
      if (open === undefined)
        return { roles, asked: (await requests.begin(scope, { menuId: wanted.id })) === undefined };
      try {
        await requests.act(scope, { id: open, event: "remind" });
        return { roles, asked: false };
      } catch (error) {
        // Asked today already, or answered just now.
        if (error instanceof Refusal) return { roles, asked: true };
        throw error;
      }
    },
  };
}
export type AccessService = ReturnType<typeof createAccessService>;
