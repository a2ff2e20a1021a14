import { eventsFor, nextState, type ProcessDeclaration } from "@herdwise/contract/process";
import { type Refusal, refuse } from "../http/errors.ts";
import { type Reason, reasons } from "../http/reasons.ts";
import type { AuditRecord, AuditRepository } from "../modules/audit/index.ts";
import type { SystemScope, TenantScope } from "../tenant-scope.ts";
import type { Message, Tell } from "./tell.ts";

type Later<Value> = Value | Promise<Value>;
/** The reason of a refusal in the words of a process, or in those of all. */
const reasonOf = (name: string, why: "not_found" | "state"): Reason => {
  const own = `${name}.${why}`;
  return own in reasons ? (own as Reason) : `process.${why}`;
};

/** What a row of every process has. */
export interface ProcessRow<State> {
  readonly id: string;
  readonly tenantId: string;
  readonly state: State;
  readonly version: number;
}

/** What every step needs of its transaction. */
export interface StepParts {
  readonly audit: Pick<AuditRepository, "append">;
  readonly tell: Tell;
}

/** A step that is taken. */
interface Step<Row, State, Event, Party> {
  /** Who takes it, as the audit trail names them. */
  readonly by: TenantScope | SystemScope;
  readonly party: Party;
  readonly event: Event;
  /** As it was before, held against other changes. */
  readonly row: Row;
  /** Where it goes. */
  readonly state: State;
}

/** What a process has of its own beside its declaration. */
interface ProcessHooks<Row, State, Event extends string, Party, Kind, Whom extends string, Parts, Look, Change> {
  /**
   * Holds a row against other changes by a statement of its own, then reads it: a statement that waits for the lock would read names of
   * before. @throws {Refusal} where somebody may not ask at all
   */
  readonly find: (parts: Parts, by: TenantScope | SystemScope, id: string) => Promise<Row | undefined>;
  /** Whether a row is there at all for a party; absent where each one is. */
  readonly visible?: (row: Row, party: Party) => boolean;
  /** The number of changes that a party is shown of a row, where it is not its version. */
  readonly versionOf?: (row: Row, party: Party) => number;
  /** Of which kind a row is, where the declaration has kinds. */
  readonly kindOf?: (row: Row) => Kind;
  /** What names a row in the audit trail. */
  readonly title: (row: Row) => string;
  /** What a message says where its event declares a title alone. */
  readonly content?: (row: Row) => string;
  /** Refuses a row that is not as it was shown. */
  readonly changed?: (row: Row) => Refusal;
  /** Why events may not happen although the table has them; asked within a step, and for a page that says what may be done. */
  readonly guards?: Readonly<
    Partial<Record<Event, (row: Row, look: Look, by: TenantScope | SystemScope) => Later<Refusal | undefined>>>
  >;
  /** Writes the row. */
  readonly move: (parts: Parts, step: Step<Row, State, Event, Party>, change: Change | undefined) => Promise<void>;
  /** Writes the line of its history. */
  readonly note?: (
    parts: Parts,
    step: Step<Row, State, Event, Party>,
    lineId: string,
    change: Change | undefined,
  ) => Promise<void>;
  /** Who is told of what a party did, and where the message leads. */
  readonly receivers: Readonly<
    Record<
      Whom,
      { of: (row: Row, party: Party, parts: Parts) => Later<readonly (string | null)[]>; link: (row: Row) => string }
    >
  >;
  readonly nextId: () => string;
}

/** A wish that something happens to a row. */
interface Wish<Row, Event, Party, Change> {
  readonly by: TenantScope | SystemScope;
  /** Who they are in the process; by the row, where it decides. */
  readonly party: Party | ((row: Row) => Party);
  /** By its id; or itself, where it is held already. */
  readonly row: string | Row | undefined;
  /** What happens; by the row, where what is said of it decides. */
  readonly event: Event | ((row: Row) => Event);
  /** Of the row as it was shown; absent where it does not matter what happened since. */
  readonly version?: number | undefined;
  /**
   * What changes beside the state, what is told otherwise than the declaration says, and what the audit trail has of it beside event and
   * state. @throws {Refusal} where it may not be after all
   */
  readonly take?: (
    row: Row,
  ) => Later<{ change?: Change; said?: Partial<Message>; audited?: AuditRecord["changes"] } | undefined>;
}

/** The steps of a declared process. */
export function createProcess<
  Name extends string,
  State extends string,
  Event extends string,
  Party extends string,
  Kind extends string,
  Whom extends string,
  Row extends ProcessRow<State>,
  Look,
  Parts extends Look & StepParts,
  Change,
