import { scaleTicketProcess, scaleTickets, type TicketProblem } from "@herdwise/contract";
import { Refusal, refuse } from "../../http/errors.ts";
import type { ServerModule } from "../../module.ts";
import { processModule, type RowOf } from "../../processes/index.ts";
import type { DatabaseHandle } from "../../resources/index.ts";
import type { ArrivalModule } from "./arrivals.ts";
import { type TradeContext, tradeSystem } from "./context.ts";
import { readScaleMessage, useOf } from "./scale-message.ts";
import { type MatchedTicket, type MessageRow, scaleTicketRepository } from "./scale-ticket.repository.ts";
import { tradeRepository } from "./trade.repository.ts";
import { transitRepository } from "./transit.repository.ts";
import { washRefusal } from "./transits.ts";
import type { WeighingModule } from "./weighings.ts";

type TicketRow = RowOf<
  typeof scaleTicketProcess,
  { ticket: string; plate: string; place: "loading" | "arrival"; transit: string | null }
>;

/** A ticket that nobody used so long is no vehicle's any more. */
const usableMs = 2 * 86_400_000;
/** Messages that are read one after the other before others get their turn. */
const readTogether = 200;

export type ScaleTicketModule = ReturnType<typeof scaleTicketModule>;

/**
 * Tickets of weighbridges. One of the group counts at loading, for vehicles of the sale field that has the code of its farm; one of a customer counts
 * at arrival, for the customer's own vehicles. Both weights of a vehicle make its weighing, without a second person.
 */
