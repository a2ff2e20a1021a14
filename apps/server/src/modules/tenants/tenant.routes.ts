import {
  tenantDatasource,
  tenantDetail,
  tenantFindByName,
  tenantInfo,
  tenantPackageDetail,
  tenantPackageMenus,
  tenantPackagePreview,
  tenantPackageSetMenus,
  tenantPackageSetting,
  tenantPackageTree,
  tenantPage,
  tenantRemove,
  tenantSetting,
  tenantSubmit,
} from "@herdwise/contract";
import { refuse } from "../../http/errors.ts";
import type { Router } from "../../http/router.ts";
import type { TenantService } from "./tenant.service.ts";
import type { TenantPackageService } from "./tenant-package.service.ts";

export function tenantRoutes(router: Router, tenants: TenantService, packages: TenantPackageService): void {
  router.on(tenantPage, ({ scope, query }) => tenants.page(scope, query));
  router.on(tenantDetail, ({ scope, query }) => tenants.detail(scope, query.id ?? query.tenantId));
  router.on(tenantFindByName, ({ scope, query }) => tenants.named(scope, query.name));
  router.on(tenantSubmit, ({ scope, body }) => tenants.submit(scope, body));
  router.on(tenantRemove, async ({ scope, query, body }) => {
    await tenants.close(scope, query.ids ?? body.ids);
    return {};
  });
  // Clients of the family send the values as query or as a form; both are read.
  router.on(tenantSetting, async ({ scope, query, body }) => {
    const { ids, ...limits } = { ...body, ...query };
    await tenants.limit(scope, ids, limits);
    return {};
  });
  router.on(tenantDatasource, async () => {
    throw refuse("tenants.datasource");
  });
  router.on(tenantPackageDetail, ({ scope, query }) => tenants.packageOf(scope, query.tenantId));
  router.on(tenantPackageSetting, async ({ scope, query, body }) => {
    const { tenantId, packageId } = { ...body, ...query };
    await tenants.givePackage(scope, tenantId, packageId);
    return {};
  });
  router.on(tenantPackageTree, () => packages.tree());
  router.on(tenantPackageMenus, ({ scope, query }) => packages.menus(scope, query.id));
  router.on(tenantPackageSetMenus, async ({ scope, body }) => {
    await packages.setMenus(scope, body);
    return {};
  });
  router.on(tenantPackagePreview, ({ scope, body }) => packages.preview(scope, body));
  router.on(tenantInfo, ({ query }) => tenants.ofDomain(query.domain));
}
