import {
  checkRow,
  eventEndpointOf,
  type MessageKind,
  type ResourceDeclaration,
  stepsEndpointOf,
} from "@herdwise/contract";
import type { ProcessDeclaration } from "@herdwise/contract/process";
import { type Refusal, refuse } from "../http/errors.ts";
import type { ServerModule } from "../module.ts";
import { auditRepository } from "../modules/audit/index.ts";
import { messageRepository } from "../modules/messages/index.ts";
import {
  type DatabaseHandle,
  invalid,
  type ResourceContext,
  readValues,
  resourceModule,
  scoped,
} from "../resources/index.ts";
import { isSystemScope, type SystemScope, systemScope, type TenantScope } from "../tenant-scope.ts";
import { daysInState, dueRepository } from "./due.repository.ts";
import { eachDue } from "./due.service.ts";
import { entryRepository } from "./entry.repository.ts";
import { createProcess, type ProcessRow } from "./process.service.ts";
import type { Changes } from "./row.repository.ts";
import { tellBy } from "./tell.ts";

const entriesOf = <Name extends string, Value>(given: Readonly<Partial<Record<Name, Value>>> | undefined) =>
  Object.entries(given ?? {}) as [Name, Value][];

/** A row as its rules read it: what each row of a process has, and the columns of its own. */
export type RowOf<Process, Columns> = Readonly<Record<string, unknown>> &
  Columns &
  ProcessRow<Process extends { states: Readonly<Record<infer State, unknown>> } ? State & string : never> & {
    readonly createdBy: string;
    readonly updatedAt: Date;
  };

/** What an event was asked, by field, as it is stored. */
type Asks = Readonly<Record<string, unknown>>;
type Later<Value> = Value | Promise<Value>;

/** What a process has of its own beside its declaration. */
interface ProcessRules<Row, Event extends string, Party, Whom extends string, Parts> {
  /** Repositories of its rules, on the pool or on the transaction of a step. */
  readonly parts: (db: DatabaseHandle) => Parts;
  /** Who somebody is to a row. */
  readonly partyOf: (row: Row, by: TenantScope) => Party;
  /** Why an event may not happen although the table has it; the button stands there and says so. */
  readonly guards?: Readonly<Partial<Record<Event, (row: Row, parts: Parts) => Later<Refusal | undefined>>>>;
  /** What else an event does in its transaction. @returns columns of the row that change */
  readonly on?: Readonly<
    Partial<
      Record<
        Event,
        (step: { row: Row; asks: Asks; parts: Parts; by: TenantScope | SystemScope }) => Later<Changes | undefined>
      >
    >
  >;
  /** Accounts that are told, and the path that their message leads to; the process's screen for staff where it is left out. */
  readonly receivers: Readonly<
    Record<Whom, { of: (row: Row) => Later<readonly (string | null)[]>; link?: (row: Row) => string }>
  >;
  /** What a message says; the row's title and the texts that were asked otherwise. */
  readonly content?: (row: Row, event: Event, asks: Asks) => string | undefined;
  /** Who is told that a row began. */
  readonly begun?: { readonly to: NoInfer<Whom>; readonly title: string; readonly content: (row: Row) => string };
  /** Which channels of a person a message takes; `service` otherwise. */
  readonly messages?: MessageKind;
}

/** Seconds that one run of a clock may take. */
const clockTimeoutS = 300;

/**
 * The server's part of a process whose rows are a resource: list, detail and audit trail of the resource kit, a call for each event with a
 * button, the history with what may happen now, and a job for its deadlines.
 */
export function processModule<
  Row extends ProcessRow<State> & Readonly<Record<string, unknown>>,
  State extends string,
  Event extends string,
  Party extends string,
  Whom extends string,
  Parts,
