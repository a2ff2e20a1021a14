import { Fragment, useEffect, useRef, useState } from "react";
import { Icon } from "../icons/icon.tsx";
import { CheckBox } from "../kit/check-box.tsx";
import { useTranslate } from "../language/use-language.ts";
import { useNames } from "../language/use-names.ts";
import { valuesOf } from "./conditions.ts";
import styles from "./filter-bar.module.css";
import { countryCode, useRegionNames, useRegions } from "./regions.ts";

interface RegionEditorProps {
  chosen: readonly string[];
  onChange: (codes: readonly string[]) => void;
}

/** Adds a division to the chosen ones, without the divisions inside and around it, which would be redundant or contradict it. */
const withCode = (chosen: readonly string[], code: string): string[] => [
  ...chosen.filter((held) => !held.startsWith(code) && !code.startsWith(held)),
  code,
];

/** Condition editor for whole provinces, cities or counties, one level at a time. */
export function RegionEditor(props: RegionEditorProps) {
  const t = useTranslate();
  const nameOf = useNames();
  const regionName = useRegionNames();
  // Local state, so that the box reacts at once; the URL follows later.
  const [chosen, setChosen] = useState(props.chosen);
  const text = props.chosen.join(",");
  useEffect(() => setChosen(valuesOf(text)), [text]);
  const onChange = (codes: readonly string[]): void => {
    setChosen(codes);
    props.onChange(codes);
  };
  /** The opened divisions, from the province downwards. */
  const [entered, setEntered] = useState<readonly { code: string; name: string }[]>([]);
  const level = entered.at(-1)?.code ?? countryCode;
  const { data = [], isPending, isError } = useRegions(level);
  const list = useRef<HTMLUListElement>(null);
  const moved = useRef(false);
  const enter = (next: typeof entered): void => {
    moved.current = true;
    setEntered(next);
  };
  // Moves the focus, because the pressed button disappears with its level.
  useEffect(() => {
    if (!moved.current || isPending) return;
    moved.current = false;
    list.current?.querySelector("input")?.focus();
  }, [isPending, level]);
  // Chosen divisions outside the current level stay visible.
  const others = chosen.filter((code) => !data.some(({ id }) => id === code));
  const tick = (code: string, name: string) => (
    <label>
      <CheckBox
        checked={chosen.includes(code)}
        mixed={!chosen.includes(code) && chosen.some((held) => held.startsWith(code))}
        onChange={(event) =>
          onChange(event.target.checked ? withCode(chosen, code) : chosen.filter((held) => held !== code))
        }
      />
      <span>{name}</span>
    </label>
  );
  return (
    <>
      {entered.length > 0 && (
        <nav className={styles.path} aria-label={t("所在层级")}>
          <button type="button" onClick={() => enter([])}>
            {t("全国")}
          </button>
          {entered.map(({ code, name }, index) => (
            <Fragment key={code}>
              <i aria-hidden="true">/</i>
              <button
                type="button"
                aria-current={code === level ? "true" : undefined}
                onClick={() => enter(entered.slice(0, index + 1))}
              >
                {nameOf(name)}
              </button>
            </Fragment>
          ))}
        </nav>
      )}
      {others.length > 0 && (
        <ul className={styles.ticks} aria-label={t("已选")}>
          {others.map((code) => (
            <li key={code}>{tick(code, regionName(code))}</li>
          ))}
        </ul>
      )}
      <ul ref={list} className={styles.ticks} aria-busy={isPending || undefined} aria-label={t("地区")}>
        {data.map(({ id, title, hasChildren }) => (
          <li key={id} className={styles.region}>
            {tick(id, nameOf(title))}
            {hasChildren && (
              <button
                type="button"
                aria-label={t("看{name}的下级", { name: nameOf(title) })}
                onClick={() => enter([...entered, { code: id, name: title }])}
              >
                <Icon name="right" small />
              </button>
            )}
          </li>
        ))}
      </ul>
      {isError && <p className={styles.note}>{t("没有取到地区，请稍后再试。")}</p>}
    </>
  );
}
