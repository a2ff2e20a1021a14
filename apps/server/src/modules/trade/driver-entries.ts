import {
  checkRow,
  type DriverEntry,
  type DriverOutcome,
  type DriverTrip,
  driverClockMs,
  transits as transitDeclaration,
} from "@herdwise/contract";
import { Refusal, refuse } from "../../http/errors.ts";
import type { Platform } from "../../module.ts";
import { slotsOn } from "../trade-settings/index.ts";
import { tradeSystem } from "./context.ts";
import { driverRepository, type EntryOutcome, type LinkRow } from "./driver.repository.ts";
import { keepPosition } from "./positions.ts";
import { tradeRepository } from "./trade.repository.ts";
import { departRefusal, paperStatesOf, type TransitModule } from "./transits.ts";

type Act = Exclude<DriverEntry["act"], "position">;

const wordsOf = ({ answer, values }: Refusal) => ({ text: String(answer.text), values: { ...values } });

/** What an act asks of a driver, as the forms of people ask it. */
function asksOf({ act, atMs, number = "", washedAt = "", validUntil = "", dried, heads, untilDay = "" }: DriverEntry) {
  switch (act) {
    case "disinfect":
      return { disinfectionNumber: number, washedAt, validUntil, dried: dried === true };
    case "quarantine":
      return { quarantineNumber: number, quarantineHeads: heads, quarantineUntil: untilDay };
    default:
      return { at: new Date(atMs).toISOString() };
  }
}

/** What a phone is told of its vehicle. */
export async function tripOf({ kysely }: Pick<Platform, "kysely">, row: LinkRow): Promise<DriverTrip> {
  const { disinfection, quarantine } = paperStatesOf(row);
  const slots = await slotsOn(kysely, row.field, row.day);
  const held = row.state === "loading" ? await departRefusal(row, tradeRepository(kysely)) : undefined;
  const ms = (at: Date | null) => at?.getTime();
  const of = <Name extends string>(name: Name, at: number | undefined) =>
    (at === undefined ? {} : { [name]: at }) as Partial<Record<Name, number>>;
  return {
    number: row.number,
    plate: row.plate,
    heads: row.heads,
    state: row.state,
    field: row.fieldName,
    place: row.place,
    destination: row.destination,
    day: row.day,
    times: slots.map(({ from, to }) => `${from}-${to}`).join(","),
    disinfection: {
      number: row.disinfectionNumber,
      state: disinfection,
      ...of("untilMs", ms(row.disinfectionUntil)),
    },
    quarantine: {
      number: row.quarantineNumber,
      state: quarantine,
      ...of("untilMs", ms(row.quarantineEnds)),
      ...of("heads", row.quarantineHeads ?? undefined),
    },
    ...of("departedMs", ms(row.departedAt)),
    ...of("arrivedMs", ms(row.arrivedAt)),
    ...(held && { held: wordsOf(held) }),
    linkUntilMs: row.expiresAt.getTime(),
    nowMs: row.lookedAt.getTime(),
  };
}

/** Takes what a phone noted. Each key counts once, whatever is sent again. */
export function driverEntries({ kysely, nextId }: Pick<Platform, "kysely" | "nextId">, transits: TransitModule) {
  /** Why an entry can't count at all. */
  const wrong = (link: LinkRow, { act, atMs, position }: DriverEntry): Refusal | undefined => {
    if (atMs > link.lookedAt.getTime() + driverClockMs) return refuse("driver.future");
    if (atMs < Math.floor(link.createdAt.getTime() / 1000) * 1000) return refuse("driver.before_link");
    return act === "position" && position === undefined ? refuse("driver.no_position") : undefined;
  };

  /** Does what an entry says in one transaction with its note. @throws {Refusal} */
  const perform = (link: LinkRow, entry: DriverEntry & { act: Act }): Promise<EntryOutcome> =>
    kysely.transaction().execute(async (transaction) => {
      const own = driverRepository(transaction);
      const papers = entry.act === "disinfect" || entry.act === "quarantine";
      const photo = entry.photoKey && (await own.photoOf(tradeSystem, link.id, entry.photoKey));
      if (papers && !photo) throw refuse("driver.no_photo");
      const done: EntryOutcome = { outcome: "done", text: "", values: {} };
      const note = {
        ...done,
        id: nextId(),
        key: entry.key,
        act: entry.act,
        doneAt: new Date(entry.atMs),
        number: papers ? (entry.number ?? "") : "",
        photo: photo || null,
      };
      if (!(await own.note(tradeSystem, link, note)))
        return (await own.outcome(tradeSystem, link.id, entry.key)) ?? done;
      const asks = asksOf(entry);
      const fields = transitDeclaration.process.events[entry.act]?.asks ?? {};
      const [problem] = checkRow({ ...transitDeclaration, fields }, asks);
      if (problem) throw refuse("driver.form", { values: { what: fields[problem.field]?.label ?? problem.field } });
      await transits.service
        .on(transaction)
        .act(tradeSystem, { id: link.transit, event: entry.act, party: "driver", asks });
      return done;
    });

  /** What becomes of an entry of a phone. */
  return async (link: LinkRow, entry: DriverEntry): Promise<DriverOutcome> => {
    const { key, act, atMs, position } = entry;
    const rows = driverRepository(kysely);
    const earlier = act === "position" ? undefined : await rows.outcome(tradeSystem, link.id, key);
    if (earlier) return { key, ...earlier };
    try {
      const fault = wrong(link, entry);
      if (fault) throw fault;
      if (position && !(await keepPosition(kysely, link, atMs, position)) && act === "position")
        throw refuse("driver.position");
      if (act === "position") return { key, outcome: "done", text: "", values: {} };
      return { key, ...(await perform(link, { ...entry, act })) };
    } catch (error) {
      // What is no verdict on the entry is tried again by the phone.
      if (!(error instanceof Refusal) || error.status >= 500) throw error;
      const refused = { outcome: "refused" as const, ...wordsOf(error) };
      if (act !== "position") {
        const note = { ...refused, id: nextId(), key, act, doneAt: new Date(atMs), number: "", photo: null };
        await rows.note(tradeSystem, link, note);
      }
      return { key, ...refused };
    }
  };
}
