import { shanghaiDay } from "@herdwise/contract/shanghai";
import { type CalendarDate, parseDate } from "@internationalized/date";
import { useState } from "react";
import { Button as AriaButton } from "react-aria-components/Button";
import { Heading } from "react-aria-components/Heading";
import { I18nProvider } from "react-aria-components/I18nProvider";
import { CalendarCell, CalendarGrid, RangeCalendar } from "react-aria-components/RangeCalendar";
import { Icon } from "../icons/icon.tsx";
import { useLanguage, useTranslate } from "../language/use-language.ts";
import { Button } from "./button.tsx";
import styles from "./calendar.module.css";

const dayMs = 86_400_000;

interface DayRangeProps {
  /** yyyy-MM-dd, "" for none. */
  from: string;
  to: string;
  onChange: (from: string, to: string) => void;
}

const dateOf = (text: string): CalendarDate | undefined => {
  try {
    return parseDate(text);
  } catch {
    return undefined;
  }
};

/** Choice of a range of days: common ranges directly, others in a calendar. */
export function DayRange({ from, to, onChange }: DayRangeProps) {
  const t = useTranslate();
  const language = useLanguage();
  const [now] = useState(() => Date.now());
  const today = shanghaiDay(now);
  const often = [
    ["今天", today],
    ["近 7 天", shanghaiDay(now - 6 * dayMs)],
    ["近 30 天", shanghaiDay(now - 29 * dayMs)],
    ["今年", `${today.slice(0, 4)}-01-01`],
  ] as const;
  const [begin, end] = [dateOf(from), dateOf(to)];
  return (
    <I18nProvider locale={language === "zh" ? "zh-CN" : "en-US"}>
      <div className={styles.often}>
        {often.map(([name, start]) => (
          <Button
            key={name}
            small
            kind={from === start && to === today ? "primary" : "plain"}
            onPress={() => onChange(start, today)}
          >
            {t(name)}
          </Button>
        ))}
      </div>
      <RangeCalendar
        className={styles.calendar ?? ""}
        aria-label={t("起止日期")}
        defaultValue={begin && end ? { start: begin, end } : null}
        onChange={({ start, end: last }) => onChange(start.toString(), last.toString())}
      >
        <header>
          <AriaButton slot="previous">
            <Icon name="left" small />
          </AriaButton>
          <Heading level={3} />
          <AriaButton slot="next">
            <Icon name="right" small />
          </AriaButton>
        </header>
        <CalendarGrid>{(date) => <CalendarCell date={date} className={styles.day ?? ""} />}</CalendarGrid>
      </RangeCalendar>
    </I18nProvider>
  );
}
