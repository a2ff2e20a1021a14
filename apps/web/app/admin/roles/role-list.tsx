import { type CSSProperties, useState } from "react";
import { Link } from "react-router";
import { SearchInput } from "../../shared/kit/search-input.tsx";
import { useTranslate } from "../../shared/language/use-language.ts";
import { useNames } from "../../shared/language/use-names.ts";
import type { Row } from "../../shared/resource/form-values.ts";
import styles from "./role-grants.module.css";

/** Roles with how deep they stand, each behind the one that it stands below. */
export function inTree(roles: readonly Row[], parentId = "0", depth = 0): { role: Row; depth: number }[] {
  const known = new Set(roles.map(({ id }) => id));
  return roles
    .filter((role) => {
      const parent = typeof role.parentId === "string" && known.has(role.parentId) ? role.parentId : "0";
      return parent === parentId;
    })
    .flatMap((role) => [{ role, depth }, ...inTree(roles, role.id, depth + 1)]);
}

/** The roles of the tenant, beside the one that is open. */
export function RoleList({ roles, current }: { roles: readonly Row[]; current: string }) {
  const t = useTranslate();
  const [word, setWord] = useState("");
  const wanted = word.trim().toLowerCase();
  const names = useNames();
  const nameOf = (role: Row): string => names(String(role.roleName));
  const shown = inTree(roles).filter(({ role }) =>
    `${nameOf(role)} ${String(role.roleName)} ${String(role.roleAlias)}`.toLowerCase().includes(wanted),
  );
  return (
    <nav className={`card ${styles.roles}`} aria-label={t("角色")}>
      <SearchInput label={t("查找角色")} value={word} onChange={setWord} />
      <ul>
        {shown.map(({ role, depth }) => (
          <li key={role.id} style={{ "--depth": wanted === "" ? depth : 0 } as CSSProperties}>
            <Link to={`?id=${role.id}`} aria-current={role.id === current ? "page" : undefined}>
              {nameOf(role)}
            </Link>
          </li>
        ))}
      </ul>
      {shown.length === 0 && <p className="mut">{t("没有找到")}</p>}
    </nav>
  );
}
