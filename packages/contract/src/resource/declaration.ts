import type { MenuType } from "../access.ts";
import type { Owner } from "../endpoint.ts";
import type { Field, ValueOf } from "./fields.ts";
import type { ProcessFace } from "./process-face.ts";

/**
 * Owner of a resource's rows.
 * - `tenant`: each tenant has its own.
 * - `own-or-all-tenants`: each tenant has its own; the group's staff see all of them and choose the tenant of a new row.
 * - `group`: rows of the installation, for the group's staff only.
 * - `offered`: rows of the installation that customers may read, too, where their roles have the right.
 */
export type ResourceScope = "tenant" | "own-or-all-tenants" | "group" | "offered";

/** Owner of the operations of a resource, by its scope. */
export const ownerOf = {
  tenant: "tenant",
  "own-or-all-tenants": "tenants",
  group: "group",
  offered: "tenants",
} as const satisfies Readonly<Record<ResourceScope, Owner>>;

/** Whether rows belong to the installation and not to a tenant. */
export const isOfInstallation = ({ scope }: { readonly scope: ResourceScope }): boolean =>
  scope === "group" || scope === "offered";

export interface ResourceMenu {
  /** Code of the parent menu. */
  readonly parent: string;
  /** Name of an icon of the web app. */
  readonly icon: string;
  /** Path of the screen; with `/index` it is the name of its component. */
  readonly path: string;
  readonly type: MenuType;
  /** Aliases of the roles that get all its buttons when the menu is first seeded. */
  readonly roles: readonly string[];
  /** Aliases of the roles that may only look. */
  readonly viewers?: readonly string[];
  /** Path of the screen that leads to it and stays marked; it has no entry of its own. */
  readonly within?: string;
}

/**
 * Conditions that every reader finds as a tab beside all rows. A view that sets a parameter of the page operation which no field
 * filters by is a queue: the reader's conditions narrow it, and stay when another queue is chosen.
 */
export interface FixedView {
  /** Must differ from the ids of saved views, which are `v1`, `v2` and so on. */
  readonly id: string;
  /** Chinese. */
  readonly name: string;
  readonly where: Readonly<Record<string, string>>;
}

/** How the rows of a resource are found by name, code, English and pinyin, whatever screen is open. */
export interface ResourceFind {
  /** Text fields beside the title: codes, serial numbers, English names. */
  readonly by?: readonly string[];
  /** References to the farm, house or unit in which a row stands, so that it is found with their names, too. */
  readonly places?: readonly string[];
  /** Addresses that open a row before the list does, with `{id}` in place of its id; the reader needs one of their screens. */
  readonly opens?: readonly string[];
  /** The rows have numbers and no names: their list's own keyword finds them. */
  readonly numbers?: true;
}

