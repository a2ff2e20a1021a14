import { type Static, Type } from "typebox";
import { type Endpoint, publicAccess } from "../endpoint.ts";
import { DateOnly, Empty, EpochMs } from "../scalars.ts";
import { driverActs } from "./driver-step.ts";

/** Header with the secret of a driver's link; an address or a body would stand in logs of proxies. */
export const driverLinkHeader = "Driver-Link";
/** Cookie of the phone that opened a link first. */
export const driverCookie = { name: "herdwise_driver", path: "/api/muyuan-trade/driver" } as const;
/** Page of a driver's link; the secret stands behind the `#`, which no browser sends. */
export const driverPage = "/driver";
/** Longest side of a photo that a phone sends, px. */
export const driverPhotoPx = 1600;
/** Entries in one call. */
export const mostDriverEntries = 50;
/** A phone's clock may be ahead of ours by so much, ms. */
export const driverClockMs = 120_000;

const PaperOfTrip = {
  number: Type.String({ description: '"" for none' }),
  state: Type.Union([Type.Literal("ok"), Type.Literal("missing"), Type.Literal("expired"), Type.Literal("few")]),
  untilMs: Type.Optional(EpochMs),
};

/** What the phone of a driver is told of its vehicle, and nothing else. */
export const DriverTrip = Type.Object({
  number: Type.String(),
  plate: Type.String(),
  heads: Type.Integer(),
  state: Type.String({ description: "of the process transit" }),
  field: Type.String({ description: "name of the sale field" }),
  place: Type.String({ description: 'where the field is; "" where nobody entered it' }),
  destination: Type.String({ description: '"" where nobody entered it' }),
  day: DateOnly,
  times: Type.String({
    description: 'times at which the field loads that day, `08:00-10:00,10:00-12:00`; "" for none',
  }),
  disinfection: Type.Object(PaperOfTrip),
  quarantine: Type.Object({ ...PaperOfTrip, heads: Type.Optional(Type.Integer()) }),
  departedMs: Type.Optional(EpochMs),
  arrivedMs: Type.Optional(EpochMs),
  /** Why it may not depart yet; left out where it may. */
  held: Type.Optional(
    Type.Object({
      text: Type.String({ description: "Chinese, with placeholders" }),
      values: Type.Record(Type.String(), Type.Union([Type.String(), Type.Number()])),
    }),
  ),
  linkUntilMs: EpochMs,
  nowMs: EpochMs,
});
export type DriverTrip = Static<typeof DriverTrip>;

const Key = Type.String({
  pattern: "^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}$",
  description: "a random UUID of the phone; sent again, it counts once",
});
const Moment = Type.String({ maxLength: 16, description: "yyyy-MM-dd HH:mm, Asia/Shanghai" });

/** Something that a driver did, at the time at which the phone noted it. */
export const DriverEntry = Type.Object({
  key: Key,
  act: Type.Enum(driverActs),
  atMs: Type.Integer({ minimum: 0, maximum: 8_640_000_000_000_000, description: "when it was done, by the phone" }),
  photoKey: Type.Optional(Key),
  number: Type.Optional(Type.String({ maxLength: 40 })),
  washedAt: Type.Optional(Moment),
  validUntil: Type.Optional(Moment),
  dried: Type.Optional(Type.Boolean()),
  heads: Type.Optional(Type.Integer({ minimum: 1, maximum: 1000 })),
  untilDay: Type.Optional(Type.String({ maxLength: 10, description: "yyyy-MM-dd" })),
  /** Where the phone was; left out where the driver did not allow it. */
  position: Type.Optional(
    Type.Object({
      latitude: Type.Number({ minimum: -90, maximum: 90 }),
      longitude: Type.Number({ minimum: -180, maximum: 180 }),
      accuracyM: Type.Number({ minimum: 0, maximum: 1_000_000, description: "m" }),
    }),
  ),
});
export type DriverEntry = Static<typeof DriverEntry>;

/** What became of an entry. */
export const DriverOutcome = Type.Object({
  key: Type.String(),
  outcome: Type.Union([Type.Literal("done"), Type.Literal("refused")]),
  text: Type.String({ description: 'why it was refused, Chinese, with placeholders; "" otherwise' }),
  values: Type.Record(Type.String(), Type.Union([Type.String(), Type.Number()])),
});
export type DriverOutcome = Static<typeof DriverOutcome>;

const ofDriver = {
  method: "POST",
  access: publicAccess,
  owner: "proof",
  personal: {},
  form: "envelope",
  secretHeader: driverLinkHeader,
} as const;

export const driverOpen = {
  ...ofDriver,
  path: `${driverCookie.path}/open`,
  summary:
    "The vehicle of a driver's link, whose secret is sent in the header Driver-Link. The first phone that asks claims the link by a cookie; any other one gets 409. A link that is wrong, over or withdrawn is a 404.",
  rate: "guarded",
  query: Empty,
  body: Empty,
  reply: DriverTrip,
} satisfies Endpoint;

export const driverSend = {
  ...ofDriver,
  path: `${driverCookie.path}/send`,
  summary:
    "What the driver did since the last call, in the order in which it was done; each key counts once. Only for the phone that claimed the link.",
  rate: "guarded",
  query: Empty,
  body: Type.Object({ entries: Type.Array(DriverEntry, { maxItems: mostDriverEntries }) }),
  reply: Type.Object({ trip: DriverTrip, outcomes: Type.Array(DriverOutcome) }),
} satisfies Endpoint;

export const driverPhoto = {
  ...ofDriver,
  path: `${driverCookie.path}/photo`,
  summary:
    "Keeps the photo of a certificate until the entry that names its key arrives: jpg or png in the multipart field `file`, up to 5 MB, encoded anew. Only for the phone that claimed the link.",
  rate: "guarded",
  upload: true,
  query: Type.Object({ key: Key }),
  body: Empty,
  reply: Empty,
} satisfies Endpoint;
