import {
  type BodyOf,
  type PriceCell,
  type PriceCorrection,
  type PriceDesk,
  type Problem,
  priceBreeds,
  type priceConfirm,
  type priceCorrect,
  type priceCorrectionDecide,
  pricedProvinces,
  priceEntryDays,
  priceRange,
  type priceReturn,
  type priceSubmit,
  publishMinuteDefault,
  referenceDays,
} from "@herdwise/contract";
import { isOutlier } from "@herdwise/contract/price-rules";
import { isDay } from "@herdwise/contract/real-name-checks";
import { shanghaiDay } from "@herdwise/contract/shanghai";
import { refuse } from "../../http/errors.ts";
import { reasons } from "../../http/reasons.ts";
import type { TenantScope } from "../../tenant-scope.ts";
import { type AuditRepository, installationChain } from "../audit/index.ts";
import type {
  PriceCorrectionRow,
  PriceDayRow,
  PriceEntryRow,
  PriceKey,
  PriceRepository,
  PublishedPrice,
} from "./price.repository.ts";
import { dayAfter, daysBetween, minuteOf, minuteOfDay } from "./price-days.ts";

/** Resource under which the trail keeps what was done to prices. */
const priceAuditName = "day_price";

/** What a change works with, in one transaction. */
export interface PriceTransaction {
  prices: PriceRepository;
  audit: Pick<AuditRepository, "append" | "page">;
  /** Tells whom prices that are published now concern. */
  tell(prices: PriceRepository, day: string, published: readonly PriceKey[]): Promise<void>;
}

export interface PriceDeskDependencies {
  repository: PriceRepository;
  audit: Pick<AuditRepository, "page">;
  inTransaction<T>(work: (to: PriceTransaction) => Promise<T>): Promise<T>;
  /** Tells every server that what visitors read is another. */
  changed: () => void;
  now: () => number;
  nextId: () => string;
}

/** Decided corrections that the desk shows. */
const correctionsShown = 20;
const historyShown = 100;
/** Somebody who chooses "now" must not be told that it is over. */
const earliestMs = 60_000;

const keyOf = ({ regionCode, breed }: PriceKey): string => `${regionCode}.${breed}`;
const allKeys: readonly PriceKey[] = pricedProvinces.flatMap(({ code }) =>
  priceBreeds.map(([breed]) => ({ regionCode: code, breed })),
);

type Change = { field: string; before: unknown; after: unknown };
/** A price as the trail writes it: yuan per kg. */
const yuan = (fen: number | null | undefined): string =>
  fen === null || fen === undefined ? "" : (fen / 100).toFixed(2);

type CorrectionView = Omit<PriceCorrection, "oldFen" | "newFen" | "enteredAt" | "decidedAt"> & {
  oldFen: number | null;
  newFen: number | null;
  enteredAt: Date;
  decidedAt: Date | null;
};
type CellView = Omit<PriceCell, "enteredAt"> & { enteredAt: Date | null };
export type PriceDeskView = Omit<PriceDesk, "publishAt" | "publishedAt" | "cells" | "corrections"> & {
  publishAt: Date;
  publishedAt: Date | null;
  cells: CellView[];
  corrections: CorrectionView[];
};

const isWithin = (fen: number): boolean => fen >= priceRange.min && fen <= priceRange.max;
const rangeValues = { min: yuan(priceRange.min), max: yuan(priceRange.max) };

