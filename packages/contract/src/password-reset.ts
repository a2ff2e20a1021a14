import { type Static, Type } from "typebox";
import { passwordRulePattern } from "./account-rules.ts";
import { SmsSent } from "./captchas.ts";
import { type Endpoint, publicAccess } from "./endpoint.ts";
import { Empty } from "./scalars.ts";

const Md5 = Type.String({ pattern: "^[0-9a-fA-F]{32}$", description: "MD5 of the password, hex" });

const resetBase = "/api/muyuan-system/cms-user/skip-secure/reset-password";

export const ResetPrecheck = Type.Object({
  ...SmsSent.properties,
  accounts: Type.Array(Type.String(), { description: "account names, masked" }),
});
export type ResetPrecheck = Static<typeof ResetPrecheck>;

export const resetPasswordPre = {
  method: "POST",
  path: `${resetBase}-pre/new`,
  summary: "First step of a reset: phone and captcha; sends the code.",
  access: publicAccess,
  owner: "named",
  rate: "guarded",
  personal: { phone: "mask-phone", accounts: "mask-phone" },
  form: "envelope",
  query: Type.Object({ phone: Type.String({ maxLength: 20 }) }),
  body: Empty,
  reply: ResetPrecheck,
} satisfies Endpoint;

export const ResetTicket = Type.Object({
  nonceKey: Type.String({ description: "one use, 10 minutes" }),
  accounts: Type.Array(Type.String(), { description: "account names of the proven number" }),
});
export type ResetTicket = Static<typeof ResetTicket>;

export const resetPasswordValidate = {
  method: "POST",
  path: `${resetBase}-pre/validate/new`,
  summary: "Second step: Captcha-Key and Captcha-Code carry id and digits of the SMS code; answers the nonceKey.",
  access: publicAccess,
  owner: "proof",
  rate: "guarded",
  personal: { accounts: "own" },
  form: "envelope",
  query: Type.Object({ phone: Type.String({ maxLength: 20 }) }),
  body: Empty,
  reply: ResetTicket,
} satisfies Endpoint;

export const resetPassword = {
  method: "POST",
  path: `${resetBase}/new`,
  summary: "Third step: sets the password, uses the nonceKey up and ends every session of the account.",
  access: publicAccess,
  owner: "proof",
  rate: "guarded",
  personal: {},
  form: "envelope",
  query: Empty,
  body: Type.Object({
    account: Type.String({ maxLength: 64, description: '"" for the one that a link is for' }),
    nonceKey: Type.String({ maxLength: 100 }),
    password: Md5,
    confirmPassword: Md5,
    passwordRule: Type.Optional(
      Type.String({
        pattern: passwordRulePattern,
        description: "rule that the form checked, such as 8-3; refused when a stricter one is in force by now",
      }),
    ),
  }),
  reply: Empty,
} satisfies Endpoint;

export const retrieveUserAccount = {
  method: "GET",
  path: "/api/muyuan-system/cms-user/skip-secure/retrieve-user-account",
  summary:
    "Sends the account names of a phone to it by SMS; the answer is the same for every number. Needs a passed captcha.",
  access: publicAccess,
  owner: "named",
  rate: "guarded",
  personal: {},
  form: "envelope",
  query: Type.Object({ mobilePhone: Type.String({ maxLength: 20 }) }),
  body: Empty,
  reply: Empty,
} satisfies Endpoint;
