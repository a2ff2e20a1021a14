import type { WorkOrderDetail } from "@herdwise/contract";
import { shanghaiClock, shanghaiMs } from "@herdwise/contract/shanghai";
import { isWorkOrderOver } from "@herdwise/contract/work-order-states";
import { parseWireDateTime } from "../language/format.ts";
import { useFormats, useTranslate } from "../language/use-language.ts";
import { useNow } from "../states/use-now.ts";
import styles from "./work-orders.module.css";

const dayMs = 86_400_000;
const dayOf = (atMs: number): string => shanghaiClock(atMs).slice(5, 10);
const clockOf = (atMs: number): string => shanghaiClock(atMs).slice(11, 16);
const weekdays = ["周日", "周一", "周二", "周三", "周四", "周五", "周六"] as const;
const weekdayOf = (atMs: number): string => weekdays[new Date(atMs + shanghaiMs).getUTCDay()] ?? "";
const dayNumber = (atMs: number): number => Math.floor((atMs + shanghaiMs) / dayMs);
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
    return whole < 60
      ? t("{count} 分钟", { count: whole })
      : `${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, "0")}`;
  };
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
  const windows = order.windows.map(({ startTime, endTime }) => ({
    startMs: parseWireDateTime(startTime) ?? 0,
    endMs: parseWireDateTime(endTime) ?? 0,
  }));
  const days = daysOf(windows);
  const hidden = Math.max(0, days.length - drawnDays);
  const until = over ? (parseWireDateTime(order.solveTime) ?? nowMs) : nowMs;
  const served = windows.reduce((sum, { startMs, endMs }) => sum + Math.max(0, Math.min(endMs, until) - startMs), 0);
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
                <b className="num">{dayTime(dueMs)}</b>
                {left < 0 && <span className="state major">{t("已超时，催一下")}</span>}
              </p>
            </>
          ) : (
            <>
              <span className="mut">{t(left < 0 ? "超时" : "离到时还有")}</span>
              <p>
                <b className="num" data-late={left < 0 || undefined}>
                  {serviceTime(left)}
                </b>{" "}
                {t("服务工时，{time}到时", { time: dayTime(dueMs) })}
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
              {stretches.map(({ startMs, endMs }) => {
                const part = Math.min(1, Math.max(0, (until - startMs) / (endMs - startMs)));
                return (
                  <svg key={startMs} viewBox="0 0 100 12" preserveAspectRatio="none" aria-hidden="true">
                    <rect width="100" height="12" className={styles.rest} />
                    <rect width={100 * part} height="12" className={styles.gone} />
                  </svg>
                );
              })}
            </span>
            <small className="num mut">
              {stretches.map(({ startMs, endMs }) => `${clockOf(startMs)}–${clockOf(endMs)}`).join("  ")}
            </small>
          </li>,
        ])}
        {hidden > 0 && <li className={styles.skip}>{t("另有 {count} 个工作日", { count: hidden })}</li>}
      </ol>
    </section>
  );
}
