import { type Static, Type } from "typebox";
import { type Endpoint, signedIn } from "./endpoint.ts";
import { permissionOf, type ResourceDeclaration } from "./resource/index.ts";
import { resources } from "./resources.ts";
import { Empty } from "./scalars.ts";

/** Longest text that is looked for, in characters. */
export const longestFind = 60;
/** Things of one kind that an answer has at most. */
export const mostFoundOfKind = 6;

/** A thing that was found. */
export const FoundThing = Type.Object({
  id: Type.String({ description: "as the detail operation of its kind takes it" }),
  key: Type.String({ description: "names it for find/kept" }),
  /** As it was entered; for people the real name. */
  name: Type.String(),
  /** Number, code or serial number; "" where it has none beside its name. */
  code: Type.String(),
  /** Names of what it stands in, from the outside in: farm, house, unit; or the customer. */
  within: Type.Array(Type.String()),
  /** State of a device, an order or a contract, as its list names it; "" where it has none. */
  state: Type.String(),
  /** Addresses that show it, the best first; each is one of a screen, which the reader may lack. */
  opens: Type.Array(Type.String()),
});
export type FoundThing = Static<typeof FoundThing>;

const FoundKind = Type.Object({
  /** Such as `device`, `farm`, `sale_order`. */
  kind: Type.String(),
  /** Chinese name of one of them. */
  name: Type.String(),
  /** Name of an icon of the web app. */
  icon: Type.String(),
  /** Word (Chinese) and mark of each state of a process, where the kind is one. */
  states: Type.Optional(
    Type.Record(
      Type.String(),
      Type.Object({
        word: Type.String(),
        mark: Type.Enum(["critical", "major", "minor", "notice", "ok", "off", "empty"] as const),
      }),
    ),
  ),
  things: Type.Array(FoundThing, { maxItems: mostFoundOfKind }),
  /** There are others. */
  more: Type.Boolean(),
});
export type FoundKind = Static<typeof FoundKind>;

const read = { access: signedIn, owner: "tenants", rate: "read", personal: {}, form: "envelope" } as const;

/** Kinds and keys, as in `device:123,unit:45`. */
const keptPattern = "^[a-z_]{1,40}:\\d{1,19}(,[a-z_]{1,40}:\\d{1,19}){0,19}$";

export const findKept = {
  ...read,
  method: "GET",
  path: "/api/muyuan-desk/find/kept",
  summary: "Things that were found before, as far as the caller's lists still have them.",
  query: Type.Object({
    things: Type.String({
      pattern: keptPattern,
      maxLength: 1300,
      description: "kind:key, separated by commas; at most 20",
    }),
  }),
  body: Empty,
  reply: Type.Array(FoundKind),
} satisfies Endpoint;

/** A screen on which the reader may add something. */
export interface Beginning {
  /** Name of the resource. */
  readonly name: string;
  /** Chinese name of one row, or the whole text of its button. */
  readonly one: string;
  readonly button?: string;
  readonly right: string;
  /** Paths of its screens. */
  readonly paths: readonly string[];
  /** Who may, where not everybody with the right. */
  readonly by?: "group" | "customers";
}

/** What is added by a form beside a list: everything but rows that only events or other operations write. */
export const beginnings: readonly Beginning[] = resources.flatMap((of: ResourceDeclaration): Beginning[] => {
  const begin = of.process?.begin;
  if (of.replaced?.includes("submit") && begin === undefined) return [];
  const by = begin ? begin.by : of.addedBy;
  return [
    {
      name: of.name,
      one: of.words.one,
      ...(begin && { button: begin.word }),
      right: permissionOf(of, "edit"),
      paths: [of.menu.path, ...(of.customerMenu ? [of.customerMenu.path] : [])],
      ...(by && { by }),
    },
  ];
});

export const findList = {
  ...read,
  method: "GET",
  path: "/api/muyuan-desk/find/list",
  summary:
    "Things by name, number, code, English name or pinyin (whole or first letters) that the caller's lists have, by kind, the best matches first. Words between spaces must all match; names of farm and house count.",
  query: Type.Object({ q: Type.String({ minLength: 1, maxLength: longestFind }) }),
  body: Empty,
  reply: Type.Array(FoundKind),
} satisfies Endpoint;
