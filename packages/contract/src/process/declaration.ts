/** One way in which an event leads to a state. */
interface Move<State extends string, Kind extends string> {
  readonly from: State | readonly State[];
  /** The state afterwards; `same` leaves it. */
  readonly to: State | "same";
  /** Kinds of rows that it is for; every kind where it is left out. */
  readonly kinds?: Kind | readonly Kind[];
}

/** Who lets something happen, and where it leads: by one move, or by one of several that exclude each other. */
export type EventDeclaration<State extends string, Party extends string, Kind extends string, Whom extends string> = {
  readonly by: Party | readonly Party[];
  /** Who is told of it: the title of the message, or title and words. */
  readonly tells?: Readonly<Partial<Record<Whom, string | readonly [title: string, content: string]>>>;
} & (Move<State, Kind> | { readonly moves: readonly Move<State, Kind>[] });

/**
 * What moves through states by the acts of several parties, as plain data. What it does not name is refused. States, parties, kinds
 * and receivers are known from their lists alone, so that an event that names another one does not compile.
 */
export interface ProcessDeclaration<
  Name extends string = string,
  State extends string = string,
  Event extends string = string,
  Party extends string = string,
  Kind extends string = string,
  Whom extends string = string,
> {
  /** Singular, snake_case: the resource of its audit entries, and what its refusals begin with. */
  readonly name: Name;
  /** Kinds of rows, where what may happen depends on them. */
  readonly kinds?: readonly Kind[];
  readonly parties: readonly Party[];
  /** Who is told of events. */
  readonly receivers?: readonly Whom[];
  /** Where rows begin. */
  readonly start: NoInfer<State> | readonly NoInfer<State>[];
  /** Whether somebody still has something to do there. */
  readonly states: Readonly<Record<State, "open" | "over">>;
  readonly events: Readonly<
    Record<Event, EventDeclaration<NoInfer<State>, NoInfer<Party>, NoInfer<Kind>, NoInfer<Whom>>>
  >;
  /** Events of the party `clock`, and after how many days in a state each happens. */
  readonly deadlines?: Readonly<
    Partial<Record<NoInfer<Event>, { readonly in: NoInfer<State>; readonly days: number }>>
  >;
}

/** Where a row stands. */
interface Place<State extends string, Kind extends string> {
  readonly state: State;
  readonly kind?: Kind | undefined;
}

/** Names of an object in the order in which they are declared. */
const namesOf = <Name extends string>(of: Readonly<Record<Name, unknown>>): Name[] => Object.keys(of) as Name[];

/** The states of a process, in order. */
export const statesOf = <State extends string>(of: Pick<ProcessDeclaration<string, State>, "states">): State[] =>
  namesOf(of.states);

/** The events of a process, in order. */
export const eventsOf = <Event extends string>(
  of: Pick<ProcessDeclaration<string, string, Event>, "events">,
): Event[] => namesOf(of.events);

/** A name, or several, as a list. */
export const listOf = <Name extends string>(names: Name | readonly Name[]): readonly Name[] =>
  typeof names === "string" ? [names] : names;

/** The moves of an event. */
export const movesOf = <State extends string, Kind extends string>(
  event: EventDeclaration<State, string, Kind, string>,
): readonly Move<State, Kind>[] => ("moves" in event ? event.moves : [event]);

/** Where a row goes by an event; undefined where it may not happen. */
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

/** What one of the parties may do with a row now, in the order of the declaration. */
export const eventsFor = <State extends string, Event extends string, Party extends string, Kind extends string>(
  of: ProcessDeclaration<string, State, Event, Party, Kind>,
  place: Place<NoInfer<State>, NoInfer<Kind>>,
  party: NoInfer<Party>,
): Event[] => eventsOf(of).filter((event) => nextState(of, place, event, party) !== undefined);
