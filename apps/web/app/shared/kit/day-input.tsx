import { parseDate } from "@internationalized/date";
import { Button } from "react-aria-components/Button";
import { Calendar, CalendarCell, CalendarGrid } from "react-aria-components/Calendar";
import { DateInput, DatePicker, DateSegment } from "react-aria-components/DatePicker";
import { Dialog } from "react-aria-components/Dialog";
import { Group } from "react-aria-components/Group";
import { Heading } from "react-aria-components/Heading";
import { I18nProvider } from "react-aria-components/I18nProvider";
import { Popover } from "react-aria-components/Popover";
import { Icon } from "../icons/icon.tsx";
import { useLanguage } from "../language/use-language.ts";
import calendar from "./calendar.module.css";
import styles from "./day-input.module.css";
import popover from "./popover.module.css";

interface DayInputProps {
  id: string;
  /** yyyy-MM-dd, "" for none. */
  value: unknown;
  onChange: (value: string) => void;
  onBlur?: () => void;
  problem?: string | undefined;
  locked?: string | undefined;
  describedBy: string;
}

const dateOf = (value: unknown) => {
  try {
    return typeof value === "string" && value !== "" ? parseDate(value) : null;
  } catch {
    return null;
  }
};

/** Input of a day, typed by parts or chosen in a calendar. */
export function DayInput({ id, value, onChange, onBlur, problem, locked, describedBy }: DayInputProps) {
  const language = useLanguage();
  return (
    <I18nProvider locale={language === "zh" ? "zh-CN" : "en-US"}>
      <DatePicker
        aria-labelledby={`${id}-label`}
        aria-describedby={describedBy}
        isInvalid={problem !== undefined}
        isReadOnly={locked !== undefined}
        value={dateOf(value)}
        onChange={(day) => onChange(day?.toString() ?? "")}
        {...(onBlur ? { onBlur } : {})}
      >
        <Group className={styles.group ?? ""}>
          <DateInput className={styles.input ?? ""}>
            {(segment) => <DateSegment segment={segment} className={styles.segment ?? ""} />}
          </DateInput>
          <Button className={styles.open ?? ""}>
            <Icon name="calendar" small />
          </Button>
        </Group>
        <Popover className={popover.popover ?? ""} offset={4}>
          <Dialog className={styles.dialog ?? ""}>
            <Calendar className={`${calendar.calendar} ${calendar.single}`}>
              <header>
                <Button slot="previous">
                  <Icon name="left" small />
                </Button>
                <Heading level={3} />
                <Button slot="next">
                  <Icon name="right" small />
                </Button>
              </header>
              <CalendarGrid>{(date) => <CalendarCell date={date} className={calendar.day ?? ""} />}</CalendarGrid>
            </Calendar>
          </Dialog>
        </Popover>
      </DatePicker>
    </I18nProvider>
  );
}
