import { Type } from "typebox";
import { type Endpoint, signedIn } from "./endpoint.ts";
import { TreeNode } from "./resource/endpoints.ts";
import { Empty } from "./scalars.ts";

export const regionLazyTree = {
  method: "GET",
  path: "/api/muyuan-system/region/lazy-tree",
  summary:
    "Divisions directly below one, by its code: 00 is the country, provinces have 2 digits, cities 4, counties 6.",
  access: signedIn,
  owner: "nobody",
  rate: "read",
  personal: {},
  form: "envelope",
  query: Type.Object({
    parentCode: Type.Optional(Type.String({ pattern: "^[0-9]{1,12}$", default: "00" })),
  }),
  body: Empty,
  reply: Type.Array(TreeNode),
} satisfies Endpoint;

export const regionNames = {
  method: "GET",
  path: "/api/muyuan-system/region/names",
  summary: "Names of divisions by their codes, from the province inwards; codes that are none are left out.",
  access: signedIn,
  owner: "nobody",
  rate: "read",
  personal: {},
  form: "envelope",
  query: Type.Object({
    codes: Type.String({ pattern: "^[0-9,]{1,4000}$", description: "comma-separated, at most 500" }),
  }),
  body: Empty,
  reply: Type.Array(Type.Object({ code: Type.String(), names: Type.Array(Type.String()) })),
} satisfies Endpoint;
