import { type TObject, type TSchema, Type } from "typebox";
import { auditWording } from "../audit.ts";
import { type Access, type Endpoint, type PersonalRule, permission, personalFieldPattern } from "../endpoint.ts";
import { DateOnly, DateTime, Empty, Id, pageOf, pageQuery } from "../scalars.ts";
import {
  fieldsOf,
  isOfInstallation,
  ownerOf,
  permissionOf,
  type ResourceDeclaration,
  referenceNameOf,
  writtenFieldsOf,
} from "./declaration.ts";
import type { Field } from "./fields.ts";
import { importEndpointsOf } from "./imports.ts";

function schemaOf(field: Field): TSchema {
  const described = {
    description: field.kind === "number" && field.decimals ? `in 10^-${field.decimals} ${field.unit ?? ""}` : "",
  };
  switch (field.kind) {
    case "number":
      return Type.Optional(Type.Integer(described));
    case "choices":
      return Type.Array(Type.String());
    case "switch":
      return Type.Boolean();
    case "date":
      return DateOnly;
    case "moment":
      return DateTime;
    default:
      return Type.String();
  }
}

/** Schema of a value that clients send: clients of the family send numbers as text, and "" for no value. */
export function changeSchemaOf(field: Field): TSchema {
  switch (field.kind) {
    case "number":
      // One schema with three types, since the parser of requests would turn the null of a union into 0.
      return Type.Optional(Type.Unsafe<number | string | null>({ type: ["number", "string", "null"], maxLength: 40 }));
    case "choices":
      return Type.Optional(
        Type.Union([
          Type.Array(Type.String({ maxLength: 100 }), { maxItems: 500 }),
          Type.String({ maxLength: 10_000 }),
          Type.Null(),
        ]),
      );
    case "switch":
      return Type.Optional(Type.Union([Type.Boolean(), Type.Integer({ minimum: 0, maximum: 1 }), Type.Null()]));
    case "text":
      // Accepts more than the field's maximum, so that the check can refuse it with a readable message.
      return Type.Optional(Type.Union([Type.String({ maxLength: field.max * 4 + 1000 }), Type.Null()]));
    default:
      return Type.Optional(Type.Union([Type.String({ maxLength: 200 }), Type.Null()]));
  }
}

/** Schema of a row as the server returns it. */
export function rowSchemaOf(of: ResourceDeclaration): TObject {
  const properties: Record<string, TSchema> = { id: Id };
  if (!isOfInstallation(of)) properties.tenantId = Type.String();
  if (of.scope === "own-or-all-tenants") properties.tenantName = Type.String();
  for (const [name, field] of fieldsOf(of)) {
    properties[name] = schemaOf(field);
    if (field.kind === "reference") properties[referenceNameOf(name)] = Type.String();
    if (field.kind === "choice" && field.dictionary) properties[`${name}Name`] = Type.String();
  }
  for (const [name, field] of Object.entries(of.derived ?? {})) properties[name] = schemaOf(field);
  if (of.tree) {
    properties.parentId = Type.String({ description: '"0" at the top' });
    properties.parentName = Type.String();
    properties.ancestors = Type.Optional(
      Type.String({ description: "ids from the top, comma-separated, beginning with 0" }),
    );
    properties.hasChildren = Type.Optional(Type.Boolean());
  }
  return Type.Object({
    ...properties,
    version: Type.Integer(),
    createUser: Type.String(),
    createUserName: Type.String(),
    createDept: Type.String(),
    createTime: DateTime,
    updateUser: Type.String(),
    updateUserName: Type.String(),
    updateTime: DateTime,
    ...(!("status" in of.fields) && { status: Type.Integer() }),
    isDeleted: Type.Integer(),
  });
}

/** Rules for the personal fields of a resource's rows. */
export function personalOf(of: ResourceDeclaration, schema: TObject): Record<string, PersonalRule> {
  const rules: Record<string, PersonalRule> = {};
  for (const name of Object.keys(schema.properties)) {
    const field = of.fields[name];
    if (field?.kind === "text" && field.personal) rules[name] = field.personal;
    // Authors of changes are shown in full, because the history has them and the permission includes it.
    else if (personalFieldPattern.test(name) || name === "createUserName" || name === "updateUserName")
      rules[name] = "granted";
  }
  return rules;
}

/** A node of pickers and trees in the family's form (wire.md 3.4). */
export const TreeNode = Type.Cyclic(
  {
    TreeNode: Type.Object({
      id: Id,
      parentId: Type.String(),
      title: Type.String(),
      key: Type.String(),
      value: Type.String(),
      hasChildren: Type.Boolean(),
      children: Type.Optional(Type.Array(Type.Ref("TreeNode"))),
    }),
  },
  "TreeNode",
);
export interface TreeNode {
  id: string;
  parentId: string;
  title: string;
  key: string;
  value: string;
  hasChildren: boolean;
  children?: TreeNode[];
}

