import { type Static, Type } from "typebox";
import { type Endpoint, permission, signedIn } from "./endpoint.ts";
import { TreeNode } from "./resource/endpoints.ts";
import { Empty, Id, pageOf, pageQuery } from "./scalars.ts";

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

/**
 * The calls around dictionaries that the resource kit does not have: of the installation (`dict`), and of a tenant's own (`dict-biz`).
 * @param code prefix of the permissions @param readers whose rows are read to choose from @param keepers whose rows are listed to keep them
 */
const dictionaryCalls = <Readers extends "nobody" | "tenant", Keepers extends "group" | "tenants">(
  path: string,
  code: string,
  readers: Readers,
  keepers: Keepers,
) => {
  const choosing = {
    method: "GET",
    access: signedIn,
    owner: readers,
    rate: "read",
    personal: {},
    form: "envelope",
    body: Empty,
  } as const;
  const keeping = { ...choosing, access: permission(`${code}_view`), owner: keepers } as const;
  const words = {
    code: Type.Optional(Type.String({ maxLength: 60 })),
    dictValue: Type.Optional(Type.String({ maxLength: 60 })),
  };
  const named = Type.Object({ code: Type.String({ minLength: 1, maxLength: 60 }) });
  return {
    values: {
      ...choosing,
      path: `${path}/dictionary`,
      summary: "The values of one code that may be chosen, in order; an empty list for an unknown code.",
      query: named,
      reply: Type.Array(DictionaryRow),
    } satisfies Endpoint,
    list: {
      ...choosing,
      path: `${path}/list`,
      summary: "Codes with their values, as trees; limited to a code or to values that contain a word.",
      query: Type.Object(words),
      reply: Type.Array(DictionaryNode),
    } satisfies Endpoint,
    valueTree: {
      ...choosing,
      path: `${path}/dictionary-tree`,
      summary: "The values of one code that may be chosen, as nodes of a tree.",
      query: named,
      reply: Type.Array(TreeNode),
    } satisfies Endpoint,
    codes: {
      ...keeping,
      path: `${path}/parent-list`,
      summary: "Rows that name a code, by a part of code or name, a page at a time.",
      query: Type.Object({ ...pageQuery, ...words }),
      reply: pageOf(DictionaryNode),
    } satisfies Endpoint,
    valuesBelow: {
      ...keeping,
      path: `${path}/child-list`,
      summary: "All values below a row that names a code, sealed ones as well; none without parentId.",
      query: Type.Object({ ...words, parentId: Type.Optional(Type.String({ maxLength: 19 })) }),
      reply: Type.Array(DictionaryNode),
    } satisfies Endpoint,
    codeTree: {
      ...keeping,
      path: `${path}/parent-tree`,
      summary: "Rows that name a code, as nodes of a tree.",
      query: Empty,
      reply: Type.Array(TreeNode),
    } satisfies Endpoint,
  };
};

/** Of the installation. */
export const {
  values: dictionary,
  list: dictionaryList,
  valueTree: dictionaryTree,
  codes: dictionaryCodes,
  valuesBelow: dictionaryBelow,
  codeTree: dictionaryCodeTree,
} = dictionaryCalls("/api/muyuan-system/dict", "dict", "nobody", "group");

/** Of a tenant. */
export const {
  values: businessDictionary,
  list: businessDictionaryList,
  valueTree: businessDictionaryTree,
  codes: businessDictionaryCodes,
  valuesBelow: businessDictionaryBelow,
  codeTree: businessDictionaryCodeTree,
} = dictionaryCalls("/api/muyuan-system/dict-biz", "dict_biz", "tenant", "tenants");
