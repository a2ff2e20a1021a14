import { type Static, Type } from "typebox";
import { type Endpoint, permission, publicAccess, signedIn } from "./endpoint.ts";
import { outlierPercent } from "./price-rules.ts";
import { pricedProvinces } from "./provinces.ts";
import { DateOnly, DateTime, Empty, Id } from "./scalars.ts";

/** Breeds of which prices are published. */
export const priceBreeds = [
  ["outer", "外三元"],
  ["inner", "内三元"],
  ["local", "土杂猪"],
] as const;
export type PriceBreed = (typeof priceBreeds)[number][0];

/** Bounds of a price, fen per kg: what lies outside was mistyped. */
export const priceRange = { min: 300, max: 6000 } as const;
/** How old the price before may be, days; an older one tells nothing of today. */
export const referenceDays = 7;
/** Days around today of which prices may be entered. */
export const priceEntryDays = { back: 30, ahead: 7 } as const;
/** Minute of the day in Asia/Shanghai at which prices are published unless another was set before: 8:00. */
export const publishMinuteDefault = 480;
/** A price that is at most so old is shown as not updated; an older one is none, days. */
export const latePriceDays = 14;
/** Days that trends may show. */
export const trendDays = [30, 90, 365] as const;
export type TrendDays = (typeof trendDays)[number];
/** Area of alerts and trends that stands for the average of all provinces. */
export const nationCode = "cn";
/** Lines that a trend shows at most. */
export const mostTrendAreas = 5;
/** Alerts of one account. */
export const mostPriceAlerts = 20;

const breedNames = priceBreeds.map(([breed]) => breed);
const Breed = Type.Enum(breedNames);
const ProvinceCode = Type.Enum(pricedProvinces.map(({ code }) => code));
const AreaCode = Type.Enum([nationCode, ...pricedProvinces.map(({ code }) => code)]);
const Fen = Type.Integer({ description: "fen per kg" });
const Day = Type.String({ pattern: "^\\d{4}-\\d{2}-\\d{2}$", description: "yyyy-MM-dd in Asia/Shanghai" });
const Reason = Type.String({ minLength: 2, maxLength: 200 });

const dayPrice = "/api/muyuan-trade/day-price";
const regionPrice = "/api/muyuan-trade/region-price";
const reading = {
  access: permission("price_view"),
  owner: "group",
  personal: {},
  form: "envelope",
  rate: "read",
  query: Empty,
  body: Empty,
} as const;
const writing = { ...reading, access: permission("price_edit"), rate: "write" } as const;
const confirming = { ...writing, access: permission("price_confirm") } as const;

/**
 * `ready`: published at the time of the day. `waiting`: needs a second person before. `returned`: a second person sent it back.
 */
export const priceStates = ["ready", "waiting", "returned", "published"] as const;
export type PriceState = (typeof priceStates)[number];

/** What is entered of a province and breed on a day, or stands to be. */
export const PriceCell = Type.Object({
  regionCode: Type.String(),
  breed: Breed,
  /** Absent for none. */
  fen: Type.Optional(Fen),
  state: Type.Enum(["empty", ...priceStates]),
  /** Newest price of the days before, at most a week old. */
  beforeFen: Type.Optional(Fen),
  beforeDay: DateOnly,
  /** Sent back with a change; 0 for what is not there yet. */
  version: Type.Integer(),
  enteredBy: Type.String(),
  /** Whether the caller entered it, and so can't confirm it. */
  own: Type.Boolean(),
  enteredAt: DateTime,
  confirmedBy: Type.String(),
  note: Type.String(),
  returnReason: Type.String(),
});
export type PriceCell = Static<typeof PriceCell>;

/** A change of a price that was published. */
export const PriceCorrection = Type.Object({
  id: Id,
  day: DateOnly,
  regionCode: Type.String(),
  breed: Breed,
  oldFen: Type.Optional(Fen),
  /** Absent where the price was taken back. */
  newFen: Type.Optional(Fen),
  reason: Type.String(),
  state: Type.Enum(["waiting", "confirmed", "returned"]),
  enteredBy: Type.String(),
  own: Type.Boolean(),
  enteredAt: DateTime,
  decidedBy: Type.String(),
  decidedAt: DateTime,
  returnReason: Type.String(),
});
export type PriceCorrection = Static<typeof PriceCorrection>;