/** Entering, confirming, publishing and correcting the prices of days. */
export function createPriceDesk({ repository, audit, inTransaction, changed, now, nextId }: PriceDeskDependencies) {
  const today = (): string => shanghaiDay(now());

  /** @throws Refusal 400 for what is no day, or one of which no prices are entered */
  const requireDay = (day: string): string => {
    if (!isDay(day)) throw refuse("price.day", { field: "day" });
    const ahead = daysBetween(today(), day);
    if (ahead > priceEntryDays.ahead || ahead < -priceEntryDays.back)
      throw refuse("price.day_out_of_range", { field: "day", values: priceEntryDays });
    return day;
  };

  /** The day that is being entered: today, or tomorrow once today is published. */
  const openDay = async (): Promise<string> =>
    (await repository.day(today()))?.publishedAt ? dayAfter(today(), 1) : today();

  /** When a day is published unless somebody chooses: at the time of day of the one before. */
  const publishAtOf = async (prices: PriceRepository, day: string): Promise<Date> => {
    const before = await prices.newestPublishAt(day);
    return minuteOf(day, before === undefined ? publishMinuteDefault : minuteOfDay(before));
  };

  const hold = async (prices: PriceRepository, day: string): Promise<PriceDayRow> =>
    prices.hold(day, { id: nextId(), publishAt: await publishAtOf(prices, day) });

  const viewOf = async (scope: TenantScope, prices: PriceRepository, day: string): Promise<PriceDeskView> => {
    const [held, entries, before, corrections] = [
      await prices.day(day),
      await prices.entries(day),
      await prices.before(day, referenceDays),
      await prices.corrections(correctionsShown),
    ];
    const entryOf = new Map(entries.map((entry) => [keyOf(entry), entry]));
    const beforeOf = new Map(before.map((price) => [keyOf(price), price]));
    return {
      day,
      today: today(),
      publishAt: held?.publishAt ?? (await publishAtOf(prices, day)),
      publishedAt: held?.publishedAt ?? null,
      example: held?.example ?? false,
      cells: allKeys.map((key): CellView => {
        const entry = entryOf.get(keyOf(key));
        const earlier = beforeOf.get(keyOf(key));
        return {
          ...key,
          ...(entry !== undefined && entry.fen !== null && { fen: entry.fen }),
          state: entry?.state ?? "empty",
          ...(earlier && { beforeFen: earlier.fen }),
          beforeDay: earlier?.day ?? "",
          version: entry?.version ?? 0,
          enteredBy: entry?.enteredName ?? "",
          own: entry !== undefined && entry.enteredBy === scope.accountId,
          enteredAt: entry?.enteredAt ?? null,
          confirmedBy: entry?.confirmedName ?? "",
          note: entry?.note ?? "",
          returnReason: entry?.returnReason ?? "",
        };
      }),
      corrections: corrections.map(({ enteredBy, enteredName, decidedName, ...row }) => ({
        ...row,
        own: enteredBy === scope.accountId,
        enteredBy: enteredName,
        decidedBy: decidedName,
      })),
    };
  };

  /** Runs a change of a day that is held, and writes it down. @returns the desk as it is afterwards */
  const change = async (
    scope: TenantScope,
    day: string,
    work: (of: {
      to: PriceTransaction;
      held: PriceDayRow;
      entryOf: (key: PriceKey) => PriceEntryRow | undefined;
      by: { accountId: string; name: string };
    }) => Promise<{ changes: readonly Change[]; visible?: boolean }>,
  ): Promise<PriceDeskView> => {
    let visible = false;
    const view = await inTransaction(async (to) => {
      const held = await hold(to.prices, day);
      const entries = new Map((await to.prices.entries(day)).map((entry) => [keyOf(entry), entry]));
      const by = { accountId: scope.accountId, name: await to.prices.nameOf(scope) };
      const done = await work({ to, held, entryOf: (key) => entries.get(keyOf(key)), by });
      visible = done.visible === true;
      const after = await viewOf(scope, to.prices, day);
      if (done.changes.length > 0) {
        const record = { resource: priceAuditName, rowId: held.id, rowTitle: day, action: "update" } as const;
        await to.audit.append(installationChain, scope, [{ ...record, changes: done.changes }], nextId);
      }
      return after;
    });
    if (visible) changed();
    return view;
  };

  /** Publishes what is ready; what became an outlier since it was entered waits instead. @returns what was published */
  const publishReady = async (to: PriceTransaction, day: string): Promise<PublishedPrice[]> => {
    const before = new Map((await to.prices.before(day, referenceDays)).map((price) => [keyOf(price), price.fen]));
    for (const entry of await to.prices.entries(day)) {
      const confirmed = entry.confirmedBy !== null;
      if (entry.state === "ready" && !confirmed && entry.fen !== null && isOutlier(entry.fen, before.get(keyOf(entry))))
        await to.prices.keepBack(day, entry);
    }
    const published = await to.prices.publish(day, new Date(now()));
    if (published.length > 0) await to.tell(to.prices, day, published);
    return published;
  };

  const requireOther = (row: { enteredBy: string | null }, scope: TenantScope): void => {
    if (row.enteredBy === scope.accountId) throw refuse("price.own_confirmation");
  };
  const heldBy = (row: { enteredName: string } | undefined) =>
    refuse("price.changed_meanwhile", { values: { name: row?.enteredName ?? "" } });

  return {
    desk: async (scope: TenantScope, day: string | undefined): Promise<PriceDeskView> =>
      viewOf(scope, repository, day === undefined ? await openDay() : requireDay(day)),

    submit: (scope: TenantScope, { day, entries }: BodyOf<typeof priceSubmit>): Promise<PriceDeskView> =>
      change(scope, requireDay(day), async ({ to, entryOf, by }) => {
        const before = new Map((await to.prices.before(day, referenceDays)).map((price) => [keyOf(price), price.fen]));
        const problems: Problem[] = [];
        const changes: Change[] = [];
        const seen = new Set<string>();
        for (const { fen, note: given, version, ...key } of entries) {
          const field = keyOf(key);
          const entry = entryOf(key);
          const note = (given ?? entry?.note ?? "").trim();
          if (seen.has(field)) continue;
          seen.add(field);
          if (entry?.state === "published") {
            const reason = "price.published_already";
            problems.push({ field, reason, text: reasons[reason].zh, values: {} });
            continue;
          }
          if ((entry?.version ?? 0) !== version) throw heldBy(entry);
          if (fen === undefined) {
            if (entry) {
              await to.prices.clear(day, key);
              changes.push({ field, before: yuan(entry.fen), after: "" });
            }
            continue;
          }
          if (!isWithin(fen)) {
            const reason = "price.out_of_range";
            problems.push({ field, reason, text: reasons[reason].zh, values: rangeValues });
            continue;
          }
          if (entry?.fen === fen && entry.note === note && entry.state !== "returned") continue;
          const state = isOutlier(fen, before.get(field)) ? "waiting" : "ready";
          await to.prices.enter(day, key, { fen, state, note }, by);
          changes.push({ field, before: yuan(entry?.fen), after: yuan(fen) });
        }
        if (problems.length > 0) throw refuse("price.problems", { problems, values: { count: problems.length } });
        return { changes };
      }),

    confirm: (scope: TenantScope, { day, cells }: BodyOf<typeof priceConfirm>): Promise<PriceDeskView> =>
      change(scope, requireDay(day), async ({ to, entryOf, by }) => {
        const changes: Change[] = [];
        for (const { fen, ...key } of cells) {
          const entry = entryOf(key);
          if (entry?.state !== "waiting" || entry.fen !== fen) throw heldBy(entry);
          requireOther(entry, scope);
          if (!(await to.prices.confirm(day, key, by))) throw heldBy(entry);
          changes.push({ field: keyOf(key), before: "waiting", after: `confirmed ${yuan(fen)}` });
        }
        return { changes };
      }),

    sendBack: (scope: TenantScope, { day, fen, reason, ...key }: BodyOf<typeof priceReturn>): Promise<PriceDeskView> =>
      change(scope, requireDay(day), async ({ to, entryOf }) => {
        const entry = entryOf(key);
        if (entry?.state !== "waiting" || entry.fen !== fen) throw heldBy(entry);
        await to.prices.sendBack(day, key, reason);
        return { changes: [{ field: keyOf(key), before: `waiting ${yuan(fen)}`, after: `returned: ${reason}` }] };
      }),

    schedule: (scope: TenantScope, day: string, at: Date): Promise<PriceDeskView> =>
      change(scope, requireDay(day), async ({ to, held }) => {
        if (held.publishedAt !== null) throw refuse("price.published_already", { field: "at" });
        if (Number.isNaN(at.getTime()) || shanghaiDay(at.getTime()) !== day || at.getTime() < now() - earliestMs)
          throw refuse("price.publish_at", { field: "at", values: { day } });
        await to.prices.schedule(day, at);
        return {
          changes: [{ field: "publishAt", before: held.publishAt.toISOString(), after: at.toISOString() }],
        };
      }),

    publish: (scope: TenantScope, day: string): Promise<PriceDeskView> =>
      change(scope, requireDay(day), async ({ to, held }) => {
        if (daysBetween(today(), day) > 0) throw refuse("price.not_yet", { field: "day" });
        const published = await publishReady(to, day);
        if (published.length === 0) {
          if (held.publishedAt === null) throw refuse("price.nothing_ready");
          // The schedule, or somebody else, was faster.
          return { changes: [] };
        }
        return { changes: [{ field: "published", before: "", after: published.length }], visible: true };
      }),

    correct: (
      scope: TenantScope,
      { day, oldFen, newFen, reason, ...key }: BodyOf<typeof priceCorrect>,
    ): Promise<PriceDeskView> =>
      change(scope, requireDay(day), async ({ to, entryOf, by }) => {
        const entry = entryOf(key);
        if (entry?.state !== "published") throw refuse("price.not_published");
        if (entry.fen !== (oldFen ?? null)) throw heldBy(entry);
        if (entry.fen === (newFen ?? null)) throw refuse("price.unchanged", { field: "newFen" });
        if (newFen !== undefined && !isWithin(newFen))
          throw refuse("price.out_of_range", { field: "newFen", values: rangeValues });
        const waiting = (await to.prices.corrections(0)).some(
          (row) => row.day === day && row.regionCode === key.regionCode && row.breed === key.breed,
        );
        if (waiting) throw refuse("price.correction_waits");
        await to.prices.propose(
          nextId(),
          day,
          key,
          { oldFen: oldFen ?? null, newFen: newFen ?? null, reason: reason.trim() },
          by,
        );
        return {
          changes: [{ field: keyOf(key), before: yuan(oldFen), after: `correction ${yuan(newFen)}: ${reason}` }],
        };
      }),

    decide: (
      scope: TenantScope,
      { day, id, confirmed, reason = "" }: BodyOf<typeof priceCorrectionDecide>,
    ): Promise<PriceDeskView> =>
      change(scope, isDay(day) ? day : requireDay(day), async ({ to, entryOf, by }) => {
        const row: PriceCorrectionRow | undefined = await to.prices.correction(id);
        if (row === undefined || row.day !== day) throw refuse("row.not_found");
        if (row.state !== "waiting") throw heldBy({ enteredName: row.decidedName });
        if (!confirmed) {
          // Whoever proposed it may take it back.
          await to.prices.decide(id, "returned", reason.trim(), by);
          return { changes: [{ field: keyOf(row), before: `correction ${yuan(row.newFen)}`, after: "returned" }] };
        }
        requireOther(row, scope);
        const entry = entryOf(row);
        if (entry?.state !== "published" || entry.fen !== row.oldFen) throw heldBy(entry);
        await to.prices.decide(id, "confirmed", "", by);
        await to.prices.correct(row);
        await to.tell(to.prices, day, [row]);
        return { changes: [{ field: keyOf(row), before: yuan(row.oldFen), after: yuan(row.newFen) }], visible: true };
      }),

    async history(scope: TenantScope, day: string) {
      const held = await repository.day(requireDay(day));
      if (held === undefined) return [];
      const { rows } = await audit.page(
        scope,
        { installation: true, resource: priceAuditName, rowId: held.id },
        { offset: 0, limit: historyShown },
      );
      return rows.map(({ id, actorName, createdAt, changes }) => ({
        id,
        actorName,
        createTime: createdAt,
        changes: [...changes],
      }));
    },

    /** Publishes the days whose time has come. */
    async publishDue(): Promise<void> {
      for (const day of await repository.due(new Date(now()))) {
        const published = await inTransaction(async (to) => {
          await hold(to.prices, day);
          return publishReady(to, day);
        });
        if (published.length > 0) changed();
      }
    },
  };
}
export type PriceDeskService = ReturnType<typeof createPriceDesk>;
