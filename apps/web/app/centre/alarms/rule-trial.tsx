import { type AlarmRuleTrial, alarmRuleTry, type BodyOf } from "@herdwise/contract";
import { shanghaiDay } from "@herdwise/contract/shanghai";
import { useEffect, useState } from "react";
import { call } from "../../shared/api/call.ts";
import { Select } from "../../shared/forms/select.tsx";
import { Button } from "../../shared/kit/button.tsx";
import { useFormats, useTranslate } from "../../shared/language/use-language.ts";
import styles from "./rules.module.css";

const dayMs = 86_400_000;
const trialDays = [1, 7, 30] as const;
const shownEpisodes = 6;

/** Tries a rule on what devices sent, before anybody is woken by it. */
export function RuleTrial({ body }: { body: Omit<BodyOf<typeof alarmRuleTry>, "days"> }) {
  const t = useTranslate();
  const { number, dateTime } = useFormats();
  const [days, setDays] = useState<(typeof trialDays)[number]>(7);
  const [trial, setTrial] = useState<AlarmRuleTrial>();
  const [running, setRunning] = useState(false);
  const asked = JSON.stringify(body);
  // What was tried says nothing of what is typed now.
  useEffect(() => {
    if (asked !== "") setTrial(undefined);
  }, [asked]);
  const run = async (): Promise<void> => {
    setRunning(true);
    // A refusal shows as a toast.
    setTrial(await call(alarmRuleTry, { body: { ...body, days } }).catch(() => undefined));
    setRunning(false);
  };
  const most = Math.max(1, ...(trial?.days ?? []).map(({ times }) => times));
  const strip = trial
    ? Array.from({ length: Math.round((trial.toMs - trial.fromMs) / dayMs) + 1 }, (_, at) =>
        shanghaiDay(trial.fromMs + at * dayMs),
      )
    : [];
  return (
    <section className={styles.trial} aria-label={t("用过去的数据试算")}>
      <p className={styles.run}>
        <b>{t("用过去的数据试算")}</b>
        <Select
          aria-label={t("多长时间")}
          value={days}
          options={trialDays.map((count) => [count, t("过去 {count} 天", { count })] as const)}
          onChange={setDays}
        />
        <Button small onPress={() => void run()} isDisabled={running}>
          {t(running ? "正在试算" : "试算")}
        </Button>
      </p>
      <div role="status" aria-live="polite">
        {trial && (
          <>
            <p className={styles.verdict}>
              {trial.tried === 0
                ? t("这里没有可以试算的设备")
                : t("会告警 {times} 次，共 {minutes} 分钟", {
                    times: number(trial.times),
                    minutes: number(trial.minutes),
                  })}
              {trial.timesNow !== undefined && trial.tried > 0 && (
                <span className="mut"> · {t("现行规则 {times} 次", { times: number(trial.timesNow) })}</span>
              )}
            </p>
            {trial.tried > 0 && trial.tried < trial.devices && (
              <p className="mut">
                {t("只算了 {tried} 台，共 {devices} 台", { tried: trial.tried, devices: trial.devices })}
              </p>
            )}
          </>
        )}
      </div>
      {trial && trial.times > 0 && (
        <>
          <div className={styles.strip} aria-hidden="true">
            {strip.map((day) => {
              const times = trial.days.find((one) => one.day === day)?.times ?? 0;
              return (
                <i
                  key={day}
                  title={`${day} ${times}`}
                  style={{ height: `${times === 0 ? 2 : 20 + (times / most) * 80}%` }}
                />
              );
            })}
          </div>
          <ul className={styles.episodes}>
            {trial.episodes.slice(0, shownEpisodes).map(({ deviceId, deviceName, fromMs, toMs }) => (
              <li key={`${deviceId} ${fromMs}`}>
                <span className="num">{dateTime(fromMs)}</span>
                <span>{deviceName}</span>
                <span className="num">
                  {toMs === undefined
                    ? t("还没恢复")
                    : t("{count} 分钟", { count: number(Math.round((toMs - fromMs) / 60_000)) })}
                </span>
              </li>
            ))}
          </ul>
          {trial.times > shownEpisodes && (
            <p className="mut">{t("另有 {count} 条", { count: number(trial.times - shownEpisodes) })}</p>
          )}
        </>
      )}
    </section>
  );
}
