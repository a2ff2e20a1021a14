import {
  type AccessReason,
  type AccessRow,
  type accessReasons,
  type accessRows,
  alarmDetail,
  deviceDetail,
  deviceRegistry,
  type Endpoint,
  endpoints,
  endpointsOf,
  type PlacedRowKind,
  placedRowKinds,
  type QueryOf,
  type ResourceDeclaration,
  resources,
  type TenantType,
  userDetail,
} from "@herdwise/contract";
import { blockedAt, resourceOf, scopeOfCall } from "../../http/access.ts";
import { refuse } from "../../http/errors.ts";
import { rolesOf, type Session } from "../../http/session.ts";
import { inTenant, type TenantScope, withEveryRow } from "../../tenant-scope.ts";
import type { IdentityService } from "../identity/index.ts";
import type { AccessRepository } from "./access.repository.ts";
import { type AccessRowsRepository, mostOffered } from "./access-rows.repository.ts";

export interface AccessReasonsDependencies {
  repository: Pick<AccessRepository, "grantedMenus" | "menuOf" | "packageOf" | "roleNames" | "tenantOfMember">;
  sessionOfMember: IdentityService["sessionOfMember"];
  placedRows: AccessRowsRepository;
  /** Rows of a resource, as its own operations read them. */
  rowsOf(of: ResourceDeclaration): {
    byIds(scope: TenantScope, ids: readonly string[]): Promise<readonly StoredRow[]>;
    all(
      scope: TenantScope,
      conditions: readonly { kind: "keyword"; word: string }[],
      limit: number,
    ): Promise<readonly StoredRow[]>;
  };
}

type StoredRow = Readonly<Record<string, unknown>>;

/** Rows that can be asked about. */
interface Rows {
  readonly kind: string;
  /** The operation by which a session would read one of them. */
  readonly detail: (session: Session) => Endpoint;
  byIds(scope: TenantScope, ids: readonly string[]): Promise<readonly AccessRow[]>;
  find(scope: TenantScope, word: string): Promise<readonly AccessRow[]>;
}

const isPlaced = (kind: string): kind is PlacedRowKind => (placedRowKinds as readonly string[]).includes(kind);
const registryDetail: Endpoint = endpointsOf(deviceRegistry).detail;
const placedDetails: Readonly<Record<PlacedRowKind, (session: Session) => Endpoint>> = {
  // The group's staff see customers' devices in the registry.
  device: ({ tenantType }) => (tenantType === "group" ? registryDetail : deviceDetail),
  alarm: () => alarmDetail,
  member: () => userDetail,
};

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
export function createAccessReasonsService({
  repository,
  sessionOfMember,
  rowsOf,
  placedRows,
}: AccessReasonsDependencies) {
  const rowsOfResource = (of: ResourceDeclaration): Rows => {
    const view = (row: StoredRow): AccessRow => ({
      id: String(row.id),
      title: String(row[of.title] ?? ""),
      tenantName: typeof row.tenantName === "string" ? row.tenantName : "",
    });
    return {
      kind: of.name,
      detail: () => endpointsOf(of).detail,
      byIds: async (scope, ids) => (await rowsOf(of).byIds(scope, ids)).map(view),
      find: async (scope, word) =>
        (await rowsOf(of).all(scope, word === "" ? [] : [{ kind: "keyword", word }], mostOffered)).map(view),
    };
  };
  /** @throws Refusal 404 for a kind that there is none of */
  const rowsFor = (code: string, kind: string | undefined): Rows | undefined => {
    if (kind !== undefined && isPlaced(kind))
      return {
        kind,
        detail: placedDetails[kind],
        byIds: (scope, ids) => placedRows.byIds(kind, scope, ids),
        find: (scope, word) => placedRows.find(kind, scope, word),
      };
    const all: readonly ResourceDeclaration[] = resources;
    const of = kind ? all.find(({ name }) => name === kind) : resourceOfCode(code);
    if (kind && of === undefined) throw refuse("row.not_found");
    return of && rowsOfResource(of);
  };
  /** The scope by which somebody reads rows; undefined for whom their operation refuses. */
  const readingScope = (rows: Rows, session: Session): TenantScope | undefined => {
    const detail = rows.detail(session);
    return blockedAt(detail, session).length === 0 ? scopeOfCall(detail, session, "") : undefined;
  };

  /** Steps of a row; whoever asks learns nothing of rows that they do not see themselves. */
  const rowSteps = async (
    rows: Rows | undefined,
    rowId: string,
    asking: Session,
    person: Session,
  ): Promise<AccessReason[]> => {
    const askingScope = rows && readingScope(rows, asking);
    const scope = rows && scopeOfCall(rows.detail(person), person, "");
    const [row] = rows && askingScope ? await rows.byIds(askingScope, [rowId]) : [];
    const seen: AccessReason = { step: "row", ok: row !== undefined, detail: [], roleIds: [] };
    if (rows === undefined || row === undefined || scope === undefined) return [seen];
    const [inTheTenant] = await rows.byIds(withEveryRow(scope), [rowId]);
    const [reached] = await rows.byIds(scope, [rowId]);
    return [
      { ...seen, detail: [row.title] },
      {
        step: "rowTenant",
        ok: inTheTenant !== undefined,
        detail: row.tenantName === "" ? [] : [row.tenantName],
        roleIds: [],
      },
      { step: "rowScope", ok: reached !== undefined, detail: [], roleIds: rolesOf(person.grants) },
    ];
  };

  return {
    /** Rows that the asking person sees, to be asked about. @throws Refusal 404 for an unknown kind */
    async rows(asking: Session, { code, rowKind, tenantId, keyword = "" }: QueryOf<typeof accessRows>) {
      const rows = rowsFor(code, rowKind);
      const scope = rows && readingScope(rows, asking);
      const found = rows && scope ? await rows.find(inTenant(scope, tenantId), keyword.trim()) : [];
      return { rowKind: rows?.kind ?? "", rows: [...found] };
    },

    /** @throws Refusal 404 for a person whom the scope does not reach, and for an unknown code */
    async of(
      asking: Session,
      scope: TenantScope,
      { accountId, tenantId, code, rowKind, rowId }: QueryOf<typeof accessReasons>,
    ) {
      const of = await repository.tenantOfMember(inTenant(scope, tenantId), accountId);
      const member = of === undefined ? undefined : await sessionOfMember(accountId, of);
      const menu = await repository.menuOf(code);
      if (member === undefined || menu === undefined) throw refuse("row.not_found");
      const { session, stands } = member;
      const roles = await repository.roleNames(session, rolesOf(session.grants), code);
      const granting = roles.filter(({ grants }) => grants);
      const package_ = await repository.packageOf(session, code);
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
        // Where a role grants it and it is not in force all the same, the package is why.
        plain(
          "package",
          isGranted || (granting.length === 0 && package_?.has !== false),
          package_ ? [package_.name] : [],
        ),
        {
          step: "granted",
          ok: isGranted || granting.length > 0,
          detail: granting.map(({ name }) => name),
          roleIds: (granting.length > 0 ? granting : roles).map(({ id }) => id),
        },
        { ...plain("path", closed.length === 0, closed), roleIds: closed.length > 0 ? roles.map(({ id }) => id) : [] },
        ...(rowId ? await rowSteps(rowsFor(code, rowKind), rowId, asking, session) : []),
      ];
      return { allowed: steps.every(({ ok }) => ok), steps };
    },
  };
}
export type AccessReasonsService = ReturnType<typeof createAccessReasonsService>;
