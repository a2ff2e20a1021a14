import {
  type BidRoom,
  type BodyOf,
  biddersOf,
  bidRecord,
  bidRoom,
  bidStrike,
  bidSubmit,
  bidVerify,
  endAfter,
  entriesOf,
  type LotAt,
  leastBid,
  lotOffers,
  lots,
  rankingOf,
  refusedBid,
  shownNumber,
  timeOf,
} from "@herdwise/contract";
import { refuse } from "../../http/errors.ts";
import type { ServerModule } from "../../module.ts";
import { tellBy } from "../../processes/index.ts";
import { resourceRepository, submitKeyOf } from "../../resources/index.ts";
import type { TenantScope } from "../../tenant-scope.ts";
import { auditRepository } from "../audit/index.ts";
import { messageRepository } from "../messages/index.ts";
import { alteredIn, chained, type StoredEntry } from "./bid-chain.ts";
import { biddingRepository, type LotRow, rankedOf } from "./bidding.repository.ts";
import { customerLink, type TradeContext, tradeSystem } from "./context.ts";

/** A lot as the rules see it. */
const ruledOf = (lot: LotRow): LotAt => ({
  opensAt: lot.opensAt.getTime(),
  endsAt: lot.endsAt.getTime(),
  reserve: lot.reservePerKg,
  step: lot.stepFen,
  best: lot.bestPerKg,
  softCloseMinutes: lot.softCloseMinutes,
  extensions: lot.extensions,
});

/** The state by the moments, which hold also before the clock has taken its step. */
function stateOf(lot: LotRow): BidRoom["state"] {
  if (lot.state !== "announced" && lot.state !== "open") return lot.state;
  return { before: "announced", open: "open", over: "frozen" }[timeOf(ruledOf(lot), lot.at.getTime())];
}

