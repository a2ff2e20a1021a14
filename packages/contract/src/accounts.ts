import { type Static, Type } from "typebox";
import { passwordRulePattern } from "./account-rules.ts";
import { type Endpoint, publicAccess, signedIn } from "./endpoint.ts";
import { DateTime, Empty, Id } from "./scalars.ts";

const Md5 = Type.String({ pattern: "^[0-9a-fA-F]{32}$", description: "MD5 of the password, hex" });

export const register = {
  method: "POST",
  path: "/api/muyuan-system/cms-user/skip-secure/register",
  summary:
    "Opens an account with a tenant of its own. Captcha-Key and Captcha-Code carry id and digits of the SMS code.",
  access: publicAccess,
  owner: "proof",
  rate: "guarded",
  personal: {},
  form: "envelope",
  query: Empty,
  body: Type.Object({
    username: Type.String({ minLength: 1, maxLength: 64 }),
    mobilePhone: Type.String({ maxLength: 20 }),
    password: Md5,
    confirmPassword: Md5,
    passwordRule: Type.Optional(
      Type.String({
        pattern: passwordRulePattern,
        description: "rule that the form checked, such as 8-3; refused when a stricter one is in force by now",
      }),
    ),
    /** Versions of the agreements that the person consented to; required from our own registration page. */
    agreementIds: Type.Optional(Type.Array(Id, { maxItems: 10 })),
  }),
  reply: Empty,
} satisfies Endpoint;

export const updatePassword = {
  method: "POST",
  path: "/api/muyuan-system/user/update-password",
  summary: "Changes the own password and ends all other sessions.",
  access: signedIn,
  owner: "self",
  rate: "write",
  personal: {},
  form: "envelope",
  query: Type.Object({
    oldPassword: Type.Optional(Md5),
    newPassword: Type.Optional(Md5),
    newPassword1: Type.Optional(Md5),
  }),
  body: Type.Object({
    oldPassword: Type.Optional(Md5),
    newPassword: Type.Optional(Md5),
    newPassword1: Type.Optional(Md5),
    passwordRule: Type.Optional(
      Type.String({
        pattern: passwordRulePattern,
        description: "rule that the form checked, such as 8-3; refused when a stricter one is in force by now",
      }),
    ),
  }),
  reply: Empty,
  beforePasswordChange: true,
} satisfies Endpoint;

/** A version of the user agreement or the privacy policy. */
export const Agreement = Type.Object({
  id: Id,
  kind: Type.Enum(["user", "privacy"] as const),
  version: Type.String(),
  title: Type.String(),
  /** Plain paragraphs, separated by blank lines. */
  body: Type.String(),
  summary: Type.String({ description: 'what changed, in a sentence; "" for the first version' }),
  publishedAt: DateTime,
});
export type Agreement = Static<typeof Agreement>;

export const currentAgreements = {
  method: "GET",
  path: "/api/muyuan-customer/agreement/skip-secure/current",
  summary: "The versions in force of user agreement and privacy policy.",
  access: publicAccess,
  owner: "nobody",
  rate: "read",
  personal: {},
  form: "envelope",
  query: Type.Object({ lang: Type.Optional(Type.Enum(["zh", "en"] as const)) }),
  body: Empty,
  reply: Type.Array(Agreement),
} satisfies Endpoint;

export const pendingAgreements = {
  method: "GET",
  path: "/api/muyuan-customer/agreement/pending",
  summary:
    "Versions in force that the signed-in person is asked to consent to: consented to none since the newest one that asks everybody again.",
  access: signedIn,
  owner: "self",
  rate: "read",
  personal: {},
  form: "envelope",
  query: Type.Object({ lang: Type.Optional(Type.Enum(["zh", "en"] as const)) }),
  body: Empty,
  reply: Type.Array(Agreement),
} satisfies Endpoint;

export const consent = {
  method: "POST",
  path: "/api/muyuan-customer/agreement/consent",
  summary: "Records that the signed-in person consents to these versions.",
  access: signedIn,
  owner: "self",
  rate: "write",
  personal: {},
  form: "envelope",
  query: Empty,
  body: Type.Object({ ids: Type.Array(Id, { minItems: 1, maxItems: 10 }) }),
  reply: Empty,
} satisfies Endpoint;
