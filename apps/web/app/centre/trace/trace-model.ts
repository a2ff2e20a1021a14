import type { ContactTrace, TraceContact } from "@herdwise/contract";

/** What a trace begins at, as the address has it. */
export const startKinds = ["unit", "farm", "person", "plate"] as const;
export type StartKind = (typeof startKinds)[number];
export const spans = [7, 14, 30, 60] as const;
export const directions = ["both", "before", "after"] as const;
export type Direction = (typeof directions)[number];

export interface TraceChoice {
  kind: StartKind;
  /** Id, person or plate; "" before one is chosen. */
  value: string;
  days: (typeof spans)[number];
  direction: Direction;
}

/** The choice in an address; what it does not know is the usual. */
export function readChoice(search: URLSearchParams): TraceChoice {
  const kind =
    startKinds.find((one) => search.get(one)) ?? startKinds.find((one) => one === search.get("from")) ?? "unit";
  return {
    kind,
    value: (search.get(kind) ?? "").slice(0, 40),
    days: spans.find((one) => String(one) === search.get("days")) ?? 14,
    direction: directions.find((one) => one === search.get("to")) ?? "both",
  };
}

/** A contact elsewhere with the number by which drawing and list name it. */
export interface Link {
  number: number;
  contact: TraceContact;
  /** The carrier's contact here that it goes with; undefined for later steps of a chain. */
  here: TraceContact | undefined;
}

/** Most contacts that are numbered and drawn. */
const mostLinks = 20;

/** The closest in time first: what left this place a moment ago is a more likely carrier than what left it days ago. */
const closeness = (one: TraceContact): number => (one.gapHours ?? 0) + (one.steps - 1) * 24;

/** Contacts elsewhere, one for each carrier and place: the closest in time, those after this place first. */
export function linksOf({ contacts }: Pick<ContactTrace, "contacts">, direction: Direction): Link[] {
  const here = contacts.filter(({ side }) => side === "here");
  const closest = new Map<string, TraceContact>();
  for (const contact of contacts) {
    if (contact.side === "here" || (direction !== "both" && contact.side !== direction)) continue;
    const key = [contact.side, contact.lane, contact.who, contact.farmName, contact.unitName].join(" ");
    const known = closest.get(key);
    if (known === undefined || closeness(contact) < closeness(known)) closest.set(key, contact);
  }
  return [...closest.values()]
    .sort((a, b) => (a.side === b.side ? closeness(a) - closeness(b) : a.side === "after" ? -1 : 1))
    .slice(0, mostLinks)
    .map((contact, at) => ({
      number: at + 1,
      contact,
      here: here
        .filter(({ lane, who }) => lane === contact.lane && who === contact.who)
        .toSorted((a, b) => Math.abs(a.atMs - contact.atMs) - Math.abs(b.atMs - contact.atMs))[0],
    }));
}

/** Places of one side, the closest in time first, each with its carriers. */
export function placesOf(links: readonly Link[], side: "before" | "after") {
  const places = Map.groupBy(
    links.filter(({ contact }) => contact.side === side),
    ({ contact }) => (contact.lane === "pigs" ? `${contact.farmName} ${contact.unitName}` : contact.farmName),
  );
  return [...places].map(([name, of]) => ({ name, links: of }));
}

/** Carriers that were here, each once with its visits. */
export function visitorsOf({ contacts }: Pick<ContactTrace, "contacts">) {
  const here = Map.groupBy(
    contacts.filter(({ side }) => side === "here"),
    ({ lane, who }) => `${lane} ${who}`,
  );
  return [...here.values()].flatMap((visits) => {
    const [first] = visits;
    return first ? [{ first, last: visits.at(-1) ?? first, visits }] : [];
  });
}

/** Least distance of two numbers in a lane, in percent of its width. */
const apart = 6;

/** Places of numbers in their lanes, moved apart where they would cover each other: first to the right, at the end back to the left. */
export function spread(dots: readonly { number: number; row: number; x: number }[]): ReadonlyMap<number, number> {
  const places = new Map<number, number>();
  for (const lane of Map.groupBy(dots, ({ row }) => row).values()) {
    const sorted = lane.toSorted((a, b) => a.x - b.x);
    let last = Number.NEGATIVE_INFINITY;
    const xs = sorted.map(({ x }) => {
      last = Math.max(x, last + apart);
      return last;
    });
    let most = 98;
    for (let at = xs.length - 1; at >= 0; at -= 1) {
      most = Math.min(xs[at] ?? most, most);
      places.set(sorted[at]?.number ?? 0, Math.max(1, most));
      most -= apart;
    }
  }
  return places;
}
