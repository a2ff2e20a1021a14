import type { WorkOrderDetail } from "@herdwise/contract";
import { shanghaiClock, shanghaiMs } from "@herdwise/contract/shanghai";
import { isWorkOrderOver } from "@herdwise/contract/work-order-states";
import { useId } from "react";
import { parseWireDateTime } from "../language/format.ts";
import { useFormats, useTranslate } from "../language/use-language.ts";
import { useNow } from "../states/use-now.ts";
import styles from "./work-orders.module.css";

const dayMs = 86_400_000;
const minuteMs = 60_000;
const dayOf = (atMs: number): string => shanghaiClock(atMs).slice(5, 10);
const clockOf = (atMs: number): string => shanghaiClock(atMs).slice(11, 16);
const weekdays = ["周日", "周一", "周二", "周三", "周四", "周五", "周六"] as const;
const weekdayOf = (atMs: number): string => weekdays[new Date(atMs + shanghaiMs).getUTCDay()] ?? "";
const dayNumber = (atMs: number): number => Math.floor((atMs + shanghaiMs) / dayMs);
const minuteOf = (atMs: number): number => ((atMs + shanghaiMs) % dayMs) / minuteMs;
/** Days that are drawn before the others are only counted. */
const drawnDays = 4;

interface Stretch {
  startMs: number;
  endMs: number;
}

/** Service stretches by their days, with the days between that do not count. */
function daysOf(
  windows: readonly Stretch[],
): { atMs: number; stretches: Stretch[]; skipped: [number, number] | undefined }[] {
  const days = [...Map.groupBy(windows, ({ startMs }) => dayNumber(startMs))];
  return days.map(([day, stretches], index) => {
    const before = days[index - 1]?.[0];
    return {
      atMs: stretches[0]?.startMs ?? 0,
      stretches,
      skipped:
        before !== undefined && day - before > 1
          ? [(before + 1) * dayMs - shanghaiMs, (day - 1) * dayMs - shanghaiMs]
          : undefined,
    };
  });
}

/** Hours and minutes of service time. */
function useServiceTime(): (minutes: number) => string {
  const t = useTranslate();
  return (minutes) => {
    const whole = Math.abs(Math.round(minutes));
    const [hours, rest] = [Math.floor(whole / 60), whole % 60];
    // With a colon it would read as a time of day.
    return hours === 0
      ? t("{count} 分钟", { count: whole })
      : rest === 0
        ? t("{count} 小时", { count: hours })
        : t("{hours} 小时 {minutes} 分", { hours, minutes: rest });
  };
}

/** A moment that is marked on its day; the name stands above the bar unless it says below. */
interface Mark {
  word: string;
  atMs: number;
  below?: boolean;
  /** It was reached. */
  done?: boolean;
}

/** @param at part of the day's length that lies before it */
function Tick({ at, word, below = false, done = false }: Omit<Mark, "atMs"> & { at: number }) {
  return (
    <span
      className={styles.moment}
      data-below={below || undefined}
      data-done={done || undefined}
      style={{ left: `${at * 100}%` }}
    >
      <small className="num" data-end={at > 0.6 || undefined}>
        {word}
      </small>
    </span>
  );
}

