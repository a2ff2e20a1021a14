import { Button, IconButton } from "../kit/button.tsx";
import { useTranslate } from "../language/use-language.ts";
import type { ControlProps } from "./input-props.ts";
import styles from "./time-ranges-input.module.css";

const mostRanges = 4;

/** Input of times of the day as pairs, `08:30-12:00,14:00-18:00` on the wire. */
export function TimeRangesInput({ id, field, value, onChange, onBlur, problem, describedBy, locked }: ControlProps) {
  const t = useTranslate();
  const text = typeof value === "string" ? value : "";
  const ranges =
    text === "" ? [] : text.split(",").map((range) => [...range.split("-"), "", ""].slice(0, 2) as [string, string]);
  const write = (next: readonly (readonly [string, string])[]): void =>
    onChange(next.map(([from, to]) => `${from}-${to}`).join(","));
  const set = (index: number, end: 0 | 1, time: string): void =>
    write(ranges.map((range, at) => (at === index ? (end === 0 ? [time, range[1]] : [range[0], time]) : range)));
  return (
    <fieldset
      className={styles.ranges}
      aria-label={t(field.label)}
      aria-describedby={describedBy}
      disabled={locked !== undefined}
    >
      {ranges.map(([from, to], index) => (
        // A pair has no other key than its position.
        <div key={index} className={styles.range}>
          {([0, 1] as const).map((end) => (
            <input
              key={end}
              id={index === 0 && end === 0 ? id : undefined}
              className={styles.time}
              type="time"
              aria-label={t(end === 0 ? "第 {number} 段开始" : "第 {number} 段结束", { number: index + 1 })}
              aria-invalid={problem !== undefined}
              value={end === 0 ? from : to}
              onChange={(event) => set(index, end, event.target.value)}
              onBlur={onBlur}
            />
          ))}
          <IconButton
            icon="close"
            small
            label={t("去掉第 {number} 段", { number: index + 1 })}
            isDisabled={locked !== undefined}
            onPress={() => write(ranges.filter((_, at) => at !== index))}
          />
        </div>
      ))}
      {ranges.length < mostRanges && locked === undefined && (
        <Button
          small
          icon="plus"
          onPress={() => write([...ranges, ranges.length === 0 ? ["08:30", "12:00"] : ["14:00", "18:00"]])}
        >
          {t("加一段时间")}
        </Button>
      )}
    </fieldset>
  );
}
