import {
  type ContactTrace,
  mostTraceDays,
  type QueryOf,
  type TraceContact,
  type traceContacts,
} from "@herdwise/contract";
import { shanghaiDay } from "@herdwise/contract/shanghai";
import { refuse } from "../../http/errors.ts";
import type { TenantScope } from "../../tenant-scope.ts";
import {
  type MovementRow,
  mostRows,
  type Place,
  type ShowerRow,
  type Span,
  type TraceRepository,
  type TransitRow,
} from "./trace.repository.ts";

const dayMs = 86_400_000;
const hourMs = 3_600_000;
/** Transfers that are followed from unit to unit. */
const mostSteps = 5;

type Side = TraceContact["side"];
type Evidence = ContactTrace["evidence"][number];

const showerContact = (row: ShowerRow, side: Side, gapMs?: number): TraceContact => ({
  key: `shower ${row.deviceId} ${row.eventId}`,
  lane: "person",
  side,
  who: row.person,
  farmId: row.farmId,
  farmName: row.farmName,
  unitName: "",
  atMs: row.atMs,
  ...(gapMs !== undefined && { gapHours: Math.floor(gapMs / hourMs) }),
  heads: 0,
  steps: side === "here" ? 0 : 1,
  sameDriver: false,
  faults: row.passed ? [] : ["not_passed"],
  refersTo: { kind: "device", id: row.deviceId },
});

const transitContact = (row: TransitRow, side: Side, gapMs?: number, sameDriver = false): TraceContact => ({
  key: `transit ${row.id}`,
  lane: "vehicle",
  side,
  who: row.plate,
  farmId: row.farmId,
  farmName: row.farmName,
  unitName: row.unitName,
  atMs: row.atMs,
  ...(gapMs !== undefined && { gapHours: Math.floor(gapMs / hourMs) }),
  heads: row.heads,
  steps: side === "here" ? 0 : 1,
  sameDriver,
  faults: !row.washed
    ? ["not_washed"]
    : [...(row.washOver ? (["wash_over"] as const) : []), ...(row.dried ? [] : (["not_dried"] as const))],
  refersTo: { kind: "transit", id: row.id },
});

/** First and last time at which each carrier was here. */
function staysOf<Row extends { atMs: number }>(rows: readonly Row[], carrierOf: (row: Row) => string) {
  const stays = new Map<string, { firstMs: number; lastMs: number }>();
  for (const row of rows) {
    const stay = stays.get(carrierOf(row));
    stays.set(carrierOf(row), {
      firstMs: Math.min(stay?.firstMs ?? row.atMs, row.atMs),
      lastMs: Math.max(stay?.lastMs ?? row.atMs, row.atMs),
    });
  }
  return stays;
}

/**
 * Where a carrier was met elsewhere, seen from its stays here: after the first of them it may have carried something away, else it may have
 * brought something in.
 */
function sideOf(atMs: number, here: readonly number[]): { side: "before" | "after"; gapMs: number } | undefined {
  const earlier = here.findLast((ms) => ms <= atMs);
  if (earlier !== undefined) return { side: "after", gapMs: atMs - earlier };
  const later = here.find((ms) => ms > atMs);
  return later === undefined ? undefined : { side: "before", gapMs: later - atMs };
}

