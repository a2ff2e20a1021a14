import {
  type BodyOf,
  bidLive,
  bidRecord,
  bidRoom,
  bidStrike,
  bidSubmit,
  bidVerify,
  endAfter,
  entriesOf,
  leastBid,
  lotOffers,
  lots,
  rankingOf,
  refusedBid,
  shownNumber,
  timeOf,
} from "@herdwise/contract";
import { askTogether } from "../../ask-together.ts";
import { refuse } from "../../http/errors.ts";
import type { Call } from "../../http/router.ts";
import type { ServerModule } from "../../module.ts";
import { tellBy } from "../../processes/index.ts";
import { resourceRepository, submitKeyOf } from "../../resources/index.ts";
import type { TenantScope } from "../../tenant-scope.ts";
import { auditRepository } from "../audit/index.ts";
import { messageRepository } from "../messages/index.ts";
import { chained, type StoredEntry } from "./bid-chain.ts";
import { bidRecords } from "./bid-record.ts";
import { lotStreams, roomFor, ruledOf, stateOf } from "./bid-room.ts";
import { bidTurns } from "./bid-turns.ts";
import { biddingRepository, type LotRow, rankedOf } from "./bidding.repository.ts";
import { type TradeContext, tradeSystem } from "./context.ts";

/** Where a customer sees a lot. */
const roomLink = (lot: string): string => `${lotOffers.menu.path}?room=${lot}`;

