import {
  beginEndpointOf,
  checkRow,
  type EventFace,
  eventEndpointOf,
  isBlank,
  type MessageKind,
  type ResourceDeclaration,
  resourceNamed,
  stepsEndpointOf,
} from "@herdwise/contract";
import { type Deadline, listOf, type ProcessDeclaration } from "@herdwise/contract/process";
import { shanghaiDay } from "@herdwise/contract/shanghai";
import { Refusal, refuse } from "../http/errors.ts";
import type { ServerModule } from "../module.ts";
import { auditRepository } from "../modules/audit/index.ts";
import { messageRepository } from "../modules/messages/index.ts";
import {
  columnsOf,
  type DatabaseHandle,
  invalid,
  problemsOf,
  type ResourceContext,
  readValues,
  referenceProblems,
  resourceModule,
  resourceRepository,
  scoped,
  submitKeyOf,
  uniqueProblem,
  violationOf,
} from "../resources/index.ts";
import { isSystemScope, type SystemScope, systemScope, type TenantScope, withOwnRows } from "../tenant-scope.ts";
import { dueRepository, pastDeadline } from "./due.repository.ts";
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
    /** Who changed it last, but for the clock. */
    readonly updatedBy: string | null;
    readonly updatedAt: Date;
  };

/** What an event was asked, by field, as it is stored. */
type Asks = Readonly<Record<string, unknown>>;
type Later<Value> = Value | Promise<Value>;

/** An event that is to happen to a row. */
interface Wish<Event, Party> {
  readonly id: string;
  readonly event: Event;
  /** Of the row as it was shown; absent where it does not matter what happened since. */
  readonly version?: number;
  readonly asks?: Asks;
  /** Who causes it, for what another process causes; otherwise the clock, or by the scope. */
  readonly party?: Party;
}

