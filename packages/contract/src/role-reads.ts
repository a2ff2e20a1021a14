import { Type } from "typebox";
import { departments } from "./departments.ts";
import { type Endpoint, permission } from "./endpoint.ts";
import { posts } from "./posts.ts";
import { endpointsOf, TreeNode } from "./resource/endpoints.ts";
import { roles } from "./roles.ts";
import { Empty, Id, pageQuery } from "./scalars.ts";

const base = "/api/muyuan-system";
const [role, department, post] = [endpointsOf(roles), endpointsOf(departments), endpointsOf(posts)];
const tenantId = Type.Optional(Type.String({ maxLength: 12, description: "group staff only" }));
const word = Type.Optional(Type.String({ maxLength: 64, description: "part of it" }));
const parentId = Type.Optional(Type.String({ maxLength: 19 }));

export const roleTreeBelow = {
  method: "GET",
  path: `${base}/role/tree-by-id`,
  summary: "A role with the roles below it, as a tree.",
  access: permission("role_view"),
  owner: "tenants",
  rate: "read",
  personal: {},
  form: "envelope",
  query: Type.Object({ roleId: Id }),
  body: Empty,
  reply: Type.Array(TreeNode),
} satisfies Endpoint;

export const roleSearch = {
  ...role.lazyList,
  path: `${base}/search/role`,
  aliases: [],
  summary: "Roles by a part of their name or alias, wherever they stand.",
  query: Type.Object({ roleName: word, roleAlias: word, parentId, tenantId }),
} satisfies Endpoint;

export const departmentSearch = {
  ...department.lazyList,
  path: `${base}/search/dept`,
  aliases: [],
  summary: "Departments by a part of their name, wherever they stand.",
  query: Type.Object({ deptName: word, fullName: word, parentId, tenantId }),
} satisfies Endpoint;

export const postSearch = {
  ...post.page,
  path: `${base}/search/post`,
  aliases: [],
  summary: "Posts by a part of their name or code, a page at a time.",
  query: Type.Object({ ...pageQuery, postName: word, postCode: word, tenantId }),
} satisfies Endpoint;

export const departmentSelect = {
  ...department.select,
  summary: "Departments to choose from; with userId those in which a member stands, with deptId one by itself.",
  query: Type.Object({
    ...department.select.query.properties,
    userId: Type.Optional(Id),
    deptId: Type.Optional(Type.String({ maxLength: 10_000, description: "comma-separated" })),
  }),
} satisfies Endpoint;