/** A paged list with conditions, columns, order and views; a resource is a list with a form. */
export interface ListDeclaration<Fields extends Readonly<Record<string, Field>> = Readonly<Record<string, Field>>> {
  /** Singular, snake_case; the key under which a person's settings of the list are stored. */
  readonly name: string;
  /** Base of its calls, `/api/muyuan-<service>/<thing>`. */
  readonly path: string;
  /**
   * Path of the list's own page operation; the kit's operation where it is left out.
   * It takes fields with `filter` as conditions, fields with `sort` as order, and a keyword where a field has `search`.
   */
  readonly page?: string;
  /**
   * Conditions that the screen sets without showing them; the reader's own condition on the same field overrides them. Where they
   * are those of a view, it takes the place of all rows.
   */
  readonly given?: Readonly<Record<string, string>>;
  /** Fields that identify a row, for rows without an id. */
  readonly key?: readonly string[];
  /** Another column tells whose a row is, so that the tenant's is hidden at first. */
  readonly ownerTold?: true;
  /** Tenants that rows belong to are called customers. */
  readonly ofCustomers?: true;
  /** Matching rows are counted only up to `mostFound`. */
  readonly bounded?: true;
  /** An index of `word_grams` has the searched fields of the table, in their order; it finds a word among millions of rows. */
  readonly wordIndex?: true;
  /** Milliseconds after which the list is reloaded, for rows that change by themselves. */
  readonly renewMs?: number;
  readonly scope?: ResourceScope;
  /**
   * Chinese names of one row and of the screen; `oneEn` is the English of one row where Chinese has one word for both; `search` is the label
   * of the search box, by default the names of the searched fields, and `searchShort` what of it fits on a phone; `nothing` says in an empty list what rows are for.
   */
  readonly words: {
    readonly one: string;
    readonly many: string;
    readonly oneEn?: string;
    readonly search?: string;
    readonly searchShort?: string;
    readonly nothing?: string;
  };
  /** Field whose value is the name of a row in sentences, pickers and messages. */
  readonly title: string;
  /** Reference whose title stands before that of a row wherever other rows name it, as titles alone repeat: "House 1 · Unit 2". */
  readonly titleWithin?: string;
  readonly views?: readonly FixedView[];
  /** Fields that a row's card tells on a phone beside its title and state, in order; the first columns where it is left out. */
  readonly card?: readonly string[];
  readonly fields: Fields;
  /** Columns that other operations write: in the list and on the wire, never in a form or sheet. */
  readonly derived?: Readonly<Record<string, Field>>;
  /** Conditions of the page operation that are no fields of a row; they are offered after those of the fields. */
  readonly conditions?: Readonly<Record<string, Field>>;
  /** Rows form a tree: `parentId` on the wire ("0" at the top), `parent_id` in the table; `sort` is the order among siblings. */
  readonly tree?: { readonly maxDepth: number };
  /** Order of the list when none is asked for. */
  readonly order?: readonly { readonly field: string; readonly direction: "asc" | "desc" }[];
  /**
   * Values of a field whose rows stand first where no order is asked for, the most urgent one first and of each the earliest. A list
   * of millions of rows has them in an index: `(case field when ... end), (case when (case field ...) > 0 then id end) desc nulls first, id`.
   */
  readonly urgent?: {
    readonly field: string;
    readonly values: readonly string[];
    /** The same values in a customer's order, who acts on others first. */
    readonly forCustomers?: readonly string[];
    /** None of the values is more urgent than another: the order of the list alone decides among their rows. */
    readonly together?: true;
  };
  /** Fields of which at least one must be a condition before the list shows rows, for lists too long to browse. */
  readonly searchFirst?: readonly string[];
}

export interface ResourceDeclaration<Fields extends Readonly<Record<string, Field>> = Readonly<Record<string, Field>>>
  extends ListDeclaration<Fields> {
  /** Permissions are `<name>_view`, `_edit`, `_delete`, `_import`, `_export`. */
  readonly name: string;
  readonly table: string;
  /** View that rows are read from, with the table's columns and the derived fields; the table where it is left out. */
  readonly view?: string;
  readonly scope: ResourceScope;
  readonly menu: ResourceMenu;
  /** The same screen in a customer's self-centre. */
  readonly customerMenu?: Omit<ResourceMenu, "parent"> & {
    /** Code of the menu, for a menu that is older than the resource; otherwise `self_` and the name. */
    readonly code?: string;
  };
  /**
   * Only the group's staff add, import and remove rows, and choose the tenant of a new row; customers see and change their own.
   */
  readonly addedBy?: "group";
  /** Verbs that have an operation of their own instead of the kit's. */
  readonly replaced?: readonly string[];
  /** The process whose events alone write the rows; see `processResource`. */
  readonly process?: ProcessFace;
  /** Rows are found by the palette; see `ResourceFind`. */
  readonly find?: ResourceFind;
  readonly sheets?: {
    /** Field that identifies the row to change; an unknown value adds a row. */
    readonly key: string;
    readonly maxRows: number;
    /** Rows are exported, and nothing is imported. */
    readonly exportOnly?: true;
    /** Whoever writes or undoes an import proves again who they are, as its rows give rights. */
    readonly confirmed?: true;
    /** Of a process: events that happen to a row that a sheet began, where it fills in their forms. Its sheets only begin rows. */
    readonly events?: readonly string[];
  };
}

