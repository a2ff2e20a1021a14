import { type Static, Type } from "typebox";
import { type Endpoint, signedIn } from "./endpoint.ts";
import { Empty, Id } from "./scalars.ts";

/** A value of a dictionary code, or the row that names a code: that one has dictKey "-1" (wire.md 3.8). */
export const DictionaryRow = Type.Object({
  id: Id,
  parentId: Type.String({ description: '"0" for the row that names a code' }),
  code: Type.String(),
  dictKey: Type.String(),
  /** Chinese; the key of its translation. */
  dictValue: Type.String(),
  sort: Type.Integer(),
  remark: Type.String(),
  isSealed: Type.Integer({ description: "1: not offered any more" }),
  isDeleted: Type.Integer(),
});
export type DictionaryRow = Static<typeof DictionaryRow>;

/** A row of the whole list, with the values of its code below it. */
export const DictionaryNode = Type.Object({
  ...DictionaryRow.properties,
  parentName: Type.String(),
  children: Type.Optional(Type.Array(Type.Object({ ...DictionaryRow.properties, parentName: Type.String() }))),
});
export type DictionaryNode = Static<typeof DictionaryNode>;

export const dictionary = {
  method: "GET",
  path: "/api/muyuan-system/dict/dictionary",
  summary: "The values of one code that may be chosen, in order; an empty list for an unknown code.",
  access: signedIn,
  owner: "nobody",
  rate: "read",
  personal: {},
  form: "envelope",
  query: Type.Object({ code: Type.String({ minLength: 1, maxLength: 60 }) }),
  body: Empty,
  reply: Type.Array(DictionaryRow),
} satisfies Endpoint;

export const dictionaryList = {
  method: "GET",
  path: "/api/muyuan-system/dict/list",
  summary: "Codes with their values, as trees; limited to a code or to values that contain a word.",
  access: signedIn,
  owner: "nobody",
  rate: "read",
  personal: {},
  form: "envelope",
  query: Type.Object({
    code: Type.Optional(Type.String({ maxLength: 60 })),
    dictValue: Type.Optional(Type.String({ maxLength: 60 })),
  }),
  body: Empty,
  reply: Type.Array(DictionaryNode),
} satisfies Endpoint;
