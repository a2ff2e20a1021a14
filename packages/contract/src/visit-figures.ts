import { type Static, Type } from "typebox";
import { type Endpoint, permission } from "./endpoint.ts";
import { DateOnly, Empty, pageOf, pageQuery } from "./scalars.ts";

const days = { from: DateOnly, to: DateOnly };

/** Visits to one page on one day. */
export const VisitRow = Type.Object({
  day: DateOnly,
  routeName: Type.String(),
  /** Path without query and ids; "…" sums up pages beyond the most rows of a day. */
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

/** Sums over all pages of a day, a referring site, or a language. */
export const VisitSums = Type.Object({
  days: Type.Array(Type.Object({ day: DateOnly, visits: Type.Integer({ minimum: 0 }) })),
  referrers: Type.Array(Type.Object({ referrer: Type.String(), visits: Type.Integer({ minimum: 0 }) })),
  languages: Type.Array(
    Type.Object({ language: Type.Enum(["en", "zh"] as const), visits: Type.Integer({ minimum: 0 }) }),
  ),
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

/** Visits of one page over some days, beside as many days before. */
export const VisitPageSum = Type.Object({
  routeName: Type.String(),
  path: Type.String({ description: "without query and ids" }),
  visits: Type.Integer({ minimum: 0 }),
  before: Type.Integer({ minimum: 0, description: "visits in as many days before the first one" }),
  /** Mean time that the page was open and visible, in milliseconds. */
  dwellMs: Type.Integer({ minimum: 0 }),
});
export type VisitPageSum = Static<typeof VisitPageSum>;

export const visitPages = {
  method: "GET",
  path: "/api/muyuan-content/visit/pages",
  summary: "Visits of each page over some days and as many days before; the 300 busiest.",
  access: permission("visit_view"),
  owner: "group",
  rate: "read",
  personal: {},
  form: "envelope",
  query: Type.Object(days),
  body: Empty,
  reply: Type.Array(VisitPageSum),
} satisfies Endpoint;
