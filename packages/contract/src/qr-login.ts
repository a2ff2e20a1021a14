import { type Static, Type } from "typebox";
import { type Endpoint, publicAccess, signedIn } from "./endpoint.ts";
import { DateTime, Empty } from "./scalars.ts";

/** States of a QR log-in, as qrcode/check answers them (decisions.md 2). */
export const qrStatus = { waiting: 0, scanned: 1, confirmed: 2, rejected: 3, expired: 4 } as const;
/** Seconds for which a code is valid; the page polls every `qrPollMs` milliseconds. */
export const qrLifetimeS = 180;
export const qrPollMs = 2000;
/** Cookie that binds a code to the browser that asked for it. */
export const qrCookie = "herdwise_qr";

export const QrCode = Type.Object({
  qrcodeKey: Type.String(),
  /** Address of the phone page, which the QR code contains. */
  qrcodeUrl: Type.String(),
  expiresIn: Type.Integer({ description: "seconds" }),
});
export type QrCode = Static<typeof QrCode>;

export const QrState = Type.Object({
  status: Type.Integer({ minimum: 0, maximum: 4 }),
  /** Masked; present once the code was scanned. */
  nickName: Type.Optional(Type.String()),
  avatar: Type.Optional(Type.String()),
});
export type QrState = Static<typeof QrState>;

export const qrGenerate = {
  method: "GET",
  path: "/api/muyuan-auth/oauth/skip-secure/qrcode/generate",
  summary: "Makes a QR log-in for this browser and binds it by a cookie.",
  access: publicAccess,
  owner: "nobody",
  rate: "entry",
  personal: {},
  form: "envelope",
  query: Empty,
  body: Empty,
  reply: QrCode,
} satisfies Endpoint;

const qrQuery = Type.Object({ qrcodeKey: Type.Optional(Type.String({ maxLength: 100 })) });

export const qrCheck = {
  method: "POST",
  path: "/api/muyuan-auth/oauth/skip-secure/qrcode/check",
  summary: "Tells the state of a QR log-in, to the browser that asked for it only. qrcodeKey in the query or the body.",
  access: publicAccess,
  owner: "proof",
  rate: "entry",
  personal: { nickName: "mask-name" },
  form: "envelope",
  query: qrQuery,
  body: qrQuery,
  reply: QrState,
} satisfies Endpoint;

/** The browser that asks to sign in, as the phone shows it. */
export const QrAsking = Type.Object({
  status: Type.Integer({ minimum: 0, maximum: 4 }),
  device: Type.String(),
  address: Type.String(),
  askedAt: DateTime,
});
export type QrAsking = Static<typeof QrAsking>;

export const qrScan = {
  method: "POST",
  path: "/api/muyuan-auth/oauth/qrcode/scan",
  summary: "The signed-in phone has read the code; answers which browser asks.",
  access: signedIn,
  owner: "proof",
  rate: "write",
  personal: { address: "mask-address" },
  form: "envelope",
  query: Empty,
  body: Type.Object({ qrcodeKey: Type.String({ maxLength: 100 }) }),
  reply: QrAsking,
} satisfies Endpoint;

export const qrAnswer = {
  method: "POST",
  path: "/api/muyuan-auth/oauth/qrcode/answer",
  summary: "The signed-in phone lets the browser in, or not.",
  access: signedIn,
  owner: "proof",
  rate: "write",
  personal: {},
  form: "envelope",
  query: Empty,
  body: Type.Object({ qrcodeKey: Type.String({ maxLength: 100 }), approved: Type.Boolean() }),
  reply: Empty,
} satisfies Endpoint;
