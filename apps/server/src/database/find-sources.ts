import { isOfInstallation, type ResourceDeclaration, resources, snakeCase } from "@herdwise/contract";

/** Where the index of names gets a kind of thing from; all names are those of the database. */
export interface FindSource {
  readonly kind: string;
  readonly table: string;
  /** Column by which its list knows a row. */
  readonly key: string;
  /** Column of the tenant; "" for things of the installation. */
  readonly tenant: string;
  /** Column of the name. */
  readonly title: string;
  /** Further columns by which it is found. */
  readonly by: readonly string[];
  /** Columns of farm, house and unit, from the outside in. */
  readonly places: readonly string[];
  /**
   * How a limited data scope narrows what the index proposes: `row` by who added it, `place` also by who added its place; `list` where
   * its list alone knows.
   */
  readonly reach: "row" | "place" | "list";
}

const ofResource = (of: ResourceDeclaration): FindSource[] => {
  if (of.find === undefined || of.find.numbers) return [];
  return [
    {
      kind: of.name,
      table: of.table,
      key: "id",
      tenant: isOfInstallation(of) ? "" : "tenant_id",
      title: snakeCase(of.title),
      by: (of.find.by ?? []).map(snakeCase),
      places: (of.find.places ?? []).map(snakeCase),
      reach: of.name === "device" ? "place" : "row",
    },
  ];
};

/** Kinds whose lists are no resources. */
const written: readonly FindSource[] = [
  {
    kind: "user",
    table: "member_entries",
    key: "membership_id",
    tenant: "tenant_id",
    title: "real_name",
    by: ["account", "words"],
    places: [],
    reach: "list",
  },
  {
    kind: "customer",
    table: "customer_entries",
    key: "tenant_id",
    tenant: "tenant_id",
    title: "name",
    by: ["tenant_id"],
    places: [],
    reach: "list",
  },
  {
    kind: "work_order",
    table: "work_orders",
    key: "id",
    tenant: "tenant_id",
    title: "title",
    by: ["number", "device_name"],
    places: [],
    reach: "list",
  },
  {
    kind: "contract",
    table: "contracts",
    key: "id",
    tenant: "tenant_id",
    title: "title",
    by: ["number", "title_en"],
    places: [],
    reach: "list",
  },
];

/** All kinds of the index. */
export const findSources: readonly FindSource[] = [
  ...resources.flatMap((of: ResourceDeclaration) => ofResource(of)),
  ...written,
];