/** Contact tracing: from a place, a person or a vehicle over what the books tell. */
export function createTraceService(repository: TraceRepository, now: () => number) {
  /** Chains of transfers from the units, or towards them, each step no earlier (no later) than the one that led to it. */
  const transfers = async (scope: TenantScope, units: readonly string[], span: Span, side: "before" | "after") => {
    const contacts: TraceContact[] = [];
    const reached = new Map<string, number>(units.map((unit) => [unit, side === "after" ? span.fromMs : span.toMs]));
    let frontier = [...reached];
    let truncated = false;
    for (let steps = 1; steps <= mostSteps && frontier.length > 0; steps += 1) {
      const since = new Map(frontier);
      const rows = await repository.movements(scope, [...since.keys()], span);
      truncated ||= rows.length > mostRows;
      const next = new Map<string, number>();
      const follows = ({ kind, heads, atMs, unitId }: MovementRow): boolean => {
        if (kind !== "transfer") return false;
        const from = since.get(unitId) ?? 0;
        return side === "after" ? heads < 0 && atMs >= from : heads > 0 && atMs <= from;
      };
      for (const row of rows.filter(follows)) {
        if (row.otherUnitId === "" || units.includes(row.otherUnitId)) continue;
        contacts.push({
          key: `movement ${row.id}`,
          lane: "pigs",
          side,
          who: row.otherUnitName,
          farmId: row.otherFarmId,
          farmName: row.otherFarmName,
          unitName: row.otherUnitName,
          atMs: row.atMs,
          heads: Math.abs(row.heads),
          steps,
          sameDriver: false,
          faults: [],
          refersTo: { kind: "unit", id: row.otherUnitId },
        });
        const known = next.get(row.otherUnitId) ?? reached.get(row.otherUnitId);
        const isFirst = known === undefined || (side === "after" ? row.atMs < known : row.atMs > known);
        if (isFirst) next.set(row.otherUnitId, row.atMs);
      }
      for (const [unit, atMs] of next) reached.set(unit, atMs);
      frontier = [...next];
    }
    return { contacts, truncated };
  };

  const daysOf = ({ fromMs, toMs }: Span): string[] => {
    const days = [];
    for (let atMs = fromMs; atMs < toMs; atMs += dayMs) days.push(shanghaiDay(atMs));
    return days;
  };

  const ofPlace = async (scope: TenantScope, place: Place, span: Span) => {
    const units = place.unitId === "" ? await repository.unitsOf(scope, place.farmId) : [place.unitId];
    const [showers, transits, movements, bathrooms, before, after] = await Promise.all([
      repository.showers(scope, place.tenantId, { farmId: place.farmId }, span),
      repository.transits(scope, place.unitId === "" ? { farm: place } : { unitId: place.unitId }, span),
      repository.movements(scope, units, span),
      repository.bathrooms(scope, place.farmId, span),
      transfers(scope, units, span, "before"),
      transfers(scope, units, span, "after"),
    ]);
    const people = staysOf(showers, ({ person }) => person);
    const plates = staysOf(transits, ({ plate }) => plate);
    const drivers = staysOf(
      transits.filter(({ driver }) => driver !== ""),
      ({ driver }) => driver,
    );
    const [elsewhere, otherLoads] = await Promise.all([
      people.size === 0 ? [] : repository.showers(scope, place.tenantId, { persons: [...people.keys()] }, span),
      plates.size === 0
        ? []
        : repository.transits(scope, { plates: [...plates.keys()], drivers: [...drivers.keys()] }, span),
    ]);
    const showersOf = Map.groupBy(showers, ({ person }) => person);
    const loadsOf = Map.groupBy(transits, ({ plate }) => plate);
    const drivesOf = Map.groupBy(transits, ({ driver }) => driver);
    const hereIds = new Set(transits.map(({ id }) => id));
    const msOf = (rows: readonly { atMs: number }[] | undefined) => (rows ?? []).map(({ atMs }) => atMs);
    const contacts: TraceContact[] = [
      ...showers.map((row) => showerContact(row, "here")),
      ...transits.map((row) => transitContact(row, "here")),
      ...elsewhere.flatMap((row) => {
        if (row.farmId === place.farmId) return [];
        const found = sideOf(row.atMs, msOf(showersOf.get(row.person)));
        return found ? [showerContact(row, found.side, found.gapMs)] : [];
      }),
      ...otherLoads.flatMap((row) => {
        if (hereIds.has(row.id)) return [];
        const same = loadsOf.get(row.plate);
        const found = sideOf(row.atMs, msOf(same ?? drivesOf.get(row.driver)));
        return found ? [transitContact(row, found.side, found.gapMs, same === undefined)] : [];
      }),
      ...before.contacts,
      ...after.contacts,
    ];
    const silentDays = daysOf(span).filter((day) => !bathrooms.days.includes(day));
    const evidence: Evidence[] = [
      {
        source: "showers",
        state: bathrooms.bathrooms === 0 ? "none" : silentDays.length > 0 ? "gaps" : "complete",
        count: showers.length,
        faults: showers.filter(({ passed }) => !passed).length,
        silentDays: bathrooms.bathrooms === 0 ? [] : silentDays,
      },
      {
        source: "strangers",
        state: bathrooms.bathrooms === 0 ? "none" : bathrooms.strangers > 0 ? "gaps" : "complete",
        count: bathrooms.strangers,
        faults: bathrooms.strangers,
        silentDays: [],
      },
      transitEvidence(transits),
      {
        source: "movements",
        state: movements.some(({ kind }) => kind === "correction") ? "gaps" : "complete",
        count: movements.length,
        // A count that did not agree says that some movement was not written down.
        faults: movements.filter(({ kind }) => kind === "correction").length,
        silentDays: [],
      },
    ];
    const truncated =
      [showers, transits, movements, elsewhere, otherLoads].some((rows) => rows.length > mostRows) ||
      before.truncated ||
      after.truncated;
    return { contacts, evidence, truncated };
  };

  const transitEvidence = (transits: readonly TransitRow[]): Evidence => {
    const faults = transits.filter(({ washed, washOver, dried }) => !washed || washOver || !dried).length;
    return {
      source: "transits",
      state: faults > 0 ? "gaps" : "complete",
      count: transits.length,
      faults,
      silentDays: [],
    };
  };

  return {
    /** @throws {Refusal} 400 unless exactly one start is named, 404 for a place that the scope does not reach */
    async contacts(
      scope: TenantScope,
      { unitId, farmId, person, plate, days = 14 }: QueryOf<typeof traceContacts>,
    ): Promise<Omit<ContactTrace, "fromTime" | "toTime"> & { fromTime: Date; toTime: Date }> {
      if ([unitId, farmId, person, plate].filter((one) => one !== undefined).length !== 1) throw refuse("trace.start");
      const toMs = now();
      const span = { fromMs: toMs - Math.min(days, mostTraceDays) * dayMs, toMs };
      const times = { fromTime: new Date(span.fromMs), toTime: new Date(span.toMs) };
      const byTime = (contacts: readonly TraceContact[]) => contacts.toSorted((a, b) => a.atMs - b.atMs);
      if (person !== undefined) {
        const showers = await repository.showers(scope, scope.tenantId, { persons: [person] }, span);
        const faults = showers.filter(({ passed }) => !passed).length;
        return {
          start: { kind: "person", name: person, farmId: "", farmName: "" },
          ...times,
          contacts: showers.slice(0, mostRows).map((row) => showerContact(row, "here")),
          truncated: showers.length > mostRows,
          evidence: [
            {
              source: "showers",
              state: faults > 0 ? "gaps" : "complete",
              count: showers.length,
              faults,
              silentDays: [],
            },
          ],
        };
      }
      if (plate !== undefined) {
        const loads = await repository.transits(scope, { plates: [plate], drivers: [] }, span);
        return {
          start: { kind: "vehicle", name: plate, farmId: "", farmName: "" },
          ...times,
          contacts: loads.slice(0, mostRows).map((row) => transitContact(row, "here")),
          truncated: loads.length > mostRows,
          evidence: [transitEvidence(loads)],
        };
      }
      const place = await (unitId === undefined
        ? repository.farm(scope, farmId ?? "")
        : repository.unit(scope, unitId));
      if (place === undefined) throw refuse("trace.not_found");
      const found = await ofPlace(scope, place, span);
      return {
        start: {
          kind: place.unitId === "" ? "farm" : "unit",
          name: place.unitId === "" ? place.farmName : place.unitName,
          farmId: place.farmId,
          farmName: place.farmName,
        },
        ...times,
        contacts: byTime(found.contacts),
        truncated: found.truncated,
        evidence: found.evidence,
      };
    },
  };
}