/** What a process has of its own beside its declaration. */
interface ProcessRules<Row, Event extends string, Party, Whom extends string, Parts> {
  /** Repositories of its rules, on the pool or on the transaction of a step. */
  readonly parts: (db: DatabaseHandle) => Parts;
  /** Who somebody is to a row; undefined for whoever may only look. */
  readonly partyOf: (row: Row, by: TenantScope) => Party | undefined;
  /** Why an event may not happen although the table has it; the button stands there and says so. */
  readonly guards?: Readonly<
    Partial<Record<Event, (row: Row, parts: Parts, by: TenantScope | SystemScope) => Later<Refusal | undefined>>>
  >;
  /** Holds, before the row itself, what its events move on, where other steps hold that first. */
  readonly holds?: (id: string, parts: Parts) => Promise<void>;
  /**
   * Checks the form by which a person begins a row.
   * @returns columns of the row beside those of the form, `state` where it begins in one of several; undefined for a field of the form that is
   * none @throws {Refusal}
   */
  readonly begin?: (form: { asks: Asks; parts: Parts; by: TenantScope }) => Later<Changes | undefined>;
  /**
   * What else an event does in its transaction.
   * `columns` are those that the fields of its form have. @returns columns of the row that change
   */
  readonly on?: Readonly<
    Partial<
      Record<
        Event,
        (step: {
          row: Row;
          asks: Asks;
          columns: Changes;
          parts: Parts;
          by: TenantScope | SystemScope;
        }) => Later<Changes | undefined>
      >
    >
  >;
  /** Rows of other processes whose history belongs to the row's: process and id. */
  readonly links?: (row: Row, parts: Parts) => Later<readonly (readonly [process: string, id: string])[]>;
  /**
   * Accounts that are told, and the path that their message leads to; the process's screen for staff where it is left out. Who waits for
   * the row may hold every other connection: what many ask for at once looks people up by the parts of the step.
   */
  readonly receivers: Readonly<
    Record<Whom, { of: (row: Row, parts: Parts) => Later<readonly (string | null)[]>; link?: (row: Row) => string }>
  >;
  /** What a message says; the row's title and the texts that were asked otherwise. */
  readonly content?: (row: Row, event: Event, asks: Asks) => string | undefined;
  /** What follows from an event in its transaction once the row has its new state. */
  readonly after?: Readonly<
    Partial<Record<Event, (step: { row: Row; parts: Parts; by: TenantScope | SystemScope }) => Promise<void>>>
  >;
  /** Who is told that a row began; undefined content tells nobody. */
  readonly begun?: {
    readonly to: NoInfer<Whom>;
    readonly title: string;
    readonly content: (row: Row) => string | undefined;
  };
  /** Which channels of a person a message takes; `service` otherwise. */
  readonly messages?: MessageKind;
  /** When its deadlines are looked at: a cron expression of five fields; every five minutes where it is left out. */
  readonly schedule?: string;
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
  const { kysely, nextId, warn, now, personalCipher } = context.platform;
  const clock = systemScope(`the clock of ${of.name}`);
  const partsOf = (db: DatabaseHandle) => ({
    db,
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
  /** Tells at its field what a form says that another row has already. */
  const mending = async <Result>(asks: Asks, work: (parts: All) => Promise<Result>): Promise<Result> => {
    try {
      return await inOne(work);
    } catch (error) {
      const violation = violationOf(of, error);
      if (violation?.kind !== "unique" || !(violation.field in asks)) throw error;
      throw invalid([uniqueProblem(of, violation.field, asks[violation.field])]);
    }
  };
  /** Who somebody is to a row: "" may do nothing. */
  const partyFor = (row: Row, by: TenantScope | SystemScope): Party =>
    (isSystemScope(by) ? "clock" : (rules.partyOf(row, by) ?? "")) as Party;
  const titleOf = (row: Row): string => String(row[of.title] ?? "");
  const linkTo = (row: Row): string => `${of.menu.path}?row=${row.id}`;

  const receivers = Object.fromEntries(
    entriesOf(rules.receivers).map(([whom, { of: people, link = linkTo }]) => [
      whom,
      { of: (row: Row, _party: Party, { own }: All) => people(row, own), link },
    ]),
  ) as Record<
    Whom,
    { of: (row: Row, party: Party, parts: All) => Later<readonly (string | null)[]>; link: (row: Row) => string }
  >;
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
    async find({ rows, own }, by, id) {
      await rules.holds?.(id, own);
      return rows.find<Row>(by, id, true);
    },
    title: titleOf,
    content: titleOf,
    changed: () => refuse("process.changed"),
    guards: Object.fromEntries(
      entriesOf(rules.guards).map(([event, guard]) => [
        event,
        (row: Row, { own }: All, by: TenantScope | SystemScope) => guard(row, own, by),
      ]),
    ) as Partial<Record<Event, (row: Row, parts: All, by: TenantScope | SystemScope) => Later<Refusal | undefined>>>,
    move: ({ rows }, { by, row, state }, change) => rows.move(by, row.id, state, change?.columns ?? {}),
    note: ({ rows }, { by, row, event, party, state }, id, change) =>
      rows.note(by, { id, rowId: row.id, tenantId: row.tenantId, event, party, state, words: change?.words ?? {} }),
    receivers,
  });

  const formOf = (face: Partial<EventFace> | undefined): ResourceDeclaration => ({ ...of, fields: face?.asks ?? {} });
  /** What a form says, read and checked. @throws {Refusal} 400 with a problem for each field that is wrong */
  const asksOf = async (face: Partial<EventFace> | undefined, body: Asks, scope: TenantScope): Promise<Asks> => {
    const form = formOf(face);
    const asks = readValues(form, body);
    const problems = checkRow(form, asks);
    if (problems.length === 0)
      problems.push(...(await referenceProblems(resourceRepository(kysely, form), form, scope, asks, "reached")));
    if (problems.length > 0) throw invalid(problems);
    return asks;
  };
  /** What a history line and a message may repeat of a form: not what is stored encrypted. */
  const wordsOf = (event: Event, asks: Asks): Asks => {
    const fields = of.process?.events[event]?.asks ?? {};
    return Object.fromEntries(
      Object.entries(asks).filter(([name]) => {
        const field = fields[name];
        return !(field?.kind === "text" && field.stored === "encrypted");
      }),
    );
  };
  const contentOf = (row: Row, event: Event, asks: Asks): string =>
    rules.content?.(row, event, asks) ??
    [titleOf(row), ...Object.values(asks).filter((value) => typeof value === "string" && value !== "")].join("：");