export const PriceDesk = Type.Object({
  day: DateOnly,
  /** Today in Asia/Shanghai. */
  today: DateOnly,
  publishAt: DateTime,
  /** "" while it is not published. */
  publishedAt: DateTime,
  example: Type.Boolean(),
  cells: Type.Array(PriceCell),
  /** Those that wait, and the newest twenty that were decided. */
  corrections: Type.Array(PriceCorrection),
});
export type PriceDesk = Static<typeof PriceDesk>;

export const priceDesk = {
  ...reading,
  method: "GET",
  path: `${dayPrice}/detail`,
  summary:
    "Prices of a day as they are entered, by province and breed, with the price before, and corrections; without a day, of the one that is being entered.",
  personal: { enteredBy: "granted", confirmedBy: "granted", decidedBy: "granted" },
  query: Type.Object({ day: Type.Optional(Day) }),
  reply: PriceDesk,
} satisfies Endpoint;

/** The desk as the call left it. */
const deskReply = {
  personal: { enteredBy: "granted", confirmedBy: "granted", decidedBy: "granted" },
  reply: PriceDesk,
} as const;

export const priceSubmit = {
  ...writing,
  ...deskReply,
  method: "POST",
  path: `${dayPrice}/submit`,
  summary: `Enters prices of a day that are not published yet. What is more than ${outlierPercent} % off the price before waits for a second person.`,
  body: Type.Object({
    day: Day,
    entries: Type.Array(
      Type.Object({
        regionCode: ProvinceCode,
        breed: Breed,
        /** Absent: takes the entry away. */
        fen: Type.Optional(Type.Integer({ minimum: 0, maximum: 10_000_000, description: "fen per kg" })),
        note: Type.Optional(Type.String({ maxLength: 200 })),
        version: Type.Integer({ minimum: 0 }),
      }),
      { minItems: 1, maxItems: 93 },
    ),
  }),
} satisfies Endpoint;

export const priceConfirm = {
  ...confirming,
  ...deskReply,
  method: "POST",
  path: `${dayPrice}/confirm`,
  summary: "Confirms outliers that somebody else entered, with the price that was looked at.",
  body: Type.Object({
    day: Day,
    cells: Type.Array(Type.Object({ regionCode: ProvinceCode, breed: Breed, fen: Type.Integer() }), {
      minItems: 1,
      maxItems: 93,
    }),
  }),
} satisfies Endpoint;

export const priceReturn = {
  ...confirming,
  ...deskReply,
  method: "POST",
  path: `${dayPrice}/return`,
  summary: "Sends an outlier back to whoever entered it, with the reason.",
  body: Type.Object({ day: Day, regionCode: ProvinceCode, breed: Breed, fen: Type.Integer(), reason: Reason }),
} satisfies Endpoint;

export const priceSchedule = {
  ...writing,
  ...deskReply,
  access: permission("price_publish"),
  method: "POST",
  path: `${dayPrice}/schedule`,
  summary: "Sets when the prices of a day are published; days after it are published at the same time of day.",
  body: Type.Object({ day: Day, at: Type.String({ format: "wire-date-time", description: "in Asia/Shanghai" }) }),
} satisfies Endpoint;

export const pricePublish = {
  ...writing,
  ...deskReply,
  access: permission("price_publish"),
  method: "POST",
  path: `${dayPrice}/publish`,
  summary: "Publishes at once what is ready of a day.",
  body: Type.Object({ day: Day }),
} satisfies Endpoint;

export const priceCorrect = {
  ...writing,
  ...deskReply,
  method: "POST",
  path: `${dayPrice}/correct`,
  summary: "Proposes another price for one that was published, or none; a second person confirms it.",
  body: Type.Object({
    day: Day,
    regionCode: ProvinceCode,
    breed: Breed,
    /** That was looked at; absent for none. */
    oldFen: Type.Optional(Type.Integer()),
    newFen: Type.Optional(Type.Integer({ minimum: 0, maximum: 10_000_000 })),
    reason: Reason,
  }),
} satisfies Endpoint;

