import { shanghaiDay } from "@herdwise/contract/shanghai";
import { CalendarDateTime, type DateValue, parseDate, parseDateTime } from "@internationalized/date";
import { Button } from "react-aria-components/Button";
import { Calendar, CalendarCell, CalendarGrid } from "react-aria-components/Calendar";
import { DateInput, DatePicker, DateSegment } from "react-aria-components/DatePicker";
import { Dialog } from "react-aria-components/Dialog";
import { Group } from "react-aria-components/Group";
import { Heading } from "react-aria-components/Heading";
import { I18nProvider } from "react-aria-components/I18nProvider";
import { Popover } from "react-aria-components/Popover";
import { Icon } from "../icons/icon.tsx";
import { useLanguage, useTranslate } from "../language/use-language.ts";
import calendar from "./calendar.module.css";
import styles from "./day-input.module.css";
import popover from "./popover.module.css";

interface InputProps {
  id: string;
  onBlur?: () => void;
  problem?: string | undefined;
  /** Why it cannot be changed. */
  locked?: string | undefined;
  describedBy: string;
}

/** A value of the wire as the parts of a date; null for none, and for what is no date. */
function partsOf<Parts>(parse: (text: string) => Parts, value: unknown): Parts | null {
  if (typeof value !== "string" || value === "") return null;
  try {
    return parse(value);
  } catch {
    return null;
  }
}

/** Input of a date by parts, with a calendar. The element `<id>-label` names it. */
function CalendarInput({
  id,
  value,
  placeholder,
  clearable = false,
  onChange,
  onBlur,
  problem,
  locked,
  describedBy,
}: InputProps & {
  value: DateValue | null;
  /** What an empty one begins with; its kind says whether there is a time of the day. */
  placeholder: DateValue;
  clearable?: boolean;
  onChange: (value: DateValue | null) => void;
}) {
  const t = useTranslate();
  const language = useLanguage();
  return (
    <I18nProvider locale={language === "zh" ? "zh-CN" : "en-US"}>
      <DatePicker<DateValue>
        aria-labelledby={`${id}-label`}
        aria-describedby={describedBy}
        isInvalid={problem !== undefined}
        isReadOnly={locked !== undefined}
        value={value}
        placeholderValue={placeholder}
        granularity={"hour" in placeholder ? "minute" : "day"}
        hourCycle={24}
        onChange={onChange}
        {...(onBlur ? { onBlur } : {})}
      >
        <Group id={id} className={styles.group ?? ""}>
          <DateInput className={styles.input ?? ""}>
            {(segment) => <DateSegment segment={segment} className={styles.segment ?? ""} />}
          </DateInput>
          {clearable && value !== null && locked === undefined && (
            <button type="button" className={styles.open} aria-label={t("清除")} onClick={() => onChange(null)}>
              <Icon name="close" small />
            </button>
          )}
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

/** Input of a day, typed by parts or chosen in a calendar. */
export function DayInput({
  value,
  onChange,
  ...props
}: InputProps & {
  /** yyyy-MM-dd, "" for none. */
  value: unknown;
  onChange: (value: string) => void;
}) {
  return (
    <CalendarInput
      {...props}
      value={partsOf(parseDate, value)}
      placeholder={parseDate(shanghaiDay(Date.now()))}
      onChange={(day) => onChange(day?.toString() ?? "")}
    />
  );
}

/** Input of a day and a time of it in Shanghai; a day that is chosen in the calendar has 8:00. */
export function MomentInput({
  value,
  onChange,
  ...props
}: InputProps & {
  /** yyyy-MM-dd HH:mm, "" for none; a part of a second after it is left out. */
  value: string;
  clearable?: boolean;
  onChange: (value: string) => void;
}) {
  const day = parseDate(shanghaiDay(Date.now()));
  return (
    <CalendarInput
      {...props}
      value={partsOf(parseDateTime, value.slice(0, 16).replace(" ", "T"))}
      placeholder={new CalendarDateTime(day.year, day.month, day.day, 8)}
      onChange={(at) => onChange(at?.toString().slice(0, 16).replace("T", " ") ?? "")}
    />
  );
}
