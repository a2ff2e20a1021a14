import type { DataScope, GrantNode, TreeNode } from "@herdwise/contract";
import { Mark } from "../../shared/icons/mark.tsx";
import { Button } from "../../shared/kit/button.tsx";
import { useJoin } from "../../shared/language/use-join.ts";
import { useFormats, useTranslate } from "../../shared/language/use-language.ts";
import { useNames } from "../../shared/language/use-names.ts";
import panel from "./effect-panel.module.css";
import type { GrantEdits } from "./grant-states.ts";
import { Sign } from "./grant-tree.tsx";
import styles from "./role-grants.module.css";

interface GrantChangesProps {
  given: readonly GrantNode[];
  taken: readonly GrantNode[];
  /** Before and after, Chinese; none where it stays. */
  scope: { before: string; after: string } | undefined;
  departments: GrantEdits;
  departmentNodes: readonly TreeNode[];
  /** A node with the menu that it stands in, in the chosen language. */
  nameOf: (node: GrantNode) => string;
}

/** What would be stored, line by line. */
export function GrantChanges({ given, taken, scope, departments, departmentNodes, nameOf }: GrantChangesProps) {
  const t = useTranslate();
  const names = useNames();
  const { number } = useFormats();
  const titles = new Map(departmentNodes.map(({ id, title }) => [id, title]));
  const departmentsOf = (ids: readonly string[]) => ids.map((id) => ({ id, name: names(titles.get(id) ?? id) }));
  const named = departments.given.length + departments.taken.length > 0;
  return (
    <section className={panel.part}>
      {given.length + taken.length > 0 && (
        <>
          <h3>
            {t("菜单与按钮：多 {given} 项，少 {taken} 项", {
              given: number(given.length),
              taken: number(taken.length),
            })}
          </h3>
          <ul className={panel.changes}>
            {given.map((node) => (
              <li key={node.id}>
                <Sign kind="given" />
                <span>{nameOf(node)}</span>
              </li>
            ))}
            {taken.map((node) => (
              <li key={node.id}>
                <Sign kind="taken" />
                <span>{nameOf(node)}</span>
              </li>
            ))}
          </ul>
        </>
      )}
      {(scope || named) && (
        <>
          <h3>{t("数据范围")}</h3>
          <ul className={panel.changes}>
            {scope && (
              <li>
                <Sign kind="changed" />
                <span>{t("{before} 改为 {after}", { before: t(scope.before), after: t(scope.after) })}</span>
              </li>
            )}
            {departmentsOf(departments.given).map(({ id, name }) => (
              <li key={id}>
                <Sign kind="given" />
                <span>{name}</span>
              </li>
            ))}
            {departmentsOf(departments.taken).map(({ id, name }) => (
              <li key={id}>
                <Sign kind="taken" />
                <span>{name}</span>
              </li>
            ))}
          </ul>
        </>
      )}
    </section>
  );
}

/** Buttons without their screen: they are stored as ticked, and nobody gets to them. */
export function UnreachableNote({ menus, onGive }: { menus: readonly GrantNode[]; onGive: (() => void) | undefined }) {
  const t = useTranslate();
  const join = useJoin();
  if (menus.length === 0) return null;
  return (
    <div className={styles.note}>
      <Mark name="minor" />
      <div>
        <p>
          {t("授予了按钮，没有授予菜单，打不开这些页面：{names}", { names: join(menus.map(({ title }) => t(title))) })}
        </p>
        {onGive && (
          <Button kind="link" onPress={onGive}>
            {t("菜单也授予")}
          </Button>
        )}
      </div>
    </div>
  );
}

/** Chinese name of a data scope. */
export const scopeName = (scopes: readonly (readonly [DataScope, string])[], scope: DataScope): string =>
  scopes.find(([name]) => name === scope)?.[1] ?? scope;