export const priceCorrectionDecide = {
  ...confirming,
  ...deskReply,
  method: "POST",
  path: `${dayPrice}/correction/decide`,
  summary: "Confirms a correction that somebody else proposed, which publishes it, or sends it back.",
  body: Type.Object({
    day: Day,
    id: Id,
    confirmed: Type.Boolean(),
    reason: Type.Optional(Type.String({ maxLength: 200 })),
  }),
} satisfies Endpoint;

/** Rows of a sheet of one day. */
export const mostPriceRows = 200;

export const priceSheet = {
  ...writing,
  method: "POST",
  path: `${dayPrice}/sheet`,
  summary:
    "Reads prices out of an uploaded sheet and writes nothing: a row for each province, a column for each breed.",
  body: Type.Object({ attachId: Id }),
  reply: Type.Object({
    entries: Type.Array(Type.Object({ regionCode: Type.String(), breed: Breed, fen: Fen })),
    problems: Type.Array(
      Type.Object({
        row: Type.Integer({ description: "as the sheet counts, from 1" }),
        column: Type.String({ description: "header" }),
        text: Type.String({ description: "Chinese with placeholders; the key of its translation" }),
        values: Type.Record(Type.String(), Type.Union([Type.String(), Type.Number()])),
      }),
    ),
  }),
} satisfies Endpoint;

export const priceExport = {
  ...reading,
  method: "POST",
  path: `${dayPrice}/export`,
  summary: "Begins an export of a day's prices as a sheet that can be read again.",
  access: permission("price_view"),
  rate: "write",
  body: Type.Object({ day: Day }),
  reply: Type.Object({ jobId: Id }),
} satisfies Endpoint;

export const priceHistory = {
  ...reading,
  method: "GET",
  path: `${dayPrice}/history`,
  summary: "What was done to the prices of a day, newest first, at most a hundred steps.",
  personal: { actorName: "granted" },
  query: Type.Object({ day: Day }),
  reply: Type.Array(
    Type.Object({
      id: Id,
      actorName: Type.String(),
      createTime: DateTime,
      changes: Type.Array(Type.Object({ field: Type.String(), before: Type.Unknown(), after: Type.Unknown() })),
    }),
  ),
} satisfies Endpoint;

const open = {
  access: publicAccess,
  owner: "nobody",
  personal: {},
  form: "envelope",
  rate: "read",
  body: Empty,
} as const;

/** What an area pays, and paid before. Fields are absent where there was no price. */
export const PriceQuote = Type.Object({
  /** Of a province, a macro-region, or `cn`. */
  code: Type.String(),
  /** Of the day of the quotation, or of an earlier one for a province that was not updated. */
  fen: Type.Optional(Fen),
  /** Day of `fen`; "" for none. */
  day: DateOnly,
  /**
   * On the day before, a week and a year before the day of the quotation. Of regions and the nation as far as it compares: the price of
   * now less the mean change of the provinces that had a price on both days.
   */
  yesterdayFen: Type.Optional(Fen),
  weekFen: Type.Optional(Fen),
  yearFen: Type.Optional(Fen),
  /** The last eight days with that of the quotation; 0 where there was none. */
  recent: Type.Array(Type.Integer({ minimum: 0 })),
});
export type PriceQuote = Static<typeof PriceQuote>;

export const ProvinceQuote = Type.Object({
  ...PriceQuote.properties,
  /** Prices of the other breeds on the day of the quotation. */
  others: Type.Array(Type.Object({ breed: Breed, fen: Type.Optional(Fen) })),
});
export type ProvinceQuote = Static<typeof ProvinceQuote>;

/** A correction as the public reads it: it stays. */
export const PublicCorrection = Type.Object({
  regionCode: Type.String(),
  breed: Breed,
  day: DateOnly,
  oldFen: Type.Optional(Fen),
  newFen: Type.Optional(Fen),
  reason: Type.String(),
  enteredBy: Type.String(),
  decidedBy: Type.String(),
  decidedAt: DateTime,
});
export type PublicCorrection = Static<typeof PublicCorrection>;

