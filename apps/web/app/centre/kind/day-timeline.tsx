import { minuteOfDay, type Parameter } from "@herdwise/device-kinds";
import { useFormats, useTranslate } from "../../shared/language/use-language.ts";
import { ChangeKey } from "./change-key.tsx";
import { useLocalText } from "./kind-view.ts";
import styles from "./parameters.module.css";

type Structure = Extract<Parameter, { type: "structure" }>;

const dayMinutes = 1440;
const left = 8;
const width = 384;
const laneHeight = 34;
const x = (minute: number): number => left + (width * minute) / dayMinutes;

interface Span {
  from: number;
  to: number;
  lane: string;
  text: string;
}

/** Whether the rows of a table lie on a day: they have a beginning, and most have an end. */
export const liesOnDay = ({ columns }: Structure): boolean => columns.some(({ key }) => key === "on" || key === "at");

/** The rows of a table as the day that they make, by circuit where there are several; the day that holds now behind it. */
export function DayTimeline({ parameter, value, before }: { parameter: Structure; value: unknown; before: unknown }) {
  const t = useTranslate();
  const { number } = useFormats();
  const local = useLocalText();
  const lanedBy = parameter.columns.find(({ key }) => key === "channel");
  const told = parameter.columns.filter(({ key }) => !["on", "off", "at", "channel"].includes(key));
  const spansOf = (rows: unknown): Span[] =>
    (Array.isArray(rows) ? (rows as Readonly<Record<string, unknown>>[]) : []).flatMap((row) => {
      const from = minuteOfDay(row.on ?? row.at);
      const to = "at" in row ? (from ?? 0) + 10 : minuteOfDay(row.off);
      if (from === undefined || to === undefined || to < from) return [];
      const [first] = told;
      const held = first && row[first.key];
      const sign = first?.key === "t_offset" && typeof held === "number" && held > 0 ? "+" : "";
      const decimals = typeof held === "number" && !Number.isInteger(held) ? 1 : 0;
      const text =
        typeof held === "number" ? `${sign}${number(held, decimals)} ${first?.unit ?? ""}`.trim() : String(held ?? "");
      return [{ from, to, lane: lanedBy ? String(row[lanedBy.key] ?? "") : "", text }];
    });
  const [now, was] = [spansOf(value), spansOf(before)];
  const lanes = [...new Set([...now, ...was].map(({ lane }) => lane))].toSorted();
  const height = Math.max(1, lanes.length) * laneHeight + 34;
  const minutes = now.reduce((sum, { from, to }) => sum + to - from, 0);
  const points = parameter.columns.some(({ key }) => key === "at");
  return (
    <section className="card" aria-label={t("{name}，一天", { name: local(parameter.name) })}>
      <header>
        <h2>{t("{name}，一天", { name: local(parameter.name) })}</h2>
        <span className="age">
          {points
            ? t("{count} 次", { count: now.length })
            : lanes.length <= 1
              ? t("共 {hours} 小时", { hours: number(minutes / 60, 1) })
              : t("{count} 段", { count: now.length })}
        </span>
      </header>
      <div className={styles.plot}>
        <svg viewBox={`0 0 400 ${height}`} role="img" aria-label={t("{name}，一天", { name: local(parameter.name) })}>
          {[0, 6, 12, 18, 24].map((hour) => (
            <g key={hour}>
              <path className={styles.grid} d={`M${x(hour * 60)},6V${height - 24}`} />
              <text
                className={styles.axis}
                x={x(hour * 60)}
                y={height - 6}
                textAnchor={hour === 0 ? "start" : hour === 24 ? "end" : "middle"}
              >
                {`${String(hour).padStart(2, "0")}:00`}
              </text>
            </g>
          ))}
          {(lanes.length === 0 ? [""] : lanes).map((lane, at) => (
            <g key={lane} transform={`translate(0 ${8 + at * laneHeight})`}>
              <rect className={styles.lane} x={left} y={0} width={width} height={laneHeight - 8} rx={4} />
              {was
                .filter((span) => span.lane === lane)
                .map((span) => (
                  <rect
                    key={`${span.from}-${span.to}`}
                    className={styles.spanBefore}
                    x={x(span.from)}
                    y={0.5}
                    width={Math.max(2, x(span.to) - x(span.from))}
                    height={laneHeight - 9}
                    rx={4}
                  />
                ))}
              {now
                .filter((span) => span.lane === lane)
                .map((span) => (
                  <g key={`${span.from}-${span.to}`}>
                    <rect
                      className={styles.span}
                      x={x(span.from)}
                      y={4}
                      width={Math.max(3, x(span.to) - x(span.from))}
                      height={laneHeight - 16}
                      rx={3}
                    />
                    {x(span.to) - x(span.from) > 60 && (
                      <text className={styles.spanText} x={x(span.from) + 8} y={laneHeight / 2 + 1}>
                        {lanedBy ? `${lane} · ${span.text}` : span.text}
                      </text>
                    )}
                  </g>
                ))}
            </g>
          ))}
        </svg>
      </div>
      <ChangeKey now="这样设置" before="原来" />
    </section>
  );
}
