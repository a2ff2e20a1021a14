import {
  type AccessReason,
  type accessReasons,
  type Endpoint,
  endpoints,
  endpointsOf,
  type QueryOf,
  type ResourceDeclaration,
  resources,
  type TenantType,
} from "@herdwise/contract";
import { blockedAt, resourceOf, scopeOfCall } from "../../http/access.ts";
import { refuse } from "../../http/errors.ts";
import { rolesOf, type Session } from "../../http/session.ts";
import { inTenant, type TenantScope, withEveryRow } from "../../tenant-scope.ts";
import type { IdentityService } from "../identity/index.ts";
import type { AccessRepository } from "./access.repository.ts";

export interface AccessReasonsDependencies {
  repository: Pick<AccessRepository, "grantedMenus" | "menuOf" | "roleNames" | "tenantOfMember">;
  sessionOfMember: IdentityService["sessionOfMember"];
  /** Rows of a resource, as its own operations read them. */
  rowsOf(of: ResourceDeclaration): {
    byIds(scope: TenantScope, ids: readonly string[]): Promise<readonly Readonly<Record<string, unknown>>[]>;
  };
}

/** Screens of the group's staff are nothing that a customer could be given. */
export const fitsTenant = (menuType: string, tenantType: TenantType): boolean =>
  menuType !== "admin" || tenantType === "group";

const button = 2;
const operations = Object.values(endpoints) as readonly Endpoint[];
/** Operations that a button permits. */
const operationsOf = (code: string): readonly Endpoint[] =>
  operations.filter(({ access }) => access.level === "permission" && access.code === code);

/** The resource whose rows a menu or button is about. */
const resourceOfCode = (code: string): ResourceDeclaration | undefined => {
  const name = resourceOf({ access: { level: "permission", code } });
  const all: readonly ResourceDeclaration[] = resources;
  return all.find((of) => of.name === code) ?? all.find((of) => of.name === name);
};

/** Tells why somebody sees something or not; each step is asked of the code that decides it for a call. */
export function createAccessReasonsService({ repository, sessionOfMember, rowsOf }: AccessReasonsDependencies) {
  /** Steps of a row; whoever asks learns nothing of rows that they do not see themselves. */
  const rowSteps = async (
    of: ResourceDeclaration | undefined,
    rowId: string,
    asking: Session,
    person: Session,
  ): Promise<AccessReason[]> => {
    const detail = of && (endpointsOf(of).detail as Endpoint);
    const [askingScope, scope] = [asking, person].map((session) => scopeOfCall(detail, session, ""));
    const reads = detail !== undefined && blockedAt(detail, asking).length === 0;
    const [row] = of && askingScope && reads ? await rowsOf(of).byIds(askingScope, [rowId]) : [];
    const seen: AccessReason = { step: "row", ok: row !== undefined, detail: [], roleIds: [] };
    if (of === undefined || row === undefined || scope === undefined) return [seen];
    const [inTheTenant] = await rowsOf(of).byIds(withEveryRow(scope), [rowId]);
    const [reached] = await rowsOf(of).byIds(scope, [rowId]);
    return [
      { ...seen, detail: [String(row[of.title] ?? "")] },
      {
        step: "rowTenant",
        ok: inTheTenant !== undefined,
        detail: typeof row.tenantName === "string" ? [row.tenantName] : [],
        roleIds: [],
      },
      { step: "rowScope", ok: reached !== undefined, detail: [], roleIds: rolesOf(person.grants) },
    ];
  };

  return {
    /** @throws Refusal 404 for a person whom the scope does not reach, and for an unknown code */
    async of(asking: Session, scope: TenantScope, { accountId, tenantId, code, rowId }: QueryOf<typeof accessReasons>) {
      const of = await repository.tenantOfMember(inTenant(scope, tenantId), accountId);
      const member = of === undefined ? undefined : await sessionOfMember(accountId, of);
      const menu = await repository.menuOf(code);
      if (member === undefined || menu === undefined) throw refuse("row.not_found");
      const { session, stands } = member;
      const roles = await repository.roleNames(session, rolesOf(session.grants), code);
      const granting = roles.filter(({ grants }) => grants);
      const permitted = operationsOf(code);
      const blocked = permitted.map((endpoint) => blockedAt(endpoint, session));
      const stopped = (step: string) =>
        permitted.filter((_, at) => blocked[at]?.some((found) => found.step === step)).map(({ path }) => path);
      const closed = stopped("path");
      const ofOthers = stopped("owner");
      const isGranted =
        menu.category === button
          ? session.permissions.has(code)
          : (await repository.grantedMenus(session)).some((held) => held.code === code);
      const plain = (step: AccessReason["step"], ok: boolean, detail: readonly string[] = []): AccessReason => ({
        step,
        ok,
        detail: [...detail],
        roleIds: [],
      });
      const steps: AccessReason[] = [
        plain("account", stands.account),
        plain("membership", stands.membership),
        plain("tenant", stands.tenant, [session.tenantId]),
        plain("password", !session.mustChangePassword),
        {
          ...plain(
            "roles",
            roles.length > 0,
            roles.map(({ name }) => name),
          ),
          roleIds: roles.map(({ id }) => id),
        },
        plain(
          "kind",
          (menu.category === button || fitsTenant(menu.type, session.tenantType)) &&
            (permitted.length === 0 || ofOthers.length < permitted.length),
          ofOthers,
        ),
        {
          step: "granted",
          ok: isGranted,
          detail: granting.map(({ name }) => name),
          roleIds: (granting.length > 0 ? granting : roles).map(({ id }) => id),
        },
        { ...plain("path", closed.length === 0, closed), roleIds: closed.length > 0 ? roles.map(({ id }) => id) : [] },
        ...(rowId ? await rowSteps(resourceOfCode(code), rowId, asking, session) : []),
      ];
      return { allowed: steps.every(({ ok }) => ok), steps };
    },
  };
}
export type AccessReasonsService = ReturnType<typeof createAccessReasonsService>;