/** Bids for lots: one short transaction on the held row of the lot each, in the order and by the clock of the database. */
export function bidModule({ platform, isAuthenticated, sessionCheck }: TradeContext): ServerModule {
  const { bus, kysely, nextId } = platform;
  const changed = (lot: string): void => bus.publish("lotChanged", { lot });
  const partsOf = (db: typeof kysely) => ({
    bidding: biddingRepository(db),
    keys: resourceRepository(db, lots),
    audit: auditRepository(db),
    tell: tellBy(messageRepository(db), { scope: tradeSystem, kind: "trade", nextId }),
  });
  const inOne = platform.inTransaction(partsOf);
  const { bidding: look, keys: known } = partsOf(kysely);
  const onError = platform.warn("a lot was not read for its live streams");
  const streams = lotStreams({ bus, sessionCheck, look, onError });
  const found = async (id: string): Promise<LotRow> => {
    const lot = await look.lot(tradeSystem, id, false);
    if (lot === undefined) throw refuse("process.not_found");
    return lot;
  };
  const inTurn = bidTurns();
  /** Lots as they are now, and which bids were accepted before, read for all bids that wait. */
  const glance = askTogether(async (bids: readonly { lot: string; accountId: string; key: string | undefined }[]) => {
    const lots = await look.lots(tradeSystem, [...new Set(bids.map(({ lot }) => lot))]);
    // After the lots, so that an accepted bid is not refused for a price that others exceeded since.
    const keys = await known.claimed(
      tradeSystem,
      bids.flatMap(({ accountId, key }) => (key === undefined ? [] : [{ accountId, key }])),
    );
    const accounts = bids.map(({ accountId }) => accountId);
    const members = await look.membersOf(tradeSystem, [...new Set(lots.map(({ tenantId }) => tenantId))], accounts);
    return { lots, keys, members };
  });
  const standing = (lot: LotRow, { tenantId }: TenantScope) => ({
    leads: lot.bestTenant === tenantId,
    ...(lot.bestPerKg !== null && { bestPerKg: lot.bestPerKg }),
    endsAt: lot.endsAt,
    endsMs: lot.endsAt.getTime(),
    extensions: lot.extensions,
  });

  /** @throws {Refusal} 400 while a lot takes no bids */
  const requireOpen = (lot: LotRow) => {
    const ruled = ruledOf(lot);
    const time = lot.state === "announced" || lot.state === "open" ? timeOf(ruled, lot.at.getTime()) : "over";
    if (time !== "open") throw refuse(time === "before" ? "bid.not_open" : "bid.over");
    return ruled;
  };
  /** @throws {Refusal} 400 for a price that a lot as it is does not take */
  const requireTaken = (lot: LotRow, bid: { price: number; limit: number | null }): void => {
    const ruled = requireOpen(lot);
    const refused = refusedBid(ruled, { ...bid, at: lot.at.getTime() });
    if (refused !== undefined)
      throw refuse(`bid.${refused}`, {
        field: refused === "limit_below_bid" ? "limitFenPerKg" : "fenPerKg",
        values: { least: shownNumber(leastBid(ruled), 2) },
      });
  };

  const submit = async ({ scope, body: asked, header, requireSession }: Call<typeof bidSubmit>) => {
    const key = submitKeyOf(header);
    const { accountId, tenantId } = scope;
    const limit = asked.limitFenPerKg ?? null;
    /** Refuses what the lot does not take now without holding it, unless it is an earlier bid that asks for its answer. */
    const lookFirst = async (): Promise<void> => {
      const { lots, keys, members } = await glance({ lot: asked.lot, accountId, key });
      const lot = lots.find(({ id }) => id === asked.lot);
      if (lot === undefined) throw refuse("process.not_found");
      if (members.some((member) => member.accountId === accountId && member.tenantId === lot.tenantId))
        throw refuse("bid.own_group");
      const isNew = !keys.some((used) => used.accountId === accountId && used.key === key);
      if (isNew && asked.fenPerKg !== undefined && lot.bestTenant !== tenantId)
        requireTaken(lot, { price: asked.fenPerKg, limit });
    };
    const enter = async ({ bidding, keys, tell }: ReturnType<typeof partsOf>) => {
      const lot = await bidding.lot(tradeSystem, asked.lot, true);
      if (lot === undefined) throw refuse("process.not_found");
      if (key !== undefined && (await keys.claimKey(scope, key, nextId())) !== undefined) return standing(lot, scope);
      const ruled = requireOpen(lot);
      if ((await bidding.ownDeposit(scope, lot.id)) !== "held") throw refuse("bid.no_deposit");
      if (lot.bestTenant === tenantId || asked.fenPerKg === undefined) {
        if (asked.fenPerKg !== undefined) throw refuse("bid.leading", { field: "fenPerKg" });
        const held = Math.max((await bidding.limit(tradeSystem, lot.id, tenantId))?.fenPerKg ?? 0, lot.bestPerKg ?? 0);
        if (lot.bestTenant !== tenantId) throw refuse("bid.without_price", { field: "fenPerKg" });
        if (limit === null || limit <= held)
          throw refuse("bid.limit_not_raised", { field: "limitFenPerKg", values: { least: shownNumber(held, 2) } });
        await bidding.setLimit(scope, lot.id, limit);
        return standing(lot, scope);
      }
      const bid = { price: asked.fenPerKg, limit };
      requireTaken(lot, bid);
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
      const end = endAfter(ruled, lot.at.getTime());
      await bidding.enter(tradeSystem, lot.id, entries, { best, ...end });
      if (limit !== null) await bidding.setLimit(scope, lot.id, limit);
      if (leader !== null && best?.tenantId !== leader) {
        const account = await bidding.outbid(tradeSystem, lot.id, leader);
        const content = `${lot.number}：¥${shownNumber(best?.fenPerKg ?? 0, 2)}/kg`;
        if (account !== undefined)
          await tell({ to: [account], title: "您的出价被超过了", content, link: roomLink(lot.id) });
      }
      const now = { bestTenant: best?.tenantId ?? null, bestPerKg: best?.fenPerKg ?? null };
      return standing({ ...lot, ...now, endsAt: new Date(end.endsAt), extensions: end.extensions }, scope);
    };
    const after = await inTurn(asked.lot, lookFirst, async () => {
      await requireSession();
      if (!(await isAuthenticated(scope, kysely))) throw refuse("bid.not_authenticated");
      return inOne(enter);
    });
    changed(asked.lot);
    return after;
  };

  const strike = async (scope: TenantScope, { lot: id, seq, reason }: BodyOf<typeof bidStrike>) => {
    const done = await inOne(async ({ bidding, audit, tell }) => {
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
      const content = `${lot.number}：${reason}`;
      await tell({ to: [struck.accountId], title: "您的一次出价被取消了", content, link: roomLink(id) });
      const changes = [
        { field: "struck", before: null, after: String(seq) },
        { field: "reason", before: null, after: reason },
      ];
      const record = { resource: lots.name, rowId: id, rowTitle: lot.number, action: "update" as const, changes };
      await audit.append(lot.tenantId, scope, [record], nextId);
      return { seq: entry.seq };
    });
    changed(id);
    return done;
  };

  const records = bidRecords({ look, found, inOne, nextId });

  return {
    routes(router) {
      router.on(bidSubmit, submit);
      router.on(bidStrike, ({ scope, body }) => strike(scope, body));
      router.on(bidRoom, async ({ scope, query: { lot, after = 0 } }) => roomFor(look, await found(lot), scope, after));
      router.stream(bidLive, async ({ session, query }) => {
        await found(query.lot);
        return (stream) => streams.serve(session, query.lot, stream);
      });
      router.on(bidRecord, ({ scope, query }) => records.record(scope, query.lot));
      router.on(bidVerify, ({ query }) => records.verify(query.lot));
    },
  };
}
