import type { GrantNode } from "@herdwise/contract";
import { screens } from "../../screens.ts";

/**
 * How a menu stands in a role.
 * - `granted`: it and everything below it; `some`: it, but not everything below it;
 * - `path`: not granted itself, only the way to something below it; `none`: nothing of it.
 */
export type GrantState = "granted" | "some" | "path" | "none";

/** A node and everything below it. */
export const withBelow = (node: GrantNode): GrantNode[] => [node, ...(node.children ?? []).flatMap(withBelow)];

/** A node that only holds others: there is no screen behind it and nobody holds it, so that it is never granted. */
export const isGroup = ({ category, component, disabled }: GrantNode): boolean =>
  category === 1 && component === "" && disabled;

export const isButton = ({ category }: Pick<GrantNode, "category">): boolean => category === 2;

export function grantStateOf(node: GrantNode, granted: ReadonlySet<string>): GrantState {
  const below = withBelow(node).slice(1);
  if (!granted.has(node.id)) return below.some(({ id }) => granted.has(id)) ? "path" : "none";
  return below.every((held) => granted.has(held.id) || isGroup(held)) ? "granted" : "some";
}

/** How much of what stands below a node is granted. */
export function grantCount(node: GrantNode, granted: ReadonlySet<string>): { granted: number; total: number } {
  const below = withBelow(node)
    .slice(1)
    .filter((held) => !isGroup(held));
  return { granted: below.filter(({ id }) => granted.has(id)).length, total: below.length };
}

/** What differs from what a role holds: nothing else is kept while one ticks, so that another's change is not taken back. */
export interface GrantEdits {
  given: readonly string[];
  taken: readonly string[];
}
export const noEdits: GrantEdits = { given: [], taken: [] };

/** What a role would hold. */
export function withEdits(stored: ReadonlySet<string>, { given, taken }: GrantEdits): ReadonlySet<string> {
  const granted = new Set([...stored, ...given]);
  for (const id of taken) granted.delete(id);
  return granted;
}

/** The edits after some were ticked or cleared; what is again as stored is no edit. */
export function edited(
  stored: ReadonlySet<string>,
  { given, taken }: GrantEdits,
  ids: readonly string[],
  on: boolean,
): GrantEdits {
  const touched = new Set(ids);
  const kept = (held: readonly string[]) => held.filter((id) => !touched.has(id));
  const changed = ids.filter((id) => stored.has(id) !== on);
  return on
    ? { given: [...kept(given), ...changed], taken: kept(taken) }
    : { given: kept(given), taken: [...kept(taken), ...changed] };
}

/** Menus that fit a word, or whose buttons or lower menus do, with what leads there; of a menu that fits all of it. */
export function foundNodes(nodes: readonly GrantNode[], fits: (node: GrantNode) => boolean): GrantNode[] {
  return nodes.flatMap((node) => {
    if (fits(node)) return [node];
    const { children, ...own } = node;
    const found = foundNodes(children ?? [], fits);
    return found.length > 0 ? [{ ...own, children: found }] : [];
  });
}

/** What another role holds of a menu and its buttons beside this one. */
export type Comparison = { same: boolean; none: boolean; more: readonly GrantNode[]; less: readonly GrantNode[] };

/** Compares what two roles hold of a menu and its buttons. @returns undefined where neither holds any of it */
export function compared(
  node: GrantNode,
  granted: ReadonlySet<string>,
  other: ReadonlySet<string>,
): Comparison | undefined {
  const held = [node, ...(node.children ?? []).filter(isButton)].filter((one) => !isGroup(one));
  if (!held.some(({ id }) => granted.has(id) || other.has(id))) return undefined;
  const more = held.filter(({ id }) => other.has(id) && !granted.has(id));
  const less = held.filter(({ id }) => granted.has(id) && !other.has(id));
  return { same: more.length + less.length === 0, none: !held.some(({ id }) => other.has(id)), more, less };
}

/** Name of the resource that a screen shows; undefined for screens of their own. */
const resourceOf = ({ component }: GrantNode): string | undefined =>
  component === "" ? undefined : screens.find((screen) => screen.component === component)?.resource;

/** A screen with those that show the same: a customer's own screen and that of the group's staff share their buttons. */
export function alikeScreens(nodes: readonly GrantNode[], node: GrantNode): GrantNode[] {
  const resource = resourceOf(node);
  return resource === undefined ? [node] : nodes.flatMap(withBelow).filter((held) => resourceOf(held) === resource);
}

/** Screens whose buttons are granted while they are not: nobody gets to those buttons. */
export const unreachable = (nodes: readonly GrantNode[], granted: ReadonlySet<string>): GrantNode[] =>
  nodes
    .flatMap(withBelow)
    .filter(
      (node) =>
        node.component !== "" &&
        (node.children ?? []).some((child) => isButton(child) && granted.has(child.id)) &&
        !alikeScreens(nodes, node).some(({ id }) => granted.has(id)),
    );

/** A node of the tree with how deep it stands. */
export interface DifferenceLine {
  node: GrantNode;
  depth: number;
  /** Only one of the roles has it, or something below it. */
  differs: boolean;
}

/** What two roles hold of the menus, in the order of the tree; only what one of them holds, and what leads there. */
export function differenceOf(nodes: readonly GrantNode[], own: ReadonlySet<string>, other: ReadonlySet<string>) {
  const all = nodes.flatMap(withBelow).filter((node) => !isGroup(node));
  const linesOf = (level: readonly GrantNode[], depth: number): DifferenceLine[] =>
    level.flatMap((node) => {
      const held = withBelow(node).filter(({ id }) => own.has(id) || other.has(id));
      if (held.length === 0) return [];
      const differs = held.some(({ id }) => own.has(id) !== other.has(id));
      return [{ node, depth, differs }, ...linesOf(node.children ?? [], depth + 1)];
    });
  return {
    lines: linesOf(nodes, 0),
    onlyOwn: all.filter(({ id }) => own.has(id) && !other.has(id)),
    onlyOther: all.filter(({ id }) => other.has(id) && !own.has(id)),
    both: all.filter(({ id }) => own.has(id) && other.has(id)),
  };
}
