import { type MenuNode, menuButtons, menuRoutes, type UserInfo, userInfo } from "@herdwise/contract";
import { hiddenMenuNode, type Screen, screens } from "../../screens.ts";
import { call } from "../api/call.ts";
import { readSession, storeIdentity } from "./storage.ts";

/** What the signed-in person is and may see. */
export interface Access {
  user: UserInfo;
  menu: MenuNode[];
  permissions: ReadonlySet<string>;
}

const isFarmOrganization = (node: MenuNode): boolean =>
  node.code === hiddenMenuNode.code || node.name === hiddenMenuNode.name;

/** Takes the farm organization node out of children at any depth (product.md 2). */
export function withoutFarmOrganization(nodes: readonly MenuNode[]): MenuNode[] {
  return nodes.map(({ children, ...node }) => {
    if (!children) return node;
    const kept = withoutFarmOrganization(children.filter((child) => !isFarmOrganization(child)));
    return kept.length > 0 ? { ...node, children: kept } : node;
  });
}

/** All nodes of menu trees, parents before children. */
export const flatten = (nodes: readonly MenuNode[]): MenuNode[] =>
  nodes.flatMap((node) => [node, ...flatten(node.children ?? [])]);

/** The menu node that grants a screen, if the menu holds it. */
export const nodeOfScreen = (menu: readonly MenuNode[], screen: Screen): MenuNode | undefined =>
  flatten(menu).find((node) => node.component === screen.component);

/** The screen that a menu node opens; undefined for groups and for nodes of screens this build doesn't know. */
export const screenOfNode = (node: MenuNode): Screen | undefined =>
  screens.find((screen) => screen.component === node.component);

let loading: { tenantId: string; access: Promise<Access> } | undefined;

async function load(): Promise<Access> {
  const [user, menu, buttons] = await Promise.all([
    call(userInfo, { quiet: true }),
    call(menuRoutes, { quiet: true }),
    call(menuButtons, { quiet: true }),
  ]);
  const codes = flatten(buttons as MenuNode[]).map((node) => node.code);
  storeIdentity(user, codes);
  return { user, menu: withoutFarmOrganization(menu as MenuNode[]), permissions: new Set(codes) };
}

/** What the person who is signed in is called, as it was entered. */
export const calledOf = ({ real_name, nick_name, account }: UserInfo): string => real_name || nick_name || account;

/** Loads user, menu and permissions on the first navigation of a session; later ones get the same answer. */
export function loadAccess(): Promise<Access> {
  const tenantId = readSession()?.tenantId ?? "";
  if (!loading || loading.tenantId !== tenantId) {
    const access = load();
    loading = { tenantId, access };
    access.catch(() => {
      if (loading?.access === access) loading = undefined;
    });
  }
  return loading.access;
}

/** Forgets what was loaded for the previous session. */
export function forgetAccess(): void {
  loading = undefined;
}
