import { type AffectedMember, rolePreview } from "@herdwise/contract";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { asApiError } from "../../shared/api/api-error.ts";
import { call } from "../../shared/api/call.ts";
import { tellIn } from "../../shared/language/tell.ts";
import { useJoin } from "../../shared/language/use-join.ts";
import { useFormats, useTranslate } from "../../shared/language/use-language.ts";
import { useNames } from "../../shared/language/use-names.ts";
import panel from "./effect-panel.module.css";
import styles from "./role-grants.module.css";

const restMs = 400;
const mostNamed = 4;

/** A value once it has rested. */
export function useRested<Value>(value: Value): Value {
  const [rested, setRested] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setRested(value), restMs);
    return () => clearTimeout(timer);
  }, [value]);
  return rested;
}

/** Whom the grants would concern, asked for when ticking pauses. */
export function useGrantPreview(roleId: string, granted: ReadonlySet<string>, enabled: boolean) {
  const text = [...granted].toSorted().join(",");
  const rested = useRested(text);
  const asked = useQuery({
    queryKey: ["role preview", roleId, rested],
    queryFn: ({ signal }) =>
      call(rolePreview, {
        body: { roleId, menuIds: rested === "" ? [] : rested.split(",") },
        signal,
        quiet: true,
      }),
    placeholderData: keepPreviousData,
    staleTime: 0,
    enabled,
  });
  return { ...asked, behind: asked.isFetching || rested !== text };
}

/** People for whom the same changes. */
const alike = (members: readonly AffectedMember[]): AffectedMember[][] => [
  ...Map.groupBy(members, ({ gained, lost }) => `${gained.join()} ${lost.join()}`).values(),
];

interface GrantPreviewProps {
  asked: ReturnType<typeof useGrantPreview>;
  /** Names of menus and buttons by their codes, in the chosen language. */
  nameOfCode: (code: string) => string;
  /** The rows that people see become others, too. */
  scopeChanged: boolean;
}

/** Whom a change that is not saved yet concerns: people who hold the role, and roles below it. */
export function GrantPreview({ asked, nameOfCode, scopeChanged }: GrantPreviewProps) {
  const t = useTranslate();
  const join = useJoin();
  const nameOf = useNames();
  const { number } = useFormats();
  const { data, error, behind } = asked;
  if (error) return <p className={panel.part}>{tellIn(t, asApiError(error))}</p>;
  if (!data) return <p className={panel.part}>{t("正在加载")}</p>;
  const codes = (held: readonly string[]): string => join(held.map(nameOfCode));
  const untouched = data.members - data.affected.length;
  return (
    <div aria-busy={behind} aria-live="polite">
      <section className={panel.part}>
        <p className={styles.holders}>
          <span>{t("现在持有这个角色")}</span>
          <b>{number(data.members)}</b>
        </p>
        <ul className={styles.people}>
          {alike(data.affected).map((group) => {
            const [first] = group;
            if (!first) return null;
            const named = join(group.slice(0, mostNamed).map(({ name }) => name));
            return (
              <li key={first.accountId}>
                <i aria-hidden="true">{group.length === 1 ? [...first.name][0] : number(group.length)}</i>
                <div>
                  {first.gained.length > 0 && <p>{t("多出：{names}", { names: codes(first.gained) })}</p>}
                  {first.lost.length > 0 && <p>{t("失去：{names}", { names: codes(first.lost) })}</p>}
                  <small>
                    {group.length > mostNamed
                      ? t("{names} 等 {count} 人", { names: named, count: number(group.length) })
                      : named}
                  </small>
                </div>
              </li>
            );
          })}
          {untouched > 0 && (
            <li>
              <i aria-hidden="true">{number(untouched)}</i>
              <div>
                <p>{t("菜单和按钮没有变化")}</p>
                <small>{t("从别的角色已经有，或没有改到")}</small>
              </div>
            </li>
          )}
        </ul>
        {scopeChanged && data.members > 0 && <p>{t("这些人看得到的数据随数据范围改变。")}</p>}
      </section>
      {data.below.length > 0 && (
        <section className={panel.part}>
          <h3>{t("下级角色")}</h3>
          <ul>
            {data.below.map(({ roleId, roleName, lost }) => (
              <li key={roleId}>{t("{name} 会失去 {count} 项", { name: nameOf(roleName), count: number(lost) })}</li>
            ))}
          </ul>
        </section>
      )}
    </div>
  );
}
