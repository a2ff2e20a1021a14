import { type Static, Type } from "typebox";
import { type Endpoint, permission } from "./endpoint.ts";
import { DateTime, Empty, pageOf, pageQuery } from "./scalars.ts";

const TextLanguage = Type.Enum(["en", "zh"] as const);

/** A stored translation of a text that comes as data. */
export const Translation = Type.Object({
  source: Type.String(),
  language: TextLanguage,
  translation: Type.String(),
  /** Machine translated, and no person has reviewed it. */
  machine: Type.Boolean(),
  /** Origin of the translation: `editor`, or the name of the machine's service. */
  provider: Type.String(),
  updateTime: DateTime,
});
export type Translation = Static<typeof Translation>;

export const correctionPage = {
  method: "GET",
  path: "/api/muyuan-i18n/correction/page",
  summary: "Kept translations, what no editor has looked at first.",
  access: permission("translation_view"),
  owner: "group",
  rate: "read",
  personal: {},
  form: "envelope",
  query: Type.Object({
    ...pageQuery,
    language: Type.Optional(TextLanguage),
    machine: Type.Optional(Type.Boolean({ description: "only what a machine made, or only what an editor wrote" })),
    keyword: Type.Optional(Type.String({ maxLength: 100, description: "part of the text or of its translation" })),
  }),
  body: Empty,
  reply: pageOf(Translation),
} satisfies Endpoint;

export const correctionSubmit = {
  method: "POST",
  path: "/api/muyuan-i18n/correction/submit",
  summary: "Writes an editor's translation; it goes before glossary and machine from then on.",
  access: permission("translation_edit"),
  owner: "group",
  rate: "write",
  personal: {},
  form: "envelope",
  query: Empty,
  body: Type.Object({
    source: Type.String({ minLength: 1, maxLength: 2000 }),
    language: TextLanguage,
    translation: Type.String({ minLength: 1, maxLength: 4000 }),
  }),
  reply: Empty,
} satisfies Endpoint;

export const correctionRemove = {
  method: "POST",
  path: "/api/muyuan-i18n/correction/remove",
  summary: "Forgets a kept translation; glossary or machine answer again.",
  access: permission("translation_edit"),
  owner: "group",
  rate: "write",
  personal: {},
  form: "envelope",
  query: Empty,
  body: Type.Object({ source: Type.String({ minLength: 1, maxLength: 2000 }), language: TextLanguage }),
  reply: Empty,
} satisfies Endpoint;
