import { type Static, Type } from "typebox";
import { DeviceKindId } from "./codes.ts";
import { type Endpoint, signedIn } from "./endpoint.ts";
import { Empty, EpochMs } from "./scalars.ts";

/** Most places and measures of one comparison: lines of a chart that can still be told apart. */
export const comparedLimits = { places: 4, measures: 3, devices: 200 } as const;
/** Days that are compared. */
export const comparedDays = [7, 30, 90, 365, 1825] as const;
/** By the calendar, or by the age of the pigs in days. */
export const comparedAlignments = ["time", "age"] as const;
/** What each place is also held against: nothing, the span before, or the same span a year ago. */
export const comparedEarlier = ["none", "before", "year"] as const;

/** Measure of every kind beside its channels: pigs that died, of 1,000 that stood there at the beginning of the day. */
export const deathsMeasure = "deaths";
/** Right to the book of heads, which `deathsMeasure` is worked out of. */
export const deathsRight = "inventory_view";

export const differenceTests = ["paired-t", "welch-t", "mann-whitney"] as const;
export type DifferenceTest = (typeof differenceTests)[number];

const ComparedSeries = Type.Object({
  /** Key of the channel, or `deathsMeasure`. */
  key: Type.String(),
  /** `[ms on the shared axis, value]`, ascending; what a counter tells is in its unit a day. */
  points: Type.Array(Type.Tuple([Type.Number(), Type.Number()])),
  /** As in `HistoryReply`, on the shared axis; of a place with several devices only days that none of them tells reliably. */
  rejected: Type.Optional(Type.Array(Type.Tuple([Type.Number(), Type.Number(), Type.Integer()]))),
  unreliable: Type.Optional(Type.Array(Type.Tuple([Type.Number(), Type.Number()]))),
});

/** A place over one span. */
export const ComparedPlace = Type.Object({
  /** As asked for: the id of a device, `h` and the id of a house, `f` and the id of a farm. */
  of: Type.String(),
  level: Type.Enum(["farm", "house", "device"] as const),
  farmName: Type.String(),
  /** "" for a farm; so are the next two for a place that is above them. */
  houseName: Type.String(),
  unitName: Type.String(),
  deviceName: Type.String(),
  /** Devices of the kind that its values are means of; at most `comparedLimits.devices`, further ones are left out. */
  devices: Type.Integer(),
  omitted: Type.Integer(),
  /** Age of the pigs now, days; of a farm or house the mean of its units with a batch. Absent where no unit has one. */
  ageDays: Type.Optional(Type.Integer()),
  /** Of the span before, or of a year ago. */
  isEarlier: Type.Boolean(),
  series: Type.Array(ComparedSeries),
});
export type ComparedPlace = Static<typeof ComparedPlace>;

/** What is to be said of one measure of two lines; docs/analytics.md has the tests. */
export const ComparisonAnswer = Type.Object({
  key: Type.String(),
  /** Places of the two lines in `lines`; sizes are the other less the first. */
  first: Type.Integer(),
  other: Type.Integer(),
  /** Larger than noise at 5 % after Holm's correction, not larger, or of fewer than five whole days on either side. */
  verdict: Type.Enum(["different", "noise", "too-few"] as const),
  test: Type.Enum(differenceTests),
  /** Whole days of either side that count. */
  days: Type.Tuple([Type.Integer(), Type.Integer()]),
  /** Mean of each side, in the measure's unit; absent with `too-few`, as is all that follows. */
  means: Type.Optional(Type.Tuple([Type.Number(), Type.Number()])),
  size: Type.Optional(Type.Number()),
  /** 95 % confidence interval of the size, before the correction. */
  low: Type.Optional(Type.Number()),
  high: Type.Optional(Type.Number()),
  /** Two-sided, corrected by Holm for the comparisons of the answer. */
  p: Type.Optional(Type.Number({ minimum: 0, maximum: 1 })),
  /** Mean size by hour of the day in Asia/Shanghai, `[hour, size]`; only by the calendar and where values are by the hour. */
  hours: Type.Optional(Type.Array(Type.Tuple([Type.Integer(), Type.Number()]))),
});
export type ComparisonAnswer = Static<typeof ComparisonAnswer>;