/** Fields that every row has in addition to its own (wire.md 1.2). */
export interface RowBase {
  id: string;
  tenantId: string;
  /** Must be sent back with a change; the change is refused when somebody else changed the row meanwhile. */
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

/** Field with the name of the referenced row: `farmId` has `farmName`, `saleRegion` has `saleRegionName`. */
export const referenceNameOf = (name: string): string => `${name.replace(/Id$/, "")}Name`;

type ReferenceNames<Fields> = {
  [Name in keyof Fields & string as Fields[Name] extends { kind: "reference" } ? ReferenceNameOf<Name> : never]: string;
};

/** Names of the values of choices from a dictionary: `deptCategory` has `deptCategoryName`. */
type ChoiceNames<Fields> = {
  [Name in keyof Fields & string as Fields[Name] extends { kind: "choice"; dictionary: string }
    ? `${Name}Name`
    : never]: string;
};

/** A row of a resource on the wire; trees add parentId, parentName and hasChildren. */
export type ResourceRow<R extends ResourceDeclaration> = RowBase & {
  [Name in keyof R["fields"]]: ValueOf<R["fields"][Name]>;
} & ReferenceNames<R["fields"]> &
  ChoiceNames<R["fields"]> &
  (R extends { tree: object }
    ? { parentId: string; parentName: string; hasChildren?: boolean; children?: ResourceRow<R>[] }
    : unknown);

/** Body of a form: only the given fields change. */
export type ResourceChange<R extends ResourceDeclaration> = {
  id?: string;
  tenantId?: string;
  version?: number;
  parentId?: string;
} & { [Name in keyof R["fields"]]?: ValueOf<R["fields"][Name]> | null };

/** Declares a list that is not a resource. */
export const list = <const L extends ListDeclaration>(declaration: L): L => declaration;

/** Declares a resource; the declaration is plain data and is sent to the browser unchanged. */
export const resource = <const R extends ResourceDeclaration>(declaration: R): R => declaration;

export const resourceOperations = ["view", "edit", "delete", "import", "export"] as const;
export type ResourceOperation = (typeof resourceOperations)[number];

/** Button code of an operation. */
export const permissionOf = (of: Pick<ResourceDeclaration, "name">, operation: ResourceOperation): string =>
  `${of.name}_${operation}`;

/**
 * Field that identifies a referenced row in sheets: the resource's title where that is unique, else the key of its own sheets.
 */
export function sheetNameOf(of: Pick<ResourceDeclaration, "fields" | "title" | "sheets">): string {
  const title = of.fields[of.title];
  return title?.kind === "text" && title.unique === "scope" ? of.title : (of.sheets?.key ?? of.title);
}

/** Fields of a declaration as entries, cached because every row of a list reads them. */
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

/** Fields that can be written. */
export const writtenFieldsOf = (of: Pick<ResourceDeclaration, "fields">): [name: string, field: Field][] =>
  fieldsOf(of).filter(([, field]) => !field.derived);

/** Code of the menu by which customers open a resource. */
export const customerMenuCode = ({ name, customerMenu }: Pick<ResourceDeclaration, "name" | "customerMenu">): string =>
  customerMenu?.code ?? `self_${name}`;

/** Method and verb of each operation that a resource may have; `endpointsOf` makes the full declarations. */
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

/** Verbs of a resource's imports, below `<path>/import`. */
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

/** Method and path of an operation of a resource's imports, without its schemas. */
export const importOperationOf = (
  of: Pick<ResourceDeclaration, "path">,
  verb: ImportVerb,
): { method: "GET" | "POST"; path: string; form: "envelope" } => ({
  method: importVerbs[verb],
  path: `${of.path}/import/${verb}`,
  form: "envelope",
});

/** Method and path of an operation of a resource, without its schemas, for the web app. */
export function operationOf(
  of: Pick<ResourceDeclaration, "path">,
  name: ResourceVerb,
): { method: "GET" | "POST"; path: string; form: "envelope" } {
  const [method, verb] = resourceVerbs[name];
  return { method, path: `${of.path}/${verb}`, form: "envelope" };
}
