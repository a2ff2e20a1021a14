import { type Static, Type } from "typebox";
import { type Endpoint, permission } from "./endpoint.ts";
import { Empty, Id } from "./scalars.ts";

/**
 * Steps at which it is decided whether a person sees a screen, may press a button or reaches a row, in this order.
 * - `account`, `membership`, `tenant`: active and in force.
 * - `password`: no new one has to be chosen first.
 * - `roles`: the person holds one at least.
 * - `kind`: the menu or its operations are for this kind of tenant.
 * - `package`: the tenant's package has it; a tenant without a package has everything of its kind.
 * - `granted`: one of the roles grants the menu or button.
 * - `path`: no API scope closes an operation of the button.
 * - `row`, `rowTenant`, `rowScope`: the row exists, is of a tenant that the person reaches, and within the data scope.
 */
export const accessSteps = [
  "account",
  "membership",
  "tenant",
  "password",
  "roles",
  "kind",
  "package",
  "granted",
  "path",
  "row",
  "rowTenant",
  "rowScope",
] as const;

export const AccessReason = Type.Object({
  step: Type.Enum(accessSteps),
  ok: Type.Boolean(),
  /** What decided: names of roles, closed paths, title of the row. */
  detail: Type.Array(Type.String()),
  /** Roles that the step depends on, to be opened in the editor. */
  roleIds: Type.Array(Id),
});
export type AccessReason = Static<typeof AccessReason>;

/** Rows beside those of resources that can be asked about. */
export const placedRowKinds = ["device", "alarm", "member"] as const;
export type PlacedRowKind = (typeof placedRowKinds)[number];

const rowKind = Type.Optional(
  Type.String({
    maxLength: 40,
    description: `name of a resource, or ${placedRowKinds.join(", ")}; by itself the resource of the code`,
  }),
);

export const AccessRow = Type.Object({
  id: Id,
  /** Name of the row, as its list shows it. */
  title: Type.String(),
  tenantName: Type.String(),
});
export type AccessRow = Static<typeof AccessRow>;

export const accessRows = {
  method: "GET",
  path: "/api/muyuan-system/role/access-rows",
  summary: "Rows that the caller sees and can ask about in access-reasons, by a part of their name; at most 20.",
  access: permission("role_view"),
  owner: "tenants",
  rate: "read",
  personal: { title: "granted" },
  form: "envelope",
  query: Type.Object({
    code: Type.String({ minLength: 1, maxLength: 100, description: "code of a menu or button" }),
    rowKind,
    tenantId: Type.Optional(Type.String({ maxLength: 12, description: "group staff only" })),
    keyword: Type.Optional(Type.String({ maxLength: 64 })),
  }),
  body: Empty,
  reply: Type.Object({
    /** Kind of the rows, "" where the code has none. */
    rowKind: Type.String(),
    rows: Type.Array(AccessRow),
  }),
} satisfies Endpoint;

export const accessReasons = {
  method: "GET",
  path: "/api/muyuan-system/role/access-reasons",
  summary:
    "Why a person sees or does not see a screen, a button or a row: each step of the decision, made by the code that decides.",
  access: permission("role_view"),
  owner: "tenants",
  rate: "read",
  personal: {},
  form: "envelope",
  query: Type.Object({
    accountId: Id,
    tenantId: Type.Optional(Type.String({ maxLength: 12, description: "group staff only" })),
    code: Type.String({ minLength: 1, maxLength: 100, description: "code of a menu or button" }),
    rowKind,
    rowId: Type.Optional(Type.Union([Id, Type.Literal("")], { description: "a row of that kind" })),
  }),
  body: Empty,
  reply: Type.Object({ allowed: Type.Boolean(), steps: Type.Array(AccessReason) }),
} satisfies Endpoint;
