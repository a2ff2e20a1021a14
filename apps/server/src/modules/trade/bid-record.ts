import { biddersOf, lots } from "@herdwise/contract";
import { refuse } from "../../http/errors.ts";
import type { TenantScope } from "../../tenant-scope.ts";
import type { auditRepository } from "../audit/index.ts";
import { alteredIn } from "./bid-chain.ts";
import { stateOf } from "./bid-room.ts";
import { type biddingRepository, type LotRow, rankedOf } from "./bidding.repository.ts";
import { tradeSystem } from "./context.ts";

interface Records {
  look: ReturnType<typeof biddingRepository>;
  /** @throws {Refusal} 404 without the lot */
  found: (lot: string) => Promise<LotRow>;
  inOne: <Result>(work: (parts: { audit: ReturnType<typeof auditRepository> }) => Promise<Result>) => Promise<Result>;
  nextId: () => string;
}

/** Records of closed lots: with names for staff, whose look is audited, and checked for anybody. */
export function bidRecords({ look, found, inOne, nextId }: Records) {
  return {
    async record(scope: TenantScope, id: string) {
      const lot = await found(id);
      if (["announced", "open"].includes(stateOf(lot))) throw refuse("bid.not_over");
      const entries = await look.entries(tradeSystem, id);
      const bidders = biddersOf(entries.map(rankedOf));
      const shown = { field: "bidders", before: null, after: "shown" };
      const seen = { resource: lots.name, rowId: id, rowTitle: lot.number, action: "view" as const, changes: [shown] };
      if (scope.everyTenant) await inOne(({ audit }) => audit.append(lot.tenantId, scope, [seen], nextId));
      const outcomes = scope.everyTenant ? await look.outcomes(tradeSystem, id) : [];
      return {
        lot: id,
        number: lot.number,
        bidders: outcomes.map(({ fenPerKg, ...one }) => ({ ...one, ...(fenPerKg !== null && { fenPerKg }) })),
        entries: entries.map(({ seq, tenantId, tenantName, who, fenPerKg, proxy, strikes, reason, at, ...hashes }) => ({
          seq,
          bidder: fenPerKg === null ? 0 : (bidders.get(tenantId) ?? 0),
          tenantName: scope.everyTenant ? tenantName : "",
          who,
          ...(fenPerKg !== null && { fenPerKg }),
          proxy,
          ...(strikes !== null && { strikes }),
          reason,
          at: at.toISOString(),
          previousHash: hashes.previousHash,
          hash: hashes.hash,
        })),
      };
    },

    async verify(id: string) {
      const lot = await found(id);
      const altered = alteredIn(await look.entries(tradeSystem, id), lot);
      const { entries, lastHash } = lot;
      return { whole: altered === undefined, entries, ...(altered !== undefined && { altered }), lastHash };
    },
  };
}
