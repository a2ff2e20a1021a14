import { type ReportPeriod, reportSubscribe, reportSubscriptionList } from "@herdwise/contract";
import { useState } from "react";
import { asApiError } from "../../shared/api/api-error.ts";
import { call } from "../../shared/api/call.ts";
import { useLoad } from "../../shared/api/use-load.ts";
import { tellIn } from "../../shared/language/tell.ts";
import { useTranslate } from "../../shared/language/use-language.ts";
import { useNames } from "../../shared/language/use-names.ts";
import { LoadingProblem } from "../../shared/states/loading-problem.tsx";
import { showToast } from "../../shared/states/toast-store.ts";
import styles from "./report.module.css";

/** Six in the morning: before the first round. */
const usualMinute = 360;
const clockOf = (minute: number): string =>
  `${String(Math.floor(minute / 60)).padStart(2, "0")}:${String(minute % 60).padStart(2, "0")}`;
const minuteOf = (clock: string): number => Number(clock.slice(0, 2)) * 60 + Number(clock.slice(3, 5));

/** Which reports of a farm come to oneself by message; none unless one asks for it. */
export function ReportSubscriptions({ farmId, farmName }: { farmId: string; farmName: string }) {
  const t = useTranslate();
  const nameOf = useNames();
  const { value, error, reload } = useLoad("report subscriptions", (signal) =>
    call(reportSubscriptionList, { signal, quiet: true }),
  );
  const [busy, setBusy] = useState(false);
  const held = (period: ReportPeriod) =>
    value?.find((subscription) => subscription.farmId === farmId && subscription.period === period);
  const save = async (period: ReportPeriod, enabled: boolean, minute: number): Promise<void> => {
    setBusy(true);
    try {
      await call(reportSubscribe, { body: { farmId, period, enabled, minute }, quiet: true });
      reload();
    } catch (reason) {
      showToast({ kind: "error", text: tellIn(t, asApiError(reason)) });
    }
    setBusy(false);
  };
  const rows = [
    { period: "day", words: t("每天告诉我前一天的日报") },
    { period: "week", words: t("每周一告诉我上一周的周报") },
  ] as const;
  return (
    <section className={`card ${styles.subscriptions}`} aria-labelledby="subscriptions-title">
      <header>
        <h2 id="subscriptions-title">{t("发给我")}</h2>
        <span className="mut">{nameOf(farmName)}</span>
      </header>
      {error && <LoadingProblem error={error} onRetry={reload} what={t("发给我")} kept={value !== undefined} />}
      {value && (
        <ul>
          {rows.map(({ period, words }) => {
            const subscription = held(period);
            const minute = subscription?.minute ?? usualMinute;
            return (
              <li key={period}>
                <label>
                  <input
                    type="checkbox"
                    checked={subscription !== undefined}
                    disabled={busy}
                    onChange={(event) => void save(period, event.target.checked, minute)}
                  />
                  <span>{words}</span>
                </label>
                <input
                  className="input"
                  type="time"
                  aria-label={t("{name}，时间", { name: words })}
                  disabled={busy || subscription === undefined}
                  value={clockOf(minute)}
                  onChange={(event) => event.target.value && void save(period, true, minuteOf(event.target.value))}
                />
              </li>
            );
          })}
        </ul>
      )}
      <p className="mut">{t("在站内消息里收到，点开就是报告。只发给自己，随时可以关。")}</p>
    </section>
  );
}
