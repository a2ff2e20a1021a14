import { type Static, Type } from "typebox";
import { SmsSent } from "./captchas.ts";
import { type Endpoint, publicAccess, signedIn } from "./endpoint.ts";
import { DateOnly, DateTime, Empty, Id, pageOf, pageQuery } from "./scalars.ts";

/**
 * Hours for which a change of the phone waits when only the identity proved it, so that the owner of the old number can stop
 * it.
 */
export const phoneHoldHours = 48;
/** Days within which the owner of the old number can undo a change of the phone. */
export const phoneTakeBackDays = 7;
/** Minutes for which a proof for a change of the phone is valid. */
export const contactProofMinutes = 10;
/** Days for which the history of an account is kept. */
export const accountEventDays = 180;
/** Length of a nickname in characters. */
export const nickNameLength = { min: 1, max: 30 } as const;
/** Maximum length in characters of the address below the county. */
export const addressLength = 100;

/** Personal details that the signed-in person entered. */
export const Profile = Type.Object({
  id: Id,
  account: Type.String(),
  nickName: Type.String(),
  realName: Type.String(),
  avatar: Type.String({ description: 'address of a picture; "" for none' }),
  sex: Type.Integer({ minimum: 1, maximum: 3, description: "1 male, 2 female, 3 unknown" }),
  birthday: DateOnly,
  phone: Type.String({ description: 'masked; "" for none' }),
  /** The person proved the number by a code that was sent to it. */
  phoneProven: Type.Boolean(),
  email: Type.String({ description: 'masked; "" for none' }),
  emailProven: Type.Boolean(),
  tenantName: Type.String(),
  /** When the account was opened. */
  createTime: DateTime,
  passwordTime: DateTime,
});
export type Profile = Static<typeof Profile>;

const own = {
  account: "own",
  nickName: "own",
  realName: "own",
  birthday: "own",
  phone: "mask-phone",
  email: "mask-email",
} as const;
const base = "/api/muyuan-system/cms-user";

export const profileDetail = {
  method: "GET",
  path: `${base}/profile`,
  summary: "What the signed-in person told of themselves; phone and e-mail are masked.",
  access: signedIn,
  owner: "self",
  rate: "read",
  personal: own,
  form: "envelope",
  query: Empty,
  body: Empty,
  reply: Profile,
} satisfies Endpoint;

export const updateInfo = {
  method: "POST",
  path: "/api/muyuan-system/user/update-info",
  summary:
    "Changes what the signed-in person tells of themselves; fields that are left out stay. Phone and e-mail need a proof and are changed elsewhere: sent as they were read they do nothing.",
  access: signedIn,
  owner: "self",
  rate: "write",
  personal: own,
  form: "envelope",
  query: Empty,
  body: Type.Object({
    id: Type.Optional(Type.Union([Id, Type.Literal("")])),
    avatar: Type.Optional(
      Type.String({ maxLength: 500, description: 'address or name of an own shared picture; "" removes it' }),
    ),
    /** Nickname. */
    name: Type.Optional(Type.String({ maxLength: 200 })),
    realName: Type.Optional(Type.String({ maxLength: 64 })),
    sex: Type.Optional(Type.Integer({ minimum: 1, maximum: 3 })),
    birthday: Type.Optional(Type.String({ maxLength: 19, description: 'a day; "" removes it' })),
    phone: Type.Optional(Type.String({ maxLength: 40 })),
    email: Type.Optional(Type.String({ maxLength: 254 })),
  }),
  reply: Profile,
} satisfies Endpoint;

/** Postal address of a person (product.md 3). */
export const Address = Type.Object({
  id: Type.String({ description: 'id of the account; "" while none is kept' }),
  regionCode: Type.String({ description: 'division of the country, 2, 4 or 6 digits; ""' }),
  provinceName: Type.String(),
  cityName: Type.String(),
  areaName: Type.String(),
  address: Type.String({ description: "below the county" }),
});
export type Address = Static<typeof Address>;