>(
  context: ResourceContext,
  process: ProcessDeclaration<string, State, Event, Party, never, Whom>,
  of: ResourceDeclaration,
  rules: ProcessRules<Row, Event, Party, Whom, Parts>,
) {
  const { kysely, nextId, warn } = context.platform;
  const clock = systemScope(`the clock of ${of.name}`);
  const partsOf = (db: DatabaseHandle) => ({
    rows: entryRepository(db, of),
    own: rules.parts(db),
    due: dueRepository(db),
    audit: auditRepository(db),
    tell: tellBy(messageRepository(db), { scope: clock, kind: rules.messages ?? "service", nextId }),
  });
  type All = ReturnType<typeof partsOf>;
  const look = partsOf(kysely);
  const inOne = <Result>(work: (parts: All) => Promise<Result>): Promise<Result> =>
    kysely.transaction().execute((transaction) => work(partsOf(transaction)));
  const titleOf = (row: Row): string => String(row[of.title] ?? "");
  const linkTo = (row: Row): string => `${of.menu.path}?row=${row.id}`;

  const receivers = Object.fromEntries(
    entriesOf(rules.receivers).map(([whom, { of: people, link = linkTo }]) => [whom, { of: people, link }]),
  ) as Record<Whom, { of: (row: Row) => Later<readonly (string | null)[]>; link: (row: Row) => string }>;
  const steps = createProcess<
    string,
    State,
    Event,
    Party,
    never,
    Whom,
    Row,
    All,
    All,
    { columns: Changes; words: Asks }
  >(process, {
    nextId,
    find: ({ rows }, by, id) => rows.find<Row>(by, id, true),
    title: titleOf,
    content: titleOf,
    changed: () => refuse("process.changed"),
    guards: Object.fromEntries(
      entriesOf(rules.guards).map(([event, guard]) => [event, (row: Row, { own }: All) => guard(row, own)]),
    ) as Partial<Record<Event, (row: Row, parts: All) => Later<Refusal | undefined>>>,
    move: ({ rows }, { by, row, state }, change) => rows.move(by, row.id, state, change?.columns ?? {}),
    note: ({ rows }, { by, row, event, party, state }, id, change) =>
      rows.note(by, { id, rowId: row.id, tenantId: row.tenantId, event, party, state, words: change?.words ?? {} }),
    receivers,
  });

  /** What an event is asked, read and checked. @throws {Refusal} 400 with a problem for each field that is wrong */
  const asksOf = (event: Event, body: Asks): Asks => {
    const form = { fields: of.process?.events[event]?.asks ?? {} };
    const asks = readValues({ ...of, ...form }, body);
    const problems = checkRow(form, asks);
    if (problems.length > 0) throw invalid(problems);
    return asks;
  };
  const contentOf = (row: Row, event: Event, asks: Asks): string =>
    rules.content?.(row, event, asks) ??
    [titleOf(row), ...Object.values(asks).filter((value) => typeof value === "string" && value !== "")].join("：");

  /**
   * Lets an event happen within a transaction.
   * @param version of the row as it was shown; absent where it does not matter what happened since
   * @throws {Refusal} 404 without the row, 409 when it changed or its state does not allow the event, 400 by a rule of the process
   */
  const act = (
    parts: All,
    by: TenantScope | SystemScope,
    { id, event, version, asks = {} }: { id: string; event: Event; version?: number; asks?: Asks },
  ) =>
    steps.act(parts, {
      by,
      party: (row) => (isSystemScope(by) ? ("clock" as Party) : rules.partyOf(row, by)),
      row: id,
      event,
      version,
      async take(row) {
        const columns = (await rules.on?.[event]?.({ row, asks, parts: parts.own, by })) ?? {};
        return { change: { columns, words: asks }, said: { content: contentOf(row, event, asks) } };
      },
    });

  const deadlines = entriesOf<Event, { in: State; days: number }>(process.deadlines).map(
    ([event, { in: state, days }]) => [event, daysInState(of.table, state, days)] as const,
  );
  const list = resourceModule(context, of);

  const module: ServerModule = {
    routes(router, http) {
      list.routes?.(router, http);
      router.on(stepsEndpointOf(of), ({ scope, query }) => service.steps(scoped(scope), query.id));
      for (const event of Object.keys(of.process?.events ?? {}) as Event[])
        router.on(eventEndpointOf(of, event), async ({ scope, body }) => {
          const { id, version } = body;
          const asks = asksOf(event, body);
          const { state } = await inOne((parts) => act(parts, scoped(scope), { id, event, version, asks }));
          return { id, state };
        });
    },
    jobs: [
      ...(list.jobs ?? []),
      ...(deadlines.length === 0
        ? []
        : [
            {
              name: `${of.name}.clock`,
              schedule: "*/5 * * * *",
              retries: 0,
              timeoutS: clockTimeoutS,
              async run(_payload: unknown, { signal }: { signal: AbortSignal }) {
                const onFault = warn(`a step of the clock of ${of.name} failed`);
                for (const [event, due] of deadlines)
                  await eachDue<All>(
                    { due: look.due, inOne, scope: clock, onFault },
                    due,
                    (parts, id) => act(parts, clock, { id, event }),
                    signal,
                  );
              },
            },
          ]),
    ],
  };

  const service = {
    /** What happened to a row, newest first, and what the caller may do with it. @throws {Refusal} 404 */
    async steps(scope: TenantScope, id: string) {
      const row = await look.rows.find<Row>(scope, id, false);
      if (row === undefined) throw refuse("process.not_found");
      const asked = (await steps.asked(look, scope, row, rules.partyOf(row, scope))).filter(
        ({ event }) => of.process !== undefined && event in of.process.events,
      );
      return {
        state: row.state,
        version: row.version,
        may: asked.flatMap(({ event, held }) => (held ? [] : [event])),
        held: asked.flatMap(({ event, held }) =>
          held ? [{ event, text: String(held.answer.text), values: { ...held.values } }] : [],
        ),
        lines: await look.rows.lines(scope, row),
      };
    },

    /**
     * Begins a row of the scope's tenant, with its first line and its audit entry.
     * @param columns of the row beside those that every row has
     * @returns its id; undefined where a unique index has one already
     */
    begin: (scope: TenantScope, columns: Changes): Promise<string | undefined> =>
      inOne(async (parts) => {
        const id = nextId();
        const state = (Array.isArray(process.start) ? process.start[0] : process.start) as State;
        if (!(await parts.rows.add(scope, { ...columns, id, state }))) return undefined;
        const row = await parts.rows.find<Row>(scope, id, false);
        if (row === undefined) throw refuse("process.not_found");
        const party = rules.partyOf(row, scope);
        const line = { id: nextId(), rowId: id, tenantId: row.tenantId, event: "begin", party, state, words: {} };
        await parts.rows.note(scope, line);
        if (rules.begun) {
          const { to, title, content } = rules.begun;
          const { of: people, link } = receivers[to];
          await parts.tell({ to: await people(row), title, content: content(row), link: link(row) });
        }
        await steps.audit(
          parts,
          scope,
          { ...row, title: titleOf(row) },
          { event: "begin", before: null, after: state },
        );
        return id;
      }),

    /** Lets an event happen in a transaction of its own; see `act`. */
    act: (by: TenantScope | SystemScope, step: Parameters<typeof act>[2]) => inOne((parts) => act(parts, by, step)),
  };
  return { ...module, service };
}
