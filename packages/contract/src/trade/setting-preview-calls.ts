import { type Static, Type } from "typebox";
import { type Endpoint, permission } from "../endpoint.ts";
import { DateOnly, Empty, Id } from "../scalars.ts";
import { headsVerdicts } from "./setting-preview.ts";
import { headsRange, saleCategories, saleModes } from "./shared.ts";

/** Most past sales of a preview, and how many the screens ask for. */
export const previewedSales = { most: 200, usual: 50 } as const;

const draft = {
  id: Type.Optional({ ...Id, description: "row that is edited; left out for a new one" }),
  saleRegion: Type.String({ pattern: "^[0-9]{0,19}$", description: 'id; "" for all regions' }),
  category: Type.Enum(saleCategories.map(([key]) => key)),
  validFrom: Type.String({ pattern: "^\\d{4}-\\d{2}-\\d{2}$" }),
  status: Type.Enum(["0", "1"] as const, { description: "`0` is out of use" }),
  last: Type.Integer({ minimum: 1, maximum: previewedSales.most, description: "newest past sales that are looked at" }),
};
const sale = { id: Id, number: Type.String(), day: DateOnly, heads: Type.Integer() };
const Fen = Type.Integer({ description: "fen" });
const base = {
  method: "POST",
  owner: "group",
  rate: "read",
  personal: {},
  form: "envelope",
  query: Empty,
} as const;

export const modelPreview = {
  ...base,
  path: "/api/muyuan-trade/sales-model/preview",
  summary:
    "What a sales model as it is typed would have meant for the newest past orders of its regions and category, for bidding the newest past lots.",
  access: permission("sales_model_edit"),
  body: Type.Object({
    ...draft,
    mode: Type.Enum(saleModes.map(([key]) => key)),
    leastHeads: Type.Integer({ minimum: headsRange.min, maximum: headsRange.max }),
    mostHeads: Type.Integer({ minimum: headsRange.min, maximum: headsRange.max }),
    depositFen: Type.Union([Type.Integer({ minimum: 1, maximum: 1_000_000 }), Type.Null()], {
      description: "fen per head",
    }),
  }),
  reply: Type.Object({
    rows: Type.Array(
      Type.Object({
        ...sale,
        depositFen: Type.Integer({ description: "fen; what was asked of each bidder, 0 for none" }),
        verdict: Type.Enum(headsVerdicts),
        wouldBeFen: Type.Integer({ description: "fen; deposit by the draft, 0 where it refuses the sale" }),
      }),
    ),
    accepted: Type.Integer(),
    refused: Type.Integer(),
    depositFen: Fen,
    wouldBeFen: Fen,
  }),
} satisfies Endpoint;
export type ModelPreviewReply = Static<typeof modelPreview.reply>;

export const bandPreview = {
  ...base,
  path: "/api/muyuan-trade/weight-band/preview",
  summary:
    "What a weight band as it is typed, with the other bands of its version, would have meant for the newest settled orders of its regions and category.",
  access: permission("weight_band_edit"),
  body: Type.Object({
    ...draft,
    fromGrams: Type.Integer({ minimum: 0, maximum: 999_999 }),
    toGrams: Type.Integer({ minimum: 1, maximum: 1_000_000 }),
    adjustmentFen: Type.Integer({ minimum: -2000, maximum: 2000, description: "fen per kg" }),
  }),
  reply: Type.Object({
    rows: Type.Array(
      Type.Object({
        ...sale,
        goodsFen: Type.Integer({ description: "fen; as it was settled" }),
        wouldBeFen: Type.Optional(Type.Integer({ description: "fen; left out where a vehicle can't be settled" })),
        differenceFen: Type.Optional(Fen),
        changed: Type.Integer({ description: "vehicles with another adjustment" }),
        unsettled: Type.Integer({ description: "vehicles without exactly one band, or without a price above zero" }),
      }),
    ),
    unsettled: Type.Integer({ description: "orders that count in no sum" }),
    goodsFen: Fen,
    wouldBeFen: Fen,
    differenceFen: Fen,
  }),
} satisfies Endpoint;
export type BandPreviewReply = Static<typeof bandPreview.reply>;
