import { localUnit, type Parameter } from "@herdwise/device-kinds";
import { useTranslate } from "../../shared/language/use-language.ts";
import { useLocalText } from "./kind-view.ts";
import { sameValue } from "./parameter-values.ts";
import { useParameterText } from "./parameter-words.ts";
import styles from "./parameters.module.css";

type Scalar = Exclude<Parameter, { type: "structure" }>;

/** Pairs of keys with seconds on and off, of which a share of the time follows. */
const cyclePairs = [
  ["on_s", "off_s"],
  ["spray_on_s", "spray_off_s"],
] as const;

const hourS = 3600;

/** What plain values come to: each changed number in its range, and how often and how long in an hour a cycle runs. */
export function ScalarPreview({
  parameters,
  before,
  value,
}: {
  parameters: readonly Scalar[];
  before: (key: string) => unknown;
  value: (key: string) => unknown;
}) {
  const t = useTranslate();
  const local = useLocalText();
  const text = useParameterText();
  const changed = parameters.filter(({ key }) => !sameValue(before(key), value(key)));
  const cycles = cyclePairs.flatMap(([onKey, offKey]) => {
    const [on, off] = [value(onKey), value(offKey)];
    const [parameter] = parameters.filter(({ key }) => key === onKey);
    if (!parameter || typeof on !== "number" || typeof off !== "number" || on + off <= 0) return [];
    return [
      { key: onKey, times: Math.round(hourS / (on + off)), minutes: Math.round(((hourS / (on + off)) * on) / 60) },
    ];
  });
  return (
    <section className="card" aria-labelledby="preview-title">
      <header>
        <h2 id="preview-title">{t("下发后会怎样")}</h2>
      </header>
      {cycles.map(({ key, times, minutes }) => (
        <p key={key} className={styles.say}>
          {t("喷淋每小时 {times} 次，共 {minutes} 分钟", { times, minutes })}
        </p>
      ))}
      {changed.length === 0 ? (
        <p className="calm">{t("还没有改动。改一个值，这里会显示它在允许范围里的位置。")}</p>
      ) : (
        <ul className={styles.moves}>
          {changed.map((parameter) => {
            const [was, now] = [before(parameter.key), value(parameter.key)];
            const range = parameter.type === "number" ? parameter.range : undefined;
            const share = (held: unknown): number | undefined =>
              range && typeof held === "number" ? ((held - range[0]) / (range[1] - range[0])) * 100 : undefined;
            const [wasAt, nowAt] = [share(was), share(now)];
            return (
              <li key={parameter.key}>
                <b>{local(parameter.name)}</b>
                <span className="num">
                  {text(parameter, was)} → {text(parameter, now)}
                </span>
                {range && (
                  <span className={styles.range} aria-hidden="true">
                    {wasAt !== undefined && (
                      <i data-of="before" style={{ left: `${Math.min(100, Math.max(0, wasAt))}%` }} />
                    )}
                    {nowAt !== undefined && (
                      <i data-of="now" style={{ left: `${Math.min(100, Math.max(0, nowAt))}%` }} />
                    )}
                    <em>{range[0]}</em>
                    <em>
                      {range[1]} {local(localUnit(parameter.unit))}
                    </em>
                  </span>
                )}
              </li>
            );
          })}
        </ul>
      )}
    </section>
  );
}
