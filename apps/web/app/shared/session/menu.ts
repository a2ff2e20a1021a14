import type { MenuNode } from "@herdwise/contract";
import { menuGroups, type Screen } from "../../screens.ts";
import { flatten, nodeOfScreen, screenOfNode } from "./access.ts";

/** A header group with what it leads to. */
export interface MenuGroup {
  type: string;
  name: string;
  nodes: MenuNode[];
  /** First screen of the group that shows in the menu. */
  entry: MenuNode;
}

/** Nodes that show in a menu and open a screen of this build. */
export const visibleLeaves = (nodes: readonly MenuNode[]): MenuNode[] =>
  flatten(nodes).filter((node) => !node.hidden && screenOfNode(node) !== undefined);

/** The groups that the menu holds, in the product's order. Groups without a screen to open are left out. */
export function groupsOf(menu: readonly MenuNode[]): MenuGroup[] {
  return menuGroups.flatMap(({ type, name }) => {
    const nodes = menu.filter((node) => node.type === type).toSorted((a, b) => a.sort - b.sort);
    const [entry] = visibleLeaves(nodes);
    return entry ? [{ type, name, nodes, entry }] : [];
  });
}

export interface Standing {
  /** The node that grants the screen; undefined when the menu lacks it. */
  node: MenuNode | undefined;
  group: MenuGroup | undefined;
  /** Path of the menu entry to highlight. */
  activePath: string;
  /** Names from the group down to the screen. */
  trail: { name: string; path: string | undefined }[];
}

const pathTo = (nodes: readonly MenuNode[], target: MenuNode): MenuNode[] | undefined => {
  for (const node of nodes) {
    if (node.id === target.id) return [node];
    const below = pathTo(node.children ?? [], target);
    if (below) return [node, ...below];
  }
  return undefined;
};

/** Where a screen stands in the person's menu. */
export function standingOf(menu: readonly MenuNode[], screen: Screen | undefined): Standing {
  const node = screen && nodeOfScreen(menu, screen);
  const way = node ? (pathTo(menu, node) ?? []) : [];
  const group = groupsOf(menu).find(({ type }) => type === way[0]?.type);
  // A page of one thing stands below the list that leads to it.
  const list = node?.activeMenu ? flatten(menu).find(({ path }) => path === node.activeMenu) : undefined;
  if (list && !way.includes(list)) way.splice(-1, 0, list);
  const steps = way.map((step) => ({ name: step.name, path: screenOfNode(step) ? step.path : undefined }));
  const isEntry = group?.entry.id === node?.id;
  const head =
    group && group.name !== steps[0]?.name ? [{ name: group.name, path: isEntry ? undefined : group.entry.path }] : [];
  return { node, group, activePath: node?.activeMenu || (screen?.path ?? ""), trail: [...head, ...steps] };
}