export const Quotations = Type.Object({
  breed: Breed,
  /** Newest day that was published; "" while there is none. */
  day: DateOnly,
  publishedAt: DateTime,
  /** The page says that it is an example. */
  example: Type.Boolean(),
  nation: PriceQuote,
  /** Provinces with a price of the day, with an earlier one, and in all. */
  updated: Type.Integer(),
  late: Type.Integer(),
  provinces: Type.Integer(),
  regions: Type.Array(Type.Object({ ...PriceQuote.properties, provinces: Type.Array(ProvinceQuote) })),
  /** Newest first. */
  corrections: Type.Array(PublicCorrection),
});
export type Quotations = Static<typeof Quotations>;

export const quotations = {
  ...open,
  method: "GET",
  path: `${regionPrice}/skip-secure/quotations`,
  summary: "Newest published prices of a breed by macro-region and province, with what they were, and corrections.",
  // Whoever reads the site learns that somebody stands for it, not whom.
  personal: { enteredBy: "mask-name", decidedBy: "mask-name" },
  query: Type.Object({ breed: Type.Optional(Breed) }),
  reply: Quotations,
} satisfies Endpoint;

export const PriceTrend = Type.Object({
  breed: Breed,
  /** yyyy-MM-dd, oldest first, without gaps. */
  days: Type.Array(Type.String()),
  series: Type.Array(
    Type.Object({ code: Type.String(), points: Type.Array(Type.Integer({ description: "fen per kg; 0 for none" })) }),
  ),
});
export type PriceTrend = Static<typeof PriceTrend>;

export const priceTrend = {
  ...open,
  method: "GET",
  path: `${regionPrice}/skip-secure/trend`,
  summary: `Published prices of a breed day by day, of the nation (${nationCode}) and of provinces, up to the newest day.`,
  query: Type.Object({
    breed: Type.Optional(Breed),
    days: Type.Optional(Type.Integer({ minimum: 7, maximum: 366, default: 90 })),
    areas: Type.Optional(Type.String({ maxLength: 60, description: "comma-separated codes, at most five" })),
  }),
  reply: PriceTrend,
} satisfies Endpoint;

/** Address of the prices of a breed as CSV; the query `breed` and `days` as above. */
export const priceCsvPath = "/market.csv";

export const PriceAlert = Type.Object({
  id: Id,
  area: Type.String(),
  breed: Breed,
  direction: Type.Enum(["below", "above"]),
  thresholdFen: Fen,
  /** Whether it waits for the price to cross the threshold; not while the price is beyond it already. */
  armed: Type.Boolean(),
  /** When it was told last; "" for never. */
  firedAt: DateTime,
  firedFen: Type.Optional(Fen),
  /** Newest published price. */
  nowFen: Type.Optional(Fen),
});
export type PriceAlert = Static<typeof PriceAlert>;

const alert = "/api/muyuan-trade/price-alert";
const mine = { access: signedIn, owner: "self", personal: {}, form: "envelope", query: Empty, body: Empty } as const;

export const priceAlertList = {
  ...mine,
  method: "GET",
  path: `${alert}/list`,
  summary: "The own price alerts, oldest first.",
  rate: "read",
  reply: Type.Array(PriceAlert),
} satisfies Endpoint;

export const priceAlertSubmit = {
  ...mine,
  method: "POST",
  path: `${alert}/submit`,
  summary: "Adds a price alert: a message each time that a published price crosses the threshold.",
  rate: "write",
  body: Type.Object({
    area: AreaCode,
    breed: Breed,
    direction: Type.Enum(["below", "above"]),
    thresholdFen: Type.Integer({ minimum: 0, maximum: 10_000_000 }),
  }),
  reply: Type.Array(PriceAlert),
} satisfies Endpoint;

export const priceAlertRemove = {
  ...mine,
  method: "POST",
  path: `${alert}/remove`,
  summary: "Removes own price alerts.",
  rate: "write",
  body: Type.Object({ ids: Type.String({ maxLength: 10_000, description: "comma-separated" }) }),
  reply: Type.Array(PriceAlert),
} satisfies Endpoint;
