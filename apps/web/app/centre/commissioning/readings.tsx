import type { CommissioningItem } from "@herdwise/contract";
import { localUnit } from "@herdwise/device-kinds";
import { Mark } from "../../shared/icons/mark.tsx";
import { useFormats, useLanguage, useTranslate } from "../../shared/language/use-language.ts";
import styles from "./commissioning.module.css";

type Reading = CommissioningItem["readings"][number];

/** A value of a reading as people read it. */
export function useReadingWords(): (reading: Reading, value: Reading["after"]) => string {
  const t = useTranslate();
  const language = useLanguage();
  const { number } = useFormats();
  return ({ unit, decimals }, value) => {
    if (value === undefined) return "--";
    if (typeof value === "boolean") return value ? t("开") : t("关");
    return `${number(value, Number.isInteger(value) && decimals === 0 ? 0 : decimals)} ${localUnit(unit)[language]}`.trim();
  };
}

/** What a check read, before and after, and what the rules say of it. */
export function Readings({ item: { readings, check } }: { item: CommissioningItem }) {
  const t = useTranslate();
  const language = useLanguage();
  const words = useReadingWords();
  const { number, time } = useFormats();
  if (readings.length === 0) return null;
  const isTrial = check === "probe" || check === "machines";
  return (
    <ul className={styles.readings}>
      {readings.map((reading) => {
        const { deviceId, key, name, before, after, atMs, currentA, reason, faulty = false } = reading;
        return (
          <li key={`${deviceId} ${key}`} data-faulty={faulty || undefined}>
            <span>{name[language]}</span>
            <b className="num">
              {isTrial && before !== undefined && `${words(reading, before)} → `}
              {check === "settings" && after === undefined && !faulty ? t("已设") : words(reading, after)}
              {currentA !== undefined && ` · ${number(currentA, 1)} A`}
            </b>
            <small className="mut">
              {faulty && (
                <span className="state major">
                  <Mark name="major" />
                  {reason?.[language] ?? t("不对")}
                </span>
              )}
              {!faulty && reason && <span>{reason[language]}</span>}
              {atMs !== undefined && <span className="num"> {time(atMs)}</span>}
            </small>
          </li>
        );
      })}
    </ul>
  );
}
