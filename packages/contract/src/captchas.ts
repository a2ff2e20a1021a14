import { type Static, Type } from "typebox";
import { type Endpoint, publicAccess } from "./endpoint.ts";
import { Empty } from "./scalars.ts";

/** Headers that carry a passed captcha or an SMS code (wire.md 1.5, decisions.md 2). */
export const captchaHeaders = { key: "Captcha-Key", code: "Captcha-Code" } as const;

/** Geometry of the sliding puzzle in picture pixels (wire.md 4.2). */
export const blockPuzzle = {
  width: 310,
  height: 155,
  pieceWidth: 47,
  /** The piece always has this vertical position. */
  y: 5,
  /** Largest accepted error of a drag, in picture pixels. */
  tolerance: 5,
  /** Smallest and largest horizontal position of the hole, in picture pixels. */
  leastX: 100,
  mostX: 262,
  /** Seconds within which a puzzle must be solved. */
  lifetimeS: 120,
  /** Seconds within which a solved puzzle can be used, once. */
  solvedLifetimeS: 180,
} as const;

const nullable = Type.Unknown();

/** Answers of captcha/get and captcha/check in the form of AJ-Captcha: always HTTP 200, without `code`. */
export const CaptchaReply = Type.Object({
  repCode: Type.String({ description: "0000 when it went well; the other codes are in wire.md 4.2" }),
  repMsg: nullable,
  repData: nullable,
  success: Type.Boolean(),
});
export type CaptchaReply = Static<typeof CaptchaReply>;

/** `repData` of captcha/get, as far as clients read it. */
export interface BlockPuzzle {
  /** PNG, Base64 without a prefix. */
  originalImageBase64: string;
  jigsawImageBase64: string;
  token: string;
  /** 16 letters and digits: key of AES-128-ECB for the point. */
  secretKey: string;
}

export const captchaGet = {
  method: "POST",
  path: "/api/muyuan-resource/captcha/skip-secure/get",
  summary: "Makes a sliding puzzle (AJ-Captcha, blockPuzzle).",
  access: publicAccess,
  owner: "nobody",
  rate: "entry",
  personal: {},
  form: "bare",
  query: Empty,
  body: Type.Object({
    captchaType: Type.Optional(Type.String({ maxLength: 20 })),
    clientUid: Type.Optional(Type.String({ maxLength: 100 })),
    ts: Type.Optional(Type.Number()),
  }),
  reply: CaptchaReply,
} satisfies Endpoint;

export const captchaCheck = {
  method: "POST",
  path: "/api/muyuan-resource/captcha/skip-secure/check",
  summary: "Checks the place of the puzzle's piece; one try per token.",
  access: publicAccess,
  owner: "nobody",
  rate: "entry",
  personal: {},
  form: "bare",
  query: Empty,
  body: Type.Object({
    captchaType: Type.Optional(Type.String({ maxLength: 20 })),
    pointJson: Type.Optional(Type.String({ maxLength: 500, description: "Base64 of AES-128-ECB of {x, y}" })),
    token: Type.Optional(Type.String({ maxLength: 64 })),
  }),
  reply: CaptchaReply,
} satisfies Endpoint;

export const pictureCaptcha = {
  method: "GET",
  path: "/api/muyuan-auth/oauth/captcha",
  summary: "Makes a picture of five characters, the alternative to the puzzle: key and image as a data address.",
  access: publicAccess,
  owner: "nobody",
  rate: "entry",
  personal: {},
  form: "bare",
  query: Empty,
  body: Empty,
  reply: Type.Object({ key: Type.String(), image: Type.String() }),
} satisfies Endpoint;

/** Purposes of SMS codes; a code for one purpose is refused for another. */
export const smsPurposes = [
  "login",
  "register",
  "reset-password",
  "retrieve-account",
  "verify-phone",
  /** Proves that the owner still has the old number, before a new one replaces it. */
  "prove-old-phone",
  "new-phone",
  /** Proves that the person who takes a change of the phone back has the old number. */
  "take-phone-back",
  /** Proves that the person who signs a contract has the phone of the account. */
  "contract-sign",
  /** Proves that the person who closes an account or a customer has its phone. */
  "close-account",
  /** Proves that the phone which a bank has on record for a card is at hand. */
  "bank-card",
] as const;
export type SmsPurpose = (typeof smsPurposes)[number];

/** Limits of SMS codes (decisions.md 2). */
export const smsLimits = { digits: 6, lifetimeS: 300, tries: 5, resendS: 60, perHour: 5, perDay: 10 } as const;

export const SmsSent = Type.Object({
  success: Type.Boolean(),
  phone: Type.String({ description: "masked" }),
  id: Type.String({ description: "goes back with the code; for a number that gets none it looks the same" }),
});
export type SmsSent = Static<typeof SmsSent>;

export const sendValidate = {
  method: "POST",
  path: "/api/muyuan-resource/sms/endpoint/skip-secure/send-validate",
  summary: "Sends a code to a phone; needs a passed captcha in Captcha-Key and Captcha-Code.",
  access: publicAccess,
  owner: "named",
  rate: "guarded",
  personal: { phone: "mask-phone" },
  form: "envelope",
  query: Type.Object({
    mobilePhone: Type.String({ maxLength: 20 }),
    /** Optional because clients of the family send none; a code without a purpose serves both. */
    purpose: Type.Optional(Type.Enum(["login", "register"] as const)),
  }),
  body: Empty,
  reply: SmsSent,
  message: "短信发送成功",
} satisfies Endpoint;

/** Parameters of validate-message, which clients send as query or as a form body; both are read. */
const CodeProof = Type.Object({
  phone: Type.Optional(Type.String({ maxLength: 20 })),
  id: Type.Optional(Type.String({ maxLength: 100, description: "id that send-validate answered" })),
  value: Type.Optional(Type.String({ maxLength: 10, description: "the digits" })),
});

export const validateMessage = {
  method: "POST",
  path: "/api/muyuan-resource/sms/endpoint/validate-message",
  aliases: ["/api/muyuan-resource/sms/endpoint/skip-secure/validate-message"],
  summary: "Tells whether an SMS code is right without using it up; each call is one of the code's five tries.",
  access: publicAccess,
  owner: "proof",
  rate: "guarded",
  personal: {},
  form: "envelope",
  query: CodeProof,
  body: CodeProof,
  reply: Empty,
  message: "短信校验成功",
} satisfies Endpoint;
