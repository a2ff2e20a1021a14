import type { MenuType } from "../access.ts";
import type { Owner } from "../endpoint.ts";
import type { Field, ValueOf } from "./fields.ts";
import type { ProcessFace } from "./process-face.ts";

/**
 * Whose rows a resource has.
 * - `tenant`: each tenant its own.
 * - `own-or-all-tenants`: each tenant its own; the group's staff see those of all, and name the tenant of a new row.
 * - `group`: the installation's; only the group's staff.
 */
export type ResourceScope = "tenant" | "own-or-all-tenants" | "group";

/** Owner that a scope gives to the operations of a resource. */
export const ownerOf = {
  tenant: "tenant",
  "own-or-all-tenants": "tenants",
  group: "group",
} as const satisfies Readonly<Record<ResourceScope, Owner>>;

export interface ResourceMenu {
  /** Code of the menu that it stands in. */
  readonly parent: string;
  /** Name of an icon of the web app. */
  readonly icon: string;
  /** Path of the screen, and with `/index` the name of its component. */
  readonly path: string;
  readonly type: MenuType;
  /** Aliases of the roles that get all its buttons when it is first seeded. */
  readonly roles: readonly string[];
  /** Aliases of the roles that may only look. */
  readonly viewers?: readonly string[];
}

/** Conditions that everybody finds as a tab beside all rows. */
export interface FixedView {
  /** Differs from the ids of views that people keep, which are `v1`, `v2` and so on. */
  readonly id: string;
  /** Chinese. */
  readonly name: string;
  readonly where: Readonly<Record<string, string>>;
}

/** Rows by conditions, a page at a time, with columns, order and views. A resource is a list with a form. */
export interface ListDeclaration<Fields extends Readonly<Record<string, Field>> = Readonly<Record<string, Field>>> {
  /** Singular, snake_case. What a person chose for the list is kept by it. */
  readonly name: string;
  /** Base of its calls, `/api/muyuan-<service>/<thing>`. */
  readonly path: string;
  /**
   * Path of a page operation of its own, which takes as conditions the fields with `filter`, as order those with `sort`, and a keyword
   * where one has `search`. The kit's operation otherwise.
   */
  readonly page?: string;
  /** Conditions that the screen sets and its reader does not see; one of the reader goes before it. */
  readonly given?: Readonly<Record<string, string>>;
  /** Fields that tell a row from others, where rows have no id. */
  readonly key?: readonly string[];
  /** Rows that conditions find are counted up to `mostFound`. */
  readonly bounded?: true;
  /** Its rows change by themselves: milliseconds after which they are asked for again. */
  readonly renewMs?: number;
  readonly scope?: ResourceScope;
  /** Chinese: what one row is called, and the screen. */
  readonly words: { readonly one: string; readonly many: string };
  /** Field whose value names a row in sentences, pickers and messages. */
  readonly title: string;
  readonly views?: readonly FixedView[];
  readonly fields: Fields;
  /** Columns that other operations write: shown in the list and on the wire, never in a form or sheet. */
  readonly derived?: Readonly<Record<string, Field>>;
  /** Rows stand below rows: the wire's `parentId` ("0" at the top), the column parent_id; `sort` is their order among siblings. */
  readonly tree?: { readonly maxDepth: number };
  /** Order of the list when none is asked for. */
  readonly order?: readonly { readonly field: string; readonly direction: "asc" | "desc" }[];
  /** Fields of which one must be a condition before the list shows any row: for lists that nobody reads from the beginning. */
  readonly searchFirst?: readonly string[];
}

export interface ResourceDeclaration<Fields extends Readonly<Record<string, Field>> = Readonly<Record<string, Field>>>
  extends ListDeclaration<Fields> {
  /** Permissions are `<name>_view`, `_edit`, `_delete`, `_import`, `_export`. */
  readonly name: string;
  readonly table: string;
  /** View that rows are read from, with the columns of the table and those of derived fields; the table where there is none. */
  readonly view?: string;
  readonly scope: ResourceScope;
  readonly menu: ResourceMenu;
  /** The same screen in a customer's self-centre. */
  readonly customerMenu?: Omit<ResourceMenu, "parent"> & {
    /** Code of the menu, where it had one before the resource; `self_` and the name otherwise. */
    readonly code?: string;
  };
  /** The group's staff add, import and remove rows, and name the tenant that gets them; customers see and change theirs. */
  readonly addedBy?: "group";
  /** Verbs that operations of their own serve instead of the kit's. */
  readonly replaced?: readonly string[];
  /** Its rows move by the events of a process, which alone write them; see `processResource`. */
  readonly process?: ProcessFace;
  readonly sheets?: {
    /** Field that finds the row to change; an unknown value adds one. */
    readonly key: string;
    readonly maxRows: number;
  };
}

/** Fields that every row has beside its own (wire.md 1.2). */
export interface RowBase {
  id: string;
  tenantId: string;
  /** Sent back with a change, it is refused when somebody else was quicker. */
  version: number;
  createUser: string;
  createUserName: string;
  createDept: string;
  createTime: string;
  updateUser: string;
  updateUserName: string;
  updateTime: string;
  status: number;
  isDeleted: number;
}

