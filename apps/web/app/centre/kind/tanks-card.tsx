import { type Assessment, assessValues, type KindPart } from "@herdwise/device-kinds";
import { useId } from "react";
import { useFormats, useTranslate } from "../../shared/language/use-language.ts";
import { numberIn, reportedValues, type UnitState } from "./judge.ts";
import { useDeclared, useKind, useLocalText } from "./kind-view.ts";
import styles from "./parts.module.css";
import { StateMark } from "./state-mark.tsx";
import type { DeviceNow } from "./use-unit.ts";

/** Days before its end at which an agent is worth a word. */
const soonDays = 7;

/** Tanks by their levels: how full, how much, how long it may still be used. */
export function TanksCard({ part, device }: { part: Extract<KindPart, { type: "tanks" }>; device: DeviceNow }) {
  const t = useTranslate();
  const local = useLocalText();
  const { number } = useFormats();
  const { kind } = useKind();
  const declared = useDeclared();
  const titleId = useId();
  const keys = part.tanks.flatMap(({ level, daysLeft }) => [level, ...(daysLeft === undefined ? [] : [daysLeft])]);
  const judged = assessValues(
    kind,
    { keys },
    { ageS: 0 },
    reportedValues(kind, device.readings, device.reportedAtMs),
  ).values;
  const judgedAt = (key: string | undefined): Assessment | undefined => judged.find((found) => found.key === key);
  return (
    <section className="card" data-part aria-labelledby={titleId}>
      <header>
        <h2 id={titleId}>{local(part.title)}</h2>
      </header>
      <ul className={styles.tanks}>
        {part.tanks.map(({ name, level, amount, daysLeft }) => {
          const share = numberIn(kind, device.readings, level);
          const left = amount === undefined ? undefined : numberIn(kind, device.readings, amount);
          const days = daysLeft === undefined ? undefined : numberIn(kind, device.readings, daysLeft);
          const bad = [judgedAt(level), judgedAt(daysLeft)].filter(
            (found) => found !== undefined && found.state !== "ok" && found.state !== "unknown",
          );
          const state = bad[0]?.state;
          return (
            <li key={level}>
              <div>
                <b>{local(name)}</b>
                {bad.length > 0 ? (
                  bad.map((found) => (
                    <StateMark key={found?.key} state={(found?.state ?? "ok") as UnitState}>
                      {found && local(found.reason)}
                    </StateMark>
                  ))
                ) : share === undefined ? (
                  <StateMark state="silent" />
                ) : days !== undefined && days <= soonDays ? (
                  <StateMark state="notice">{t("{count} 天后过期", { count: number(days) })}</StateMark>
                ) : (
                  <StateMark state="ok">{t("够")}</StateMark>
                )}
              </div>
              <i aria-hidden="true" data-state={state}>
                <b style={{ width: `${Math.max(0, Math.min(100, share ?? 0))}%` }} />
              </i>
              <p className="mut num">
                {share === undefined ? "--" : `${number(share, declared(level).decimals)} %`}
                {left !== undefined && amount !== undefined && `　${number(left)} ${declared(amount, left).unit}`}
                {days !== undefined && `　${t("还可用 {count} 天", { count: number(days) })}`}
              </p>
            </li>
          );
        })}
      </ul>
    </section>
  );
}
