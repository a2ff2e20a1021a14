import { type ChoiceField, choice, type Field, type FixedView, type ResourceDeclaration } from "../resource/index.ts";
import type { EventFace, StateFace } from "../resource/process-face.ts";
import { eventsOf, listOf, type ProcessDeclaration, statesOf } from "./declaration.ts";

/** What a process has beside its table of events. */
interface Face<State extends string, Event extends string>
  extends Pick<ResourceDeclaration, "table" | "view" | "path" | "scope" | "words" | "title" | "menu" | "customerMenu"> {
  /** Columns of its rows beside the state; events write them. */
  readonly fields: Readonly<Record<string, Field>>;
  readonly states: Readonly<Record<State, StateFace>>;
  /** Events with a button. */
  readonly events: Readonly<Partial<Record<Event, EventFace>>>;
  /** Words of the lines that no button makes: the first one, and events without a button. */
  readonly lines: Readonly<{ begin: string } & Partial<Record<Event, string>>>;
}

/** Views of a process: what is open and what is over, where several states are. */
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
 * The rows of a process as a resource: list, views, conditions, columns, a row's page, rights, menu and screen come from the resource kit,
 * its calls and buttons from the events. Rows need the columns of the fields, `state`, `state_at`, and what every row of a resource has.
 * @throws {Error} where the clock's or another event without a button has no words
 */
export function processResource<const Name extends string, State extends string, Event extends string>(
  of: ProcessDeclaration<Name, State, Event>,
  { states, events, lines, fields, ...rest }: Face<State, Event>,
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
  return {
    ...rest,
    name: of.name,
    fields: Object.fromEntries(
      Object.entries<Field>({ ...fields, state }).map(([name, field]) => [name, { ...field, derived: true as const }]),
    ) as Readonly<Record<string, Field>>,
    views: viewsOf(of),
    replaced: ["submit", "remove", "obstacles", "changeMany", "select"],
    process: { states, events: events as Readonly<Record<string, EventFace>>, lines },
  } satisfies ResourceDeclaration;
}
