import { type Static, Type } from "typebox";
import { type Endpoint, permission } from "../endpoint.ts";
import { DateOnly, DateTime, Empty, EpochMs, Id } from "../scalars.ts";
import { TransitFlag } from "./transit-track.ts";

const Fen = Type.Integer({ description: "fen" });
const Grams = Type.Integer({ description: "g" });
const FenPerKg = Type.Integer({ description: "fen per kg" });
const Heads = Type.Integer({ minimum: 0, description: "heads" });

/** A line of a settlement as it was computed; see `SettlementLine` for what each number is made of. */
const Line = Type.Object({
  plate: Type.String(),
  grossGrams: Grams,
  tareGrams: Grams,
  netGrams: Grams,
  heads: Heads,
  meanGrams: Grams,
  band: Type.Optional(Type.Object({ fromGrams: Grams, toGrams: Grams, adjustmentFen: FenPerKg })),
  fenPerKg: FenPerKg,
  adjustmentFen: FenPerKg,
  unitFen: FenPerKg,
  deadGrams: Grams,
  shareGrams: Grams,
  paidGrams: Grams,
  goodsFen: Fen,
  fixedFen: Fen,
  amountFen: Fen,
});

/** A certificate of a vehicle. */
const Paper = {
  number: Type.String({ description: '"" for none' }),
  state: Type.Union([Type.Literal("ok"), Type.Literal("missing"), Type.Literal("expired"), Type.Literal("few")], {
    description: "by the database's clock; `few` is for fewer heads than the vehicle loads",
  }),
};

const WeightSource = Type.Union([Type.Literal("hand"), Type.Literal("scale")]);

/** A ticket of a weighbridge as it was sent. */
const Ticket = Type.Object({
  ticket: Type.String(),
  use: Type.Union([Type.Literal("tare"), Type.Literal("gross")]),
  weightGrams: Grams,
  stable: Type.Boolean(),
  weighedMs: EpochMs,
  device: Type.String({ description: 'name of the weighbridge; "" once it was removed' }),
});

