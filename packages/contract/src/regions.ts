import { type Static, Type } from "typebox";
import { type Endpoint, permission, signedIn } from "./endpoint.ts";
import { TreeNode } from "./resource/endpoints.ts";
import { Empty, Id, pageOf, pageQuery } from "./scalars.ts";

const base = "/api/muyuan-system/region";
const open = {
  method: "GET",
  access: signedIn,
  owner: "nobody",
  rate: "read",
  personal: {},
  form: "envelope",
  body: Empty,
} as const;
const keeping = {
  method: "POST",
  access: permission("region_edit"),
  owner: "group",
  rate: "write",
  personal: {},
  form: "envelope",
} as const;

/** Code of a division: 2 digits a province, 4 a city, 6 a county, 9 a town, 12 a village; 00 is the country. */
const Code = Type.String({ pattern: "^[0-9]{1,12}$" });
const words = {
  code: Type.Optional(Type.String({ maxLength: 12, description: "its beginning" })),
  name: Type.Optional(
    Type.String({ maxLength: 60, description: "part of the name, or of its pinyin or first letters" }),
  ),
};

/** A division with those that it lies in (wire.md 3.10). */
export const Region = Type.Object({
  id: Type.String({ description: "the code" }),
  parentId: Type.String(),
  code: Type.String(),
  parentCode: Type.String({ description: '"00" for provinces' }),
  parentName: Type.String(),
  ancestors: Type.String({ description: 'codes from the country, comma-separated: "00,41,4113"' }),
  name: Type.String(),
  provinceCode: Type.String(),
  provinceName: Type.String(),
  cityCode: Type.String(),
  cityName: Type.String(),
  districtCode: Type.String(),
  districtName: Type.String(),
  townCode: Type.String(),
  townName: Type.String(),
  villageCode: Type.String(),
  villageName: Type.String(),
  regionLevel: Type.Integer({ description: "0 country, 1 province, 2 city, 3 county, 4 town, 5 village" }),
  sort: Type.Integer(),
  remark: Type.String(),
  hasChildren: Type.Boolean(),
  childCount: Type.Integer({ description: "divisions directly below it" }),
  disabled: Type.Boolean({ description: "not offered any more; records that name it keep its name" }),
  builtIn: Type.Boolean({ description: "comes with the product and can't be removed" }),
});
export type Region = Static<typeof Region>;

export const regionLazyTree = {
  ...open,
  path: `${base}/lazy-tree`,
  summary:
    "Divisions that are offered directly below one, by its code: 00 is the country. With a word those that fit, wherever they stand; with neither all of them.",
  query: Type.Object({ ...words, parentCode: Type.Optional(Code) }),
  reply: Type.Array(TreeNode),
} satisfies Endpoint;

export const regionLazyList = {
  ...open,
  path: `${base}/lazy-list`,
  summary:
    "As lazy-tree, with all fields of each division and with those that are not offered; without a word those below the country, or below one.",
  query: Type.Object({ ...words, parentCode: Type.Optional(Code) }),
  reply: Type.Array(Region),
} satisfies Endpoint;

export const regionSelect = {
  ...open,
  path: `${base}/select`,
  summary: "Divisions directly below one, in order, to choose from.",
  query: Type.Object({ code: Type.Optional(Code) }),
  reply: Type.Array(Region),
} satisfies Endpoint;

export const regionPage = {
  ...open,
  path: `${base}/page`,
  aliases: [`${base}/list`],
  summary: "Divisions by conditions, a page at a time, in the order of their codes.",
  query: Type.Object({
    ...pageQuery,
    ...words,
    parentCode: Type.Optional(Code),
    regionLevel: Type.Optional(Type.Integer({ minimum: 0, maximum: 5 })),
  }),
  reply: pageOf(Region),
} satisfies Endpoint;

export const regionDetail = {
  ...open,
  path: `${base}/detail`,
  summary: "One division by its code.",
  query: Type.Object({ code: Code }),
  reply: Region,
} satisfies Endpoint;

export const regionNames = {
  ...open,
  path: `${base}/names`,
  summary: "Names of divisions by their codes, from the province inwards; codes that are none are left out.",
  query: Type.Object({
    codes: Type.String({ pattern: "^[0-9,]{1,4000}$", description: "comma-separated, at most 500" }),
  }),
  reply: Type.Array(Type.Object({ code: Type.String(), names: Type.Array(Type.String()) })),
} satisfies Endpoint;

export const regionSubmit = {
  ...keeping,
  path: `${base}/submit`,
  aliases: [`${base}/save`, `${base}/update`],
  summary: "Adds a division, or changes the one with the code; its code must continue that of its parent.",
  query: Empty,
  body: Type.Object({
    code: Code,
    parentCode: Type.Optional(Code),
    name: Type.String({ maxLength: 60 }),
    sort: Type.Optional(Type.Integer({ minimum: 0, maximum: 9999 })),
    remark: Type.Optional(Type.String({ maxLength: 200 })),
    disabled: Type.Optional(Type.Boolean()),
  }),
  reply: Region,
} satisfies Endpoint;

export const regionRemove = {
  ...keeping,
  path: `${base}/remove`,
  summary: "Removes a division; refused while others lie in it.",
  query: Type.Object({ id: Type.Optional(Code) }),
  body: Type.Object({ id: Type.Optional(Code) }),
  reply: Empty,
} satisfies Endpoint;

const sheet = (path: string, summary: string) =>
  ({
    ...keeping,
    method: "GET",
    path: `${base}/${path}`,
    summary,
    rate: "guarded",
    form: "file",
    query: Empty,
    body: Empty,
    reply: Empty,
  }) as const satisfies Endpoint;
export const regionExport = sheet("export-region", "All divisions as a sheet.");
export const regionTemplate = sheet("export-template", "An empty sheet for an import of divisions.");

export const regionImport = {
  ...keeping,
  path: `${base}/import-region`,
  summary:
    "Adds the divisions of a sheet with the columns of the template, all or none; those that exist are changed with isCovered=1 and refused otherwise. With isTry=1 nothing is stored, and every problem is told.",
  upload: true,
  query: Type.Object({
    isCovered: Type.Optional(Type.Integer({ minimum: 0, maximum: 1 })),
    isTry: Type.Optional(Type.Integer({ minimum: 0, maximum: 1 })),
  }),
  body: Empty,
  reply: Type.Object({
    imported: Type.Integer({ description: "rows of the sheet without a problem" }),
    added: Type.Integer(),
    changed: Type.Integer(),
    /** By which the import is undone; "" where nothing was stored. */
    importId: Type.String(),
    /** Of a try, at most 100. */
    problems: Type.Array(Type.Object({ row: Type.Integer(), text: Type.String() })),
  }),
} satisfies Endpoint;

export const regionUndoImport = {
  ...keeping,
  path: `${base}/undo-import`,
  summary:
    "Takes an import of divisions back: removes those it added, and gives those it changed what they had before.",
  query: Empty,
  body: Type.Object({ importId: Id }),
  reply: Empty,
} satisfies Endpoint;