/** By when an order is to be solved, in hours of service: how much is left, and which hours those are. */
export function DueLine({ order, ofCustomer }: { order: WorkOrderDetail; ofCustomer: boolean }) {
  const t = useTranslate();
  const { dayTime, number } = useFormats();
  const serviceTime = useServiceTime();
  const nowMs = useNow();
  const dueMs = parseWireDateTime(order.solveDueTime);
  const over = isWorkOrderOver(order.state);
  const left = order.minutesLeft ?? 0;
  // Outside the hours of service the minutes stand still, and what was due at their end is late all the same.
  const isLate = order.overdue || left < 0;
  const windows = order.windows.map(({ startTime, endTime }) => ({
    startMs: parseWireDateTime(startTime) ?? 0,
    endMs: parseWireDateTime(endTime) ?? 0,
  }));
  const days = daysOf(windows);
  const hidden = Math.max(0, days.length - drawnDays);
  // The clock stands still from the question to its answer.
  const asked = order.state === "waiting_customer" ? order.entries.findLast(({ what }) => what === "ask") : undefined;
  const pausedMs = asked && parseWireDateTime(asked.createTime);
  const hatch = useId();
  const until = over ? (parseWireDateTime(order.solveTime) ?? nowMs) : (pausedMs ?? nowMs);
  const served = windows.reduce((sum, { startMs, endMs }) => sum + Math.max(0, Math.min(endMs, until) - startMs), 0);
  // All days share one scale, from the first minute of service to the last.
  const firstMinute = Math.min(...windows.map(({ startMs }) => minuteOf(startMs)));
  const lastMinute = Math.max(...windows.map(({ endMs }) => minuteOf(endMs)));
  const partOf = (atMs: number): number => (minuteOf(atMs) - firstMinute) / (lastMinute - firstMinute);
  const answeredMs = parseWireDateTime(order.firstAnswerTime);
  const solvedMs = over ? parseWireDateTime(order.solveTime) : undefined;
  const firstDueMs = answeredMs === undefined ? parseWireDateTime(order.firstDueTime) : undefined;
  // What was reached gives way to a deadline of the same day, whose words need the room.
  const reached: readonly Mark[] = [
    ...(answeredMs === undefined || (!over && dueMs !== undefined && dayNumber(answeredMs) === dayNumber(dueMs))
      ? []
      : [{ word: t("{time} 首次答复", { time: clockOf(answeredMs) }), atMs: answeredMs, below: true, done: true }]),
    ...(solvedMs === undefined
      ? []
      : [{ word: t("{time} 解决", { time: clockOf(solvedMs) }), atMs: solvedMs, done: true }]),
  ];
  const marks: readonly Mark[] = over
    ? reached
    : [
        pausedMs === undefined
          ? { word: t("现在"), atMs: nowMs }
          : { word: t("{time} 停表", { time: clockOf(pausedMs) }), atMs: pausedMs },
        ...reached,
        ...(firstDueMs === undefined
          ? []
          : [{ word: t("{time} 前首次答复", { time: clockOf(firstDueMs) }), atMs: firstDueMs, below: true }]),
        ...(dueMs === undefined
          ? []
          : [{ word: t("{time} 前解决", { time: clockOf(dueMs) }), atMs: dueMs, below: true }]),
      ];
  const marksOn = (dayMs: number): readonly Mark[] =>
    marks.filter(({ atMs }) => dayNumber(atMs) === dayNumber(dayMs) && partOf(atMs) >= 0 && partOf(atMs) <= 1);
  const next =
    over || dueMs === undefined || windows.some(({ startMs, endMs }) => startMs <= nowMs && nowMs < endMs)
      ? undefined
      : windows.find(({ startMs }) => startMs > nowMs);
  return (
    <section className={`card ${styles.due}`} aria-label={t("时限")}>
      <div className={styles.dueHead}>
        <div>
          {over ? (
            <>
              <span className="mut">{t("用了")}</span>
              <p>
                <b className="num">{serviceTime(served / 60_000)}</b> {t("服务工时")}
              </p>
            </>
          ) : dueMs === undefined ? (
            <>
              <span className="mut">{t(ofCustomer ? "在等您答复" : "在等客户答复")}</span>
              <p>
                <b>{t("停表")}</b> {t("答复后接着算")}
              </p>
            </>
          ) : ofCustomer ? (
            <>
              <span className="mut">{t("最晚这时解决或给出下一步")}</span>
              <p>
                <b className="num" data-late={isLate || undefined}>
                  {dayTime(dueMs)}
                </b>
                {isLate && (
                  <span className="state major">
                    {left < 0 ? t("超时 {time} 工时，催一下", { time: serviceTime(left) }) : t("已超时，催一下")}
                  </span>
                )}
              </p>
            </>
          ) : (
            <>
              <span className="mut">{t(left < 0 ? "超时" : "离到时还有")}</span>
              <p>
                <b className="num" data-late={left < 0 || undefined}>
                  {serviceTime(left)}
                </b>{" "}
                {t("服务工时，{time} 到时", { time: dayTime(dueMs) })}
              </p>
            </>
          )}
        </div>
        <p className={styles.rule}>
          {t("共 {count} 工时。工作日 8:30 到 12:00、14:00 到 18:00", {
            count: number(order.minutesOfAll / 60, order.minutesOfAll % 60 === 0 ? 0 : 1),
          })}
        </p>
      </div>
      <ol className={styles.days}>
        {days.slice(0, drawnDays).flatMap(({ atMs, stretches, skipped }) => [
          ...(skipped
            ? [
                <li key={`skip ${atMs}`} className={styles.skip}>
                  <span className="num">
                    {skipped[0] === skipped[1]
                      ? t("{day} 不计时", { day: dayOf(skipped[0]) })
                      : t("{from} 至 {to} 不计时", { from: dayOf(skipped[0]), to: dayOf(skipped[1]) })}
                  </span>
                </li>,
              ]
            : []),
          <li key={atMs}>
            <span className="num">
              {dayOf(atMs)} {t(weekdayOf(atMs))}
            </span>
            <span className={styles.bars}>
              {marksOn(atMs).map((mark) => (
                <Tick key={mark.word} at={partOf(mark.atMs)} {...mark} />
              ))}
              <svg viewBox={`0 0 ${lastMinute - firstMinute} 12`} preserveAspectRatio="none" aria-hidden="true">
                {pausedMs !== undefined && (
                  <pattern
                    id={hatch}
                    width="12"
                    height="12"
                    patternUnits="userSpaceOnUse"
                    patternTransform="rotate(45)"
                  >
                    <rect width="5" height="12" className={styles.paused} />
                  </pattern>
                )}
                {stretches.map(({ startMs, endMs }) => {
                  const x = minuteOf(startMs) - firstMinute;
                  const width = (endMs - startMs) / minuteMs;
                  const partUntil = (atMs: number): number =>
                    Math.min(1, Math.max(0, (atMs - startMs) / (endMs - startMs)));
                  const part = partUntil(until);
                  const lateFrom = dueMs === undefined ? 1 : partUntil(dueMs);
                  const still = pausedMs === undefined ? 0 : partUntil(nowMs) - part;
                  return (
                    <g key={startMs}>
                      <rect x={x} width={width} height="12" className={styles.rest} />
                      <rect x={x} width={width * Math.min(part, lateFrom)} height="12" className={styles.gone} />
                      {part > lateFrom && (
                        <rect
                          x={x + width * lateFrom}
                          width={width * (part - lateFrom)}
                          height="12"
                          className={styles.late}
                        />
                      )}
                      {still > 0 && (
                        <rect x={x + width * part} width={width * still} height="12" fill={`url(#${hatch})`} />
                      )}
                    </g>
                  );
                })}
              </svg>
            </span>
            <small className="num mut">
              {stretches
                // While the clock stands still the last stretch ends now, not with the hours of service.
                .map(({ startMs, endMs }) =>
                  pausedMs !== undefined && Math.abs(nowMs - endMs) < 2 * minuteMs
                    ? `${clockOf(startMs)}–${t("现在")}`
                    : `${clockOf(startMs)}–${clockOf(endMs)}`,
                )
                .join("  ")}
            </small>
          </li>,
        ])}
        {hidden > 0 && <li className={styles.skip}>{t("另有 {count} 个工作日", { count: hidden })}</li>}
      </ol>
      {pausedMs !== undefined && <p className="mut">{t("斜线的时间不计：停表期间")}</p>}
      {next && <p className="mut num">{t("现在不计时，{time} 接着算", { time: dayTime(next.startMs) })}</p>}
    </section>
  );
}
