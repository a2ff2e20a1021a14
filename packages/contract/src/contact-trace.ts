import { type Static, Type } from "typebox";
import { type Endpoint, permission } from "./endpoint.ts";
import { DateOnly, DateTime, Empty, EpochMs, Id } from "./scalars.ts";

/** Longest span of a trace, days. */
export const mostTraceDays = 60;
/** Carriers of an infection that the books tell of: people by showers, vehicles by transits, pigs by movements. */
export const traceLanes = ["person", "vehicle", "pigs"] as const;
/** When a contact was, seen from the place that is traced: its carrier had been elsewhere before, was here, or went elsewhere afterwards. */
export const traceSides = ["before", "here", "after"] as const;
/** What a record of a contact lacks. */
export const traceFaults = ["not_passed", "not_washed", "wash_over", "not_dried"] as const;

const Contact = Type.Object({
  key: Type.String({ description: "unique within the answer" }),
  lane: Type.Enum(traceLanes),
  side: Type.Enum(traceSides),
  who: Type.String({ description: "number or name of a person, plate of a vehicle, house and unit of pigs" }),
  farmId: Type.Union([Id, Type.Literal("")], { description: '"" for a place that is no farm of the portal' }),
  farmName: Type.String(),
  unitName: Type.String({ description: 'house and unit; "" where the record is of the whole farm' }),
  atMs: EpochMs,
  gapHours: Type.Optional(
    Type.Integer({
      minimum: 0,
      description: "whole hours between this contact and the carrier's contact here; left out for those here",
    }),
  ),
  heads: Type.Integer({ minimum: 0, description: "pigs that moved or were carried; 0 for people" }),
  steps: Type.Integer({
    minimum: 0,
    description: "0 for contacts here, 1 for direct ones, more along a chain of transfers",
  }),
  sameDriver: Type.Boolean({ description: "another vehicle by the same driver" }),
  faults: Type.Array(Type.Enum(traceFaults)),
  refersTo: Type.Object({
    kind: Type.Union([Type.Literal("device"), Type.Literal("transit"), Type.Literal("unit")]),
    id: Id,
  }),
});
export type TraceContact = Static<typeof Contact>;

/** How complete the records are that a trace is made of. */
const Evidence = Type.Object({
  source: Type.Enum(["showers", "strangers", "transits", "movements"] as const),
  state: Type.Enum(["complete", "gaps", "none"] as const, {
    description: "`none`: there is nothing that could tell, such as a farm without a bathroom",
  }),
  count: Type.Integer({ minimum: 0, description: "records; of `strangers`: entries of nobody known, and bypasses" }),
  faults: Type.Integer({ minimum: 0, description: "records that lack something" }),
  silentDays: Type.Array(DateOnly, { description: "days in Asia/Shanghai without a record" }),
});

export const traceContacts = {
  method: "GET",
  path: "/api/muyuan-farm/trace/contacts",
  summary:
    "Who and what met a farm, unit, person or vehicle within the last days, where they had been before and where they went afterwards, with the gaps of the records.",
  access: permission("trace_view"),
  owner: "tenants",
  rate: "read",
  personal: { who: "granted" },
  form: "envelope",
  query: Type.Object({
    unitId: Type.Optional(Id),
    farmId: Type.Optional(Id),
    person: Type.Optional(Type.String({ minLength: 1, maxLength: 40 })),
    plate: Type.Optional(Type.String({ minLength: 1, maxLength: 12 })),
    days: Type.Optional(Type.Integer({ minimum: 1, maximum: mostTraceDays, default: 14 })),
  }),
  body: Empty,
  reply: Type.Object({
    start: Type.Object({
      kind: Type.Enum(["unit", "farm", "person", "vehicle"] as const),
      name: Type.String({ description: "house and unit, farm, person or plate" }),
      farmId: Type.Union([Id, Type.Literal("")]),
      farmName: Type.String({ description: '"" for a person or a vehicle' }),
    }),
    fromTime: DateTime,
    toTime: DateTime,
    contacts: Type.Array(Contact, { description: "by time" }),
    truncated: Type.Boolean({ description: "there are more than the answer may hold; a shorter span tells all" }),
    evidence: Type.Array(Evidence),
  }),
} satisfies Endpoint;
export type ContactTrace = Static<typeof traceContacts.reply>;
