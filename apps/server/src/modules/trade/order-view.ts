import {
  invoices as invoiceList,
  notes as noteList,
  orderView,
  payments as paymentList,
  permissionOf,
  type ResourceDeclaration,
} from "@herdwise/contract";
import { exactSum, halfEven } from "@herdwise/contract/money";
import { shanghaiDay } from "@herdwise/contract/shanghai";
import { refuse } from "../../http/errors.ts";
import type { ServerModule } from "../../module.ts";
import { type ResourceContext, scoped } from "../../resources/index.ts";
import type { TenantScope } from "../../tenant-scope.ts";
import { tradeSystem } from "./context.ts";
import { orderViewRepository } from "./order-view.repository.ts";
import { passportRepository } from "./passport.repository.ts";
import { positionRepository } from "./position.repository.ts";
import { flagView } from "./tracks.ts";
import { transitRepository } from "./transit.repository.ts";
import { paperStatesOf } from "./transits.ts";

/** What people see of an order at once. */
export function orderViewModule({ platform }: ResourceContext): ServerModule {
  const rows = orderViewRepository(platform.kysely);
  const transits = transitRepository(platform.kysely);
  const passports = passportRepository(platform.kysely);
  const positions = positionRepository(platform.kysely);
  /** @throws {Refusal} 404 for an order that the scope does not reach */
  const view = async (scope: TenantScope, id: string, may: (of: ResourceDeclaration) => boolean) => {
    const order = await rows.order(scope, id);
    if (order === undefined) throw refuse("process.not_found");
    const [payments, invoices, notes, vehicles, weighings, arrivals, settlement, passport, entries, planned] =
      await Promise.all([
        rows.payments(scope, id),
        rows.invoices(scope, id),
        rows.notes(scope, id),
        transits.ofOrder(scope, id),
        rows.weighings(scope, id),
        rows.arrivals(scope, id),
        rows.settlement(scope, id),
        passports.ofOrder(scope, id),
        rows.times(scope, id),
        rows.plannedAt(tradeSystem, order.planId),
      ]);
    const flags = await positions.flagsOf(
      scope,
      vehicles.map((row) => row.id),
    );
    const { planId, planNumber, term, field, region, day, category, fromKg, toKg, customer, ...rest } = order;
    const at = (wanted: string): Date | null => entries.find(({ state }) => state === wanted)?.at ?? null;
    const paid = payments.find(({ kind, state }) => kind === "prepayment" && state === "done");
    return {
      ...rest,
      customer: scope.everyTenant ? customer : "",
      ...(term && { contractTerm: term }),
      plan: { number: planNumber, field, region, day, category, fromKg, toKg },
      weighedGrams: exactSum(weighings.flatMap(({ state, netGrams }) => (state === "confirmed" ? [netGrams] : []))),
      times: {
        planned: planned ?? null,
        paid: paid?.stateAt ?? null,
        confirmed: at("confirmed"),
        loading: at("loading"),
        weighed: at("weighed"),
        settled: at("settled"),
        completed: at("completed"),
        cancelled: at("cancelled"),
      },
      // An order's own sums are its columns; each document is shown to whoever may see its list.
      payments: may(paymentList) ? payments : [],
      invoices: may(invoiceList) ? invoices : [],
      notes: may(noteList) ? notes : [],
      vehicles: vehicles.map((row) => {
        const { disinfection, quarantine } = paperStatesOf(row);
        const { id, number, plate, heads, state, departedAt, arrivedAt } = row;
        const { disinfectionNumber, disinfectionUntil, quarantineNumber, quarantineEnds, dried } = row;
        return {
          id,
          number,
          plate,
          heads,
          state,
          departedAt,
          arrivedAt,
          destination: row.destination,
          flags: flags.filter(({ transit }) => transit === id).map(flagView),
          disinfection: { number: disinfectionNumber, state: disinfection, until: disinfectionUntil, dried },
          quarantine: {
            number: quarantineNumber,
            state: quarantine,
            until: quarantineEnds && shanghaiDay(quarantineEnds.getTime() - 1),
          },
        };
      }),
      weighings: weighings.map((row) => ({ ...row, meanGrams: halfEven(row.netGrams, row.heads) })),
      arrivals,
      ...(passport && { passport: { code: passport.code, version: passport.version, issueTime: passport.issuedAt } }),
      ...(settlement && { settlement }),
    };
  };
  return {
    routes: (router) =>
      router.on(orderView, ({ scope, session, query }) =>
        view(scoped(scope), query.id, (of) => session.permissions.has(permissionOf(of, "view"))),
      ),
  };
}
