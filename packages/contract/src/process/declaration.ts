/** A transition: from which states an event leads to which state. */
interface Move<State extends string, Kind extends string> {
  readonly from: State | readonly State[];
  /** The state afterwards; `same` keeps the current one. */
  readonly to: State | "same";
  /** Kinds of rows that the transition applies to; all kinds where it is left out. */
  readonly kinds?: Kind | readonly Kind[];
}

/** An event: the parties that may cause it, and its transition, or several that exclude each other. */
export type EventDeclaration<State extends string, Party extends string, Kind extends string, Whom extends string> = {
  readonly by: Party | readonly Party[];
  /** Receivers of a message about the event: its title, or title and content. */
  readonly tells?: Readonly<Partial<Record<Whom, string | readonly [title: string, content: string]>>>;
} & (Move<State, Kind> | { readonly moves: readonly Move<State, Kind>[] });

/**
 * A state machine whose events are caused by several parties, as plain data; an event that is not declared for a state is
 * refused.
 * The types take states, parties, kinds and receivers from their own lists alone, so an event that names an undeclared one does
 * not compile.
 */
export interface ProcessDeclaration<
  Name extends string = string,
  State extends string = string,
  Event extends string = string,
  Party extends string = string,
  Kind extends string = string,
  Whom extends string = string,
> {
  /** Singular, snake_case: the resource of its audit entries, and the prefix of its refusals' reasons. */
  readonly name: Name;
  /** Kinds of rows, for a process whose transitions differ by kind. */
  readonly kinds?: readonly Kind[];
  readonly parties: readonly Party[];
  /** Receivers of messages about events. */
  readonly receivers?: readonly Whom[];
  /** States in which rows are created. */
  readonly start: NoInfer<State> | readonly NoInfer<State>[];
  /** Whether a row in this state still has work left. */
  readonly states: Readonly<Record<State, "open" | "over">>;
  readonly events: Readonly<
    Record<Event, EventDeclaration<NoInfer<State>, NoInfer<Party>, NoInfer<Kind>, NoInfer<Whom>>>
  >;
  /** Events of the party `clock`, with the moment at which each happens. */
  readonly deadlines?: Readonly<Partial<Record<NoInfer<Event>, Deadline<NoInfer<State>>>>>;
}

/** When the clock causes an event: some days after a row came into a state, or at a moment that a column of the row has. */
export type Deadline<State extends string> = { readonly in: State | readonly State[] } & (
  | { readonly days: number }
  /** Column of the row's table, snake_case; null for never. */
  | { readonly at: string }
);

/** State and kind of a row. */
interface Place<State extends string, Kind extends string> {
  readonly state: State;
  readonly kind?: Kind | undefined;
}

/** Keys of an object in the order of their declaration. */
const namesOf = <Name extends string>(of: Readonly<Record<Name, unknown>>): Name[] => Object.keys(of) as Name[];

/** The states of a process, in order. */
export const statesOf = <State extends string>(of: Pick<ProcessDeclaration<string, State>, "states">): State[] =>
  namesOf(of.states);

/** The events of a process, in order. */
export const eventsOf = <Event extends string>(
  of: Pick<ProcessDeclaration<string, string, Event>, "events">,
): Event[] => namesOf(of.events);

/** One name or several names as a list. */
export const listOf = <Name extends string>(names: Name | readonly Name[]): readonly Name[] =>
  typeof names === "string" ? [names] : names;

/** The transitions of an event. */
export const movesOf = <State extends string, Kind extends string>(
  event: EventDeclaration<State, string, Kind, string>,
): readonly Move<State, Kind>[] => ("moves" in event ? event.moves : [event]);

/** The state of a row after an event; undefined where the event is refused. */
export function nextState<State extends string, Event extends string, Party extends string, Kind extends string>(
  of: ProcessDeclaration<string, State, Event, Party, Kind>,
  { state, kind }: Place<NoInfer<State>, NoInfer<Kind>>,
  event: NoInfer<Event>,
  party: NoInfer<Party>,
): State | undefined {
  const declared = of.events[event];
  if (!listOf(declared.by).includes(party)) return undefined;
  const fits = (names: Kind | readonly Kind[]): boolean => kind !== undefined && listOf(names).includes(kind);
  const move = movesOf(declared).find(
    ({ from, kinds }) => listOf(from).includes(state) && (kinds === undefined || fits(kinds)),
  );
  return move?.to === "same" ? state : move?.to;
}

/** The events that a party may cause for a row now, in the order of the declaration. */
export const eventsFor = <State extends string, Event extends string, Party extends string, Kind extends string>(
  of: ProcessDeclaration<string, State, Event, Party, Kind>,
  place: Place<NoInfer<State>, NoInfer<Kind>>,
  party: NoInfer<Party>,
): Event[] => eventsOf(of).filter((event) => nextState(of, place, event, party) !== undefined);
