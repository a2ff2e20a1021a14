import { type Static, Type } from "typebox";
import { type Endpoint, signedIn } from "./endpoint.ts";
import { DateTime, Empty, Id } from "./scalars.ts";

/** Days for which an export of a person's own data can be fetched. */
export const dataExportDays = 7;
/** Most exports that a person may start within 24 hours. */
export const dataExportsPerDay = 2;

/**
 * `making`: in progress; `ready`: can be fetched once; `fetched`: it was fetched; `over`: it expired; `failed`: it could not be
 * made.
 */
export const dataExportStates = ["making", "ready", "fetched", "over", "failed"] as const;
export type DataExportState = (typeof dataExportStates)[number];

export const DataExport = Type.Object({
  id: Id,
  state: Type.Enum(dataExportStates),
  language: Type.Enum(["zh", "en"] as const),
  sizeBytes: Type.Integer({ minimum: 0 }),
  createTime: DateTime,
  expireTime: DateTime,
});
export type DataExport = Static<typeof DataExport>;

const base = "/api/muyuan-customer/my-data";

export const dataExportList = {
  method: "GET",
  path: `${base}/list`,
  summary: "The newest exports of the signed-in person's data, at most 5.",
  access: signedIn,
  owner: "self",
  rate: "read",
  personal: {},
  form: "envelope",
  query: Empty,
  body: Empty,
  reply: Type.Array(DataExport),
} satisfies Endpoint;

export const dataExportSubmit = {
  method: "POST",
  path: `${base}/export`,
  summary:
    "Begins an export of everything that is held on the signed-in person, after a fresh password, at most 2 a day: a zip of JSON with a page to read.",
  access: signedIn,
  owner: "self",
  rate: "guarded",
  personal: {},
  form: "envelope",
  query: Empty,
  body: Type.Object({ language: Type.Enum(["zh", "en"] as const) }),
  reply: DataExport,
  confirmation: "always",
} satisfies Endpoint;

export const dataExportLink = {
  method: "POST",
  path: `${base}/link`,
  summary:
    "An address from which this browser fetches an export, once, within 60 s, after a fresh password. Fetching removes the export.",
  access: signedIn,
  owner: "self",
  rate: "guarded",
  personal: {},
  form: "envelope",
  query: Empty,
  body: Type.Object({ id: Id }),
  reply: Type.Object({ url: Type.String(), expiresIn: Type.Integer({ description: "seconds" }) }),
  confirmation: "always",
} satisfies Endpoint;
