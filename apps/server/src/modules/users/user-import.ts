import {
  mobilePhonePattern,
  normalizePhone,
  type Problem,
  ruleReasons,
  usernameProblem,
  userSheet,
} from "@herdwise/contract";
import { shanghaiDay } from "@herdwise/contract/shanghai";
import { reasons } from "../../http/reasons.ts";
import type { ResourceHooks } from "../../resources/index.ts";
import type { TenantScope } from "../../tenant-scope.ts";
import { accountKey } from "../identity/index.ts";
import type { UserSheetRepository } from "./user-sheet.repository.ts";

/** Whether a sheet says something else than is stored; several names have no order. */
const differs = (said: unknown, held: unknown): boolean =>
  said !== undefined &&
  String(Array.isArray(said) ? said.toSorted() : said) !== String(Array.isArray(held) ? held.toSorted() : held);

/** Fields that belong to the person and not to the tenant. */
const personal = ["userType", "name", "realName", "birthday"] as const;

const told = (
  field: string,
  reason:
    | "users.account"
    | "users.account_taken"
    | "users.above"
    | "users.shared"
    | "users.birthday"
    | "users.department_above",
  values: Problem["values"] = {},
): Problem => ({ field, reason, text: reasons[reason].zh, values });

/** Names of rows as a sheet tells them apart: the plain name, or the one with those above where several have it. */
function namesOf(rows: readonly { id: string; name: string; path: string }[]): [id: string, name: string][] {
  const uses = Map.groupBy(rows, ({ name }) => name);
  return rows.map(({ id, name, path }) => [id, (uses.get(name)?.length ?? 0) > 1 ? path : name]);
}

/** Roles, departments and posts of the scope's tenant, by the names that sheets use. */
export async function placesOf(from: Pick<UserSheetRepository, "users" | "named">, scope: TenantScope) {
  const roles = await from.users.rolesOf(scope);
  return {
    roleName: namesOf(
      roles.map(({ id, roleName, roleAlias }) => ({ id, name: roleName, path: `${roleName} / ${roleAlias}` })),
    ),
    deptName: namesOf(await from.named(scope, "departments")),
    postName: namesOf(await from.named(scope, "posts")),
  };
}

/** What imports of users ask beyond the cells of a row. */
export const userImportHooks: ResourceHooks<UserSheetRepository> = {
  tables: [
    "accounts",
    "memberships",
    "membership_roles",
    "membership_departments",
    "membership_posts",
    "member_entries",
  ],

  /** Roles that the person may not give are none of the choices. */
  async options({ scope, extra }) {
    const places = await placesOf(extra, scope);
    const beyond = await extra.users.rolesBeyond(
      scope,
      places.roleName.map(([id]) => id),
    );
    return { ...places, roleName: places.roleName.filter(([id]) => !beyond.includes(id)) };
  },

  async rowProblems({ rows, scope, extra }) {
    const added = rows.filter(({ held }) => held === undefined);
    const changed = rows.flatMap(({ values, held }) =>
      held && held.id !== scope.accountId && Object.keys(values).some((field) => differs(values[field], held[field]))
        ? [held.id]
        : [],
    );
    const taken =
      added.length === 0
        ? new Set<string>()
        : await extra.takenElsewhere(
            scope,
            added.map(({ values }) => accountKey(String(values.account))),
          );
    const [above, shared] =
      changed.length === 0
        ? [new Set<string>(), new Set<string>()]
        : [new Set(await extra.users.accountsBeyond(scope, changed)), await extra.shared(scope, changed)];
    const today = shanghaiDay(Date.now());
    const { all, departmentIds } = scope.rows;
    return rows.map(({ values, held }) => {
      const problems: Problem[] = [];
      const account = String(values.account ?? "");
      if (values.tenantId !== undefined && values.tenantId !== scope.tenantId)
        problems.push({
          field: "tenantId",
          reason: "field.choice",
          text: ruleReasons["field.choice"].zh,
          values: { label: userSheet.fields.tenantId.label, value: String(values.tenantId) },
        });
      if (held === undefined) {
        const phone = normalizePhone(String(values.phone ?? ""));
        const problem = mobilePhonePattern.test(normalizePhone(account)) ? usernameProblem(account, phone) : "";
        if (problem !== "") problems.push(told("account", "users.account", { problem }));
        if (taken.has(accountKey(account))) problems.push(told("account", "users.account_taken", { name: account }));
      } else {
        if (above.has(held.id)) problems.push(told("account", "users.above"));
        const [field] = personal.filter((name) => differs(values[name], held[name]));
        if (field && shared.has(held.id)) problems.push(told(field, "users.shared"));
      }
      if (typeof values.birthday === "string" && values.birthday > today && differs(values.birthday, held?.birthday))
        problems.push(told("birthday", "users.birthday"));
      const departments = Array.isArray(values.deptName) ? values.deptName.map(String) : [];
      const before = Array.isArray(held?.deptName) ? held.deptName.map(String) : [];
      const touched =
        values.deptName === undefined
          ? []
          : [...departments, ...before].filter((id) => !(departments.includes(id) && before.includes(id)));
      if (!all && touched.some((id) => !departmentIds.includes(id)))
        problems.push(told("deptName", "users.department_above"));
      return problems;
    });
  },

  /** A sheet may add more than the tenant has room for. */
  async wholeProblems({ adds, scope, extra }) {
    const room = await extra.users.room(scope);
    if (room === undefined || room.held + adds <= room.most) return [];
    return [{ reason: "users.quota_import", values: { ...room, adds, over: room.held + adds - room.most } }];
  },

  imported: ({ scope, extra }) => extra.requireWhole(scope),
};
