import { disinfectionState, quarantineState, type TransitPapers, transitProcess, transits } from "@herdwise/contract";
import { shanghaiClock, shanghaiMoment } from "@herdwise/contract/shanghai";
import { type Refusal, refuse } from "../../http/errors.ts";
import { processModule, type RowOf } from "../../processes/index.ts";
import type { DatabaseHandle } from "../../resources/index.ts";
import { customerLink, type TradeContext, tradeSystem } from "./context.ts";
import { askForPassport } from "./passports.ts";
import { tradeRepository } from "./trade.repository.ts";
import { type PapersRow, transitRepository } from "./transit.repository.ts";

type TransitRow = RowOf<
  typeof transitProcess,
  PapersRow & { number: string; order: string; orderState: string; buyer: string; departedAt: Date | null }
>;

const papersOf = (row: PapersRow): TransitPapers => ({
  plate: row.plate,
  heads: row.heads,
  disinfectionNumber: row.disinfectionNumber,
  disinfectionUntilMs: row.disinfectionUntil?.getTime(),
  quarantineNumber: row.quarantineNumber,
  quarantineHeads: row.quarantineHeads ?? 0,
  quarantineUntilMs: row.quarantineEnds?.getTime(),
});

/** How a vehicle's papers stand by the database's clock; of one that has left, how they stood when it left. */
export const paperStatesOf = (row: PapersRow & { departedAt?: Date | null }) => {
  const [papers, atMs] = [papersOf(row), (row.departedAt ?? row.lookedAt).getTime()];
  return { disinfection: disinfectionState(papers, atMs), quarantine: quarantineState(papers, atMs) };
};

/**
 * Why a vehicle may not load: its washing and disinfection certificate is missing or over.
 * @param field of a form that names the vehicle
 */
export function washRefusal(row: PapersRow, field?: string): Refusal | undefined {
  const { disinfection } = paperStatesOf(row);
  if (disinfection === "missing") return refuse("transit.no_disinfection", { field, values: { plate: row.plate } });
  if (disinfection === "ok") return undefined;
  const until = shanghaiClock(row.disinfectionUntil?.getTime() ?? 0)
    .slice(0, 16)
    .replace("T", " ");
  return refuse("transit.disinfection_expired", {
    field,
    values: { plate: row.plate, number: row.disinfectionNumber, until },
  });
}

function quarantineRefusal(row: PapersRow): Refusal | undefined {
  const { plate, quarantineNumber: number, heads } = row;
  switch (paperStatesOf(row).quarantine) {
    case "missing":
      return refuse("transit.no_quarantine", { values: { plate } });
    case "expired": {
      const until = shanghaiClock((row.quarantineEnds?.getTime() ?? 0) - 1).slice(0, 10);
      return refuse("transit.quarantine_expired", { values: { plate, number, until } });
    }
    case "few":
      return refuse("transit.quarantine_heads", { values: { plate, number, heads, most: row.quarantineHeads ?? 0 } });
    default:
      return undefined;
  }
}

/** Why a vehicle may not depart yet: its weights are not confirmed. */
export async function departRefusal(
  { order, plate }: { order: string; plate: string },
  trade: Pick<ReturnType<typeof tradeRepository>, "weighed">,
): Promise<Refusal | undefined> {
  const { confirmed } = await trade.weighed(tradeSystem, order);
  return confirmed.some((weighing) => weighing.plate === plate) ? undefined : refuse("transit.not_weighed");
}

/** When something happened: by the phone of a driver, which may be ahead, else now. */
const momentOf = (at: unknown, lookedAt: Date): Date =>
  typeof at === "string" ? new Date(Math.min(Date.parse(at), lookedAt.getTime())) : lookedAt;

export type TransitModule = ReturnType<typeof transitModule>;

/** Vehicles of orders, with their drivers and certificates. */
export function transitModule(context: TradeContext) {
  const partsOf = (db: DatabaseHandle) => ({ db, trade: tradeRepository(db), transits: transitRepository(db) });
  type Parts = ReturnType<typeof partsOf>;
  const fits = async ({ transits: own }: Parts, order: string, heads: number, but?: string): Promise<void> => {
    const left = await own.headsLeft(tradeSystem, order, but);
    if (heads > left) throw refuse("transit.heads", { field: "heads", values: { left: Math.max(left, 0) } });
  };
  return processModule(context, transitProcess, transits, {
    parts: partsOf,
    partyOf: (row: TransitRow, by) => (by.tenantId === row.tenantId ? "customer" : "desk"),
    async begin({ asks, parts }) {
      const order = String(asks.order);
      const at = await parts.trade.orderAt(tradeSystem, order);
      if (at === undefined || !["waiting_payment", "confirmed", "loading"].includes(at.state))
        throw refuse("transit.order", { field: "order" });
      await fits(parts, order, Number(asks.heads));
      const from = await parts.transits.placeOf(tradeSystem, order);
      return { tenantId: at.tenantId, ...from };
    },
    guards: {
      clear: (row) => washRefusal(row) ?? quarantineRefusal(row),
      load: (row) =>
        row.orderState === "loading" ? (washRefusal(row) ?? quarantineRefusal(row)) : refuse("transit.not_loading"),
      depart: (row, { trade }) => departRefusal(row, trade),
    },
    on: {
      async assign({ row, columns, parts }) {
        // The held order lets one vehicle after the other take heads of it.
        await parts.trade.orderAt(tradeSystem, row.order);
        await fits(parts, row.order, Number(columns.heads), row.id);
        // A certificate is a vehicle's: another one is washed anew.
        const washed = columns.plate === row.plate;
        return washed
          ? columns
          : { ...columns, disinfectionNumber: "", disinfectedAt: null, disinfectionUntil: null, dried: false };
      },
      disinfect({ row, asks }) {
        const [washedMs, untilMs] = [shanghaiMoment(String(asks.washedAt)), shanghaiMoment(String(asks.validUntil))];
        if (washedMs > row.lookedAt.getTime()) throw refuse("transit.future", { field: "washedAt" });
        if (untilMs <= washedMs) throw refuse("transit.times", { field: "validUntil" });
        return {
          disinfectionNumber: asks.disinfectionNumber,
          disinfectedAt: new Date(washedMs),
          disinfectionUntil: new Date(untilMs),
          dried: asks.dried === true,
        };
      },
      quarantine: ({ columns }) => columns,
      depart: ({ row, asks }) => ({ departedAt: momentOf(asks.at, row.lookedAt) }),
      async arrive({ row, asks, parts }) {
        const arrivedAt = momentOf(asks.at, row.lookedAt);
        if (row.departedAt !== null && arrivedAt < row.departedAt) throw refuse("transit.before_departure");
        await askForPassport(context, parts.db, row.order, "arrived");
        return { arrivedAt };
      },
    },
    receivers: {
      customer: { of: ({ buyer }) => [buyer], link: customerLink(transits.customerMenu?.path) },
      desk: { of: (_row, { db }) => context.deskOf("transit_edit", db) },
    },
    links: ({ order }) => [["sale_order", order]],
    content: ({ number, plate }) => `${number}：${plate}`,
    messages: "trade",
  });
}
