import { type Static, Type } from "typebox";
import { bankCardStates, cardAmountFen } from "./bank-card-rules.ts";
import { SmsSent } from "./captchas.ts";
import { type Endpoint, permission } from "./endpoint.ts";
import { remittanceFailures } from "./real-name.ts";
import { DateTime, Empty, Id, pageOf, pageQuery } from "./scalars.ts";

/** A card that a customer is paid to. Only the last four digits of its number leave the server. */
export const BankCard = Type.Object({
  id: Id,
  state: Type.Enum(bankCardStates),
  bankName: Type.String(),
  /** Name of the holder: that of the authentication in force when the card was bound. */
  holder: Type.String({ description: "shortened" }),
  lastFour: Type.String({ description: "the last four digits" }),
  phone: Type.String({ description: 'what the bank holds, masked; "" after it is unbound' }),
  failure: Type.String({ description: `${remittanceFailures.join(", ")}; "" when it did not fail` }),
  sandbox: Type.Boolean({ description: "nothing was sent to a bank" }),
  /** In the sandbox, where no account can be read: the amount that was remitted, in fen; 0 otherwise. */
  sandboxFen: Type.Integer({ minimum: 0, maximum: cardAmountFen.max }),
  triesLeft: Type.Integer({ minimum: 0 }),
  isDefault: Type.Boolean(),
  /** When it becomes the default card; "" unless that change is pending. */
  defaultTime: DateTime,
  createTime: DateTime,
  expireTime: DateTime,
});
export type BankCard = Static<typeof BankCard>;

export const BankCards = Type.Object({
  /** The verified name that cards are bound to, shortened; "" without an authentication in force. */
  holder: Type.String(),
  cards: Type.Array(BankCard),
  /** Verification amounts that can still be sent within the current 24 hours. */
  sendsLeft: Type.Integer({ minimum: 0 }),
});
export type BankCards = Static<typeof BankCards>;

const base = "/api/muyuan-customer/bank-card";
const own = permission("bank_card_manage");
const masked = { holder: "mask-name", phone: "mask-phone" } as const;
const one = Type.Object({ id: Id });

export const bankCardList = {
  method: "GET",
  path: `${base}/list`,
  summary: "Bank cards of the session's tenant, the default one first; unbound ones are left out.",
  access: own,
  owner: "tenant",
  rate: "read",
  personal: masked,
  form: "envelope",
  query: Empty,
  body: Empty,
  reply: BankCards,
} satisfies Endpoint;

export const bankCardCode = {
  method: "POST",
  path: `${base}/send-code`,
  summary: "Sends a code to the phone that the bank holds for a card.",
  access: own,
  owner: "tenant",
  rate: "guarded",
  personal: { phone: "mask-phone" },
  form: "envelope",
  query: Empty,
  body: Type.Object({ phone: Type.String({ maxLength: 20 }) }),
  reply: SmsSent,
} satisfies Endpoint;

export const bankCardBind = {
  method: "POST",
  path: `${base}/bind`,
  summary:
    "Binds a debit card of the proven name after a fresh password and a code to the bank's phone; a small amount proves the account. At most 5 cards.",
  access: own,
  owner: "tenant",
  rate: "guarded",
  personal: masked,
  form: "envelope",
  query: Empty,
  body: Type.Object({
    number: Type.String({ maxLength: 40, description: "16 to 19 digits with a check digit; spaces are left out" }),
    /** Required where the first digits don't tell the bank. */
    bankName: Type.Optional(Type.String({ maxLength: 60 })),
    phone: Type.String({ maxLength: 20 }),
    codeId: Type.Optional(Type.String({ maxLength: 100 })),
    code: Type.Optional(Type.String({ maxLength: 10 })),
  }),
  reply: BankCard,
  confirmation: "always",
} satisfies Endpoint;