export const ComparisonReply = Type.Object({
  /** Ends of the shared axis: moments, or ages as ms. */
  start: Type.Number(),
  end: Type.Number(),
  /** When it was worked out. */
  at: EpochMs,
  resolution: Type.Enum(["hour", "day"] as const),
  /** In the order asked for; of each place the span itself, then the earlier one where it was asked for. */
  lines: Type.Array(ComparedPlace),
  /** For each measure, each line against the one that it is held against: its own earlier span, else the first line. */
  answers: Type.Array(ComparisonAnswer),
  /** The same of the kind's other figures, for the two lines of the first answer. */
  others: Type.Array(ComparisonAnswer),
});
export type ComparisonReply = Static<typeof ComparisonReply>;

/** What a comparison is asked by, as it stands in an address. */
export const comparisonQuery = {
  kind: DeviceKindId,
  ids: Type.String({
    pattern: "^[fh]?\\d{1,19}(,[fh]?\\d{1,19}){0,3}$",
    description:
      "comma-separated: ids of devices, of houses behind an h, of farms behind an f; the first is held against the others",
  }),
  show: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 200,
      description:
        "comma-separated keys of channels, or deaths; at most 3; the kind's first figure when it is not given",
    }),
  ),
  days: Type.Optional(Type.Integer({ minimum: 1, maximum: 1825, description: "up to now; 30 when it is not given" })),
  align: Type.Optional(Type.Enum(comparedAlignments)),
  earlier: Type.Optional(Type.Enum(comparedEarlier)),
};

export const comparisonDetail = {
  method: "GET",
  path: "/api/muyuan-iot/analytics/comparison",
  summary:
    "Values of up to four farms, houses or devices of one kind beside each other, by the calendar or by the age of the pigs, with how far they differ by day and whether that is more than noise. 404 for a place of another tenant. Deaths have no points without the right to the book of heads.",
  access: signedIn,
  owner: "tenant",
  rate: "read",
  personal: {},
  form: "envelope",
  query: Type.Object(comparisonQuery),
  body: Empty,
  reply: ComparisonReply,
} satisfies Endpoint;

/** Screen of the comparisons; its search is what comparison-search.ts writes. */
export const comparisonPath = "/selfCenter/vet/dataAnalysis";
/** Most comparisons of which one person is told in a tenant. */
export const mostComparisonSubscriptions = 50;

/** What is compared, as it is told every Monday. */
export const ComparisonQuery = Type.Object(comparisonQuery);
export type ComparisonQuery = Static<typeof ComparisonQuery>;

const subscribed = {
  name: Type.String({ minLength: 1, maxLength: 40 }),
  ...comparisonQuery,
};
export const ComparisonSubscription = Type.Object(subscribed);
export type ComparisonSubscription = Static<typeof ComparisonSubscription>;

export const comparisonSubscriptionList = {
  method: "GET",
  path: "/api/muyuan-iot/analytics/comparison-subscription-list",
  summary:
    "Comparisons of the tenant's places of whose answer the caller is told every Monday. None unless they were asked for.",
  access: signedIn,
  owner: "tenant",
  rate: "read",
  personal: {},
  form: "envelope",
  query: Empty,
  body: Empty,
  reply: Type.Array(ComparisonSubscription),
} satisfies Endpoint;

export const comparisonSubscribe = {
  method: "POST",
  path: "/api/muyuan-iot/analytics/comparison-subscribe",
  summary:
    "Has the caller told by message every Monday of the answer of a comparison under a name, at most 50; or not any more. 404 for a place of another tenant.",
  access: signedIn,
  owner: "tenant",
  rate: "write",
  personal: {},
  form: "envelope",
  query: Empty,
  body: Type.Object({ ...subscribed, enabled: Type.Boolean() }),
  reply: Empty,
} satisfies Endpoint;
