import { plainBelow, plainNumber } from "@herdwise/contract/plain-number";
import { shanghaiMoment, shanghaiMs } from "@herdwise/contract/shanghai";
import type { Language } from "./dictionary.ts";
import type { Fillings } from "./fill.ts";
import { relativeDay } from "./relative-day.ts";

export interface Formats {
  /** A number with a fixed count of decimals and grouping. */
  number: (value: number, decimals?: number) => string;
  /** A size of a file in steps of 1024 with two decimals (product.md 9): "1.50 MB". */
  fileSize: (bytes: number) => string;
  /** How long ago, in the largest fitting unit: "12 秒前". */
  age: (milliseconds: number) => string;
  /** Date and time of an instant, in China's time. */
  dateTime: (instantMs: number) => string;
  /** Hours and minutes, in China's time. */
  time: (instantMs: number) => string;
  /** Day words of product.md 2 around today, else the full date and time; "--" when empty. */
  dayTime: (instantMs: number | undefined) => string;
}

const weekdays = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"] as const;

const sizeUnits = ["B", "KB", "MB", "GB", "TB"] as const;

/** Formats of a language. `t` translates the words around the figures. */
export function createFormats(language: Language, t: (text: string, fillings?: Fillings) => string): Formats {
  const locale = language === "zh" ? "zh-CN" : "en-GB";
  const numbers = new Map<number, Intl.NumberFormat>();
  const number = (value: number, decimals = 0): string => {
    if (Math.abs(value) < plainBelow) return plainNumber(value, decimals);
    let format = numbers.get(decimals);
    if (!format) {
      format = new Intl.NumberFormat(locale, { minimumFractionDigits: decimals, maximumFractionDigits: decimals });
      numbers.set(decimals, format);
    }
    return format.format(value);
  };
  return {
    number,
    fileSize: (bytes) => {
      let step = 0;
      // What would round to 1024.00 is one of the next unit.
      while (step < sizeUnits.length - 1 && bytes / 1024 ** step >= 1023.995) step += 1;
      return `${number(bytes / 1024 ** step, 2)} ${sizeUnits[step]}`;
    },
    age: (milliseconds) => {
      const seconds = Math.max(0, Math.floor(milliseconds / 1000));
      if (seconds < 60) return t("{count} 秒前", { count: seconds });
      if (seconds < 3600) return t("{count} 分钟前", { count: Math.floor(seconds / 60) });
      if (seconds < 86_400) return t("{count} 小时前", { count: Math.floor(seconds / 3600) });
      return t("{count} 天前", { count: Math.floor(seconds / 86_400) });
    },
    dateTime: (instantMs) => {
      const { date, time } = relativeDay(instantMs, instantMs);
      return `${date} ${time}`;
    },
    time: (instantMs) => relativeDay(instantMs, instantMs).time,
    dayTime: (instantMs) => {
      if (instantMs === undefined) return "--";
      const { word, time: clock, date } = relativeDay(instantMs, Date.now());
      if (word === undefined) return `${date} ${clock}`;
      // English has no word for these two days that stands after "by" or "since".
      const isFar = language === "en" && (word === "前日" || word === "后日");
      return `${isFar ? weekdays[new Date(instantMs + shanghaiMs).getUTCDay()] : t(word)} ${clock}`;
    },
  };
}

/** Instant of a wire date-time, which is written in Asia/Shanghai; undefined for "". */
export function parseWireDateTime(text: string): number | undefined {
  if (text === "") return undefined;
  const instantMs = shanghaiMoment(text);
  return Number.isNaN(instantMs) ? undefined : instantMs;
}
