import type { BidRoom, BodyOf, bidSubmit, ReplyOf } from "@herdwise/contract";
import type { TestApp } from "./app.ts";
import { dayIn, service, type tradeOf } from "./trade.ts";

/** Lots, deposits and bids of three customers. */
export async function biddingOf(app: TestApp, trade: Awaited<ReturnType<typeof tradeOf>>) {
  const { done, post, published, query, tokens } = trade;
  await done(
    post(
      "sales-model/submit",
      {
        modelName: "外三元竞价",
        category: "outer",
        mode: "bidding",
        participants: ["personal", "enterprise"],
        leastHeads: 5,
        mostHeads: 500,
        depositFen: 5000,
        bidStepFen: 5,
        softCloseMinutes: 2,
        validFrom: dayIn(0),
      },
      tokens.admin,
    ),
  );
  // The vet's second customer bids, too.
  await query(
    `insert into membership_roles (membership_id, role_id)
     select m.id, r.id from memberships m join accounts a on a.id = m.account_id join roles r on r.tenant_id = m.tenant_id
      where a.account = 'vet' and m.tenant_id = '100003' and r.role_alias = 'owner' on conflict do nothing`,
  );
  const bidders = { first: tokens.owner, second: tokens.stranger, third: await app.logIn("vet", "100003") };
  let transfers = 0;
  const calls = {
    bidders,

    /** An announced lot of 100 heads at a reserve of 14.00, that is bid for tomorrow. */
    async announced(more: object = {}, planned: object = {}): Promise<string> {
      const plan = await published({ mode: "bidding", pricePerKg: null, heads: 100, ...planned });
      const times = { bidOn: dayIn(1), bidTimes: "09:00-10:00" };
      return done(post("lot/submit", { plan, heads: 100, reservePerKg: 1400, ...times, ...more }, tokens.sales));
    },

    /** Bids are taken for some more seconds. */
    openFor: (lot: string, seconds: number, extensions = 0) =>
      query(
        `update lots set opens_at = now() - interval '1 hour', ends_at = date_trunc('milliseconds', clock_timestamp()) + make_interval(secs => $2), extensions = $3
          where id = $1`,
        [lot, seconds, extensions],
      ),

    /** A deposit that is on its way. */
    deposit: (lot: string, token: string) => done(post("deposit/submit", { lot }, token)),

    recorded: (id: string, version = 1) => {
      transfers += 1;
      const said = { amountFen: 500_000, bankReference: `D${transfers}`, receivedOn: dayIn(0) };
      return post("deposit/record", { id, version, ...said }, tokens.sales);
    },

    /** A held deposit. */
    async deposited(lot: string, token: string): Promise<string> {
      const id = await calls.deposit(lot, token);
      await done(calls.recorded(id));
      await done(post("deposit/confirm", { id, version: 2 }, tokens.admin));
      return id;
    },

    /** A lot with a held deposit of each bidder, open for so many seconds. */
    async running(seconds = 3600): Promise<string> {
      const lot = await calls.announced();
      for (const token of Object.values(bidders)) await calls.deposited(lot, token);
      await calls.openFor(lot, seconds);
      return lot;
    },

    async bid(body: BodyOf<typeof bidSubmit>, token: string, key?: string) {
      const headers = key === undefined ? {} : { "Idempotency-Key": key };
      const answer = await app.call({ method: "POST", path: `${service}/bid/submit`, body, token, headers });
      return { status: answer.status, msg: answer.body.msg, ...(answer.body.data as ReplyOf<typeof bidSubmit>) };
    },

    room: async (lot: string, token: string): Promise<BidRoom> =>
      (await app.get<BidRoom>(`${service}/bid/room?lot=${lot}`, token)).body.data,

    /** The end comes, and the clock looks. */
    async closed(lot: string): Promise<void> {
      await query("update lots set ends_at = now() - interval '1 second' where id = $1", [lot]);
      await app.runJob("lot.clock");
    },

    /** The order of a lot that stands, and whose it is. */
    async orderOf(lot: string): Promise<{ id: string; tenant: string } | undefined> {
      const [order] = await query<{ id: string; tenant: string }>(
        "select id::text, tenant_id as tenant from sale_orders where lot = $1 and state <> 'cancelled'",
        [lot],
      );
      return order;
    },
  };
  return calls;
}
