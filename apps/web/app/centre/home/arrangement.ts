/** Cards of the console that somebody may move, in the order in which a new account has them. */
export const cardIds = [
  "board",
  "farms",
  "alarms",
  "todo",
  "devices",
  "exceptions",
  "declarations",
  "declared",
  "orders",
  "info",
  "account",
  "solutions",
  "shortcuts",
] as const;
export type CardId = (typeof cardIds)[number];
/** Sixths of the row: a third, a half, two thirds, all of it. */
export const widths = [2, 3, 4, 6] as const;
export type Width = (typeof widths)[number];

interface Placed {
  id: CardId;
  width: Width;
}
/** What is shown in which order; what is not in it waits in the tray. */
export type Arrangement = readonly Placed[];

/**
 * The height of the first card is known before its values are here, so nothing below it moves; what is to be done follows. Without the
 * cards of trade, which not everybody may see, the rows are as full.
 */
export const ordinary: Arrangement = [
  { id: "board", width: 6 },
  { id: "alarms", width: 4 },
  { id: "todo", width: 2 },
  { id: "farms", width: 4 },
  { id: "devices", width: 2 },
  { id: "declarations", width: 2 },
  { id: "declared", width: 2 },
  { id: "orders", width: 2 },
  { id: "exceptions", width: 2 },
  { id: "info", width: 2 },
  { id: "account", width: 2 },
  { id: "solutions", width: 4 },
  { id: "shortcuts", width: 2 },
];

/** Reads what was kept, by whatever version of the app: what is unknown or doubled is left out. */
export function readArrangement(kept: unknown): Arrangement {
  if (!Array.isArray(kept)) return ordinary;
  const seen = new Set<CardId>();
  return kept.flatMap((one: unknown): Placed[] => {
    const { id: keptId, width: keptWidth } = (typeof one === "object" && one !== null ? one : {}) as Record<
      string,
      unknown
    >;
    const id = cardIds.find((known) => known === keptId);
    if (id === undefined || seen.has(id)) return [];
    seen.add(id);
    return [{ id, width: widths.find((known) => known === keptWidth) ?? 2 }];
  });
}

/** The arrangement with a card brought to the place of another; behind it when it comes from before. */
export function moved(arrangement: Arrangement, id: CardId, to: number): Arrangement {
  const card = arrangement.find((one) => one.id === id);
  if (card === undefined) return arrangement;
  const rest = arrangement.filter((one) => one.id !== id);
  const at = Math.max(0, Math.min(rest.length, to));
  return [...rest.slice(0, at), card, ...rest.slice(at)];
}
