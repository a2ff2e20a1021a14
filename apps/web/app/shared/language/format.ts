import type { Fillings, Language } from "./dictionary.ts";
import { relativeDay } from "./relative-day.ts";

export interface Formats {
  /** A number with a fixed count of decimals and grouping. */
  number: (value: number, decimals?: number) => string;
  /** How long ago, in the largest fitting unit: "12 秒前". */
  age: (milliseconds: number) => string;
  /** Date and time of an instant, in the viewer's zone. */
  dateTime: (instantMs: number) => string;
  /** Hours and minutes. */
  time: (instantMs: number) => string;
  /** Day words of product.md 2 around today, else the full date and time; "--" when empty. */
  dayTime: (instantMs: number | undefined) => string;
}

/** Formats of a language. `t` translates the words around the figures. */
export function createFormats(language: Language, t: (text: string, fillings?: Fillings) => string): Formats {
  const locale = language === "zh" ? "zh-CN" : "en-GB";
  const numbers = new Map<number, Intl.NumberFormat>();
  const dateTime = new Intl.DateTimeFormat(locale, {
    year: "numeric",
    month: "2-digit",
    day: "2-digit",
    hour: "2-digit",
    minute: "2-digit",
    hourCycle: "h23",
  });
  const time = new Intl.DateTimeFormat(locale, { hour: "2-digit", minute: "2-digit", hourCycle: "h23" });
  return {
    number: (value, decimals = 0) => {
      let format = numbers.get(decimals);
      if (!format) {
        format = new Intl.NumberFormat(locale, { minimumFractionDigits: decimals, maximumFractionDigits: decimals });
        numbers.set(decimals, format);
      }
      // A rounded -0 reads as a fault of the sensor.
      return format.format(Number(value.toFixed(decimals)) + 0);
    },
    age: (milliseconds) => {
      const seconds = Math.max(0, Math.floor(milliseconds / 1000));
      if (seconds < 60) return t("{count} 秒前", { count: seconds });
      if (seconds < 3600) return t("{count} 分钟前", { count: Math.floor(seconds / 60) });
      if (seconds < 86_400) return t("{count} 小时前", { count: Math.floor(seconds / 3600) });
      return t("{count} 天前", { count: Math.floor(seconds / 86_400) });
    },
    dateTime: (instantMs) => dateTime.format(instantMs),
    time: (instantMs) => time.format(instantMs),
    dayTime: (instantMs) => {
      if (instantMs === undefined) return "--";
      const { word, time: clock, date } = relativeDay(instantMs, Date.now());
      return word === undefined ? `${date} ${clock}` : `${t(word)} ${clock}`;
    },
  };
}

/** Instant of a wire date-time, which is written in Asia/Shanghai; undefined for "". */
export function parseWireDateTime(text: string): number | undefined {
  if (text === "") return undefined;
  const instantMs = Date.parse(`${text.replace(" ", "T")}+08:00`);
  return Number.isNaN(instantMs) ? undefined : instantMs;
}
