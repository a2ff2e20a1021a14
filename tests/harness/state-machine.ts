import { expect } from "vitest";

/** Somebody, or something, that asks for steps. */
export interface Caller<Party extends string> {
  name: string;
  /** "" for the clock and for services outside. */
  token: string;
  /** As the table knows the caller; undefined for whoever may take no step at all. */
  party: Party | undefined;
}

/** Somebody whom nobody let in: a token that no session has. */
export const passerBy = { name: "stranger without a session", token: "of-no-session", party: undefined } as const;

/** What a row is like at a moment. */
export interface Look<State extends string> {
  state: State;
  /** All of the row and of what hangs on it, as text: a refused step changes none of it. */
  whole: string;
  /** Entries of the audit trail about the row. */
  audits: number;
}

/** A table of transitions with a row to try it on. */
export interface StateMachine<State extends string, Event extends string, Party extends string> {
  states: readonly State[];
  events: readonly Event[];
  parties: readonly Party[];
  next: (state: State, event: Event, party: Party) => State | undefined;
  callers: readonly Caller<Party>[];
  /** Puts the row into a state as if it had come there, with all that the event needs beside the state. */
  put(state: State, event: Event): Promise<void>;
  look(): Promise<Look<State>>;
  /**
   * Asks for a step as the caller would. @returns the status of the answer, undefined for what gets none, as a job of the clock;
   * `"no way"` where the caller has nothing to ask with
   */
  ask(event: Event, caller: Caller<Party>, state: State): Promise<number | undefined | "no way">;
  /** Steps whose wish is answered by 200 and does nothing where the table has none, as one that the opening of a page sends. */
  ignored?: readonly Event[];
  /** Steps that are taken although the answer is a refusal, as one that counts a wrong amount. */
  refusesTaken?: readonly Event[];
  /** Steps of the table that tests of their own take, `<state> <event> <party>`; here they are refused, as something is missing. */
  elsewhere?: readonly string[];
}

/**
 * Tries every event in every state by every caller: what the table has happens, with one entry of the audit trail; everything else is
 * refused by a 4xx and changes nothing. Each step that the table has must have happened.
 * @returns how many were tried
 */
export async function expectOnlyTheTable<State extends string, Event extends string, Party extends string>(
  machine: StateMachine<State, Event, Party>,
): Promise<number> {
  const { states, events, parties, callers, next, refusesTaken = [], ignored = [], elsewhere = [] } = machine;
  const wrong: string[] = [];
  const happened = new Set<string>();
  let tried = 0;
  for (const state of states)
    for (const event of events) {
      let stands = false;
      for (const caller of callers) {
        if (!stands) await machine.put(state, event);
        const before = await machine.look();
        const status = await machine.ask(event, caller, state);
        stands = status === "no way";
        if (status === "no way") continue;
        tried += 1;
        const after = await machine.look();
        stands = after.whole === before.whole;
        const step = `${state} ${event} ${caller.party}`;
        const wanted = elsewhere.includes(step) ? undefined : caller.party && next(state, event, caller.party);
        if (wanted !== undefined) happened.add(step);
        const isRefused = status === undefined || (status >= 400 && status < 500);
        const isTaken = status === undefined || (refusesTaken.includes(event) ? isRefused : status === 200);
        const fits =
          wanted === undefined
            ? stands && (isRefused || ignored.includes(event)) && after.audits === before.audits
            : isTaken && after.state === wanted && after.audits === before.audits + 1;
        if (!fits)
          wrong.push(
            `${event} in ${state} by ${caller.name}: answered ${status}, is ${after.state}, not ${wanted ?? state}; ${after.audits - before.audits} entries`,
          );
      }
    }
  expect(wrong).toEqual([]);
  const table = states.flatMap((state) =>
    events.flatMap((event) =>
      parties.flatMap((party) => (next(state, event, party) === undefined ? [] : [`${state} ${event} ${party}`])),
    ),
  );
  expect(table.filter((step) => !happened.has(step)).toSorted()).toEqual([...elsewhere].toSorted());
  return tried;
}
