import { Mark } from "../shared/icons/mark.tsx";
import { useTranslate } from "../shared/language/use-language.ts";
import { usePreferences } from "../shared/preferences/preferences.tsx";
import { hoursText, type OutletState, outletState } from "./outlet-hours.ts";

/** Soon closed, min: whoever sets out now may come too late. */
const closingMinutes = 30;

/** Open, closing or closed, with the reason and the next opening. */
export function Standing({ state }: { state: OutletState }) {
  const t = useTranslate();
  if (state.kind === "open") {
    const soon = state.minutesLeft <= closingMinutes;
    return (
      <p className={`state ${soon ? "minor" : "ok"}`}>
        <Mark name={soon ? "minor" : "ok"} />
        {soon
          ? t("还有 {count} 分钟下班", { count: state.minutesLeft })
          : t("营业中，{time} 下班", { time: state.closesAt })}
      </p>
    );
  }
  const { because, next } = state;
  const reason = t(
    because === "break" ? "午休" : because === "early" ? "还没开门" : because === "late" ? "已下班" : "今天休息",
  );
  const opening =
    next === undefined
      ? ""
      : next.daysAhead === 0
        ? t("今天 {time} 开门", { time: next.at })
        : next.daysAhead === 1
          ? t("明天 {time} 开门", { time: next.at })
          : t("{count} 天后 {time} 开门", { count: next.daysAhead, time: next.at });
  return (
    <p className="state off">
      <Mark name="off" />
      {opening === "" ? reason : `${reason} · ${opening}`}
    </p>
  );
}

/** How the service telephone stands as the page is drawn; undefined where the hours are not known. */
export function useServiceStanding(): OutletState | undefined {
  const { hours } = usePreferences().contact;
  if (hours === undefined) return undefined;
  const { weekday, weekend, worked } = hours;
  return outletState(
    { weekdayHours: weekday, weekendHours: weekend },
    worked.map((of) => ({ worked: of })),
    Date.now(),
  );
}

/** The hours of service as one text; "" where they are not known. */
export function useHoursWords(): string {
  const t = useTranslate();
  const { hours } = usePreferences().contact;
  if (hours === undefined) return "";
  const weekday = hoursText(hours.weekday);
  return hours.weekend === ""
    ? t("工作日 {weekday}，周末休息", { weekday })
    : t("工作日 {weekday}，周末 {weekend}", { weekday, weekend: hoursText(hours.weekend) });
}
