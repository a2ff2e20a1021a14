import { type Static, Type } from "typebox";
import { type Endpoint, permission, publicAccess } from "./endpoint.ts";
import { DateOnly, DateTime, Empty, pageOf, pageQuery } from "./scalars.ts";

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
      /** The text came from a machine and nobody has looked at it. */
      machine: Type.Boolean(),
      /** Nothing could translate it: dst is the source. */
      untranslated: Type.Boolean(),
    }),
  }),
} satisfies Endpoint;

const TextLanguage = Type.Enum(["en", "zh"] as const);

/** A kept translation of a text that comes as data. */
export const Translation = Type.Object({
  source: Type.String(),
  language: TextLanguage,
  translation: Type.String(),
  /** A machine made it and nobody has looked at it. */
  machine: Type.Boolean(),
  /** Who made it: `editor`, or the machine's service. */
  provider: Type.String(),
  updateTime: DateTime,
});
export type Translation = Static<typeof Translation>;

export const correctionPage = {
  method: "GET",
  path: "/api/muyuan-i18n/correction/page",
  summary: "Kept translations, what no editor has looked at first.",
  access: permission("translation_view"),
  owner: "group",
  rate: "read",
  personal: {},
  form: "envelope",
  query: Type.Object({
    ...pageQuery,
    language: Type.Optional(TextLanguage),
    machine: Type.Optional(Type.Boolean({ description: "only what a machine made, or only what an editor wrote" })),
    keyword: Type.Optional(Type.String({ maxLength: 100, description: "part of the text or of its translation" })),
  }),
  body: Empty,
  reply: pageOf(Translation),
} satisfies Endpoint;

export const correctionSubmit = {
  method: "POST",
  path: "/api/muyuan-i18n/correction/submit",
  summary: "Writes an editor's translation; it goes before glossary and machine from then on.",
  access: permission("translation_edit"),
  owner: "group",
  rate: "write",
  personal: {},
  form: "envelope",
  query: Empty,
  body: Type.Object({
    source: Type.String({ minLength: 1, maxLength: 2000 }),
    language: TextLanguage,
    translation: Type.String({ minLength: 1, maxLength: 4000 }),
  }),
  reply: Empty,
} satisfies Endpoint;

export const correctionRemove = {
  method: "POST",
  path: "/api/muyuan-i18n/correction/remove",
  summary: "Forgets a kept translation; glossary or machine answer again.",
  access: permission("translation_edit"),
  owner: "group",
  rate: "write",
  personal: {},
  form: "envelope",
  query: Empty,
  body: Type.Object({ source: Type.String({ minLength: 1, maxLength: 2000 }), language: TextLanguage }),
  reply: Empty,
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
  /** Milliseconds that the page was open and visible. */
  dwellMs: Type.Integer({ minimum: 0, maximum: 86_400_000 }),
});
export type Visit = Static<typeof Visit>;

/** Batches from `sendBeacon`; nothing personal is kept. */
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

/** Days to look at, both included; at most a year. */
const days = { from: DateOnly, to: DateOnly };

/** Visits of one page on one day. */
export const VisitRow = Type.Object({
  day: DateOnly,
  routeName: Type.String(),
  /** Without query and ids; "…" gathers what went beyond the most rows of a day. */
  path: Type.String(),
  visits: Type.Integer({ minimum: 0 }),
  /** Mean time that the page was open and visible, in milliseconds. */
  dwellMs: Type.Integer({ minimum: 0 }),
});
export type VisitRow = Static<typeof VisitRow>;

export const visitSorts = ["day", "visits", "dwell_ms", "path"] as const;

export const visitPage = {
  method: "GET",
  path: "/api/muyuan-content/visit/page",
  summary: "Visits per page and day, the newest day and the busiest page first.",
  access: permission("visit_view"),
  owner: "group",
  rate: "read",
  personal: {},
  form: "envelope",
  query: Type.Object({
    ...pageQuery,
    ...days,
    keyword: Type.Optional(Type.String({ maxLength: 100, description: "part of the path" })),
  }),
  body: Empty,
  reply: pageOf(VisitRow),
} satisfies Endpoint;

/** What all pages of a day, a site that sent visitors, or a language count. */
export const VisitSums = Type.Object({
  days: Type.Array(Type.Object({ day: DateOnly, visits: Type.Integer({ minimum: 0 }) })),
  referrers: Type.Array(Type.Object({ referrer: Type.String(), visits: Type.Integer({ minimum: 0 }) })),
  languages: Type.Array(Type.Object({ language: TextLanguage, visits: Type.Integer({ minimum: 0 }) })),
});
export type VisitSums = Static<typeof VisitSums>;

export const visitSums = {
  method: "GET",
  path: "/api/muyuan-content/visit/sums",
  summary: "Visits of each day, with none left out; the ten sites that sent most visitors; languages.",
  access: permission("visit_view"),
  owner: "group",
  rate: "read",
  personal: {},
  form: "envelope",
  query: Type.Object(days),
  body: Empty,
  reply: VisitSums,
} satisfies Endpoint;
