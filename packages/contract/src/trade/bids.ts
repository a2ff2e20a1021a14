import { type Static, Type } from "typebox";
import { type Endpoint, permission } from "../endpoint.ts";
import { permissionOf } from "../resource/index.ts";
import { DateTime, Empty, Id } from "../scalars.ts";
import { deposits } from "./deposits.ts";
import { lots } from "./lots.ts";
import { agreedPriceRange } from "./shared.ts";

const base = "/api/muyuan-trade/bid";
const Price = Type.Integer({ minimum: agreedPriceRange.min, maximum: agreedPriceRange.max, description: "fen per kg" });
const ShownPrice = Type.Integer({ description: "fen per kg" });
const Ms = Type.Integer({ description: "ms since 1970" });
const Seq = Type.Integer({ minimum: 1, description: "number of an entry of the lot's record, from 1" });
const ofLot = Type.Object({ lot: Id });
const reading = {
  access: permission(permissionOf(deposits, "view")),
  owner: "tenants",
  rate: "read",
  personal: {},
  form: "envelope",
  method: "GET",
  body: Empty,
} as const;

export const bidSubmit = {
  access: permission(permissionOf(deposits, "edit")),
  owner: "tenant",
  rate: "write",
  admittedByKeptSession: true,
  personal: {},
  form: "envelope",
  method: "POST",
  path: `${base}/submit`,
  summary:
    "Bids for a lot, by the database's order and clock; needs a held deposit. Sent again with the same Idempotency-Key, it bids once.",
  query: Empty,
  body: Type.Object({
    lot: Id,
    /** Left out by whoever leads and raises the secret limit alone. */
    fenPerKg: Type.Optional(Price),
    /** Secret highest bid, up to which the lot bids by the step. */
    limitFenPerKg: Type.Optional(Price),
  }),
  reply: Type.Object({
    leads: Type.Boolean({ description: "the caller has the best bid" }),
    bestPerKg: Type.Optional(ShownPrice),
    endsAt: DateTime,
    endsMs: Ms,
    extensions: Type.Integer(),
  }),
} satisfies Endpoint;

export const bidStrike = {
  ...reading,
  access: permission(permissionOf(lots, "edit")),
  owner: "group",
  rate: "write",
  method: "POST",
  path: `${base}/strike`,
  summary: "Strikes a bid before the close, for a reason that everybody is shown; the entry stays in the record.",
  query: Empty,
  body: Type.Object({ lot: Id, seq: Seq, reason: Type.String({ minLength: 2, maxLength: 200 }) }),
  reply: Type.Object({ seq: Seq }),
} satisfies Endpoint;

/** Most entries of a record that a look at the lot has. */
export const mostRecent = 100;

/** What everybody in the room of a lot sees alike: nobody's name, for nobody. */
const shared = {
  lot: Id,
  number: Type.String(),
  state: Type.Enum(Object.keys(lots.process.states), {
    description: "by the lot's moments, also before the clock's step",
  }),
  heads: Type.Integer(),
  reservePerKg: ShownPrice,
  stepFen: ShownPrice,
  /** Absent before the first bid. */
  bestPerKg: Type.Optional(ShownPrice),
  leastPerKg: Type.Integer({ description: "fen per kg that the next bid must reach" }),
  opensMs: Ms,
  endsMs: Ms,
  serverMs: Type.Integer({ description: "the database's clock, ms since 1970" }),
  extensions: Type.Integer(),
  softCloseMinutes: Type.Integer(),
  /** Best first. */
  ranking: Type.Array(
    Type.Object({
      bidder: Type.Integer({ description: "stands for the name, numbered by the first bid" }),
      fenPerKg: ShownPrice,
    }),
  ),
  struck: Type.Array(
    Type.Object({ seq: Seq, bidder: Type.Integer(), fenPerKg: ShownPrice, reason: Type.String(), atMs: Ms }),
  ),
  lastSeq: Type.Integer({ description: "number of the newest entry; 0 without one" }),
  /** The newest entries in order; where they don't follow on what is known, the room is asked for those between. */
  entries: Type.Array(
    Type.Object({
      seq: Seq,
      bidder: Type.Integer({ description: "0 for a strike" }),
      /** Absent for a strike. */
      fenPerKg: Type.Optional(ShownPrice),
      proxy: Type.Boolean({ description: "entered by the bidder's secret limit" }),
      /** The struck entry; absent for a bid. */
      strikes: Type.Optional(Seq),
      atMs: Ms,
    }),
  ),
} as const;

