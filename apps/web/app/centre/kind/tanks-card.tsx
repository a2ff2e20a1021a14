import { type KindPart, problemsOf } from "@herdwise/device-kinds";
import { useId } from "react";
import { useFormats, useTranslate } from "../../shared/language/use-language.ts";
import { type JudgedDevice, numberIn } from "./judge.ts";
import { useDeclared, useKind, useLocalText } from "./kind-view.ts";
import styles from "./parts.module.css";
import type { DeviceNow } from "./use-unit.ts";
import { VerdictMark } from "./verdict-mark.tsx";

/** Tanks by their levels: how full, how much, how long it may still be used. */
export function TanksCard({
  part,
  device,
  judged,
}: {
  part: Extract<KindPart, { type: "tanks" }>;
  device: DeviceNow;
  judged: JudgedDevice;
}) {
  const t = useTranslate();
  const local = useLocalText();
  const { number } = useFormats();
  const { kind } = useKind();
  const declared = useDeclared();
  const titleId = useId();
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
          const verdicts = [level, ...(daysLeft === undefined ? [] : [daysLeft])].map((key) => judged.verdictOf(key));
          return (
            <li key={level}>
              <div>
                <b>{local(name)}</b>
                {verdicts
                  .filter(({ key, standing }) => key === level || standing !== "fine")
                  .map((verdict) => (
                    <VerdictMark key={verdict.key} verdict={verdict} />
                  ))}
              </div>
              <i aria-hidden="true" data-state={problemsOf(verdicts)[0]?.state}>
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
