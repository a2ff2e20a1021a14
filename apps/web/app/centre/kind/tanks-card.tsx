import { type JudgedDevice, type KindPart, numberIn, problemsOf } from "@herdwise/device-kinds";
import { useId } from "react";
import { useFormats, useTranslate } from "../../shared/language/use-language.ts";
import { useDeclared, useKind, useLocalText } from "./kind-view.ts";
import styles from "./parts.module.css";
import type { DeviceNow } from "./use-unit.ts";
import { VerdictMark, verdictAttributes } from "./verdict-mark.tsx";

/** What ends a stock: the sooner of its ends stands out. */
const Days = ({ isSooner, children }: { isSooner: boolean; children: string }) =>
  isSooner ? <b>{children}</b> : <span>{children}</span>;

/** Tanks by their levels: how full, how much, how long it lasts and when it expires; the sooner of both stands out. */
export function TanksCard({
  part,
  device,
  judged,
  stockDays,
}: {
  part: Extract<KindPart, { type: "tanks" }>;
  device: DeviceNow;
  judged: JudgedDevice;
  /** For how many days the stock of a tank lasts, by its number from 1. */
  stockDays?: ((tank: number) => number | undefined) | undefined;
}) {
  const t = useTranslate();
  const local = useLocalText();
  const { number } = useFormats();
  const { kind } = useKind();
  const declared = useDeclared();
  const titleId = useId();
  const figures = kind.pages?.figures ?? [];
  const held = (key: string | undefined) => (key === undefined ? undefined : device.readings[key]?.value);
  // A level that is a figure of the page is not told again, how long it lasts is.
  const tanks = part.tanks.filter(
    ({ level, amount, daysLeft }) => !figures.includes(level) || amount || daysLeft || part.stock,
  );
  if (tanks.length === 0) return null;
  return (
    <section className="card" data-part aria-labelledby={titleId}>
      <header>
        <h2 id={titleId}>{local(part.title)}</h2>
      </header>
      <ul className={styles.tanks}>
        {tanks.map(({ name, level, amount, daysLeft, lot }) => {
          const share = numberIn(kind, device.readings, level);
          const left = amount === undefined ? undefined : numberIn(kind, device.readings, amount);
          const lasts = stockDays?.(part.tanks.findIndex((tank) => tank.level === level) + 1);
          const days = daysLeft === undefined ? undefined : numberIn(kind, device.readings, daysLeft);
          const soonest = Math.min(lasts ?? Number.POSITIVE_INFINITY, days ?? Number.POSITIVE_INFINITY);
          const isToldAbove = figures.includes(level);
          const verdicts = [level, ...(daysLeft === undefined ? [] : [daysLeft])].map((key) => judged.verdictOf(key));
          return (
            <li key={level} {...(isToldAbove ? {} : verdictAttributes(judged.verdictOf(level)))}>
              <div>
                <b>{local(name)}</b>
                {typeof held(lot) === "string" && (
                  <small className="mut">{t("批号 {lots}", { lots: String(held(lot)) })}</small>
                )}
                {verdicts
                  .filter(({ key, standing }) => standing !== "fine" || (key === level && !isToldAbove))
                  .map((verdict) => (
                    <VerdictMark key={verdict.key} verdict={verdict} />
                  ))}
              </div>
              <i aria-hidden="true" data-state={problemsOf(verdicts)[0]?.state}>
                <b style={{ width: `${Math.max(0, Math.min(100, share ?? 0))}%` }} />
              </i>
              <p className="mut num">
                {!isToldAbove && (
                  <span data-value>
                    {share === undefined ? "--" : `${number(share, declared(level).decimals)} %　`}
                  </span>
                )}
                {[
                  left !== undefined && amount !== undefined && (
                    <span key="left">{`${number(left)} ${declared(amount, left).unit}`}</span>
                  ),
                  lasts !== undefined && (
                    <Days key="lasts" isSooner={lasts === soonest}>
                      {lasts < 0.05 ? t("已用完") : t("够用 {count} 天", { count: number(lasts, lasts < 10 ? 1 : 0) })}
                    </Days>
                  ),
                  days !== undefined && (
                    <Days key="days" isSooner={days === soonest && days !== lasts}>
                      {days < 0
                        ? t("已过期 {count} 天", { count: number(-days) })
                        : t("{count} 天后到期", { count: number(days) })}
                    </Days>
                  ),
                ]}
              </p>
            </li>
          );
        })}
      </ul>
    </section>
  );
}