export const bankCardConfirm = {
  method: "POST",
  path: `${base}/confirm`,
  summary: "Says which amount arrived, in fen. Three wrong ones end it.",
  access: own,
  owner: "tenant",
  rate: "guarded",
  personal: masked,
  form: "envelope",
  query: Empty,
  body: Type.Object({ id: Id, amountFen: Type.Integer({ minimum: 1, maximum: 10_000 }) }),
  reply: BankCard,
} satisfies Endpoint;

export const bankCardRemitAgain = {
  method: "POST",
  path: `${base}/remit-again`,
  summary: "Sends a small amount once more after it failed or expired, at most 3 a day.",
  access: own,
  owner: "tenant",
  rate: "guarded",
  personal: masked,
  form: "envelope",
  query: Empty,
  body: one,
  reply: BankCard,
} satisfies Endpoint;

export const bankCardDefault = {
  method: "POST",
  path: `${base}/make-default`,
  summary:
    "Has a verified card paid to from now on; after a fresh password. Where another one is the default it waits 24 hours, and everybody who may is told.",
  access: own,
  owner: "tenant",
  rate: "guarded",
  personal: masked,
  form: "envelope",
  query: Empty,
  body: one,
  reply: BankCard,
  confirmation: "always",
} satisfies Endpoint;

export const bankCardKeepDefault = {
  method: "POST",
  path: `${base}/keep-default`,
  summary: "Stops a change of the default card that waits.",
  access: own,
  owner: "tenant",
  rate: "write",
  personal: masked,
  form: "envelope",
  query: Empty,
  body: one,
  reply: BankCard,
} satisfies Endpoint;

export const bankCardUnbind = {
  method: "POST",
  path: `${base}/unbind`,
  summary: "Takes a card off after a fresh password; its number and phone are gone at once.",
  access: own,
  owner: "tenant",
  rate: "guarded",
  personal: masked,
  form: "envelope",
  query: Empty,
  body: one,
  reply: BankCard,
  confirmation: "always",
} satisfies Endpoint;

/** A card as the group's staff see it. */
export const DeskBankCard = Type.Object({
  id: Id,
  tenantId: Type.String(),
  customer: Type.String(),
  state: Type.Enum(bankCardStates),
  bankName: Type.String(),
  holder: Type.String({ description: "shortened" }),
  lastFour: Type.String(),
  phone: Type.String({ description: "masked" }),
  failure: Type.String(),
  sandbox: Type.Boolean(),
  arrivals: Type.Integer({ description: "how often the bank says it arrived; more than 1 is the bank's mistake" }),
  isDefault: Type.Boolean(),
  defaultTime: DateTime,
  createTime: DateTime,
});
export type DeskBankCard = Static<typeof DeskBankCard>;

export const bankCardDeskPage = {
  method: "GET",
  path: `${base}/desk/page`,
  summary: "Bank cards of all customers, newest first, by state and customer; numbers are never in it.",
  access: permission("bank_card_view"),
  owner: "group",
  rate: "read",
  personal: masked,
  form: "envelope",
  query: Type.Object({
    ...pageQuery,
    state: Type.Optional(Type.Enum(bankCardStates)),
    keyword: Type.Optional(
      Type.String({ maxLength: 60, description: "part of a customer's name, or the last four digits" }),
    ),
  }),
  body: Empty,
  reply: pageOf(DeskBankCard),
} satisfies Endpoint;

export const bankCardReveal = {
  method: "POST",
  path: `${base}/desk/reveal`,
  summary:
    "A card's number in full, for who has just entered the own password, with a reason. Each look is an entry of the audit trail and of the owner's history.",
  access: permission("bank_card_reveal"),
  owner: "group",
  rate: "guarded",
  personal: {},
  form: "envelope",
  query: Empty,
  body: Type.Object({ id: Id, reason: Type.String({ minLength: 2, maxLength: 200 }) }),
  reply: Type.Object({ value: Type.String() }),
  confirmation: "always",
} satisfies Endpoint;
