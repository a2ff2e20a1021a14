import type { GrantNode, TreeNode } from "@herdwise/contract";
import { type CSSProperties, type ReactNode, useState } from "react";
import { Link } from "react-router";
import { Mark } from "../../shared/icons/mark.tsx";
import { Button } from "../../shared/kit/button.tsx";
import { Segments } from "../../shared/kit/segments.tsx";
import { useJoin } from "../../shared/language/use-join.ts";
import { useFormats, useTranslate } from "../../shared/language/use-language.ts";
import { useNames } from "../../shared/language/use-names.ts";
import { differenceOf, isButton, isGroup } from "./grant-states.ts";
import styles from "./role-difference.module.css";

/** What one of the two roles holds beside menus and buttons, in the chosen language. */
export interface HeldScopes {
  /** Whose rows the role reaches. */
  reach: string;
  departments: readonly string[];
  dataScopes: readonly string[];
  apiScopes: readonly string[];
}

interface Side {
  name: string;
  menus: ReadonlySet<string>;
  scopes: HeldScopes;
}

interface RoleDifferenceProps {
  nodes: readonly GrantNode[];
  own: Side;
  other: Side;
  /** Opens the other role beside this one, where what this one has can be given to it. */
  otherPath: string;
  /** Gives this role menus or buttons of the other, to be saved; undefined for who may only read. */
  give: ((ids: readonly string[]) => void) | undefined;
}

/** Names of scopes by their ids; those that the caller does not see are counted. */
export const scopeNames = (
  nodes: readonly TreeNode[],
  ids: readonly string[],
  unknown: (count: number) => string,
): string[] => {
  const names = ids.flatMap((id) => nodes.find((node) => node.id === id)?.title ?? []);
  return names.length < ids.length ? [...names, unknown(ids.length - names.length)] : names;
};

/** Whether a side holds a line. */
function Held({ held, role }: { held: boolean; role: string }) {
  const t = useTranslate();
  return (
    <span className={styles.held} data-held={held || undefined}>
      <span className={styles.role} aria-hidden="true">
        {role}
      </span>
      <span className={`state ${held ? "ok" : "off"}`}>
        <Mark name={held ? "ok" : "aside"} />
        {t(held ? "有" : "没有")}
      </span>
    </span>
  );
}

function ScopeLine({
  name,
  own,
  other,
  sides,
}: {
  name: string;
  own: ReactNode;
  other: ReactNode;
  sides: readonly [string, string];
}) {
  return (
    <li className={styles.line}>
      <span>{name}</span>
      <span className={styles.held}>
        <span className={styles.role} aria-hidden="true">
          {sides[0]}
        </span>
        {own}
      </span>
      <span className={styles.held}>
        <span className={styles.role} aria-hidden="true">
          {sides[1]}
        </span>
        {other}
      </span>
      <span />
    </li>
  );
}

/** Two roles side by side: which menus, buttons and scopes only one of them has. */
export function RoleDifference({ nodes, own, other, otherPath, give }: RoleDifferenceProps) {
  const t = useTranslate();
  const nameOf = useNames();
  const join = useJoin();
  const { number } = useFormats();
  const [only, setOnly] = useState<"differences" | "all">("differences");
  const { lines, onlyOwn, onlyOther, both } = differenceOf(nodes, own.menus, other.menus);
  const shown = only === "all" ? lines : lines.filter(({ differs }) => differs);
  const count = (held: readonly GrantNode[]) =>
    t("{menus} 个菜单、{buttons} 个按钮", {
      menus: number(held.filter((node) => !isButton(node)).length),
      buttons: number(held.filter(isButton).length),
    });
  const givable = onlyOther.filter(({ disabled }) => !disabled);
  const sides = [own.name, other.name] as const;
  const list = (names: readonly string[]): string => (names.length === 0 ? t("没有") : join(names.map(nameOf)));
  const same = (a: readonly string[], b: readonly string[]): boolean =>
    a.toSorted().join("\n") === b.toSorted().join("\n");
  const scopes = [
    { name: t("数据范围"), own: [own.scopes.reach], other: [other.scopes.reach] },
    { name: t("指定的部门"), own: own.scopes.departments, other: other.scopes.departments },
    { name: t("单项数据权限"), own: own.scopes.dataScopes, other: other.scopes.dataScopes },
    { name: t("接口权限"), own: own.scopes.apiScopes, other: other.scopes.apiScopes },
  ];
  const scopesShown = only === "all" ? scopes : scopes.filter((scope) => !same(scope.own, scope.other));
  return (
    <div className={styles.difference}>
      <dl className={styles.counts}>
        <div>
          <dt>{t("只有“{role}”有", { role: own.name })}</dt>
          <dd>{count(onlyOwn)}</dd>
        </div>
        <div>
          <dt>{t("只有“{role}”有", { role: other.name })}</dt>
          <dd>{count(onlyOther)}</dd>
        </div>
        <div>
          <dt>{t("两个角色都有")}</dt>
          <dd>{count(both)}</dd>
        </div>
      </dl>
      <div className={styles.tools}>
        <Segments
          label={t("显示")}
          values={[
            ["differences", t("只看差异")],
            ["all", t("全部")],
          ]}
          chosen={only}
          onChoose={setOnly}
        />
        {give && givable.length > 0 && (
          <Button small icon="plus" onPress={() => give(givable.map(({ id }) => id))}>
            {t("全部加给这个角色（{count} 项）", { count: givable.length })}
          </Button>
        )}
        <Link to={otherPath}>{t("反过来，加给“{role}”", { role: other.name })}</Link>
      </div>
      <div className={`${styles.line} ${styles.head}`} aria-hidden="true">
        <span>{t("菜单与按钮")}</span>
        <span>{own.name}</span>
        <span>{other.name}</span>
        <span />
      </div>
      {shown.length === 0 && <p className={styles.none}>{t("菜单和按钮完全一样。")}</p>}
      <ul className={styles.list} aria-label={t("菜单与按钮")}>
        {shown.map(({ node, depth }) => (
          <li
            key={node.id}
            className={styles.line}
            data-differs={(only === "all" && own.menus.has(node.id) !== other.menus.has(node.id)) || undefined}
          >
            <span className={styles.name} style={{ "--depth": depth } as CSSProperties}>
              {t(node.title)}
              {isButton(node) && <small className="mut">{t("按钮")}</small>}
            </span>
            {isGroup(node) ? (
              <>
                <span />
                <span />
              </>
            ) : (
              <>
                <Held held={own.menus.has(node.id)} role={own.name} />
                <Held held={other.menus.has(node.id)} role={other.name} />
              </>
            )}
            <span className={styles.act}>
              {give && !node.disabled && other.menus.has(node.id) && !own.menus.has(node.id) && (
                <Button
                  kind="link"
                  aria-label={t("加上“{name}”", { name: t(node.title) })}
                  onPress={() => give([node.id])}
                >
                  {t("加上")}
                </Button>
              )}
            </span>
          </li>
        ))}
      </ul>
      <h2>{t("看得到哪些数据、能调哪些接口")}</h2>
      {scopesShown.length === 0 && <p className={styles.none}>{t("数据范围和接口权限完全一样。")}</p>}
      <ul className={styles.list} aria-label={t("看得到哪些数据、能调哪些接口")}>
        {scopesShown.map((scope) => (
          <ScopeLine key={scope.name} name={scope.name} own={list(scope.own)} other={list(scope.other)} sides={sides} />
        ))}
      </ul>
    </div>
  );
}
