import { endpointsOf, fieldsOf, isOfInstallation, type ResourceDeclaration, resources } from "@herdwise/contract";
import type { Finder, FoundRow } from "../finder.ts";
import type { TenantScope } from "../tenant-scope.ts";
import { type DatabaseHandle, resourceRepository, type StoredRow } from "./resource.repository.ts";

/** Words of a number are looked for in the list as it stands, newest first. */
const anyOrder = { offset: 0, orders: [] } as const;

/** Finder of a resource, made from its declaration; it reads by the same statement as the resource's list. */
function resourceFinder(db: DatabaseHandle, of: ResourceDeclaration): Finder[] {
  const { find } = of;
  if (find === undefined) return [];
  const { page, detail } = endpointsOf(of);
  const rows = resourceRepository(db, of);
  const [code] = find.by ?? [];
  const hasState = of.process !== undefined && fieldsOf(of).some(([name]) => name === "state");
  const screens = [of.menu, ...(of.customerMenu ? [of.customerMenu] : [])].map(({ path }) => `${path}?row={id}`);
  const opens = [...(find.opens ?? []), ...screens];
  const view = (scope: TenantScope, row: StoredRow): FoundRow => ({
    key: row.id,
    id: row.id,
    name: String(row[of.title] ?? ""),
    code: code === undefined ? "" : String(row[code] ?? ""),
    state: hasState ? String(row.state ?? "") : "",
    opens: opens.map((path) => path.replace("{id}", row.id)),
    // The group's staff see the rows of all customers, and are told whose each is.
    ...(!isOfInstallation(of) &&
      row.tenantId !== scope.tenantId &&
      find.places === undefined && { within: [row.tenantName ?? ""] }),
  });
  return [
    {
      kind: of.name,
      name: of.words.one,
      icon: of.menu.icon,
      page,
      detail,
      ...(of.process && { states: of.process.states }),
      ...(of.process?.number && { letters: of.process.number }),
      ...(find.numbers && {
        search: async (scope, word, limit) =>
          (await rows.page(scope, [{ kind: "keyword", word }], { ...anyOrder, limit })).rows.map((row) =>
            view(scope, row),
          ),
      }),
      read: async (scope, keys) =>
        (await rows.page(scope, [{ kind: "ids", ids: keys }], { ...anyOrder, limit: keys.length })).rows.map((row) =>
          view(scope, row),
        ),
    },
  ];
}

/** Finders of all resources that declare one. */
export const resourceFinders = (db: DatabaseHandle): Finder[] =>
  resources.flatMap((of: ResourceDeclaration) => resourceFinder(db, of));
