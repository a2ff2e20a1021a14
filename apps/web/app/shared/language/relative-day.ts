/** Day words of product.md 2, from two days before to two days after. */
const dayWords = new Map([
  [-2, "前日"],
  [-1, "昨日"],
  [0, "当日"],
  [1, "次日"],
  [2, "后日"],
]);

const pad = (value: number): string => String(value).padStart(2, "0");
const dayMs = 86_400_000;

/** Number of the local calendar day, so that neighbours differ by 1 even where clocks change. */
const dayNumber = (date: Date): number => Date.UTC(date.getFullYear(), date.getMonth(), date.getDate()) / dayMs;

export interface RelativeDay {
  /** Chinese day word; undefined outside the window. */
  word: string | undefined;
  date: string;
  time: string;
}

/** Places an instant relative to today, in the viewer's zone. */
export function relativeDay(instantMs: number, nowMs: number): RelativeDay {
  const then = new Date(instantMs);
  return {
    word: dayWords.get(dayNumber(then) - dayNumber(new Date(nowMs))),
    date: `${then.getFullYear()}-${pad(then.getMonth() + 1)}-${pad(then.getDate())}`,
    time: `${pad(then.getHours())}:${pad(then.getMinutes())}`,
  };
}
