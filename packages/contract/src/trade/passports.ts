import { type Static, Type } from "typebox";
import { type Endpoint, publicAccess } from "../endpoint.ts";
import { DateTime, Empty } from "../scalars.ts";

/** Where the public page of a passport stands; its code follows. */
export const passportPath = "/passport";

const Moment = Type.Optional(Type.Integer({ description: "ms since 1970; left out where it did not happen" }));
const Day = Type.Optional(Type.String({ description: "yyyy-MM-dd in Asia/Shanghai; left out for none" }));
const Heads = Type.Integer({ minimum: 0, description: "heads" });
const Grams = Type.Integer({ minimum: 0, description: "g" });
const Hours = Type.Integer({ minimum: 0, description: "hours" });

/** What the climate of a passport is told of, by the keys of the environment controller. */
export const passportClimate = ["t_in", "nh3", "rh", "water"] as const;

/**
 * What a passport says and what is signed: a loaded lot from its unit to the slaughterhouse. No person is named, no price is told, and the
 * climate is shares of hours, never readings (decisions.md 15).
 */
export const PassportBody = Type.Object({
  format: Type.Literal(1),
  code: Type.String(),
  version: Type.Integer({ minimum: 1 }),
  lot: Type.String({ description: "number of the order" }),
  issuedMs: Type.Integer({ description: "ms since 1970" }),
  field: Type.String(),
  region: Type.String({ description: 'province, city and county of the field; "" for none' }),
  unit: Type.String({ description: 'house and unit; "" where the plan named none' }),
  category: Type.String({ description: "key of saleCategories" }),
  loadedOn: Type.String({ description: "yyyy-MM-dd, loading day" }),
  heads: Heads,
  netGrams: Grams,
  meanGrams: Type.Integer({ description: "g per head, rounded as for a settlement" }),
  ageDays: Type.Optional(Type.Integer({ description: "on the loading day" })),
  housedOn: Day,
  housedDays: Type.Optional(Type.Integer({ description: "from the arrival of the batch to the loading day" })),
  withdrawalUntil: Day,
  medicines: Type.Array(
    Type.Object({
      day: Type.String({ description: "yyyy-MM-dd" }),
      name: Type.String(),
      kind: Type.Union([Type.Literal("vaccination"), Type.Literal("treatment")]),
      heads: Type.Optional(
        Type.Integer({ minimum: 0, description: "treated, or reached by good shots; left out where no book says" }),
      ),
      lots: Type.Array(Type.String(), { description: "lot numbers that the injectors reported" }),
      withdrawalDays: Type.Integer({ minimum: 0 }),
      withdrawalUntil: Type.String({
        description: "yyyy-MM-dd, last day of the withdrawal period, which begins with the last day of a treatment",
      }),
    }),
  ),
  climate: Type.Optional(
    Type.Object({
      hours: Hours,
      rows: Type.Array(
        Type.Object({
          key: Type.Enum(passportClimate),
          low: Type.Optional(Type.Number({ description: "of the range for the hours in `fine`" })),
          high: Type.Optional(Type.Number()),
          fine: Type.Integer({ minimum: 0, description: "hours whose lowest and highest value lie in the range" }),
          near: Type.Integer({ minimum: 0, description: "hours outside of it in which no limit was passed" }),
          beyond: Type.Integer({ minimum: 0, description: "hours in which a limit was passed" }),
          missing: Type.Integer({ minimum: 0, description: "hours without reliable values" }),
        }),
      ),
    }),
  ),
  vehicles: Type.Array(
    Type.Object({
      heads: Heads,
      netGrams: Grams,
      disinfectionNumber: Type.String(),
      disinfectedMs: Moment,
      disinfectionUntilMs: Moment,
      dried: Type.Boolean(),
      quarantineNumber: Type.String(),
      quarantineUntil: Day,
      loadedMs: Moment,
      departedMs: Moment,
      arrivedMs: Moment,
    }),
  ),
});
export type PassportBody = Static<typeof PassportBody>;

/** Whether what is stored is what was signed; `earlier-key`: signed by the key of an earlier installation of the portal. */
export const passportSeals = ["intact", "earlier-key", "altered"] as const;

export const passportDetail = {
  method: "GET",
  path: "/api/muyuan-trade/skip-secure/passport",
  summary:
    "The passport of a loaded lot with its signature, for anybody who has the code of its QR code. An unknown code is a 404.",
  access: publicAccess,
  owner: "proof",
  rate: "guarded",
  personal: {},
  form: "envelope",
  query: Type.Object({ passport: Type.String({ pattern: "^[A-Za-z0-9_-]{22}$" }) }),
  body: Empty,
  reply: Type.Object({
    seal: Type.Enum(passportSeals),
    version: Type.Integer({ minimum: 1 }),
    issueTime: DateTime,
    /** Left out where the stored text was altered: nothing in it can be believed. */
    body: Type.Optional(PassportBody),
    signed: Type.Object({
      text: Type.String({ description: "JSON exactly as it was signed" }),
      signature: Type.String({ description: "Ed25519 over the UTF-8 bytes of `text`, base64" }),
      publicKey: Type.String({ description: "raw Ed25519 key, base64" }),
    }),
  }),
} satisfies Endpoint;
export type Passport = Static<typeof passportDetail.reply>;
