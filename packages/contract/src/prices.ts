import { type Static, Type } from "typebox";
import { type Endpoint, permission, publicAccess, signedIn } from "./endpoint.ts";
import { outlierPercent } from "./price-rules.ts";
import { pricedProvinces } from "./provinces.ts";
import { DateOnly, DateTime, Empty, Id } from "./scalars.ts";

/** Breeds that prices are published for. */
export const priceBreeds = [
  ["outer", "外三元"],
  ["inner", "内三元"],
  ["local", "土杂猪"],
] as const;
export type PriceBreed = (typeof priceBreeds)[number][0];

/** Accepted range of a price in fen per kg; a price outside was mistyped. */
export const priceRange = { min: 300, max: 6000 } as const;
/** Maximum age in days of the previous price that a new one is compared with. */
export const referenceDays = 7;
/** Days before and after today for which prices may be entered. */
export const priceEntryDays = { back: 30, ahead: 7 } as const;
/** Default publishing time, in minutes of the day in Asia/Shanghai: 8:00. */
export const publishMinuteDefault = 480;
/** Maximum age in days of a price that is shown as not updated; an older price is not shown. */
export const latePriceDays = 14;
/** Days that trends may show. */
export const trendDays = [30, 90, 365] as const;
export type TrendDays = (typeof trendDays)[number];
/** Area code of alerts and trends for the average of all provinces. */
export const nationCode = "cn";
/** Most areas in one trend. */
export const mostTrendAreas = 5;
/** Most alerts of one account. */
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
 * - `ready`: published at the publishing time.
 * - `waiting`: a second person must confirm it first.
 * - `returned`: a second person sent it back.
 */
export const priceStates = ["ready", "waiting", "returned", "published"] as const;
export type PriceState = (typeof priceStates)[number];

/** The price of a province and breed on a day, entered or still missing. */
export const PriceCell = Type.Object({
  regionCode: Type.String(),
  breed: Breed,
  /** Absent where no price is entered. */
  fen: Type.Optional(Fen),
  state: Type.Enum(["empty", ...priceStates]),
  /** Newest price of the days before, at most `referenceDays` old. */
  beforeFen: Type.Optional(Fen),
  beforeDay: DateOnly,
  /** Must be sent back with a change; 0 where no price is entered. */
  version: Type.Integer(),
  enteredBy: Type.String(),
  /** The caller entered it, and so can't confirm it. */
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
  /** Absent where the price was withdrawn. */
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
  /** Time of the publication; "" before it. */
  publishedAt: DateTime,
  example: Type.Boolean(),
  cells: Type.Array(PriceCell),
  /** Corrections that wait for a decision, and the newest twenty decided ones. */
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

/** The reply of a change: the desk's state after it. */
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
        /** Absent to remove the entry. */
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
    /** The price that the caller saw; absent for none. */
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

/** Most rows in a sheet of one day. */
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

/** Price of an area now and earlier; a field is absent where there was no price. */
export const PriceQuote = Type.Object({
  /** Code of a province or macro-region, or `cn`. */
  code: Type.String(),
  /** Price on the day of the quotation, or on `day` for a province that was not updated. */
  fen: Type.Optional(Fen),
  /** Day of `fen`; "" for none. */
  day: DateOnly,
  /**
   * Prices one day, one week and one year before the day of the quotation.
   * For regions and the nation: the current price less the mean change over the provinces that have a price on both days.
   */
  yesterdayFen: Type.Optional(Fen),
  weekFen: Type.Optional(Fen),
  yearFen: Type.Optional(Fen),
  /** Prices of the last eight days including the quotation's; 0 where there was none. */
  recent: Type.Array(Type.Integer({ minimum: 0 })),
});
export type PriceQuote = Static<typeof PriceQuote>;

export const ProvinceQuote = Type.Object({
  ...PriceQuote.properties,
  /** Prices of the other breeds on the day of the quotation. */
  others: Type.Array(Type.Object({ breed: Breed, fen: Type.Optional(Fen) })),
});
export type ProvinceQuote = Static<typeof ProvinceQuote>;

/** A correction that stays visible to the public. */
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
  /** The prices are examples, and the page says so. */
  example: Type.Boolean(),
  nation: PriceQuote,
  /** Number of provinces with a price of the day, with an earlier price, and in total. */
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
  // Names are masked: a reader learns that a person is responsible, but not who.
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

/** Path of a breed's prices as CSV, with the query parameters `breed` and `days`. */
export const priceCsvPath = "/market.csv";

export const PriceAlert = Type.Object({
  id: Id,
  area: Type.String(),
  breed: Breed,
  direction: Type.Enum(["below", "above"]),
  thresholdFen: Fen,
  /** Whether the alert waits for the price to cross the threshold; false while the price is already beyond it. */
  armed: Type.Boolean(),
  /** When the alert last fired; "" for never. */
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
