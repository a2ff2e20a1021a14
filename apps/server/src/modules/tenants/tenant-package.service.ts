import {
  type BodyOf,
  type Endpoint,
  endpoints,
  type GrantNode,
  type MenuEffect,
  type tenantPackagePreview,
  type tenantPackageSetMenus,
} from "@herdwise/contract";
import { refuse } from "../../http/errors.ts";
import type { TenantScope } from "../../tenant-scope.ts";
import { type AuditRepository, installationChain } from "../audit/index.ts";
import type { PackageMenu, TenantPackageRepository } from "./tenant-package.repository.ts";

export interface TenantPackageDependencies {
  packages: TenantPackageRepository;
  inTransaction<T>(
    work: (parts: { packages: TenantPackageRepository; audit: Pick<AuditRepository, "append"> }) => Promise<T>,
  ): Promise<T>;
  nextId: () => string;
}

const operations: readonly Endpoint[] = Object.values(endpoints);
/** Rights whose operations the server opens to the group's staff alone. */
const staffRights: ReadonlySet<string> = (() => {
  const codes = new Map<string, boolean>();
  for (const { access, owner } of operations)
    if (access.level === "permission") codes.set(access.code, (codes.get(access.code) ?? true) && owner === "group");
  return new Set([...codes].flatMap(([code, staff]) => (staff ? [code] : [])));
})();

/** What customers may have: screens outside the group's area, their buttons, and the rights that both share. */
function offeredMenus(menus: readonly PackageMenu[]): PackageMenu[] {
  const byId = new Map(menus.map((menu) => [menu.id, menu]));
  // The group's screens and groups of the group's screens; entries that only hold rights are for both.
  const isStaffs = ({ type, hidden, component }: PackageMenu) => type === "admin" && !(hidden && component === "");
  const offered = new Set(
    menus.filter((menu) => {
      const parent = byId.get(menu.parentId ?? "");
      if (menu.category !== 2) return menu.type !== "admin" && menu.component !== "";
      return !staffRights.has(menu.code) && !(parent && isStaffs(parent));
    }),
  );
  for (const menu of offered) {
    const parent = byId.get(menu.parentId ?? "");
    if (parent) offered.add(parent);
  }
  return menus.filter((menu) => offered.has(menu));
}

/** Packages of menus that tenants have. */
export function createTenantPackageService({ packages, inTransaction, nextId }: TenantPackageDependencies) {
  const find = async (from: TenantPackageRepository, id: string, lock = false) => {
    const found = await from.byId(id, lock);
    if (found === undefined) throw refuse("row.not_found");
    return found;
  };
  return {
    async tree(): Promise<{ menu: GrantNode[] }> {
      const menus = offeredMenus(await packages.menus());
      const parents = new Set(menus.map(({ parentId }) => parentId));
      const nodes = new Map(
        menus.map(({ id, parentId, name, ...menu }): [string, GrantNode] => [
          id,
          {
            ...menu,
            id,
            parentId: parentId ?? "0",
            title: name,
            key: id,
            value: id,
            hasChildren: parents.has(id),
            // What only holds others is in a package with them.
            disabled: menu.category !== 2 && menu.component === "",
            beyondPackage: false,
          },
        ]),
      );
      const roots: GrantNode[] = [];
      for (const node of nodes.values()) {
        const parent = nodes.get(node.parentId);
        if (parent) parent.children = [...(parent.children ?? []), node];
        else roots.push(node);
      }
      return { menu: roots };
    },

    /** @throws Refusal 404 */
    async menus(scope: TenantScope, id: string) {
      const { packageName, version } = await find(packages, id);
      const [menuIds, counts] = await Promise.all([packages.menuIds(id), packages.tenantCounts(scope, [id])]);
      return { packageName, version, tenants: counts.get(id) ?? 0, menuIds };
    },

    /**
     * Gives a package exactly these menus.
     * @throws Refusal 400 for menus of the group's staff, and for none while tenants have the package; 404, 409
     */
    async setMenus(scope: TenantScope, { id, menuIds, version }: BodyOf<typeof tenantPackageSetMenus>): Promise<void> {
      await inTransaction(async ({ packages: to, audit }) => {
        const held = await find(to, id, true);
        if (version !== undefined && version !== held.version) throw refuse("row.changed_meanwhile");
        const known = new Map((await to.menus()).map((menu) => [menu.id, menu]));
        const offered = new Set(offeredMenus([...known.values()]).map((menu) => menu.id));
        const wanted = [...new Set(menuIds)];
        if (wanted.some((menuId) => !offered.has(menuId))) throw refuse("tenants.package_menus", { field: "menuIds" });
        if (wanted.length === 0 && (await to.tenantCounts(scope, [id])).size > 0)
          throw refuse("tenants.package_empty", { field: "menuIds" });
        const before = await to.menuIds(id);
        const codes = (ids: readonly string[]) => ids.flatMap((menuId) => known.get(menuId)?.code ?? []).toSorted();
        const [lost, got] = [
          before.filter((one) => !wanted.includes(one)),
          wanted.filter((one) => !before.includes(one)),
        ];
        if (lost.length + got.length === 0) return;
        await to.setMenus(scope, id, wanted);
        const changes = [{ field: "menus", before: codes(lost), after: codes(got) }];
        await audit.append(
          installationChain,
          scope,
          [{ resource: "tenant_package", rowId: id, rowTitle: held.packageName, action: "grant", changes }],
          nextId,
        );
      });
    },

    /** What a change would mean, without making it. @throws Refusal 400 without menus or tenants, 404 */
    async preview(
      scope: TenantScope,
      { id, menuIds, tenantIds }: BodyOf<typeof tenantPackagePreview>,
    ): Promise<MenuEffect> {
      if (id) await find(packages, id);
      if (tenantIds !== undefined) return packages.effectOfGiving(scope, id || undefined, tenantIds);
      if (!id || menuIds === undefined)
        throw refuse("parameter.missing", { field: "menuIds", values: { field: "menuIds" } });
      return packages.effectOfMenus(scope, id, menuIds);
    },
  };
}
export type TenantPackageService = ReturnType<typeof createTenantPackageService>;