/** An event of a lot's stream, the same for everybody. */
export const BidChange = Type.Object(shared);
export type BidChange = Static<typeof BidChange>;

export const BidRoom = Type.Object({
  ...shared,
  opensAt: DateTime,
  endsAt: DateTime,
  plannedEndMs: Type.Integer({ description: "end as announced, ms since 1970" }),
  depositFen: Type.Integer({ description: "fen, for all heads" }),
  fromKg: Type.Integer(),
  toKg: Type.Integer(),
  fieldName: Type.String(),
  category: Type.String(),
  day: Type.String({ description: "loading day, YYYY-MM-DD" }),
  own: Type.Object({
    deposit: Type.String({ description: 'state of the own deposit; "" for none' }),
    place: Type.Integer({ description: "0 without a bid" }),
    bidder: Type.Integer({ description: "own number in the ranking; 0 without a bid" }),
    pricePerKg: Type.Optional(ShownPrice),
    limitPerKg: Type.Optional(ShownPrice),
    /** When the deposit must have been paid back; absent while it stands. */
    returnBy: Type.Optional(DateTime),
    /** The newest order that the caller got from this lot. */
    order: Type.Optional(
      Type.Object({
        id: Id,
        number: Type.String(),
        state: Type.String(),
        payBy: DateTime,
        prepaymentFen: Type.Integer({ description: "fen, less the deposit that stands for it; 0 for none" }),
      }),
    ),
  }),
});
export type BidRoom = Static<typeof BidRoom>;

export const bidRoom = {
  ...reading,
  path: `${base}/room`,
  summary:
    "A lot with its best price, the ranking with bidders hidden, the own place and the end that holds, and up to 100 entries behind `after`.",
  query: Type.Object({
    lot: Id,
    after: Type.Optional(Type.Integer({ minimum: 0, description: "number of the newest entry that is known" })),
  }),
  reply: BidRoom,
} satisfies Endpoint;

export const bidLive = {
  ...reading,
  rate: "stream",
  form: "stream",
  path: `${base}/live`,
  summary:
    "Server-sent events `lot`: the lot as it is, then each change, several within 40 ms as one. The same for everybody, without names.",
  query: ofLot,
  reply: BidChange,
} satisfies Endpoint;

/** All bids of a closed lot in order, so that anybody can work out the hashes again; see docs/trade.md. */
export const BidRecord = Type.Object({
  lot: Id,
  number: Type.String(),
  /** For the group's staff, the best first; empty for customers. */
  bidders: Type.Array(
    Type.Object({
      bidder: Type.Integer(),
      tenantName: Type.String(),
      /** Absent where every bid was struck. */
      fenPerKg: Type.Optional(ShownPrice),
      deposit: Type.String({ description: "state of the deposit" }),
      depositId: Id,
      order: Type.String({ description: 'state of the order of this lot; "" for none' }),
      orderId: Type.String({ description: '"" for none' }),
    }),
  ),
  entries: Type.Array(
    Type.Object({
      seq: Seq,
      bidder: Type.Integer({ description: "0 for a strike" }),
      tenantName: Type.String({ description: 'for the group\'s staff; "" for customers' }),
      who: Type.String({ description: "hex; stands for tenant and account in the hash" }),
      /** Absent for a strike. */
      fenPerKg: Type.Optional(ShownPrice),
      proxy: Type.Boolean({ description: "entered by the bidder's secret limit" }),
      /** The struck entry; absent for a bid. */
      strikes: Type.Optional(Seq),
      reason: Type.String(),
      at: Type.String({ description: "ISO 8601 with ms, UTC" }),
      previousHash: Type.String(),
      hash: Type.String(),
    }),
  ),
});

export type BidRecord = Static<typeof BidRecord>;

export const bidRecord = {
  ...reading,
  path: `${base}/record`,
  summary:
    "The bids of a closed lot in order with their hashes; the group's staff see names, and that they did is audited.",
  query: ofLot,
  reply: BidRecord,
} satisfies Endpoint;

export const bidVerify = {
  ...reading,
  path: `${base}/verify`,
  summary: "Works the hashes of a lot's record out again, and says which entry was altered.",
  query: ofLot,
  reply: Type.Object({
    whole: Type.Boolean(),
    entries: Type.Integer(),
    /** The first entry that is not as it was written, or is missing; absent where the record is whole. */
    altered: Type.Optional(Seq),
    lastHash: Type.String(),
  }),
} satisfies Endpoint;