  /**
   * Lets an event happen within a transaction.
   * @param version of the row as it was shown; absent where it does not matter what happened since
   * @throws {Refusal} 404 without the row, 409 when it changed or its state does not allow the event, 400 by a rule of the process
   */
  const act = async (
    parts: All,
    by: TenantScope | SystemScope,
    { id, event, version, asks = {}, party }: Wish<Event, Party>,
  ) => {
    const done = await steps.act(parts, {
      by,
      party: (row) => party ?? partyFor(row, by),
      row: id,
      event,
      version,
      async take(row) {
        const form = columnsOf(formOf(of.process?.events[event]), asks, personalCipher);
        const columns = (await rules.on?.[event]?.({ row, asks, columns: form, parts: parts.own, by })) ?? {};
        const words = wordsOf(event, asks);
        return { change: { columns, words }, said: { content: contentOf(row, event, words) } };
      },
    });
    await rules.after?.[event]?.({ row: done.row, parts: parts.own, by });
    return done;
  };

  /** Begins a row within a transaction; see `service.begin`. */
  const begin = async (
    parts: All,
    by: TenantScope | SystemScope,
    { party, ...columns }: Changes & { party?: Party },
  ): Promise<string | undefined> => {
    const id = typeof columns.id === "string" ? columns.id : nextId();
    const starts = listOf(process.start as State | readonly State[]);
    const state = starts.find((start) => start === columns.state) ?? (starts[0] as State);
    const letters = of.process?.number;
    const number = letters && { number: await parts.rows.nextNumber(letters, shanghaiDay(now())) };
    if (!(await parts.rows.add(by, { ...columns, ...number, id, state }))) return undefined;
    const row = await parts.rows.find<Row>(isSystemScope(by) ? by : withOwnRows(by), id, false);
    if (row === undefined) throw refuse("process.not_found");
    const { tenantId } = row;
    const line = {
      id: nextId(),
      rowId: id,
      tenantId,
      event: "begin",
      party: party ?? partyFor(row, by),
      state,
      words: {},
    };
    await parts.rows.note(by, line);
    if (rules.begun) {
      const { to, title, content } = rules.begun;
      const { of: people, link } = receivers[to];
      const said = content(row);
      if (said !== undefined)
        await parts.tell({ to: await people(row, line.party as Party, parts), title, content: said, link: link(row) });
    }
    await steps.audit(parts, by, { ...row, title: titleOf(row) }, { event: "begin", before: null, after: state });
    return id;
  };

  /**
   * Begins a row by the form of a person.
   * @param key of a form that may be sent again: it begins one row
   */
  const submit = async (scope: TenantScope, body: Asks, key: string | undefined): Promise<{ id: string }> => {
    const face = of.process?.begin;
    if (face?.by && face.by !== (scope.everyTenant ? "group" : "customers")) throw refuse("process.begins");
    const asks = await asksOf(face, body, scope);
    return mending(asks, async (parts) => {
      const claimed = nextId();
      const keys = resourceRepository(parts.db, of);
      const earlier = key === undefined ? undefined : await keys.claimKey(scope, key, claimed);
      if (earlier !== undefined) return { id: earlier };
      const more = await rules.begin?.({ asks, parts: parts.own, by: scope });
      const columns = columnsOf(formOf(face), asks, personalCipher);
      // What the rules leave undefined of the form is no column of the row.
      const whole = Object.entries({ ...columns, ...more }).filter(([, value]) => value !== undefined);
      const id = await begin(parts, scope, { ...Object.fromEntries(whole), id: claimed });
      if (id === undefined) throw refuse("process.changed");
      return { id };
    });
  };

