import { type Static, Type } from "typebox";
import { type Endpoint, permission } from "../endpoint.ts";
import { type PriceBreed, priceBreeds } from "../prices.ts";
import { DateOnly, Empty, Id } from "../scalars.ts";
import { sellDaysAhead } from "./sell-days.ts";

const Grams = Type.Integer({ minimum: 0, description: "g" });
const Fen = Type.Integer({ description: "fen" });
const Breed = Type.Enum(priceBreeds.map(([breed]): PriceBreed => breed));

export const sellDaysDetail = {
  method: "GET",
  path: "/api/muyuan-trade/sell-days/detail",
  summary:
    "What the best days to sell a unit are worked out from: weight and growth, usual feed costs, prices of the farm's province with their spread, weight bands, withdrawal period, and loading slots of the group's own fields.",
  access: permission("sell_days_view"),
  owner: "tenants",
  rate: "read",
  personal: {},
  form: "envelope",
  query: Type.Object({ unitId: Id, breed: Type.Optional(Breed) }),
  body: Empty,
  reply: Type.Object({
    unit: Type.Object({
      id: Id,
      name: Type.String(),
      houseName: Type.String(),
      farmName: Type.String(),
      heads: Type.Integer({ minimum: 1 }),
    }),
    today: Type.String({ description: "yyyy-MM-dd in Asia/Shanghai; day 0" }),
    ageDays: Type.Optional(
      Type.Integer({ description: "by the arrival of the batch; left out where it is not known" }),
    ),
    weightGrams: Grams,
    weightFrom: Type.Enum(["archive", "age"] as const, {
      description: "`archive`: mean weight in the unit's archive; `age`: usual weight at the age of the batch",
    }),
    gains: Type.Array(Grams, {
      description: `g of each of the next ${sellDaysAhead} days, by the usual growth at this age, scaled to the weight`,
    }),
    feed: Type.Object(
      {
        nowThousandths: Type.Integer({ description: "g of feed per kg of gain at this weight" }),
        heavyThousandths: Type.Integer({ description: "the same at 120 kg" }),
        fenPerKg: Fen,
      },
      { description: "usual values, not measured at the farm" },
    ),
    otherFenPerDay: Type.Integer({ description: "fen per head and day beside feed; a usual value" }),
    price: Type.Object({
      regionCode: Type.String({ description: "province of the farm, two digits" }),
      breed: Breed,
      day: Type.String({ description: "yyyy-MM-dd of the newest published price" }),
      fen: Fen,
      changeFen: Type.Integer({ description: "how far it moved in the last `spanDays`" }),
      spanDays: Type.Integer({ minimum: 1 }),
      bandFen: Type.Optional(
        Type.Integer({
          description:
            "80 % of the moves over 14 days within the last year were no larger; left out where too few prices are published",
        }),
      ),
      pairs: Type.Integer({ minimum: 0, description: "moves that `bandFen` is of" }),
    }),
    bands: Type.Array(
      Type.Object({
        from: Type.String({ description: "yyyy-MM-dd; holds until the next one" }),
        bands: Type.Array(Type.Object({ fromGrams: Grams, toGrams: Grams, adjustmentFen: Fen })),
      }),
    ),
    withdrawal: Type.Optional(
      Type.Object(
        { medicine: Type.String(), given: DateOnly, until: DateOnly },
        {
          description:
            "last withdrawal period of the unit that has not ended; sold no earlier than the day after `until`",
        },
      ),
    ),
    field: Type.Optional(
      Type.Object(
        {
          id: Id,
          days: Type.Array(
            Type.Object({
              day: DateOnly,
              capacity: Type.Integer({ minimum: 0, description: "vehicles that the day's slots take" }),
              taken: Type.Integer({ minimum: 0, description: "vehicles that plans of the day need" }),
            }),
          ),
        },
        { description: "the group's field that is this farm; left out for farms of customers" },
      ),
    ),
  }),
} satisfies Endpoint;
export type SellDaysDetail = Static<typeof sellDaysDetail.reply>;
