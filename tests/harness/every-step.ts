import { eventsOf, nextState, type ProcessDeclaration, statesOf } from "@herdwise/contract/process";
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

/** A row to try the steps of a process on. */
export interface Trial<State extends string, Event extends string, Party extends string, Kind extends string> {
  query: <Row extends object>(text: string, values: unknown[]) => Promise<Row[]>;
  kind?: Kind;
  /** The row's table, and its id, which `put` may change. */
  table: string;
  id: () => string;
  /** What hangs on the row `t`, as an expression of SQL: a refused step changes none of it. */
  rest?: string;
  /** The row whose audit entries tell of it, where it is not the row itself. */
  auditedAs?: () => string;
  /** Lines of its history, with the column of the row's id. */
  history?: readonly [table: string, key: string];
  callers: readonly Caller<Party>[];
  /** Puts the row into a state as if it had come there, with all that the event needs beside the state. */
  put(state: State, event: Event): Promise<void>;
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
  /** Steps that leave no line. */
  unwritten?: readonly Event[];
  /** Steps of which nobody, or somebody else than the declaration says, may be told; tests of their own read those messages. */
  toldElsewhere?: readonly Event[];
}

/**
 * Tries every event of a declared process in every state by every caller: what the table has happens, with one entry of the audit trail,
 * its line of the history and its messages; everything else is refused by a 4xx and changes nothing. Each step of the table must have happened.
 * @returns how many were tried
 */
export async function everyStep<State extends string, Event extends string, Party extends string, Kind extends string>(
  of: ProcessDeclaration<string, State, Event, Party, Kind>,
  trial: Trial<NoInfer<State>, NoInfer<Event>, NoInfer<Party>, NoInfer<Kind>>,
): Promise<number> {
  const { query, kind, table, id, rest = "''", auditedAs = id, history, callers } = trial;
  const { refusesTaken = [], ignored = [], elsewhere = [], unwritten = [], toldElsewhere = [] } = trial;
  const next = (state: State, event: Event, party: Party) => nextState(of, { state, kind }, event, party);
  const lines = history ? `(select count(*)::int from ${history[0]} l where l.${history[1]} = t.id)` : "0";
  const look = async () => {
    const [row] = await query<{ state: State; whole: string; audits: number; lines: number; told: number }>(
      `select t.state, row_to_json(t)::text || coalesce(${rest}, '') as whole, ${lines} as lines,
              (select count(*)::int from audit_entries a where a.row_id = $2 and a.action <> 'view') as audits,
              (select count(*)::int from messages where kind <> 'alarm') as told from ${table} t where t.id = $1`,
      [id(), auditedAs()],
    );
    if (row === undefined) throw new Error("the row is gone");
    return row;
  };
  const wrong: string[] = [];
  const happened = new Set<string>();
  let tried = 0;
  for (const state of statesOf(of))
    for (const event of eventsOf(of)) {
      let before: Awaited<ReturnType<typeof look>> | undefined;
      for (const caller of callers) {
        if (before === undefined) {
          await trial.put(state, event);
          before = await look();
        }
        const status = await trial.ask(event, caller, state);
        if (status === "no way") continue;
        tried += 1;
        const after = await look();
        const left = {
          entries: after.audits - before.audits,
          lines: after.lines - before.lines,
          messages: after.told - before.told,
        };
        const stands = after.whole === before.whole && left.lines === 0;
        const step = `${state} ${event} ${caller.party}`;
        const wanted = elsewhere.includes(step) ? undefined : caller.party && next(state, event, caller.party);
        if (wanted !== undefined) happened.add(step);
        const isRefused = status === undefined || (status >= 400 && status < 500);
        const isTaken = status === undefined || (refusesTaken.includes(event) ? isRefused : status === 200);
        const isTold = toldElsewhere.includes(event) || left.messages > 0 === (of.events[event].tells !== undefined);
        const isWritten = left.lines === (history === undefined || unwritten.includes(event) ? 0 : 1);
        const fits =
          wanted === undefined
            ? stands && (isRefused || ignored.includes(event)) && left.entries === 0 && left.messages === 0
            : isTaken && after.state === wanted && left.entries === 1 && isWritten && isTold;
        // What a refusal left as it was is asked for by the next one.
        before = stands && wanted === undefined ? after : undefined;
        if (!fits)
          wrong.push(
            `${event} in ${state} by ${caller.name}: answered ${status}, is ${after.state}, not ${wanted ?? state}; left ${JSON.stringify(left)}`,
          );
      }
    }
  expect(wrong).toEqual([]);
  const steps = statesOf(of).flatMap((state) =>
    eventsOf(of).flatMap((event) =>
      of.parties.flatMap((party) => (next(state, event, party) === undefined ? [] : [`${state} ${event} ${party}`])),
    ),
  );
  expect(steps.filter((step) => !happened.has(step)).toSorted()).toEqual([...elsewhere].toSorted());
  return tried;
}
