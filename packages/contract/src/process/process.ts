import { listOf, movesOf, type ProcessDeclaration } from "./declaration.ts";

/** Faults of a declaration, one sentence each. */
function faultsOf(of: ProcessDeclaration): string[] {
  const { start, states, parties, events, kinds: allKinds = [], receivers = [], deadlines = {} } = of;
  const faults: string[] = [];
  const known = (what: string, names: readonly string[], list: readonly string[]): void => {
    for (const name of names) if (!list.includes(name)) faults.push(`${what} names ${name}, which is not declared`);
  };
  const allStates = Object.keys(states);
  known("start", listOf(start), allStates);
  const moves = Object.entries(events).flatMap(([event, declared]) => {
    known(event, listOf(declared.by), parties);
    known(event, Object.keys(declared.tells ?? {}), receivers);
    return movesOf(declared).map(({ from, to, kinds }) => {
      known(event, [...listOf(from), ...(to === "same" ? [] : [to])], allStates);
      known(event, listOf(kinds ?? []), allKinds);
      return { event, by: listOf(declared.by), from: listOf(from), to, kinds: listOf(kinds ?? allKinds) };
    });
  });

  // Two transitions of an event that fit the same row: the second would never be taken.
  const taken = new Set<string>();
  for (const { event, from, kinds } of moves)
    for (const state of from)
      for (const kind of kinds.length > 0 ? kinds : ["every kind"]) {
        const place = `${event} from ${state} of ${kind}`;
        if (taken.has(place)) faults.push(`${place} has two moves`);
        taken.add(place);
      }

  for (const [event, deadline] of Object.entries<{ in: string | readonly string[] } | undefined>(deadlines)) {
    known("deadlines", [event], Object.keys(events));
    for (const state of listOf(deadline?.in ?? []))
      if (!moves.some(({ event: name, by, from }) => name === event && by.includes("clock") && from.includes(state)))
        faults.push(`the clock may not do ${event} in ${state}`);
  }

  const reached = new Set(listOf(start));
  for (let before = -1; before !== reached.size; ) {
    before = reached.size;
    for (const { from, to } of moves) if (to !== "same" && from.some((state) => reached.has(state))) reached.add(to);
  }
  for (const state of allStates) {
    if (!reached.has(state)) faults.push(`nothing leads to ${state}`);
    const leaves = moves.some(({ from, to }) => from.includes(state) && to !== "same" && to !== state);
    if (states[state] === "open" && !leaves) faults.push(`nothing leads out of ${state}, which is not over`);
  }
  for (const party of parties) if (!moves.some(({ by }) => by.includes(party))) faults.push(`${party} may do nothing`);
  for (const whom of receivers)
    if (!Object.values(events).some(({ tells = {} }) => whom in tells)) faults.push(`${whom} is told nothing`);
  return faults;
}

/**
 * Declares a process.
 * @throws {Error} naming every fault of the declaration
 */
export function process<
  const Name extends string,
  const State extends string,
  const Event extends string,
  const Party extends string,
  const Kind extends string = never,
  const Whom extends string = never,
>(
  declaration: ProcessDeclaration<Name, State, Event, Party, Kind, Whom>,
): ProcessDeclaration<Name, State, Event, Party, Kind, Whom> {
  const faults = faultsOf(declaration);
  if (faults.length > 0) throw new Error(`the process ${declaration.name} is not in order: ${faults.join("; ")}`);
  return declaration;
}