export const addressDetail = {
  method: "GET",
  path: "/api/muyuan-system/cms-address/detail",
  summary: "The own address; an id of somebody else is answered like one that never was.",
  access: signedIn,
  owner: "self",
  rate: "read",
  personal: { address: "own" },
  form: "envelope",
  query: Type.Object({ id: Type.Optional(Type.String({ maxLength: 20 })) }),
  body: Empty,
  reply: Address,
} satisfies Endpoint;

export const addressSave = {
  method: "POST",
  path: "/api/muyuan-system/cms-address/save",
  summary: "Keeps the own address: by the code of a division, or by the names that clients of the family send.",
  access: signedIn,
  owner: "self",
  rate: "write",
  personal: { address: "own" },
  form: "envelope",
  query: Empty,
  body: Type.Object({
    id: Type.Optional(Type.String({ maxLength: 20 })),
    regionCode: Type.Optional(Type.String({ pattern: "^(\\d{2}(\\d{2}(\\d{2})?)?)?$" })),
    provinceName: Type.Optional(Type.String({ maxLength: 60 })),
    cityName: Type.Optional(Type.String({ maxLength: 60 })),
    areaName: Type.Optional(Type.String({ maxLength: 60 })),
    address: Type.Optional(Type.String({ maxLength: 400 })),
  }),
  reply: Address,
} satisfies Endpoint;

/**
 * States of a change of phone or e-mail. `waiting`: takes effect later; `done`: in force; `withdrawn`: stopped before it took
 * effect; `taken_back`: undone by the owner of the old number.
 */
export const contactChangeStates = ["waiting", "done", "withdrawn", "taken_back"] as const;
export type ContactChangeState = (typeof contactChangeStates)[number];

/** Proofs of the person who makes a change. */
export const contactProofs = ["old_phone", "identity", "password", "staff"] as const;

export const ContactChange = Type.Object({
  id: Id,
  kind: Type.Enum(["phone", "email"] as const),
  state: Type.Enum(contactChangeStates),
  provenBy: Type.Enum(contactProofs),
  phone: Type.String({ description: 'the new number, masked; "" for a change of the e-mail' }),
  email: Type.String({ description: 'the new address, masked; "" for a change of the phone and where it is removed' }),
  createTime: DateTime,
  effectiveTime: DateTime,
  /** Time until which the owner of the old number can undo it; "" where nobody can. */
  takeBackUntil: DateTime,
});
export type ContactChange = Static<typeof ContactChange>;

const masked = { phone: "mask-phone", email: "mask-email" } as const;

export const ContactState = Type.Object({
  phone: Type.String({ description: "masked" }),
  phoneProven: Type.Boolean(),
  email: Type.String({ description: "masked" }),
  emailProven: Type.Boolean(),
  /** The pending change of the phone. */
  waiting: Type.Optional(ContactChange),
  /** An authentication in force holds the person's ID number, so its last six digits are accepted instead of the old number. */
  identityCheck: Type.Boolean(),
  /** Number of alarm subscriptions that go to the phone; they move to the new number. */
  subscriptions: Type.Integer({ minimum: 0 }),
});
export type ContactState = Static<typeof ContactState>;

export const contactState = {
  method: "GET",
  path: `${base}/contact`,
  summary: "Phone and e-mail of the signed-in person, masked, and the change that waits.",
  access: signedIn,
  owner: "self",
  rate: "read",
  personal: masked,
  form: "envelope",
  query: Empty,
  body: Empty,
  reply: ContactState,
} satisfies Endpoint;

export const contactCode = {
  method: "POST",
  path: `${base}/contact/send-code`,
  summary: "Sends a code: to the own phone, to a number that shall become it, or to an e-mail that shall be bound.",
  access: signedIn,
  owner: "self",
  rate: "guarded",
  personal: masked,
  form: "envelope",
  query: Empty,
  body: Type.Object({
    to: Type.Enum(["old-phone", "new-phone", "email"] as const),
    value: Type.Optional(Type.String({ maxLength: 254, description: "the new number or address" })),
  }),
  reply: Type.Object({
    id: Type.String({ description: "goes back with the code" }),
    phone: Type.String({ description: "masked" }),
    email: Type.String({ description: "masked" }),
  }),
} satisfies Endpoint;

