import { createHash, randomBytes } from "node:crypto";
import {
  type BodyOf,
  isId,
  phonePattern,
  plainText,
  type QueryOf,
  type tenantPage,
  type tenantSubmit,
} from "@herdwise/contract";
import { shanghaiMoment } from "@herdwise/contract/shanghai";
import { refuse } from "../../http/errors.ts";
import { pageOfRows, pageRequest } from "../../http/paging.ts";
import { wireDateTime } from "../../http/present.ts";
import { readSomeIds } from "../../ids.ts";
import type { PersonalCipher } from "../../personal-cipher.ts";
import { systemScope, type TenantScope } from "../../tenant-scope.ts";
import { type AuditRecord, type AuditRepository, installationChain } from "../audit/index.ts";
import { type TenantChange, type TenantRepository, type TenantRow, tenantSorts } from "./tenant.repository.ts";
import type { TenantPackageRepository } from "./tenant-package.repository.ts";

interface TenantParts {
  tenants: TenantRepository;
  packages: TenantPackageRepository;
  audit: Pick<AuditRepository, "append">;
}

export interface TenantDependencies {
  tenants: TenantRepository;
  packages: TenantPackageRepository;
  inTransaction<T>(work: (parts: TenantParts) => Promise<T>): Promise<T>;
  cipher: PersonalCipher;
  hashPassword(md5: string): Promise<string>;
  nextId: () => string;
  /** Tenant of the group, which has no limits and can't be closed. */
  groupTenantId: string;
}

const longestName = 60;
const hostPattern = /^(?=.{1,200}$)[a-z0-9]([a-z0-9-]*[a-z0-9])?(\.[a-z0-9]([a-z0-9-]*[a-z0-9])?)*(:\d{1,5})?$/i;
const visitors = systemScope("a visitor's log-in page shows whose it is, by its host");