/** A change of a row in its history, with each field before and after, in words too. */
export const HistoryEntry = Type.Object({
  id: Id,
  action: Type.String({ description: "create, update, remove, import, undo, move" }),
  actorName: Type.String(),
  at: DateTime,
  changes: Type.Array(Type.Object({ field: Type.String(), before: Type.Unknown(), after: Type.Unknown() })),
  ...auditWording,
});

/** Suffixes with which clients of the family compare a field (wire.md 1.4); `_ignore` drops the condition. */
export const filterSuffixes = [
  "equal",
  "notequal",
  "likeleft",
  "likeright",
  "notlike",
  "like",
  "datege",
  "dategt",
  "dateequal",
  "datele",
  "datelt",
  "ge",
  "le",
  "gt",
  "lt",
  "notnull",
  "null",
  "ignore",
] as const;
export type FilterSuffix = (typeof filterSuffixes)[number];

const conditionOf = (name: string, field: Field): Record<string, TSchema> => {
  const word = Type.Optional(Type.String({ maxLength: 2000 }));
  if (field.kind === "moment") return { [`${name}_ge`]: word, [`${name}_le`]: word };
  if (field.kind === "date" || field.kind === "number")
    return { [`${name}_ge`]: word, [`${name}_le`]: word, [`${name}_equal`]: word };
  // Several values of a condition are comma-separated.
  return { [name]: word, [`${name}_equal`]: word };
};

/**
 * Conditions of a list: a text field matches as "contains", a choice as "one of". Each field that is listed here also takes the other
 * suffixes of wire.md 1.4; see `filterSuffixes`.
 */
export function filterSchemaOf(of: ResourceDeclaration): Record<string, TSchema> {
  const conditions: Record<string, TSchema> = {
    keyword: Type.Optional(Type.String({ maxLength: 64, description: "part of any field that is searched" })),
    ids: Type.Optional(Type.String({ maxLength: 10_000, description: "comma-separated" })),
    updateTime_ge: Type.Optional(Type.String({ maxLength: 19 })),
    updateTime_le: Type.Optional(Type.String({ maxLength: 19 })),
  };
  if (of.scope === "own-or-all-tenants")
    conditions.tenantId = Type.Optional(Type.String({ maxLength: 12, description: "group staff only" }));
  if (of.tree) conditions.parentId = Type.Optional(Type.String({ maxLength: 19 }));
  for (const [name, field] of fieldsOf(of)) {
    // Masked and encrypted fields are no conditions, because filtering would reveal them (T07).
    if (field.kind === "text" && (field.stored || field.personal?.startsWith("mask"))) continue;
    if (field.filter || field.column || (field.kind === "text" && field.search))
      Object.assign(conditions, conditionOf(name, field));
  }
  return conditions;
}

/** Columns that a list can be sorted by, in snake_case as on the wire. */
export function sortsOf(of: ResourceDeclaration): string[] {
  const own = fieldsOf(of)
    .filter(([, field]) => field.sort || field.column)
    .filter(([, field]) => !(field.kind === "text" && (field.stored || field.personal?.startsWith("mask"))))
    .filter(([, field]) => field.kind !== "choices" && field.kind !== "reference")
    .map(([name]) => snakeCase(name));
  return [...own, "create_time", "update_time"];
}

/** Converts `deptName` to `dept_name`. */
export const snakeCase = (name: string): string => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

const idsQuery = Type.Optional(Type.String({ maxLength: 10_000, description: "comma-separated" }));
/** Comma-separated ids in a body, for more than fit into a URL. */
const idsBody = Type.Optional(Type.String({ maxLength: 200_000, description: "comma-separated" }));
const expected = Type.Optional(
  Type.Integer({ description: "how many rows the caller saw selected; refused when it differs" }),
);

