import { type Static, Type } from "typebox";
import { type Endpoint, permission, publicAccess } from "./endpoint.ts";
import { Empty } from "./scalars.ts";

/** `POST /api/muyuan-i18n/baidu/trans`: the translation stands at data.data.dst (product.md 7). */
export const translate = {
  method: "POST",
  path: "/api/muyuan-i18n/baidu/trans",
  summary: "Translates a text, or several separated by line breaks: glossary, kept translations, then the machine.",
  access: publicAccess,
  owner: "nobody",
  rate: "entry",
  personal: {},
  form: "envelope",
  query: Empty,
  body: Type.Object({
    src: Type.String({ minLength: 1, maxLength: 6000 }),
    to: Type.Enum(["en", "zh"] as const),
  }),
  reply: Type.Object({
    data: Type.Object({
      dst: Type.String(),
      /** Machine translated, and no person has reviewed it. */
      machine: Type.Boolean(),
      /** No translation was possible, so `dst` is the source text. */
      untranslated: Type.Boolean(),
    }),
  }),
} satisfies Endpoint;

export const termList = {
  method: "GET",
  path: "/api/muyuan-i18n/term/list",
  summary: "The glossary of pig-farming terms that goes before the machine.",
  access: permission("translation_view"),
  owner: "group",
  rate: "read",
  personal: {},
  form: "envelope",
  query: Empty,
  body: Empty,
  reply: Type.Array(Type.Object({ zh: Type.String(), en: Type.String() })),
} satisfies Endpoint;

export const Visit = Type.Object({
  routeName: Type.String({ maxLength: 100 }),
  path: Type.String({ maxLength: 300 }),
  referrer: Type.Optional(Type.String({ maxLength: 300 })),
  language: Type.Enum(["zh", "en"] as const),
  /** Milliseconds for which the page was open and visible. */
  dwellMs: Type.Integer({ minimum: 0, maximum: 86_400_000 }),
});
export type Visit = Static<typeof Visit>;

/** Batches that browsers send by `sendBeacon`; nothing personal is stored. */
export const recordVisits = {
  method: "POST",
  path: "/api/muyuan-content/visit/skip-secure/record",
  summary: "Counts page visits.",
  access: publicAccess,
  owner: "nobody",
  rate: "entry",
  personal: {},
  form: "envelope",
  query: Empty,
  body: Type.Object({ visits: Type.Array(Visit, { minItems: 1, maxItems: 50 }) }),
  reply: Empty,
} satisfies Endpoint;

/** First and last day of the period, both included; at most a year. */
