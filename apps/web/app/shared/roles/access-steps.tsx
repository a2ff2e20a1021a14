import type { AccessReason } from "@herdwise/contract";
import { Link } from "react-router";
import { type Screen, screens } from "../../screens.ts";
import { Mark } from "../icons/mark.tsx";
import { useJoin } from "../language/use-join.ts";
import { useTranslate } from "../language/use-language.ts";
import { useNames } from "../language/use-names.ts";
import { nodeOfScreen } from "../session/access.ts";
import { useAccess } from "../session/access-context.ts";
import styles from "./access-reasons.module.css";

/** Chinese sentences of a step that lets somebody on, and of one that holds them up; `{names}` is what decided. */
const sentences: Readonly<Record<AccessReason["step"], { ok: string; blocked: string }>> = {
  account: { ok: "账号已启用。", blocked: "账号已停用，本人不能登录。" },
  membership: { ok: "在组织里的成员身份有效。", blocked: "在组织里的成员身份已停用。" },
  tenant: { ok: "组织已启用，没有到期。", blocked: "组织已停用或已到期，它的人都不能登录。" },
  password: { ok: "不用先改密码。", blocked: "密码被重置过，本人登录并改好密码之前什么都打不开。" },
  roles: { ok: "持有角色：{names}。", blocked: "没有任何角色。" },
  kind: { ok: "这一项对此类组织开放。", blocked: "这一项只供集团员工使用，客户的组织不能开通。" },
  granted: { ok: "由角色授予：{names}。", blocked: "持有的角色里没有一个授予这一项。" },
  package: { ok: "组织的套餐没有挡住它。", blocked: "组织的套餐“{names}”里没有这一项，角色授予了也不生效。" },
  path: { ok: "没有接口权限挡住它。", blocked: "接口权限挡住了：{names}。" },
  row: { ok: "数据存在：{names}。", blocked: "没有这条数据，或者您自己看不到它。" },
  rowTenant: { ok: "数据属于本人能看的组织。", blocked: "数据属于另一个组织：{names}。" },
  rowScope: {
    ok: "数据在角色的数据范围内。",
    blocked: "数据不在角色的数据范围内：不是本人添加的，也不属于角色能看的部门。",
  },
};

/** Where a step is changed: codes of screens of which the reader holds one, with what is looked at there. */
function changedAt(
  reason: AccessReason,
  person: AskedPerson,
): { codes: readonly string[]; query: string; name: string } | undefined {
  const [role] = reason.roleIds;
  const user = { codes: ["user", "self_members"], query: `?user=${person.accountId}@${person.tenantId}` };
  const grants = { codes: ["role_grants", "self_role_grants"], query: `?id=${role ?? ""}` };
  switch (reason.step) {
    case "account":
    case "membership":
    case "password":
      return { ...user, name: "打开成员" };
    case "roles":
      return { ...user, name: "授予角色" };
    case "tenant":
      return { codes: ["customer"], query: `?q=${person.tenantId}`, name: "打开组织" };
    case "granted":
      return role === undefined ? { ...user, name: "授予角色" } : { ...grants, name: "改角色的授权" };
    case "package":
      return { codes: ["tenant"], query: `?q=${person.tenantId}`, name: "换套餐" };
    case "path":
      return { codes: ["api_scope"], query: "", name: "打开接口权限" };
    case "rowScope":
      return role === undefined ? undefined : { ...grants, query: `${grants.query}&tab=scope`, name: "改数据范围" };
    default:
      return undefined;
  }
}

export interface AskedPerson {
  accountId: string;
  tenantId: string;
  name: string;
}

interface AccessStepsProps {
  steps: readonly AccessReason[];
  person: AskedPerson;
  onLeave: () => void;
}

/** Each step of the decision as a sentence, with the way to change those that hold somebody up. */
export function AccessSteps({ steps, person, onLeave }: AccessStepsProps) {
  const t = useTranslate();
  const join = useJoin();
  const nameOf = useNames();
  const { menu } = useAccess();
  const pathOf = (codes: readonly string[]): string | undefined =>
    screens.find((screen: Screen) => codes.includes(screen.menuCode) && nodeOfScreen(menu, screen))?.path;
  return (
    <ol className={styles.steps}>
      {steps.map((reason) => {
        const { step, ok, detail } = reason;
        const change = ok ? undefined : changedAt(reason, person);
        const path = change && pathOf(change.codes);
        return (
          <li key={step} data-blocked={!ok || undefined}>
            <span className={`state ${ok ? "ok" : "critical"}`}>
              <Mark name={ok ? "ok" : "critical"} />
              <span className="visually-hidden">{t(ok ? "通过" : "挡住")}</span>
            </span>
            <p>
              {t(ok ? sentences[step].ok : sentences[step].blocked, { names: join(detail.map(nameOf)) })}
              {change && path && (
                <Link to={`${path}${change.query}`} onClick={onLeave}>
                  {t(change.name)}
                </Link>
              )}
            </p>
          </li>
        );
      })}
    </ol>
  );
}