/** Bids for lots: one short transaction on the held row of the lot each, in the order and by the clock of the database. */
export function bidModule({ platform, isAuthenticated }: TradeContext): ServerModule {
  const { kysely, nextId } = platform;
  const partsOf = (db: typeof kysely) => ({
    bidding: biddingRepository(db),
    keys: resourceRepository(db, lots),
    audit: auditRepository(db),
    tell: tellBy(messageRepository(db), { scope: tradeSystem, kind: "trade", nextId }),
  });
  const inOne = platform.inTransaction(partsOf);
  const look = partsOf(kysely).bidding;
  const found = async (id: string): Promise<LotRow> => {
    const lot = await look.lot(tradeSystem, id, false);
    if (lot === undefined) throw refuse("process.not_found");
    return lot;
  };
  const standing = (lot: LotRow, { tenantId }: TenantScope) => ({
    leads: lot.bestTenant === tenantId,
    ...(lot.bestPerKg !== null && { bestPerKg: lot.bestPerKg }),
    endsAt: lot.endsAt,
    endsMs: lot.endsAt.getTime(),
    extensions: lot.extensions,
  });

  const submit = async (scope: TenantScope, asked: BodyOf<typeof bidSubmit>, key: string | undefined) => {
    const { tenantId: seller } = await found(asked.lot);
    if (await look.isMember(scope, seller)) throw refuse("bid.own_group");
    if (!(await isAuthenticated(scope, kysely))) throw refuse("bid.not_authenticated");
    return inOne(async ({ bidding, keys }) => {
      const lot = await bidding.lot(tradeSystem, asked.lot, true);
      if (lot === undefined) throw refuse("process.not_found");
      if (key !== undefined && (await keys.claimKey(scope, key, nextId())) !== undefined) return standing(lot, scope);
      const { tenantId, accountId } = scope;
      const at = lot.at.getTime();
      const ruled = ruledOf(lot);
      const time = lot.state === "announced" || lot.state === "open" ? timeOf(ruled, at) : "over";
      if (time !== "open") throw refuse(time === "before" ? "bid.not_open" : "bid.over");
      if ((await bidding.ownDeposit(scope, lot.id)) !== "held") throw refuse("bid.no_deposit");
      const limit = asked.limitFenPerKg ?? null;
      if (lot.bestTenant === tenantId || asked.fenPerKg === undefined) {
        if (asked.fenPerKg !== undefined) throw refuse("bid.leading", { field: "fenPerKg" });
        const held = Math.max((await bidding.limit(tradeSystem, lot.id, tenantId))?.fenPerKg ?? 0, lot.bestPerKg ?? 0);
        if (lot.bestTenant !== tenantId) throw refuse("bid.without_price", { field: "fenPerKg" });
        if (limit === null || limit <= held)
          throw refuse("bid.limit_not_raised", { field: "limitFenPerKg", values: { least: shownNumber(held, 2) } });
        await bidding.setLimit(scope, lot.id, limit);
        return standing(lot, scope);
      }
      const bid = { price: asked.fenPerKg, limit, at };
      const refused = refusedBid(ruled, bid);
      if (refused !== undefined)
        throw refuse(`bid.${refused}`, {
          field: refused === "limit_below_bid" ? "limitFenPerKg" : "fenPerKg",
          values: { least: shownNumber(leastBid(ruled), 2) },
        });
      const leader = lot.bestTenant;
      const answering = leader === null ? undefined : await bidding.limit(tradeSystem, lot.id, leader);
      const people = {
        challenger: { tenantId, accountId },
        leader: { tenantId: leader ?? "", accountId: answering?.accountId ?? "" },
      };
      const entries: StoredEntry[] = [];
      for (const { by, price, proxy } of entriesOf(bid, answering?.fenPerKg ?? null, lot.stepFen))
        entries.push(
          chained(
            {
              ...people[by],
              id: nextId(),
              lot: lot.id,
              seq: lot.entries + entries.length + 1,
              fenPerKg: price,
              proxy,
              strikes: null,
              reason: "",
              at: lot.at,
            },
            entries.at(-1)?.hash ?? lot.lastHash,
          ),
        );
      const last = entries.at(-1);
      const best = last && { tenantId: last.tenantId, accountId: last.accountId, fenPerKg: last.fenPerKg ?? 0 };
      const end = endAfter(ruled, at);
      await bidding.enter(tradeSystem, lot.id, entries, { best, ...end });
      if (limit !== null) await bidding.setLimit(scope, lot.id, limit);
      const now = { bestTenant: best?.tenantId ?? null, bestPerKg: best?.fenPerKg ?? null };
      return standing({ ...lot, ...now, endsAt: new Date(end.endsAt), extensions: end.extensions }, scope);
    });
  };

  const strike = (scope: TenantScope, { lot: id, seq, reason }: BodyOf<typeof bidStrike>) =>
    inOne(async ({ bidding, audit, tell }) => {
      const lot = await bidding.lot(tradeSystem, id, true);
      if (lot === undefined) throw refuse("process.not_found");
      if (stateOf(lot) !== "open") throw refuse("bid.over");
      const entries = await bidding.entries(tradeSystem, id);
      const struck = entries.find((entry) => entry.seq === seq && entry.fenPerKg !== null);
      if (struck === undefined || entries.some(({ strikes }) => strikes === seq)) throw refuse("bid.not_there");
      const { tenantId, accountId } = scope;
      const own = { id: nextId(), lot: id, seq: lot.entries + 1, tenantId, accountId };
      const entry = chained({ ...own, fenPerKg: null, proxy: false, strikes: seq, reason, at: lot.at }, lot.lastHash);
      const [top] = rankingOf([...entries, entry].map(rankedOf));
      const best = entries.find((one) => one.seq === top?.seq);
      await bidding.enter(tradeSystem, id, [entry], {
        best: best && { tenantId: best.tenantId, accountId: best.accountId, fenPerKg: best.fenPerKg ?? 0 },
        endsAt: lot.endsAt.getTime(),
        extensions: lot.extensions,
      });
      await bidding.dropLimit(tradeSystem, id, struck.tenantId);
      const link = customerLink(lotOffers.menu.path)({ id });
      await tell({ to: [struck.accountId], title: "您的一次出价被取消了", content: `${lot.number}：${reason}`, link });
      const changes = [
        { field: "struck", before: null, after: String(seq) },
        { field: "reason", before: null, after: reason },
      ];
      const record = { resource: lots.name, rowId: id, rowTitle: lot.number, action: "update" as const, changes };
      await audit.append(lot.tenantId, scope, [record], nextId);
      return { seq: entry.seq };
    });

  const room = async (scope: TenantScope, id: string) => {
    const lot = await found(id);
    const entries = await look.entries(tradeSystem, id);
    const ranked = entries.map(rankedOf);
    const ranking = rankingOf(ranked);
    const place = ranking.findIndex(({ who }) => who === scope.tenantId);
    const bidders = biddersOf(ranked);
    const limit = await look.limit(tradeSystem, id, scope.tenantId);
    return {
      lot: id,
      number: lot.number,
      state: stateOf(lot),
      heads: lot.heads,
      reservePerKg: lot.reservePerKg,
      stepFen: lot.stepFen,
      ...(lot.bestPerKg !== null && { bestPerKg: lot.bestPerKg }),
      leastPerKg: leastBid(ruledOf(lot)),
      opensAt: lot.opensAt,
      endsAt: lot.endsAt,
      opensMs: lot.opensAt.getTime(),
      endsMs: lot.endsAt.getTime(),
      serverMs: lot.at.getTime(),
      extensions: lot.extensions,
      softCloseMinutes: lot.softCloseMinutes,
      own: {
        deposit: await look.ownDeposit(scope, id),
        place: place + 1,
        bidder: bidders.get(scope.tenantId) ?? 0,
        ...(ranking[place] && { pricePerKg: ranking[place].price }),
        ...(limit && { limitPerKg: limit.fenPerKg }),
      },
      ranking: ranking.map(({ bidder, price, who }) => ({ bidder, fenPerKg: price, own: who === scope.tenantId })),
      struck: entries.flatMap(({ strikes, reason, at }) => {
        const bid = entries.find(({ seq }) => seq === strikes);
        if (bid === undefined) return [];
        return [{ seq: bid.seq, bidder: bidders.get(bid.tenantId) ?? 0, fenPerKg: bid.fenPerKg ?? 0, reason, at }];
      }),
    };
  };

  const record = async (scope: TenantScope, id: string) => {
    const lot = await found(id);
    if (["announced", "open"].includes(stateOf(lot))) throw refuse("bid.not_over");
    const entries = await look.entries(tradeSystem, id);
    const bidders = biddersOf(entries.map(rankedOf));
    if (scope.everyTenant)
      await inOne(({ audit }) =>
        audit.append(
          lot.tenantId,
          scope,
          [
            {
              resource: lots.name,
              rowId: id,
              rowTitle: lot.number,
              action: "view",
              changes: [{ field: "bidders", before: null, after: "shown" }],
            },
          ],
          nextId,
        ),
      );
    return {
      lot: id,
      number: lot.number,
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
  };

  const verify = async (id: string) => {
    const lot = await found(id);
    const altered = alteredIn(await look.entries(tradeSystem, id), lot);
    const { entries, lastHash } = lot;
    return { whole: altered === undefined, entries, ...(altered !== undefined && { altered }), lastHash };
  };

  return {
    routes(router) {
      router.on(bidSubmit, ({ scope, body, header }) => submit(scope, body, submitKeyOf(header)));
      router.on(bidStrike, ({ scope, body }) => strike(scope, body));
      router.on(bidRoom, ({ scope, query }) => room(scope, query.lot));
      router.on(bidRecord, ({ scope, query }) => record(scope, query.lot));
      router.on(bidVerify, ({ query }) => verify(query.lot));
    },
  };
}
