import { shanghaiClock, shanghaiMs } from "@herdwise/contract/shanghai";

/** Day words of product.md 2, from two days before to two days after. */
const dayWords = new Map([
  [-2, "前日"],
  [-1, "昨日"],
  [0, "当日"],
  [1, "次日"],
  [2, "后日"],
]);

const dayMs = 86_400_000;

/** Number of the day in China since 1970. */
const dayNumber = (instantMs: number): number => Math.floor((instantMs + shanghaiMs) / dayMs);

export interface RelativeDay {
  /** Chinese day word; undefined outside the window. */
  word: string | undefined;
  date: string;
  time: string;
}

/** Places an instant relative to today, in China's time wherever the viewer is. */
export function relativeDay(instantMs: number, nowMs: number): RelativeDay {
  const clock = shanghaiClock(instantMs);
  return {
    word: dayWords.get(dayNumber(instantMs) - dayNumber(nowMs)),
    date: clock.slice(0, 10),
    time: clock.slice(11, 16),
  };
}