/** Host of what a form or a browser sends as a domain. */
const hostOf = (text: string): string =>
  text
    .trim()
    .replace(/^https?:\/\//i, "")
    .replace(/\/.*$/, "");

/** End of the day where no time is given. */
function momentOf(text: string): Date | null {
  if (text === "") return null;
  const at = shanghaiMoment(text.length === 10 ? `${text} 23:59:59` : text);
  if (Number.isNaN(at)) throw refuse("tenants.expire_time", { field: "expireTime" });
  return new Date(at);
}

type Limits = { accountNumber?: number | undefined; expireTime?: string | undefined };

/** The tenants of the installation, as the group keeps them. */
export function createTenantService({
  tenants,
  packages,
  inTransaction,
  cipher,
  hashPassword,
  nextId,
  groupTenantId,
}: TenantDependencies) {
  const view = ({ contactNumberEncrypted, ...row }: TenantRow) => ({
    ...row,
    contactNumber: contactNumberEncrypted === "" ? "" : cipher.decrypt(contactNumberEncrypted),
    packageId: row.packageId ?? "",
    datasourceId: "",
    licenseKey: "",
    isDeleted: 0,
  });

  const recordOf = (
    row: { id: string; tenantName: string },
    action: AuditRecord["action"],
    changes: AuditRecord["changes"],
  ): AuditRecord => ({ resource: "tenant", rowId: row.id, rowTitle: row.tenantName, action, changes });

  const limitsOf = (row: TenantRow | undefined, { accountNumber, expireTime }: Limits): TenantChange => {
    const change: TenantChange = {
      ...(accountNumber !== undefined && { accountNumber }),
      ...(expireTime !== undefined && { expireTime: momentOf(expireTime) }),
    };
    const limits = (change.accountNumber ?? -1) !== -1 || (change.expireTime ?? null) !== null;
    if (row?.tenantId === groupTenantId && limits) throw refuse("tenants.group_limits");
    return change;
  };

  /** What a form changes of a tenant. */
  const changeOf = async (
    from: TenantRepository,
    scope: TenantScope,
    row: TenantRow | undefined,
    body: BodyOf<typeof tenantSubmit>,
  ): Promise<TenantChange> => {
    const change = limitsOf(row, body);
    if (body.tenantName !== undefined) {
      const name = plainText(body.tenantName);
      if ([...name].length < 2 || [...name].length > longestName)
        throw refuse("tenants.name", { field: "tenantName", values: { max: longestName } });
      change.name = name;
    }
    if (body.domainUrl !== undefined) {
      const domain = hostOf(body.domainUrl);
      const wrong = domain !== "" && !hostPattern.test(domain);
      if (wrong || (domain !== "" && (await from.domainIsTaken(scope, domain, row?.tenantId ?? ""))))
        throw refuse("tenants.domain", { field: "domainUrl" });
      change.domainUrl = domain;
    }
    for (const field of ["linkman", "address"] as const)
      if (body[field] !== undefined) change[field] = plainText(body[field]);
    if (body.backgroundUrl !== undefined) {
      const url = body.backgroundUrl.trim();
      if (url !== "" && !/^(https?:\/)?\/[^\s"'()]+$/.test(url))
        throw refuse("parameter.invalid", { field: "backgroundUrl", values: { field: "backgroundUrl" } });
      change.backgroundUrl = url;
    }
    if (body.contactNumber !== undefined) {
      const number = body.contactNumber.trim();
      if (number !== "" && !phonePattern.test(number)) throw refuse("tenants.phone", { field: "contactNumber" });
      change.contactNumberEncrypted = number === "" ? "" : cipher.encrypt(number);
      change.contactNumberIndex = number === "" ? null : cipher.index(number);
    }
    return change;
  };

  /** Gives a tenant a package, "" for none; the package is held, so that its menus stay until the transaction ends. */
  const packageChange = async (
    from: TenantPackageRepository,
    row: Pick<TenantRow, "tenantId"> | undefined,
    packageId: string | undefined,
  ): Promise<TenantChange> => {
    if (packageId === undefined) return {};
    if (packageId === "") return { packageId: null };
    if (row?.tenantId === groupTenantId) throw refuse("tenants.group_package", { field: "packageId" });
    const given = isId(packageId) ? await from.byId(packageId, true) : undefined;
    if (given === undefined) throw refuse("tenants.package", { field: "packageId" });
    if ((await from.menuIds(given.id)).length === 0) throw refuse("tenants.package_empty", { field: "packageId" });
    return { packageId: given.id };
  };

  /** Fields that differ, for the audit trail; numbers of people stay out of it. */
  const changesOf = (row: TenantRow | undefined, change: TenantChange): AuditRecord["changes"] => {
    const before: Readonly<Record<string, unknown>> = { ...row, name: row?.tenantName };
    const shown = (value: unknown) => (value instanceof Date ? wireDateTime(value) : (value ?? ""));
    return Object.entries(change)
      .filter(([field]) => !field.startsWith("contactNumber"))
      .map(([field, value]) => ({ field, before: shown(before[field]), after: shown(value) }))
      .filter((one) => one.before !== one.after);
  };

  const find = async (from: TenantRepository, scope: TenantScope, id: string, lock = false): Promise<TenantRow> => {
    const [row] = await from.byIds(scope, [id], lock);
    if (row === undefined) throw refuse("tenants.not_found");
    return row;
  };

  const write = async (
    { tenants: to, audit }: TenantParts,
    scope: TenantScope,
    row: TenantRow,
    change: TenantChange,
  ): Promise<void> => {
    const changes = changesOf(row, change);
    if (Object.keys(change).length > 0) await to.change(scope, row.tenantId, change);
    if (changes.length > 0) await audit.append(installationChain, scope, [recordOf(row, "update", changes)], nextId);
  };

  return {
    async page(scope: TenantScope, { contactNumber, ...query }: QueryOf<typeof tenantPage>) {
      const request = pageRequest(query, tenantSorts);
      const { rows, total } = await tenants.page(
        scope,
        { ...query, ...(contactNumber && { contactIndexes: cipher.indexes(contactNumber.trim()) }) },
        request,
      );
      return pageOfRows(rows.map(view), total, request);
    },

    detail: async (scope: TenantScope, id: string | undefined) => {
      if (id === undefined) throw refuse("parameter.missing", { field: "id", values: { field: "id" } });
      return view(await find(tenants, scope, id));
    },

    async named(scope: TenantScope, tenantName: string) {
      const { rows } = await tenants.page(scope, { tenantName }, { offset: 0, limit: 50 });
      return rows.map(view);
    },

    /** @throws Refusal 400 with what is wrong, 404 */
    async submit(scope: TenantScope, body: BodyOf<typeof tenantSubmit>) {
      const { id } = body;
      if (id) {
        return inTransaction(async (parts) => {
          const row = await find(parts.tenants, scope, id, true);
          const change = await changeOf(parts.tenants, scope, row, body);
          await write(parts, scope, row, { ...change, ...(await packageChange(parts.packages, row, body.packageId)) });
          return { id: row.id, tenantId: row.tenantId };
        });
      }
      const change = await changeOf(tenants, scope, undefined, { ...body, tenantName: body.tenantName ?? "" });
      const password = randomBytes(9).toString("base64url");
      const passwordHash = await hashPassword(createHash("md5").update(password).digest("hex"));
      return inTransaction(async ({ tenants: to, packages: of, audit }) => {
        Object.assign(change, await packageChange(of, undefined, body.packageId));
        const name = change.name ?? "";
        const added = await to.insert(scope, name, passwordHash, nextId);
        await to.change(scope, added.tenantId, change);
        await audit.append(
          installationChain,
          scope,
          [recordOf({ id: added.id, tenantName: name }, "create", changesOf(undefined, change))],
          nextId,
        );
        return {
          id: added.id,
          tenantId: added.tenantId,
          administrator: { loginName: added.account, password },
        };
      });
    },

    /** Nobody logs in at a closed tenant; its rows stay. @throws Refusal 400 for the group's own, 404 */
    async close(scope: TenantScope, ids: string | undefined): Promise<void> {
      const named = readSomeIds(ids);
      await inTransaction(async (parts) => {
        const rows = await parts.tenants.byIds(scope, named, true);
        if (rows.length !== named.length) throw refuse("tenants.not_found");
        if (rows.some(({ tenantId }) => tenantId === groupTenantId)) throw refuse("tenants.group");
        for (const row of rows) await write(parts, scope, row, { status: 0 });
      });
    },

    async limit(scope: TenantScope, ids: string | undefined, limits: Limits): Promise<void> {
      const named = readSomeIds(ids);
      await inTransaction(async (parts) => {
        const rows = await parts.tenants.byIds(scope, named, true);
        if (rows.length !== named.length) throw refuse("tenants.not_found");
        for (const row of rows) await write(parts, scope, row, limitsOf(row, limits));
      });
    },

    /** The package of a tenant; an empty object for a tenant without one. @throws Refusal 404 */
    async packageOf(scope: TenantScope, tenantId: string | undefined) {
      const { packageId } = await find(tenants, scope, tenantId ?? "");
      const found = packageId === null ? undefined : await packages.byId(packageId);
      if (found === undefined) return {};
      const { id, packageName, remark } = found;
      return { id, packageName, remark, menuId: (await packages.menuIds(id)).join(",") };
    },

    /**
     * Gives a tenant a package, or none.
     * @throws Refusal 400 for the group's own tenant, and for a package that does not exist or has no menus; 404
     */
    async givePackage(scope: TenantScope, tenantId: string | undefined, packageId: string | undefined): Promise<void> {
      await inTransaction(async (parts) => {
        const row = await find(parts.tenants, scope, tenantId ?? "", true);
        await write(parts, scope, row, await packageChange(parts.packages, row, packageId ?? ""));
      });
    },

    /** Which tenant a host belongs to; nothing for the address that all share. */
    ofDomain: async (domain: string | undefined) =>
      (domain ? await tenants.ofDomain(visitors, hostOf(domain)) : undefined) ?? {},
  };
}
export type TenantService = ReturnType<typeof createTenantService>;