export const contactProve = {
  method: "POST",
  path: `${base}/contact/prove`,
  summary:
    "Proves that the change of the phone is the person's own: by a code to the old number, or by the last six digits of the ID number after a fresh password.",
  access: signedIn,
  owner: "self",
  rate: "guarded",
  personal: {},
  form: "envelope",
  query: Empty,
  body: Type.Object({
    by: Type.Enum(["old_phone", "identity", "password"] as const, {
      description: "password: only as long as the account has no proven phone; the change waits as with identity",
    }),
    id: Type.Optional(Type.String({ maxLength: 100 })),
    code: Type.Optional(Type.String({ maxLength: 10 })),
    lastSix: Type.Optional(Type.String({ maxLength: 10 })),
  }),
  reply: Type.Object({
    ticket: Type.String({ description: "for one change of the phone" }),
    expiresIn: Type.Integer({ description: "seconds" }),
  }),
  confirmation: "depends",
} satisfies Endpoint;

export const phoneChange = {
  method: "POST",
  path: `${base}/contact/change-phone`,
  summary:
    "Changes the own phone after a proof of both numbers; without the old number it waits 48 hours. The old number is told.",
  access: signedIn,
  owner: "self",
  rate: "guarded",
  personal: masked,
  form: "envelope",
  query: Empty,
  body: Type.Object({
    ticket: Type.String({ maxLength: 100 }),
    phone: Type.String({ maxLength: 20 }),
    id: Type.Optional(Type.String({ maxLength: 100 })),
    code: Type.Optional(Type.String({ maxLength: 10 })),
  }),
  reply: ContactChange,
  confirmation: "always",
} satisfies Endpoint;

export const phoneWithdraw = {
  method: "POST",
  path: `${base}/contact/withdraw`,
  summary: "Stops a change of the phone that waits.",
  access: signedIn,
  owner: "self",
  rate: "write",
  personal: {},
  form: "envelope",
  query: Empty,
  body: Type.Object({ id: Id }),
  reply: Empty,
} satisfies Endpoint;

export const emailChange = {
  method: "POST",
  path: `${base}/contact/change-email`,
  summary: "Binds an e-mail that a code came back from, or removes the one that is bound; the old address is told.",
  access: signedIn,
  owner: "self",
  rate: "guarded",
  personal: masked,
  form: "envelope",
  query: Empty,
  body: Type.Object({
    email: Type.String({ maxLength: 254, description: '"" removes it' }),
    id: Type.Optional(Type.String({ maxLength: 100 })),
    code: Type.Optional(Type.String({ maxLength: 10 })),
  }),
  reply: ContactState,
  confirmation: "always",
} satisfies Endpoint;

export const phoneBackCode = {
  method: "POST",
  path: `${base}/skip-secure/phone-back/send-code`,
  summary:
    "Sends a code to a number that an account had, to take its change back; the answer is the same for every number. Needs a passed captcha.",
  access: publicAccess,
  owner: "named",
  rate: "guarded",
  personal: { phone: "mask-phone" },
  form: "envelope",
  query: Type.Object({ mobilePhone: Type.String({ maxLength: 20 }) }),
  body: Empty,
  reply: SmsSent,
} satisfies Endpoint;

export const phoneBack = {
  method: "POST",
  path: `${base}/skip-secure/phone-back`,
  summary:
    "Takes a change of the phone back by a code to the old number, within 7 days, and ends every session. Captcha-Key and Captcha-Code carry id and digits of the SMS code.",
  access: publicAccess,
  owner: "proof",
  rate: "guarded",
  personal: { accounts: "own" },
  form: "envelope",
  query: Type.Object({ mobilePhone: Type.String({ maxLength: 20 }) }),
  body: Empty,
  reply: Type.Object({ accounts: Type.Array(Type.String(), { description: "accounts that have their number back" }) }),
} satisfies Endpoint;