export function scaleTicketModule(
  context: TradeContext,
  { weighings, arrivals, groupTenantId }: { weighings: WeighingModule; arrivals: ArrivalModule; groupTenantId: string },
) {
  const { kysely, nextId, now, warn } = context.platform;
  const partsOf = (db: DatabaseHandle) => ({
    db,
    trade: tradeRepository(db),
    vehicles: transitRepository(db),
    tickets: scaleTicketRepository(db),
    weighings: weighings.service.on(db),
    report: arrivals.reportIn(db),
  });
  type Parts = ReturnType<typeof partsOf>;

  /** Makes the weighing of a vehicle that is loaded. @returns what holds it off */
  const weighLoaded = async (
    { trade, vehicles, tickets, weighings: own }: Parts,
    transit: string,
    order: string,
    { tare, gross }: { tare: MatchedTicket; gross: MatchedTicket },
  ): Promise<TicketProblem | undefined> => {
    const at = await trade.orderAt(tradeSystem, order);
    if (at?.state !== "loading") return "order";
    const vehicle = (await vehicles.ofOrder(tradeSystem, order)).find(({ id }) => id === transit);
    if (vehicle === undefined || !["planned", "ready", "loading"].includes(vehicle.state)) return "order";
    if (washRefusal(vehicle) !== undefined) return "papers";
    const { plate, heads } = vehicle;
    if (await tickets.isWeighed(tradeSystem, order, plate)) return "weighed";
    const id = await own.begin(tradeSystem, {
      tenantId: at.tenantId,
      order,
      plate,
      heads,
      grossGrams: gross.weightGrams,
      tareGrams: tare.weightGrams,
      grossTicket: gross.id,
      tareTicket: tare.id,
      source: "scale",
      party: "scale",
    });
    if (id === undefined) throw refuse("process.changed");
    await own.act(tradeSystem, { id, event: "confirm", party: "scale" });
    return undefined;
  };

  const reportArrived = async (
    { report }: Parts,
    transit: string,
    { tare, gross }: { tare: MatchedTicket; gross: MatchedTicket },
  ): Promise<TicketProblem | undefined> => {
    try {
      await report(transit, {
        grossGrams: gross.weightGrams,
        tareGrams: tare.weightGrams,
        grossTicket: gross.id,
        tareTicket: tare.id,
      });
      return undefined;
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      return error.reason === "arrival_weighing.settled"
        ? "settled"
        : error.reason === "arrival_weighing.reported"
          ? "weighed"
          : "order";
    }
  };

  /** Uses the newest tickets of a vehicle once it has both weights; earlier ones are dismissed. */
  const weigh = async (parts: Parts, place: "loading" | "arrival", transit: string, order: string): Promise<void> => {
    const matched = await parts.tickets.matchedOf(tradeSystem, transit);
    const [tare, gross] = [matched.find(({ use }) => use === "tare"), matched.find(({ use }) => use === "gross")];
    if (tare === undefined || gross === undefined) return;
    const both = { tare, gross };
    const ids = [tare.id, gross.id];
    const held =
      tare.weightGrams >= gross.weightGrams
        ? "weights"
        : await (place === "loading" ? weighLoaded(parts, transit, order, both) : reportArrived(parts, transit, both));
    if (held !== undefined) return parts.tickets.hold(tradeSystem, ids, held);
    const own = module.service.on(parts.db);
    for (const { id } of matched)
      await own.act(tradeSystem, { id, event: ids.includes(id) ? "use" : "dismiss", party: "scale" });
  };

  const module = processModule(context, scaleTicketProcess, scaleTickets, {
    parts: partsOf,
    partyOf: (_row: TicketRow, by) => (by.tenantId === groupTenantId && by.everyTenant ? "desk" : undefined),
    on: {
      async match({ row, asks, columns, parts }) {
        // By the message itself: the columns stand already.
        if (Object.keys(asks).length === 0) return { problem: null };
        if (row.place !== "loading") throw refuse("scale_ticket.place");
        const vehicle = await parts.tickets.chosen(tradeSystem, row.id, String(asks.transit));
        if (vehicle === undefined || !["planned", "ready", "loading"].includes(vehicle.state))
          throw refuse("scale_ticket.transit", { field: "transit" });
        if (!["confirmed", "loading"].includes(vehicle.orderState))
          throw refuse("scale_ticket.transit", { field: "transit" });
        if (!vehicle.ofField) throw refuse("scale_ticket.field", { field: "transit" });
        if (await parts.tickets.isWeighed(tradeSystem, vehicle.order, vehicle.plate))
          throw refuse("scale_ticket.weighed", { field: "transit", values: { plate: vehicle.plate } });
        return { ...columns, order: vehicle.order, problem: null };
      },
      unmatch: () => ({ transit: null, order: null, use: null, problem: null }),
      release: () => ({ transit: null, order: null, use: null, problem: null }),
      use: () => ({ problem: null }),
    },
    after: {
      async match({ row, parts }) {
        const order = await parts.tickets.placeOf(tradeSystem, row.id);
        if (order !== undefined) await weigh(parts, row.place, order.transit, order.order);
      },
    },
    receivers: { desk: { of: (_row, { db }) => context.deskOf("scale_ticket_edit", db) } },
    content: ({ ticket, plate }) => [ticket, plate].filter(Boolean).join("："),
    messages: "trade",
  });

  /** What becomes of a message: a ticket, or nothing where it is none of trade. */
  const read = async (parts: Parts, { deviceId, tenantId, weighedAt, body }: MessageRow): Promise<void> => {
    const message = readScaleMessage(body, { weighedMs: weighedAt.getTime(), nowMs: now() });
    const expiresAt = new Date(weighedAt.getTime() + usableMs);
    if (message === undefined || expiresAt.getTime() <= now()) return;
    if (await parts.tickets.has(tradeSystem, deviceId, message.ticket)) return;
    const place = tenantId === groupTenantId ? "loading" : "arrival";
    const found =
      message.plate === ""
        ? []
        : await parts.tickets[place === "loading" ? "loadedAt" : "arrivedAt"](tradeSystem, deviceId, message.plate);
    // What a customer weighs beside the own orders is the customer's matter.
    if (place === "arrival" && found.length === 0) return;
    const [vehicle] = found;
    const weighed =
      vehicle !== undefined &&
      place === "loading" &&
      (await parts.tickets.isWeighed(tradeSystem, vehicle.order, vehicle.plate));
    const held: TicketProblem | undefined =
      vehicle === undefined ? "plate" : found.length > 1 ? "several" : weighed ? "weighed" : undefined;
    const matches =
      message.problem === undefined && held === undefined && vehicle !== undefined && message.phase !== null;
    const { problem = held ?? null, stable, ...told } = message;
    const id = nextId();
    const own = module.service.on(parts.db);
    await own.begin(tradeSystem, {
      ...told,
      id,
      tenantId,
      device: deviceId,
      stable: stable ? "yes" : "no",
      weighedAt,
      place,
      problem,
      expiresAt,
      ...(matches && { transit: vehicle.transit, order: vehicle.order, use: useOf(place, message.phase ?? "in") }),
      party: "scale",
    });
    if (message.problem !== undefined) await own.act(tradeSystem, { id, event: "refuse", party: "scale" });
    else if (matches) await own.act(tradeSystem, { id, event: "match", party: "scale" });
  };

  const onFault = warn("a message of a weighbridge could not be read yet");
  let underWay: Promise<void> = Promise.resolve();
  let waiting = false;
  /** Reads what weighbridges sent since the last time, each message in a transaction of its own. */
  const readAll = async (): Promise<void> => {
    const looked = scaleTicketRepository(kysely);
    const failed = new Set<string>();
    for (let left = true; left; ) {
      const unread = (await looked.unread(tradeSystem, readTogether + failed.size)).filter(
        ({ deviceId, eventId }) => !failed.has(`${deviceId}/${eventId}`),
      );
      left = unread.length > 0;
      for (const message of unread)
        try {
          await kysely.transaction().execute(async (transaction) => {
            const parts = partsOf(transaction);
            const row = await parts.tickets.take(tradeSystem, message);
            if (row !== undefined) await read(parts, row);
            else failed.add(`${message.deviceId}/${message.eventId}`);
          });
        } catch (error) {
          failed.add(`${message.deviceId}/${message.eventId}`);
          onFault(error);
        }
    }
  };

  const server: ServerModule = {
    ...module,
    jobs: [
      ...(module.jobs ?? []),
      { name: "scale_ticket.read", schedule: "* * * * *", retries: 0, timeoutS: 300, run: readAll },
    ],
    async stop() {
      await underWay;
    },
  };
  return {
    ...server,
    service: module.service,

    /** Reads new messages soon; several calls are one. */
    heard(): void {
      if (waiting) return;
      waiting = true;
      underWay = underWay
        .then(() => {
          waiting = false;
          return readAll();
        })
        .catch(onFault);
    },

    /** Gives the tickets of a discarded weighing back. */
    releaseIn: (db: DatabaseHandle) => async (weighing: string) => {
      const own = module.service.on(db);
      for (const id of await scaleTicketRepository(db).ofWeighing(tradeSystem, weighing))
        await own.act(tradeSystem, { id, event: "release", party: "scale" });
    },

    /** Uses the tickets that waited for the loading of an order to begin. */
    weighIn: (db: DatabaseHandle) => async (order: string) => {
      const parts = partsOf(db);
      for (const transit of await parts.tickets.pairsOf(tradeSystem, order))
        await weigh(parts, "loading", transit, order);
    },
  };
}
