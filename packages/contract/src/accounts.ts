import { type Static, Type } from "typebox";
import { type Endpoint, publicAccess, signedIn } from "./endpoint.ts";
import { DateTime, Empty, Id } from "./scalars.ts";

const Md5 = Type.String({ pattern: "^[0-9a-fA-F]{32}$", description: "MD5 of the password, hex" });

/** Lengths of a password at registration; fewer than 6 is never taken (product.md 5, decisions.md 2). */
export const passwordLength = { min: 6, max: 20 } as const;

/**
 * Checks a password in the open, as forms do before it is hashed.
 * @returns the problem in words (a key of the translations), or "" when it is good
 */
export function passwordProblem(password: string): string {
  if (password.length < passwordLength.min) return "密码至少 6 位";
  if (password.length > passwordLength.max) return "密码最多 20 位";
  if (!/^[\x21-\x7e]+$/.test(password)) return "密码只能包含字母、数字和标点符号";
  const classes = [/[A-Z]/, /[a-z]/, /[0-9]/, /[^A-Za-z0-9]/].filter((kind) => kind.test(password)).length;
  return classes < 2 ? "密码至少包含大写字母、小写字母、数字、标点中的两种" : "";
}

/** Lengths of a login name. */
export const usernameLength = { min: 2, max: 32 } as const;

/**
 * Checks a login name at registration.
 * @param phone the proven number: the only number that may be a login name, so that nobody takes another's
 * @returns the problem in words (a key of the translations), or "" when it is good
 */
export function usernameProblem(username: string, phone = ""): string {
  const name = username.normalize("NFKC").trim();
  if (name.length < usernameLength.min || name.length > usernameLength.max) return "用户名长度为 2 到 32 个字符";
  if (!/^[\p{L}\p{N}_.@-]+$/u.test(name)) return "用户名只能包含文字、数字和 _ . @ -";
  const number = normalizeMobilePhone(name);
  return mobilePhonePattern.test(number) && number !== phone ? "用户名不能是他人的手机号" : "";
}

/** A mobile number of mainland China, after spaces, dashes and +86 were removed. */
export const mobilePhonePattern = /^1[3-9]\d{9}$/;

/** Brings a number into one form: `+86 138-0000 0000` is `13800000000`. */
export const normalizeMobilePhone = (text: string): string =>
  text
    .normalize("NFKC")
    .replace(/[\s()-]/g, "")
    .replace(/^(\+|00)?86(?=1\d{10}$)/, "");

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
    /** Versions of the agreements that the person consented to; required by our own page. */
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
