import type { Row } from "./form-values.ts";

/** A row of a list with its place in the tree. */
export interface ListItem {
  row: Row;
  /** 0 at the top, and in lists without a tree. */
  depth: number;
  hasChildren: boolean;
  expanded: boolean;
  /** Names from the top, for search results without their ancestors. */
  path?: string | undefined;
}

export const itemsOf = (rows: readonly Row[]): ListItem[] =>
  rows.map((row) => ({ row, depth: 0, hasChildren: false, expanded: false }));

export const parentOf = (row: Row): string =>
  typeof row.parentId === "string" && row.parentId !== "" ? row.parentId : "0";

/**
 * The visible rows of a tree.
 * @param children loaded children by the parent's id, "0" for the top
 */
export function treeItems(
  children: (id: string) => readonly Row[] | undefined,
  expanded: ReadonlySet<string>,
  parent = "0",
  depth = 0,
): ListItem[] {
  return (children(parent) ?? []).flatMap((row): ListItem[] => {
    const isExpanded = row.hasChildren === true && expanded.has(row.id);
    const item: ListItem = { row, depth, hasChildren: row.hasChildren === true, expanded: isExpanded };
    return isExpanded ? [item, ...treeItems(children, expanded, row.id, depth + 1)] : [item];
  });
}

/** Target of a move in a tree: the parent, and the sibling that follows; last without one. */
export interface Target {
  parentId: string;
  beforeId?: string;
}

/** A move in a tree that is not made yet. */
export interface Move {
  row: Row;
  target: Target;
}

/** Rows of each level as they would stand after moves. @param children loaded children by the parent's id */
export function levelsAfter(
  children: (id: string) => readonly Row[] | undefined,
  moves: readonly Move[],
): (id: string) => readonly Row[] | undefined {
  const level = (parent: string): readonly Row[] | undefined => {
    let rows = children(parent);
    for (const { row, target } of moves) {
      if (rows === undefined) return undefined;
      // What was moved before stands as it was put there.
      const others: readonly Row[] = rows.filter(({ id }) => id !== row.id);
      if (target.parentId !== parent) {
        rows = others;
        continue;
      }
      const at = others.findIndex(({ id }) => id === target.beforeId);
      const placed = { ...row, parentId: parent };
      rows = at < 0 ? [...others, placed] : others.toSpliced(at, 0, placed);
    }
    return rows;
  };
  const concerned = new Set(moves.flatMap(({ row, target }) => [parentOf(row), target.parentId]));
  return (parent) =>
    level(parent)?.map((row) => {
      if (!concerned.has(row.id)) return row;
      const below = level(row.id);
      const enters = moves.some(({ target }) => target.parentId === row.id);
      return { ...row, hasChildren: below === undefined ? row.hasChildren === true || enters : below.length > 0 };
    });
}

export type DropPlace = "before" | "into" | "after";

const siblings = (items: readonly ListItem[], parentId: string): Row[] =>
  items.filter(({ row }) => parentOf(row) === parentId).map(({ row }) => row);

const beforeNext = (items: readonly ListItem[], row: Row, moving: string): Target => {
  const parentId = parentOf(row);
  const level = siblings(items, parentId).filter(({ id }) => id !== moving);
  const next = level[level.findIndex(({ id }) => id === row.id) + 1];
  return next ? { parentId, beforeId: next.id } : { parentId };
};

/** Whether a row is below another one in the expanded tree. */
function standsBelow(items: readonly ListItem[], id: string, above: string): boolean {
  const row = items.find((item) => item.row.id === id)?.row;
  if (!row) return false;
  const parent = parentOf(row);
  return parent === above || (parent !== "0" && standsBelow(items, parent, above));
}

/** Target of a row that is dropped on another one; undefined if it would be below itself or would not move. */
export function dropTarget(
  items: readonly ListItem[],
  moving: string,
  over: string,
  place: DropPlace,
): Target | undefined {
  const target = items.find((item) => item.row.id === over);
  if (!target || moving === over || standsBelow(items, over, moving)) return undefined;
  if (place === "into") return { parentId: over };
  if (place === "before") return { parentId: parentOf(target.row), beforeId: over };
  const [firstBelow] = siblings(items, over).filter(({ id }) => id !== moving);
  if (target.expanded && firstBelow) return { parentId: over, beforeId: firstBelow.id };
  return beforeNext(items, target.row, moving);
}

/** Target of a row that a key moves: among its siblings, into the one above it, or out to its parent's level. */
export function keyTarget(
  items: readonly ListItem[],
  id: string,
  way: "up" | "down" | "in" | "out",
): Target | undefined {
  const row = items.find((item) => item.row.id === id)?.row;
  if (!row) return undefined;
  const parentId = parentOf(row);
  const level = siblings(items, parentId);
  const at = level.findIndex((sibling) => sibling.id === id);
  const [previous, next, afterNext] = [level[at - 1], level[at + 1], level[at + 2]];
  switch (way) {
    case "up":
      return previous && { parentId, beforeId: previous.id };
    case "down":
      return next && (afterNext ? { parentId, beforeId: afterNext.id } : { parentId });
    case "in":
      return previous && { parentId: previous.id };
    case "out": {
      const parent = items.find((item) => item.row.id === parentId)?.row;
      return parent && beforeNext(items, parent, id);
    }
  }
}