  const deadlines = entriesOf<Event, Deadline<State>>(process.deadlines).map(
    ([event, deadline]) => [event, pastDeadline(of.table, deadline)] as const,
  );
  const pick = (values: Asks, names: Readonly<Record<string, unknown>>): Asks =>
    Object.fromEntries(Object.entries(values).filter(([name]) => name in names));
  /** A row of a sheet: it begins, and the events happen whose forms it fills in. @returns its id and its version */
  const beginBySheet = async (parts: All, scope: TenantScope, values: Asks) => {
    const face = of.process?.begin;
    if (face?.by && face.by !== (scope.everyTenant ? "group" : "customers")) throw refuse("process.begins");
    const asks = pick(values, face?.asks ?? {});
    const more = await rules.begin?.({ asks, parts: parts.own, by: scope });
    const columns = columnsOf(formOf(face), asks, personalCipher);
    const id = await begin(parts, scope, { ...columns, ...more });
    if (id === undefined) throw refuse("process.doubled");
    let version = 1;
    for (const event of (of.sheets?.events ?? []) as Event[]) {
      const form = formOf(of.process?.events[event]);
      const given = pick(values, form.fields);
      if (!Object.values(given).some((value) => !isBlank(value) && value !== false)) continue;
      const problems = checkRow(form, given);
      if (problems.length > 0) throw invalid(problems);
      await act(parts, scope, { id, event, asks: given });
      version += 1;
    }
    return { id, version };
  };
  /** Ends a transaction of which nothing stays. */
  const tried = new Error("only tried");
  const list = resourceModule<All>(context, of, {
    extra: partsOf,
    ...(of.sheets && {
      hooks: {
        begin: ({ values, scope, extra }) => beginBySheet(extra, scope, values),
        async tryBegin({ values, scope }) {
          try {
            await inOne(async (parts) => {
              await beginBySheet(parts, scope, values);
              throw tried;
            });
          } catch (error) {
            if (error instanceof Refusal) return problemsOf(error);
            if (error !== tried) throw error;
          }
          return [];
        },
        forget: ({ ids, scope, extra }) => extra.rows.forget(scope, ids),
      },
    }),
  });

  const module: ServerModule = {
    routes(router, http) {
      list.routes?.(router, http);
      router.on(stepsEndpointOf(of), ({ scope, query }) => service.steps(scoped(scope), query.id));
      if (of.process?.begin)
        router.on(beginEndpointOf(of), ({ scope, body, header }) => submit(scoped(scope), body, submitKeyOf(header)));
      for (const event of Object.keys(of.process?.events ?? {}) as Event[])
        router.on(eventEndpointOf(of, event), async ({ scope, body }) => {
          const { id, version } = body;
          const asks = await asksOf(of.process?.events[event], body, scoped(scope));
          const { state } = await mending(asks, (parts) => act(parts, scoped(scope), { id, event, version, asks }));
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
              schedule: rules.schedule ?? "*/5 * * * *",
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
      const asked = (await steps.asked(look, scope, row, partyFor(row, scope))).filter(
        ({ event }) => of.process !== undefined && event in of.process.events,
      );
      return {
        state: row.state,
        version: row.version,
        may: asked.flatMap(({ event, held }) => (held ? [] : [event])),
        held: asked.flatMap(({ event, held }) =>
          held ? [{ event, text: String(held.answer.text), values: { ...held.values } }] : [],
        ),
        lines: (await look.rows.lines(scope, row, (await rules.links?.(row, look.own)) ?? [])).map(
          ({ process: name, ...line }) => {
            const { words, process: face } = name === of.name ? of : (resourceNamed(name) ?? of);
            return {
              ...line,
              thing: name === of.name ? "" : words.one,
              partyName: face?.parties?.[line.party] ?? "",
              text: face?.lines[line.event] ?? face?.events[line.event]?.word ?? line.event,
            };
          },
        ),
      };
    },

    /**
     * Begins a row, of the scope's tenant where the columns name no other, with its first line and its audit entry.
     * @param columns of the row beside those that every row has
     * @returns its id; undefined where a unique index has one already
     */
    begin: (by: TenantScope | SystemScope, columns: Changes & { party?: Party }): Promise<string | undefined> =>
      inOne((parts) => begin(parts, by, columns)),

    /** Lets an event happen in a transaction of its own; see `act`. */
    act: (by: TenantScope | SystemScope, wish: Wish<Event, Party>) => inOne((parts) => act(parts, by, wish)),

    /** Both as a part of another step's transaction. */
    on(transaction: DatabaseHandle) {
      const parts = partsOf(transaction);
      return {
        begin: (by: TenantScope | SystemScope, columns: Changes & { party?: Party }) => begin(parts, by, columns),
        act: (by: TenantScope | SystemScope, wish: Wish<Event, Party>) => act(parts, by, wish),
      };
    },
  };
  return { ...module, service };
}