type ReferenceNameOf<Name extends string> = Name extends `${infer Thing}Id` ? `${Thing}Name` : `${Name}Name`;

/** Where a row carries the name of what a reference field names: `farmId` has `farmName`, `saleRegion` has `saleRegionName`. */
export const referenceNameOf = (name: string): string => `${name.replace(/Id$/, "")}Name`;

type ReferenceNames<Fields> = {
  [Name in keyof Fields & string as Fields[Name] extends { kind: "reference" } ? ReferenceNameOf<Name> : never]: string;
};

/** A row of a resource on the wire. Trees add parentId, parentName and hasChildren. */
export type ResourceRow<R extends ResourceDeclaration> = RowBase & {
  [Name in keyof R["fields"]]: ValueOf<R["fields"][Name]>;
} & ReferenceNames<R["fields"]> &
  (R extends { tree: object }
    ? { parentId: string; parentName: string; hasChildren?: boolean; children?: ResourceRow<R>[] }
    : unknown);

/** What a form sends: only what is given is changed. */
export type ResourceChange<R extends ResourceDeclaration> = {
  id?: string;
  tenantId?: string;
  version?: number;
  parentId?: string;
} & { [Name in keyof R["fields"]]?: ValueOf<R["fields"][Name]> | null };

/** Declares a list that is no resource. */
export const list = <const L extends ListDeclaration>(declaration: L): L => declaration;

/** Declares a resource. It is plain data and reaches the browser as it is. */
export const resource = <const R extends ResourceDeclaration>(declaration: R): R => declaration;

export const resourceOperations = ["view", "edit", "delete", "import", "export"] as const;
export type ResourceOperation = (typeof resourceOperations)[number];

/** Button code of an operation. */
export const permissionOf = (of: Pick<ResourceDeclaration, "name">, operation: ResourceOperation): string =>
  `${of.name}_${operation}`;

/** Field by which sheets name a row of a resource: its title where that is unique, else the key of its own sheets. */
export function sheetNameOf(of: Pick<ResourceDeclaration, "fields" | "title" | "sheets">): string {
  const title = of.fields[of.title];
  return title?.kind === "text" && title.unique === "scope" ? of.title : (of.sheets?.key ?? of.title);
}

/** Lists of what a declaration has, made once: each row of a list is read by them. */
const entriesOf = new WeakMap<ResourceDeclaration["fields"], readonly [name: string, field: Field][]>();

/** Fields of a declaration with their names, in order. */
export function fieldsOf(of: Pick<ResourceDeclaration, "fields">): readonly [name: string, field: Field][] {
  let entries = entriesOf.get(of.fields);
  if (entries === undefined) {
    entries = Object.entries(of.fields);
    entriesOf.set(of.fields, entries);
  }
  return entries;
}

/** Fields that people write. */
export const writtenFieldsOf = (of: Pick<ResourceDeclaration, "fields">): [name: string, field: Field][] =>
  fieldsOf(of).filter(([, field]) => !field.derived);

/** Code of the menu that a customer opens a resource by. */
export const customerMenuCode = ({ name, customerMenu }: Pick<ResourceDeclaration, "name" | "customerMenu">): string =>
  customerMenu?.code ?? `self_${name}`;

/** Method and verb of each operation that a resource may have; `endpointsOf` declares them in full. */
export const resourceVerbs = {
  page: ["GET", "page"],
  detail: ["GET", "detail"],
  submit: ["POST", "submit"],
  remove: ["POST", "remove"],
  obstacles: ["GET", "obstacles"],
  changeMany: ["POST", "change-many"],
  select: ["GET", "select"],
  history: ["GET", "history"],
  lazyList: ["GET", "lazy-list"],
  list: ["GET", "list"],
  tree: ["GET", "tree"],
  move: ["POST", "move"],
  exportRows: ["POST", "export"],
} as const;
export type ResourceVerb = keyof typeof resourceVerbs;

/** Verbs of a resource's imports, below its path and `/import`. */
export const importVerbs = {
  begin: "POST",
  page: "GET",
  detail: "GET",
  rows: "GET",
  reread: "POST",
  correct: "POST",
  write: "POST",
  undo: "POST",
  cancel: "POST",
  template: "POST",
  marked: "POST",
} as const;
export type ImportVerb = keyof typeof importVerbs;

/** Where an operation of a resource's imports is, for callers that have no schemas. */
export const importOperationOf = (
  of: Pick<ResourceDeclaration, "path">,
  verb: ImportVerb,
): { method: "GET" | "POST"; path: string; form: "envelope" } => ({
  method: importVerbs[verb],
  path: `${of.path}/import/${verb}`,
  form: "envelope",
});

/** Where an operation of a resource is, for callers that have no schemas: the web app. */
export function operationOf(
  of: Pick<ResourceDeclaration, "path">,
  name: ResourceVerb,
): { method: "GET" | "POST"; path: string; form: "envelope" } {
  const [method, verb] = resourceVerbs[name];
  return { method, path: `${of.path}/${verb}`, form: "envelope" };
}
