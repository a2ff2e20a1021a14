import {
  type ChoiceField,
  choice,
  type Field,
  type FixedView,
  type ResourceDeclaration,
  text,
} from "../resource/index.ts";
import type { BeginFace, EventFace, StateFace } from "../resource/process-face.ts";
import { eventsOf, listOf, type ProcessDeclaration, statesOf } from "./declaration.ts";

/** Number of a row that people name, such as `SB-261127-001`: letters, day and count of the day. */
const numberField = text("编号", { max: 30, column: true, search: true });

/** Declaration of a process's resource in addition to its table of events. */
interface Face<State extends string, Event extends string>
  extends Pick<
    ResourceDeclaration,
    | "table"
    | "view"
    | "wordIndex"
    | "path"
    | "scope"
    | "words"
    | "title"
    | "ownerTold"
    | "card"
    | "order"
    | "menu"
    | "customerMenu"
    | "views"
  > {
  /** Fields of its rows in addition to the state; only events write them. */
  readonly fields: Readonly<Record<string, Field>>;
  readonly states: Readonly<Record<State, StateFace>>;
  /** Events that have a button. */
  readonly events: Readonly<Partial<Record<Event, EventFace>>>;
  /** Letters that the rows' numbers begin with; the field `number` is added. */
  readonly number?: string;
  /** The form by which a person begins a row. */
  readonly begin?: BeginFace;
  /** Begins rows by sheets, and lets events happen to them whose forms the sheet fills in. */
  readonly sheets?: { readonly key: string; readonly maxRows: number; readonly events?: readonly NoInfer<Event>[] };
  /** Texts of history lines: the first one, events without a button, and those whose button says no more than what to do. */
  readonly lines: Readonly<{ begin: string } & Partial<Record<Event, string>>>;
  /** States whose rows stand first in the list, the most urgent one first, or values of another field. */
  readonly urgent?: readonly NoInfer<State>[] | ResourceDeclaration["urgent"];
  /** Names of parties without an account, for history lines. */
  readonly parties?: Readonly<Record<string, string>>;
}

/** Views of the open and of the final states. */
function viewsOf<State extends string>(of: Pick<ProcessDeclaration<string, State>, "states">): FixedView[] {
  const view = (id: "open" | "over", name: string): FixedView => ({
    id,
    name,
    where: {
      state: statesOf(of)
        .filter((state) => of.states[state] === id)
        .join(),
    },
  });
  return [view("open", "待办"), view("over", "办完的")];
}

/**
 * Makes the rows of a process a resource. The resource kit provides list, views, conditions, columns, row page, rights, menu
 * and screen; calls and buttons come from the events.
 * Rows need columns for the fields, `state`, `state_at`, and the columns of every resource.
 * @throws {Error} for an event without a button that has no text
 */
export function processResource<const Name extends string, State extends string, Event extends string>(
  of: ProcessDeclaration<Name, State, Event>,
  { states, events, lines, fields, number, begin, parties, urgent, views = viewsOf(of), ...rest }: Face<State, Event>,
) {
  for (const event of eventsOf(of))
    if (!(event in events) && !(event in lines)) throw new Error(`${of.name}.${event} has no words`);
  for (const event of Object.keys(events) as Event[])
    if (listOf(of.events[event].by).every((party) => party === "clock"))
      throw new Error(`${of.name}.${event} is the clock's and has no button`);
  const state: ChoiceField = choice("状态", {
    options: statesOf(of).map((name) => [name, states[name].word] as const),
    column: true,
    filter: true,
  });
  if (rest.sheets && begin === undefined) throw new Error(`${of.name} has sheets and no form to begin by`);
  return {
    ...rest,
    name: of.name,
    fields: Object.fromEntries(
      Object.entries<Field>({ ...(number !== undefined && { number: numberField }), ...fields, state }).map(
        ([name, field]) => [name, { ...field, derived: true as const }],
      ),
    ) as Readonly<Record<string, Field>>,
    views,
    ...(urgent && { urgent: "field" in urgent ? urgent : { field: "state", values: urgent } }),
    // Rows of a process become millions in time.
    bounded: true as const,
    ...(number !== undefined && { find: { numbers: true as const } }),
    replaced: ["submit", "remove", "obstacles", "changeMany"],
    process: {
      ...(number !== undefined && { number }),
      ...(begin && { begin }),
      states,
      events: events as Readonly<Record<string, EventFace>>,
      lines,
      ...(parties && { parties }),
    },
  } satisfies ResourceDeclaration;
}