>(
  of: ProcessDeclaration<Name, State, Event, Party, Kind, Whom>,
  hooks: ProcessHooks<Row, State, Event, Party, Kind, Whom, Parts, Look, Change>,
) {
  const placeOf = (row: Row) => ({ state: row.state, kind: hooks.kindOf?.(row) });

  /** Writes an event into the audit trail: no words of anybody. Whoever writes there waits for others until the end, so it comes last. */
  const audit = (
    parts: StepParts,
    by: TenantScope | SystemScope,
    row: { id: string; tenantId: string; title: string },
    {
      event,
      before,
      after,
      audited = [],
    }: { event: string; before: State | null; after: State; audited?: AuditRecord["changes"] },
  ): Promise<void> =>
    parts.audit.append(
      row.tenantId,
      by,
      [
        {
          resource: of.name,
          rowId: row.id,
          rowTitle: row.title,
          action: before === null ? "create" : "update",
          changes: [{ field: "event", before: null, after: event }, { field: "state", before, after }, ...audited],
        },
      ],
      hooks.nextId,
    );

  const tell = async (
    parts: Parts,
    { row, event, party }: Pick<Step<Row, State, Event, Party>, "row" | "event" | "party">,
    said: Partial<Message>,
  ): Promise<void> => {
    const { tells = {} } = of.events[event];
    for (const [whom, words] of Object.entries(tells) as [Whom, string | readonly [string, string]][]) {
      const { of: receivers, link } = hooks.receivers[whom];
      const [title, content = hooks.content?.(row) ?? ""] = typeof words === "string" ? [words] : words;
      await parts.tell({ to: await receivers(row, party, parts), title, content, link: link(row), ...said });
    }
  };

  /** @throws {Refusal} 404 without a row, 409 when it changed since it was shown, 400 when it may not happen */
  const hold = async (parts: Parts, { by, version, ...wish }: Omit<Wish<Row, Event, Party, Change>, "take">) => {
    const row = typeof wish.row === "string" ? await hooks.find(parts, by, wish.row) : wish.row;
    if (row === undefined) throw refuse(reasonOf(of.name, "not_found"));
    const party = typeof wish.party === "string" ? wish.party : wish.party(row);
    if (hooks.visible?.(row, party) === false) throw refuse(reasonOf(of.name, "not_found"));
    if (version !== undefined && version !== (hooks.versionOf?.(row, party) ?? row.version))
      throw hooks.changed?.(row) ?? refuse(reasonOf(of.name, "state"));
    const event = typeof wish.event === "string" ? wish.event : wish.event(row);
    const state = nextState(of, placeOf(row), event, party);
    if (state === undefined) throw refuse(reasonOf(of.name, "state"));
    const held = await hooks.guards?.[event]?.(row, parts, by);
    if (held !== undefined) throw held;
    return { by, party, event, row, state };
  };

  /** What somebody may do with a row now: the events of the table, each with what holds it off. */
  const asked = async (look: Look, by: TenantScope | SystemScope, row: Row, party: Party) => {
    const events: { event: Event; held: Refusal | undefined }[] = [];
    for (const event of eventsFor(of, placeOf(row), party))
      events.push({ event, held: await hooks.guards?.[event]?.(row, look, by) });
    return events;
  };

  return {
    audit,

    /** The beginning of a step alone, for what has to be read of a held row before it is known what happens to it. */
    hold,

    asked,

    /** The events of the table that no guard holds off. */
    async may(look: Look, by: TenantScope | SystemScope, row: Row, party: Party): Promise<Event[]> {
      return (await asked(look, by, row, party)).flatMap(({ event, held }) => (held ? [] : [event]));
    },

    /**
     * The one way in which something happens to a row: holds it, looks at its version, at the table and at the guards, changes it, writes
     * its history, tells people and writes the audit trail.
     * @throws {Refusal} 404 without one, 409 when it changed since it was shown, 400 when it may not happen
     */
    async act(parts: Parts, { take, ...wish }: Wish<Row, Event, Party, Change>) {
      const step = await hold(parts, wish);
      const { by, event, row, state } = step;
      const { change, said = {}, audited = [] } = (await take?.(row)) ?? {};
      await hooks.move(parts, step, change);
      await hooks.note?.(parts, step, hooks.nextId(), change);
      await tell(parts, step, said);
      const what = { event, before: row.state, after: state, audited };
      await audit(parts, by, { ...row, title: hooks.title(row) }, what);
      return { row, event, state };
    },
  };
}