/** The operations of a resource, in the style of the family. */
export function endpointsOf<R extends ResourceDeclaration>(of: R) {
  const row = rowSchemaOf(of);
  const personal = personalOf(of, row);
  const nested = Type.Cyclic(
    { Row: Type.Object({ ...row.properties, children: Type.Optional(Type.Array(Type.Ref("Row"))) }) },
    "Row",
  );
  const owner = ownerOf[of.scope];
  const may = (operation: Parameters<typeof permissionOf>[1]): Access => permission(permissionOf(of, operation));
  const { one } = of.words;
  const base = { owner, form: "envelope" as const, query: Empty as TObject, body: Empty as TSchema };
  // Typed as present for every resource; the schema of a resource without it refuses the parameter as unknown.
  const named = { tenantId: Type.Optional(Type.String({ maxLength: 12 })) };
  const tenantId = of.scope === "own-or-all-tenants" ? named : ({} as typeof named);
  const below = { parentId: Type.Optional(Type.Union([Type.String({ maxLength: 19 }), Type.Null()])) };
  const change = Type.Object({
    id: Type.Optional(Type.Union([Id, Type.Literal("")])),
    ...tenantId,
    version: Type.Optional(Type.Integer()),
    ...(of.tree ? below : ({} as typeof below)),
    ...Object.fromEntries(writtenFieldsOf(of).map(([name, field]) => [name, changeSchemaOf(field)])),
  });
  const filters = filterSchemaOf(of);
  const page = {
    ...base,
    method: "GET",
    path: `${of.path}/page`,
    // Clients of the family page lists that are no trees by this name, too (wire.md 3.5, 3.9).
    aliases: of.tree ? [] : [`${of.path}/list`],
    summary: `Rows of ${of.name} by conditions, a page at a time (${one}).`,
    access: may("view"),
    rate: "read",
    personal,
    query: Type.Object({ ...pageQuery, ...filters }),
    reply: pageOf(row),
  } satisfies Endpoint;
  const detail = {
    ...base,
    method: "GET",
    path: `${of.path}/detail`,
    summary: `One row of ${of.name}.`,
    access: may("view"),
    rate: "read",
    personal,
    query: Type.Object({ id: Id }),
    reply: row,
  } satisfies Endpoint;
  const submit = {
    ...base,
    method: "POST",
    path: `${of.path}/submit`,
    aliases: [`${of.path}/save`, `${of.path}/update`],
    summary: `Adds a row of ${of.name} (no id) or changes the given fields of one; refused with 409 when the version is not the stored one.`,
    access: may("edit"),
    rate: "write",
    personal,
    body: change,
    reply: row,
  } satisfies Endpoint;
  const remove = {
    ...base,
    method: "POST",
    path: `${of.path}/remove`,
    summary: `Removes the rows of ${of.name} that are named or that conditions select, all or none.`,
    access: may("delete"),
    rate: "write",
    personal: {},
    query: Type.Object({ ids: idsQuery }),
    body: Type.Object({ ids: idsBody, where: Type.Optional(Type.Object(filters)), expected }),
    reply: Empty,
  } satisfies Endpoint;
  /** Finds obstacles before a removal is requested, for the named rows or all that conditions select. */
  const obstacles = {
    ...base,
    method: "GET",
    path: `${of.path}/obstacles`,
    summary: `What a removal of rows of ${of.name} is refused for; at most 200 entries.`,
    access: may("delete"),
    rate: "read",
    personal: {},
    query: Type.Object(filters),
    reply: Type.Array(
      Type.Object({
        id: Id,
        title: Type.String(),
        /** Chinese name of the resource that refers to the row. */
        resource: Type.String(),
        count: Type.Integer(),
        /** Names of the first few referring rows. */
        names: Type.Optional(Type.Array(Type.String())),
        /** Path of the screen that shows them. */
        path: Type.Optional(Type.String()),
      }),
    ),
  } satisfies Endpoint;
  /** Changes fields of many rows: the named ones, or all that conditions select. */
  const changeMany = {
    ...base,
    method: "POST",
    path: `${of.path}/change-many`,
    summary: `Changes fields of all rows of ${of.name} that are named or that conditions select, all or none.`,
    access: may("edit"),
    rate: "write",
    personal: {},
    body: Type.Object({
      ids: idsBody,
      where: Type.Optional(Type.Object(filters)),
      expected,
      change: Type.Object(
        Object.fromEntries(writtenFieldsOf(of).map(([name, field]) => [name, changeSchemaOf(field)])),
      ),
    }),
    reply: Type.Object({ changed: Type.Integer() }),
  } satisfies Endpoint;
  const select = {
    ...base,
    method: "GET",
    path: `${of.path}/select`,
    summary: `Rows of ${of.name} to choose from: id, title, and where it stands; at most 500, or 50 by a part of the title.`,
    access: may("view"),
    rate: "read",
    personal: {},
    query: Type.Object({ keyword: Type.Optional(Type.String({ maxLength: 64 })), ids: idsQuery, ...tenantId }),
    reply: Type.Array(
      Type.Object({
        id: Id,
        title: Type.String(),
        path: Type.Optional(Type.String()),
        // Clients of the family look for the title under its own name (wire.md 3.5).
        ...({ [of.title]: Type.String() } as Record<string, never>),
      }),
    ),
  } satisfies Endpoint;
  const history = {
    ...base,
    method: "GET",
    path: `${of.path}/history`,
    summary: `Who changed what of one row of ${of.name}, newest first.`,
    access: may("view"),
    rate: "read",
    personal: { actorName: "granted" },
    query: Type.Object({ ...pageQuery, id: Id }),
    reply: pageOf(HistoryEntry),
  } satisfies Endpoint;
  const lazyList = {
    ...base,
    method: "GET",
    path: `${of.path}/lazy-list`,
    summary: `Rows of ${of.name} below one, with whether more stand below each; with conditions, the rows that fit wherever they stand.`,
    access: may("view"),
    rate: "read",
    personal,
    query: Type.Object({
      ...filters,
      parentId: Type.Optional(Type.String({ maxLength: 19, description: '"0" for the top' })),
    }),
    reply: Type.Array(row),
  } satisfies Endpoint;
  const list = {
    ...base,
    method: "GET",
    path: `${of.path}/list`,
    summary: `Rows of ${of.name} that conditions select, as trees without pages (wire.md 3.2, 3.3).`,
    access: may("view"),
    rate: "read",
    personal,
    query: Type.Object(filters),
    reply: Type.Array(nested),
  } satisfies Endpoint;
  const tree = {
    ...base,
    method: "GET",
    path: `${of.path}/tree`,
    aliases: [`${of.path}/lazy-tree`],
    summary: `Rows of ${of.name} as a tree of nodes; with parentId one level of it.`,
    access: may("view"),
    rate: "read",
    personal: {},
    query: Type.Object({ parentId: Type.Optional(Type.String({ maxLength: 19 })), ...tenantId }),
    reply: Type.Array(TreeNode),
  } satisfies Endpoint;
  const move = {
    ...base,
    method: "POST",
    path: `${of.path}/move`,
    summary: `Puts a row of ${of.name} below another one or the top, before a sibling or last; refused where it would stand below itself.`,
    access: may("edit"),
    rate: "write",
    personal: {},
    body: Type.Object({
      id: Id,
      parentId: Type.String({ maxLength: 19, description: '"0" for the top' }),
      beforeId: Type.Optional(Type.String({ maxLength: 19, description: "sibling that follows; none: last" })),
      version: Type.Optional(Type.Integer()),
    }),
    reply: Empty,
  } satisfies Endpoint;
  const exportRows = {
    ...base,
    method: "POST",
    path: `${of.path}/export`,
    summary: `Begins an export of the rows of ${of.name} that conditions select, as a job.`,
    access: may("export"),
    rate: "write",
    personal: {},
    body: Type.Object({
      ids: idsBody,
      where: Type.Optional(Type.Object(filters)),
      columns: Type.Optional(Type.Array(Type.String({ maxLength: 60 }), { maxItems: 100 })),
      language: Type.Optional(Type.Enum(["zh", "en"])),
      ascs: Type.Optional(Type.String({ maxLength: 200 })),
      descs: Type.Optional(Type.String({ maxLength: 200 })),
    }),
    reply: Type.Object({ jobId: Id }),
  } satisfies Endpoint;
  return {
    page,
    detail,
    submit,
    remove,
    obstacles,
    changeMany,
    select,
    history,
    lazyList,
    list,
    tree,
    move,
    exportRows,
  };
}
export type ResourceEndpoints = ReturnType<typeof endpointsOf>;

/** Operations that a resource has: trees have levels, sheets need their declaration, and replaced verbs are left out. */
export const operationsOf = (of: ResourceDeclaration): (keyof ResourceEndpoints)[] =>
  (
    [
      "page",
      "detail",
      "submit",
      "remove",
      "obstacles",
      "changeMany",
      "select",
      "history",
      ...(of.tree ? (["lazyList", "list", "tree", "move"] as const) : []),
      ...(of.sheets ? (["exportRows"] as const) : []),
    ] as const
  ).filter((name) => !of.replaced?.includes(name));

/** The operations that the kit serves for resources, by name. */
export const endpointsOfAll = (all: readonly ResourceDeclaration[]): Record<string, Endpoint> =>
  Object.fromEntries(
    all.flatMap((of) => {
      const calls = endpointsOf(of);
      const imports = of.sheets && !of.sheets.exportOnly ? Object.entries<Endpoint>(importEndpointsOf(of)) : [];
      return [
        ...operationsOf(of).map((name): [string, Endpoint] => [`${of.name}_${snakeCase(name)}`, calls[name]]),
        ...imports.map(([name, endpoint]): [string, Endpoint] => [`${of.name}_import_${name}`, endpoint]),
      ];
    }),
  );
