import { type Static, Type } from "typebox";
import { type Endpoint, signedIn } from "./endpoint.ts";
import { DateTime, Empty } from "./scalars.ts";

/** Most keys that an account stores, and most bytes of one value. */
export const preferenceLimits = { keys: 200, valueBytes: 65_536 } as const;

/** Key of the language of alarm messages outside the portal: "zh" or "en" as JSON; Chinese where it is not set. */
export const languagePreference = "language";

/** A person's settings for a screen: columns, row height, saved views. */
export const Preference = Type.Object({
  key: Type.String(),
  value: Type.String({ description: "JSON" }),
  updateTime: DateTime,
});
export type Preference = Static<typeof Preference>;

const base = {
  access: signedIn,
  owner: "self",
  personal: {},
  form: "envelope",
} as const;

export const preferenceList = {
  ...base,
  method: "GET",
  path: "/api/muyuan-system/preference/list",
  summary: "What the session's account chose for its screens.",
  rate: "read",
  query: Empty,
  body: Empty,
  reply: Type.Array(Preference),
} satisfies Endpoint;

export const preferenceSubmit = {
  ...base,
  method: "POST",
  path: "/api/muyuan-system/preference/submit",
  summary: "Keeps one choice of the session's account, the newest wins; an empty value removes it.",
  rate: "write",
  query: Empty,
  body: Type.Object({
    key: Type.String({ pattern: "^[a-z][A-Za-z0-9_.-]{0,99}$", description: "for example list.dept" }),
    value: Type.String({ maxLength: preferenceLimits.valueBytes, description: "JSON of at most 64 KB; empty: none" }),
  }),
  reply: Empty,
} satisfies Endpoint;