/** Events in the history of an account. */
export const accountEventKinds = [
  "log_in",
  "log_in_locked",
  "session_ended",
  "password_changed",
  "password_reset",
  "phone_proven",
  "phone_waiting",
  "phone_withdrawn",
  "phone_changed",
  "phone_taken_back",
  "email_changed",
  "email_removed",
  "contact_by_staff",
  "grant_given",
  "grant_ended",
  "data_shown",
  "data_exported",
  "data_fetched",
  "closing_asked",
  "closing_taken_back",
  "closing_answered",
  "card_bound",
  "card_verified",
  "card_default",
  "card_unbound",
  "token_made",
  "token_ended",
] as const;
export type AccountEventKind = (typeof accountEventKinds)[number];

/** Events that each filter of the history shows. */
export const accountEventGroups = {
  log_in: ["log_in", "log_in_locked", "session_ended"],
  change: [
    "password_changed",
    "password_reset",
    "phone_proven",
    "phone_waiting",
    "phone_withdrawn",
    "phone_changed",
    "phone_taken_back",
    "email_changed",
    "email_removed",
    "contact_by_staff",
    "grant_given",
    "grant_ended",
    "data_exported",
    "data_fetched",
    "closing_asked",
    "closing_taken_back",
    "closing_answered",
    "card_bound",
    "card_verified",
    "card_default",
    "card_unbound",
    "token_made",
    "token_ended",
  ],
  shown: ["data_shown"],
} as const satisfies Record<string, readonly AccountEventKind[]>;
export type AccountEventGroup = keyof typeof accountEventGroups;

export const AccountEvent = Type.Object({
  id: Id,
  kind: Type.Enum(accountEventKinds),
  /** Detail of the event: an application's name, who looked at which data, a masked number. */
  detail: Type.String(),
  /** Browser and system; "" for an event that did not come from a browser. */
  device: Type.String(),
  address: Type.String({ description: "with its last part hidden" }),
  createTime: DateTime,
});
export type AccountEvent = Static<typeof AccountEvent>;

/** Days for which an unfamiliar log-in is asked about. */
export const unfamiliarDays = 30;

/** A log-in from a network from which the account had not been used before. */
export const UnfamiliarLogIn = Type.Object({
  id: Id,
  device: AccountEvent.properties.device,
  address: AccountEvent.properties.address,
  createTime: DateTime,
  /** Its owner said that it was not them, and the password has not been changed since. */
  foreign: Type.Boolean(),
});
export type UnfamiliarLogIn = Static<typeof UnfamiliarLogIn>;

export const unfamiliarLogIns = {
  method: "GET",
  path: `${base}/event/unfamiliar`,
  summary:
    "Log-ins of the own account within 30 days from a network that no earlier one had, as long as their owner has not said that it was them, or has not changed the password since.",
  access: signedIn,
  owner: "self",
  rate: "read",
  personal: { address: "mask-address" },
  form: "envelope",
  query: Empty,
  body: Empty,
  reply: Type.Array(UnfamiliarLogIn),
} satisfies Endpoint;

export const unfamiliarAnswer = {
  method: "POST",
  path: `${base}/event/answer`,
  summary: "Says of an own log-in whether it was its owner. It ends nothing by itself.",
  access: signedIn,
  owner: "self",
  rate: "write",
  personal: {},
  form: "envelope",
  query: Empty,
  body: Type.Object({ id: Id, mine: Type.Boolean() }),
  reply: Empty,
} satisfies Endpoint;

export const accountEventPage = {
  method: "GET",
  path: `${base}/event/page`,
  summary: "What happened with the own account within 180 days, the newest first.",
  access: signedIn,
  owner: "self",
  rate: "read",
  personal: { address: "mask-address" },
  form: "envelope",
  query: Type.Object({
    ...pageQuery,
    group: Type.Optional(Type.Enum(["log_in", "change", "shown"] as const)),
  }),
  body: Empty,
  reply: pageOf(AccountEvent),
} satisfies Endpoint;
