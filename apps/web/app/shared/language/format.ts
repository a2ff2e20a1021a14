import { shanghaiMoment } from "@herdwise/contract/shanghai";
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
  /** Date and time of an instant, in the viewer's zone. */
  dateTime: (instantMs: number) => string;
  /** Hours and minutes. */
  time: (instantMs: number) => string;
  /** Day words of product.md 2 around today, else the full date and time; "--" when empty. */
  dayTime: (instantMs: number | undefined) => string;
}

/** Above it a number has more digits than a double tells apart. */
const plainBelow = 1e15;

/**
 * A finite number below `plainBelow` as Chinese and English write it, who agree on comma and point. The browser's own formats would
 * be loaded for it, which takes a phone 50 ms of the first picture.
 */
function plainNumber(value: number, decimals: number): string {
  const [whole = "", fraction] = Math.abs(value).toFixed(decimals).split(".");
  const grouped = whole.replace(/\B(?=(?:\d{3})+$)/g, ",");
  return `${value < 0 ? "-" : ""}${grouped}${fraction === undefined ? "" : `.${fraction}`}`;
}

const sizeUnits = ["B", "KB", "MB", "GB", "TB"] as const;

/** Formats of a language. `t` translates the words around the figures. */
export function createFormats(language: Language, t: (text: string, fillings?: Fillings) => string): Formats {
  const locale = language === "zh" ? "zh-CN" : "en-GB";
  const numbers = new Map<number, Intl.NumberFormat>();
  // Made when first used: one takes 10 ms on a phone, and most screens begin without it.
  let dateTime: Intl.DateTimeFormat | undefined;
  let time: Intl.DateTimeFormat | undefined;
  const number = (value: number, decimals = 0): string => {
    // A rounded -0 reads as a fault of the sensor.
    const rounded = Number(value.toFixed(decimals)) + 0;
    if (Math.abs(rounded) < plainBelow) return plainNumber(rounded, decimals);
    let format = numbers.get(decimals);
    if (!format) {
      format = new Intl.NumberFormat(locale, { minimumFractionDigits: decimals, maximumFractionDigits: decimals });
      numbers.set(decimals, format);
    }
    return format.format(rounded);
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
      dateTime ??= new Intl.DateTimeFormat(locale, {
        year: "numeric",
        month: "2-digit",
        day: "2-digit",
        hour: "2-digit",
        minute: "2-digit",
        hourCycle: "h23",
      });
      return dateTime.format(instantMs);
    },
    time: (instantMs) => {
      time ??= new Intl.DateTimeFormat(locale, { hour: "2-digit", minute: "2-digit", hourCycle: "h23" });
      return time.format(instantMs);
    },
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
  const instantMs = shanghaiMoment(text);
  return Number.isNaN(instantMs) ? undefined : instantMs;
}
