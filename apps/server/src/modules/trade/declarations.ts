import {
  declarationProcess,
  declarations,
  declarationTerms,
  freeHeads,
  judgeTerms,
  termPrice,
} from "@herdwise/contract";
import { shanghaiMidnight } from "@herdwise/contract/shanghai";
import type { FastifyInstance } from "fastify";
import { type Refusal, refuse } from "../../http/errors.ts";
import type { Router } from "../../http/router.ts";
import { processModule, type RowOf } from "../../processes/index.ts";
import type { DatabaseHandle } from "../../resources/index.ts";
import type { SystemScope, TenantScope } from "../../tenant-scope.ts";
import { modelOn } from "../trade-settings/index.ts";
import { customerLink, type TradeContext, tradeSystem } from "./context.ts";
import { contractPrice, offerRefusal, termRefusal, wishOf } from "./contract-prices.ts";
import { herdRefusal } from "./herd.ts";
import type { OrderModule } from "./orders.ts";
import { mayTakePart, tradeRepository } from "./trade.repository.ts";

type DeclarationRow = RowOf<
  typeof declarationProcess,
  {
    number: string;
    plan: string;
    heads: number;
    pricePerKg: number | null;
    contractTerm: string | null;
    plate: string;
    note: string;
  }
>;

/** Declarations of customers: heads are taken from the plan, and the order opened, in the step that accepts. */
export function declarationModule(context: TradeContext, orders: OrderModule) {
  const { isAuthenticated, deskOf } = context;
  const partsOf = (db: DatabaseHandle) => ({ db, trade: tradeRepository(db), openOrder: orders.openIn(db).declared });
  type Parts = ReturnType<typeof partsOf>;
  const take = async ({ row, parts, by }: { row: DeclarationRow; parts: Parts; by: TenantScope | SystemScope }) => {
    await parts.openOrder(by, row);
    return {};
  };
  /** Why a declaration can't be accepted as it stands. */
  const short = async (row: DeclarationRow, { trade }: Parts): Promise<Refusal | undefined> => {
    const { plan, heads } = row;
    const offer = await trade.offer(tradeSystem, plan);
    if (offer === undefined) return refuse("declaration.plan_over");
    if (offer.headsLeft < heads) return refuse("declaration.too_many", { values: { left: offer.headsLeft } });
    return (await termRefusal(trade, row, offer)) ?? (await herdRefusal(trade, plan));
  };
  const module = processModule(context, declarationProcess, declarations, {
    parts: partsOf,
    partyOf: (row: DeclarationRow, by) => (by.tenantId === row.tenantId ? "customer" : "desk"),
    async begin({ asks, parts, by }) {
      if (!(await isAuthenticated(by, parts.db))) throw refuse("declaration.not_authenticated");
      const offer = await parts.trade.offer(tradeSystem, String(asks.plan));
      if (offer === undefined || offer.mode === "bidding") throw refuse("declaration.plan_over", { field: "plan" });
      if (offer.headsLeft < Number(asks.heads))
        throw refuse("declaration.too_many", { field: "heads", values: { left: offer.headsLeft } });
      const { region, category, mode, day } = offer;
      const model = await modelOn(parts.db, region, category, mode, day);
      if (model === undefined) throw refuse("declaration.plan_over", { field: "plan" });
      const { leastHeads: least, mostHeads: most } = model;
      // The rest of a plan may be less than the least number.
      if (Number(asks.heads) > most || Number(asks.heads) < Math.min(least, offer.headsLeft))
        throw refuse("declaration.heads", { field: "heads", values: { least, most } });
      if (!(await mayTakePart(parts.trade, by, model.participants, day)))
        throw refuse("declaration.not_for_you", { field: "plan" });
      const price =
        mode === "contract"
          ? await contractPrice(parts.trade, by.tenantId, offer, Number(asks.heads))
          : { pricePerKg: offer.pricePerKg };
      // A wish for the same day stands until the day is over.
      const dayBegins = shanghaiMidnight(offer.day);
      const expiresAt = dayBegins > context.platform.now() ? new Date(dayBegins) : offer.endsAt;
      return { ...price, expiresAt };
    },
    guards: { accept: short, agree: short },
    on: {
      accept: take,
      agree: take,
      async offer({ row, asks, columns, parts }) {
        const { trade } = parts;
        const offer = row.contractTerm === null ? undefined : await trade.offer(tradeSystem, row.plan);
        const refusal =
          offer &&
          (offerRefusal(row.pricePerKg, Number(asks.pricePerKg)) ??
            (await termRefusal(trade, row, offer, Number(asks.heads))));
        if (refusal) throw refusal;
        return columns;
      },
    },
    receivers: {
      customer: { of: ({ createdBy }) => [createdBy], link: customerLink(declarations.customerMenu?.path) },
      desk: { of: (_row, { db }) => deskOf("declaration_edit", db) },
    },
    links: ({ plan }) => [["sale_plan", plan]],
    begun: { title: "客户申报购猪", to: "desk", content: ({ number, heads }) => `${number}：${heads} 头` },
    messages: "trade",
  });
  const look = tradeRepository(context.platform.kysely);
  return {
    ...module,
    routes(router: Router, http: FastifyInstance) {
      module.routes?.(router, http);
      router.on(declarationTerms, async ({ scope, query }) => {
        const offer = await look.offer(tradeSystem, query.plan);
        if (offer?.mode !== "contract") return { byContract: false, terms: [] };
        const [held, boardFen] = await Promise.all([
          look.termsOf(tradeSystem, scope.tenantId),
          look.boardFen(tradeSystem, offer.id),
        ]);
        return {
          byContract: true,
          terms: held.map((term) => {
            const judged = judgeTerms(wishOf(offer, 1), [term]);
            const fenPerKg = "term" in judged ? termPrice(term, boardFen) : undefined;
            const { ended: _ended, used, waiting: _waiting, ...said } = term;
            return {
              ...said,
              leftHeads: Math.max(term.heads - used, 0),
              freeHeads: freeHeads(term),
              ...(fenPerKg !== undefined && { fenPerKg }),
              ...("refusal" in judged && { refusal: judged.refusal }),
            };
          }),
        };
      });
    },
  };
}