/** What a person sees of an order at once: its plan, its money and its weights. */
export const OrderView = Type.Object({
  id: Id,
  number: Type.String(),
  state: Type.String({ description: "of the process sale_order" }),
  customer: Type.String({ description: 'name of the tenant that buys; "" for the customer itself' }),
  heads: Heads,
  pricePerKg: FenPerKg,
  /** Price term that the price is of; left out for other ways of selling. */
  contractTerm: Type.Optional(Type.Object({ id: Id, number: Type.String(), contract: Id })),
  expectedFen: Fen,
  paidFen: Type.Integer({ description: "fen; what arrived without what was paid back" }),
  weighedGrams: Type.Integer({ description: "g; net weight of the confirmed weighings" }),
  dueFen: Type.Integer({
    description:
      "fen; the confirmed settlement with its notes, before it the expected amount, without what was paid and a held deposit; negative where money is paid back",
  }),
  depositFen: Type.Integer({
    description: "fen; the winner's deposit for its lot, which counts as paid once the rest of the prepayment arrives",
  }),
  plan: Type.Object({
    number: Type.String(),
    field: Type.String({ description: "name of the sale field" }),
    region: Type.String({ description: 'name of the sale region of the field; "" for none' }),
    day: DateOnly,
    category: Type.String({ description: "key of saleCategories" }),
    fromKg: Type.Integer({ description: "kg per head, included" }),
    toKg: Type.Integer({ description: "kg per head" }),
  }),
  /** When each step was last taken; "" for one that was not. */
  times: Type.Object({
    planned: DateTime,
    paid: DateTime,
    confirmed: DateTime,
    loading: DateTime,
    weighed: DateTime,
    settled: DateTime,
    completed: DateTime,
    cancelled: DateTime,
  }),
  /** Oldest first, without those that are void; empty for a caller who may not see payments. */
  payments: Type.Array(
    Type.Object({
      id: Id,
      number: Type.String(),
      kind: Type.String({ description: "`prepayment`, `balance` or `refund`" }),
      amountFen: Fen,
      state: Type.String({ description: "of the process payment" }),
      bankReference: Type.String(),
      receivedOn: DateOnly,
    }),
  ),
  /** Oldest first, without those that were withdrawn or sent back; empty for a caller who may not see invoices. */
  invoices: Type.Array(
    Type.Object({
      id: Id,
      number: Type.String(),
      amountFen: Fen,
      state: Type.String({ description: "of the process invoice" }),
      invoiceNumber: Type.String({ description: 'of the tax authority; "" before it is issued' }),
    }),
  ),
  /** Credit and debit notes, oldest first, without those that are void; empty for a caller who may not see notes. */
  notes: Type.Array(
    Type.Object({
      id: Id,
      number: Type.String(),
      kind: Type.String({ description: "`credit` or `debit`" }),
      amountFen: Fen,
      reasons: Type.String(),
      state: Type.String({ description: "of the process note" }),
    }),
  ),
  /** Vehicles in the order of their entry, without those that are cancelled. */
  vehicles: Type.Array(
    Type.Object({
      id: Id,
      number: Type.String(),
      plate: Type.String(),
      heads: Heads,
      state: Type.String({ description: "of the process transit" }),
      disinfection: Type.Object({ ...Paper, until: DateTime, dried: Type.Boolean() }),
      quarantine: Type.Object({ ...Paper, until: DateOnly }),
      departedAt: DateTime,
      arrivedAt: DateTime,
      destination: Type.String({ description: '"" where nobody entered it' }),
      /** Oldest first. */
      flags: Type.Array(TransitFlag),
    }),
  ),
  /** Oldest first, without those that are void. */
  weighings: Type.Array(
    Type.Object({
      id: Id,
      number: Type.String(),
      plate: Type.String(),
      grossGrams: Grams,
      tareGrams: Grams,
      netGrams: Grams,
      heads: Heads,
      meanGrams: Type.Integer({ description: "g per head, rounded as for a settlement" }),
      state: Type.String({ description: "of the process weighing" }),
      source: WeightSource,
      tickets: Type.Array(Ticket),
    }),
  ),
  /** Weights at arrival in the order of their report, without those that were withdrawn. */
  arrivals: Type.Array(
    Type.Object({
      id: Id,
      number: Type.String(),
      plate: Type.String(),
      grossGrams: Grams,
      tareGrams: Grams,
      netGrams: Grams,
      loadingGrams: Type.Integer({ description: "g; net weight at loading that it was compared with" }),
      photo: Type.String({ description: 'name of the picture of the ticket; "" where a weighbridge sent it' }),
      state: Type.String({ description: "of the process arrival_weighing" }),
      source: WeightSource,
      tickets: Type.Array(Ticket),
    }),
  ),
  /** Page about the lot behind a QR code; left out before the loading was weighed, or while it is being issued. */
  passport: Type.Optional(
    Type.Object({
      code: Type.String({ description: "follows `passportPath` in the address of the page" }),
      version: Type.Integer({ minimum: 1 }),
      issueTime: DateTime,
    }),
  ),
  /** The one that is not void; left out where there is none. */
  settlement: Type.Optional(
    Type.Object({
      id: Id,
      number: Type.String(),
      state: Type.String({ description: "of the process settlement" }),
      heads: Heads,
      netGrams: Grams,
      goodsFen: Type.Integer({ description: "fen; sum of the lines' amounts" }),
      deductionFen: Fen,
      deductionReason: Type.String(),
      taxFen: Fen,
      totalFen: Fen,
      paidFen: Type.Integer({ description: "fen; paid when it was computed" }),
      leftFen: Type.Integer({ description: "fen; total without what was paid, negative where money is paid back" }),
      lines: Type.Array(Line),
    }),
  ),
});
export type OrderView = Static<typeof OrderView>;

export const orderView = {
  method: "GET",
  path: "/api/muyuan-trade/order/view",
  summary:
    "An order with its plan, payments, vehicles, weighings and the settlement with its arithmetic; another tenant's is a 404.",
  access: permission("sale_order_view"),
  owner: "tenants",
  rate: "read",
  personal: {},
  form: "envelope",
  query: Type.Object({ id: Id }),
  body: Empty,
  reply: OrderView,
} satisfies Endpoint;
