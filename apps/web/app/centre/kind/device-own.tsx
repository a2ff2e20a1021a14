import { type HistoryReply, telemetryHistory, telemetrySeries } from "@herdwise/contract";
import { type Channel, type JudgedDevice, localUnit } from "@herdwise/device-kinds";
import { Link } from "react-router";
import { call } from "../../shared/api/call.ts";
import { useLoad } from "../../shared/api/use-load.ts";
import { parseWireDateTime } from "../../shared/language/format.ts";
import { TranslatedPlace } from "../../shared/language/translated.tsx";
import { useDuration } from "../../shared/language/use-duration.ts";
import { useFormats, useTranslate } from "../../shared/language/use-language.ts";
import { LoadingProblem } from "../../shared/states/loading-problem.tsx";
import { Waiting } from "../../shared/states/waiting.tsx";
import styles from "./device-own.module.css";
import { evenSignal, HoursTable } from "./hour-map.tsx";
import { kindPath, useKind, useLocalText } from "./kind-view.ts";
import { longestSilence } from "./silence.ts";
import { Sparkline } from "./sparkline.tsx";
import type { DeviceNow } from "./use-unit.ts";
import { bandOf } from "./verdict-mark.tsx";

const dayMs = 86_400_000;
const reportDays = 7;
/** What devices of all kinds tell of themselves, as far as they do. */
const electronics = ["fw", "uptime", "supply_v", "batt", "clock_offset", "buf_pending"] as const;
/** Rows of sensors that stand beside the signal. */
const mostSensors = 7;
/** A value that each kind has in each of its reports. */
const heartbeat = "rssi";

/** How reliably it reported, with the strength of its signal in each hour. */
function Reports({ deviceId, signal }: { deviceId: string; signal: Channel }) {
  const t = useTranslate();
  const local = useLocalText();
  const { number, dayTime } = useFormats();
  const duration = useDuration();
  const { value, error, reload } = useLoad(`reports ${deviceId}`, async (abort) => {
    const end = Date.now();
    const query = { id: deviceId, key: signal.key, start: end - reportDays * dayMs, end, resolution: "hour" as const };
    const { points } = await call(telemetryHistory, { query, signal: abort, quiet: true });
    return {
      points,
      silence: longestSilence(
        points.map(([ts]) => Number(ts)),
        query.start,
        end,
      ),
    };
  });
  if (error) return <LoadingProblem error={error} onRetry={reload} what={t("信号与上报")} kept={false} />;
  if (!value) return <Waiting />;
  const { points, silence } = value;
  if (points.length === 0) return <p className={styles.says}>{t("7 天里没有上报。")}</p>;
  // A map of one colour says no more than its sentence.
  const even = evenSignal(points);
  return (
    <>
      <p className={styles.says}>
        {silence.lengthMs === 0
          ? t("7 天里每小时都有上报。")
          : t("7 天里 {share}% 的小时有上报，最长中断 {duration}，自 {time}。", {
              share: number(100 * silence.share, silence.share > 0.99 ? 1 : 0),
              duration: duration(silence.lengthMs),
              time: dayTime(silence.fromMs),
            })}
      </p>
      {even && silence.lengthMs === 0 ? (
        <p className={styles.says}>
          {t("信号强度每小时都在 {from} 到 {to} dBm。", {
            from: number(even.from, signal.decimals),
            to: number(even.to, signal.decimals),
          })}
        </p>
      ) : (
        <>
          <h3 className={styles.name}>{local(signal.name)}</h3>
          <HoursTable points={points} channel={signal} />
        </>
      )}
    </>
  );
}

/** What it tells of its own electronics. */
function Electronics({ device }: { device: DeviceNow }) {
  const t = useTranslate();
  const local = useLocalText();
  const { number, dateTime } = useFormats();
  const duration = useDuration();
  const { kind } = useKind();
  const facts = electronics.flatMap((key) => {
    if (kind.pages?.figures?.includes(key)) return [];
    const channel = kind.channels.find((one) => one.key === key);
    const value = device.readings[key]?.value;
    if (channel === undefined || value === undefined) return [];
    const text =
      typeof value !== "number"
        ? String(value)
        : channel.unit === "s" && key === "uptime"
          ? duration(value * 1000)
          : `${number(value, channel.decimals)} ${local(localUnit(channel.unit))}`.trim();
    return [{ name: local(channel.name), text }];
  });
  const boundAt = parseWireDateTime(device.boundTime);
  if (boundAt !== undefined) facts.push({ name: t("绑定于"), text: dateTime(boundAt) });
  return (
    <dl className={styles.electronics}>
      {facts.map(({ name, text }) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd className="num">{text}</dd>
        </div>
      ))}
    </dl>
  );
}

/** What it measures, each with the ends of its day and what was refused of it. */
function Sensors({ device, judged, channels }: { device: DeviceNow; judged: JudgedDevice; channels: Channel[] }) {
  const t = useTranslate();
  const local = useLocalText();
  const { number } = useFormats();
  const keys = channels.map(({ key }) => key).join();
  const { value, error, reload } = useLoad(`sensors ${device.deviceId} ${keys}`, async (signal) => {
    const end = Date.now();
    const query = { ids: device.deviceId, keys, start: end - dayMs, end, resolution: "hour" as const };
    const { series } = await call(telemetrySeries, { query, signal, quiet: true });
    return new Map(series.map((one) => [one.key, one.points]));
  });
  const title = t("其他传感器，24 小时");
  const endsOf = (points: HistoryReply["points"], { decimals, unit }: Channel): string => {
    const lows = points.flatMap(([, low]) => (typeof low === "number" ? [low] : []));
    const highs = points.flatMap(([, , , high]) => (typeof high === "number" ? [high] : []));
    if (lows.length === 0 || highs.length === 0) return t("没有数据");
    const ends = [...new Set([Math.min(...lows), Math.max(...highs)].map((end) => number(end, decimals)))];
    return `${ends.join(" – ")} ${local(localUnit(unit))}`.trim();
  };
  const rejectedOf = (key: string): number =>
    device.rejected.reduce((sum, one) => sum + (one.key === key ? one.count : 0), 0);
  return (
    <section className="card" aria-labelledby="sensors-title">
      <header>
        <h2 id="sensors-title">{title}</h2>
      </header>
      {error && <LoadingProblem error={error} onRetry={reload} what={title} kept={value !== undefined} />}
      {!value && !error && <Waiting />}
      {value && (
        <table className={styles.sensors}>
          <thead>
            <tr>
              <th scope="col">{t("传感器")}</th>
              <th scope="col">
                <span className="visually-hidden">{t("曲线")}</span>
              </th>
              <th scope="col">{t("最低到最高")}</th>
              <th scope="col">{t("不可信的读数")}</th>
            </tr>
          </thead>
          <tbody>
            {channels.map((channel) => {
              const points = value.get(channel.key) ?? [];
              const line = points.flatMap(([, , mean]) => (typeof mean === "number" ? [{ value: mean }] : []));
              const rejected = rejectedOf(channel.key);
              return (
                <tr key={channel.key}>
                  <th scope="row">{local(channel.name)}</th>
                  <td>
                    <Sparkline points={line} band={bandOf(judged.verdictOf(channel.key))} />
                  </td>
                  <td className="num">{endsOf(points, channel)}</td>
                  <td className="num" data-some={rejected > 0 || undefined}>
                    {number(rejected)}
                  </td>
                </tr>
              );
            })}
          </tbody>
        </table>
      )}
    </section>
  );
}

/** What only the device itself has to tell: how reliably it reports, where it is mounted, and what its sensors did. */
export function DeviceOwn({ device, judged }: { device: DeviceNow; judged: JudgedDevice }) {
  const t = useTranslate();
  const { kind } = useKind();
  const signal = kind.channels.find(({ key }) => key === heartbeat);
  const figures = kind.pages?.figures ?? [];
  // The page's figures tell their day above.
  const channels = kind.channels
    .filter(
      ({ key, type, valid, section, cumulative }) =>
        type === "number" &&
        valid !== undefined &&
        !cumulative &&
        section.id !== "device" &&
        key !== heartbeat &&
        !figures.includes(key),
    )
    .slice(0, mostSensors);
  const places = [device.farmName, device.houseName, device.unitName].filter((name) => name !== "");
  const unitPage = device.unitId === "" ? "" : kindPath(kind.kind, "unit", device.unitId);
  return (
    <div className={styles.own}>
      <section className="card" aria-labelledby="signal-title">
        <header>
          <h2 id="signal-title">{t("信号与上报")}</h2>
        </header>
        {places.length > 0 && (
          <p className={styles.says}>
            {t("装在")}{" "}
            {unitPage === "" ? (
              <TranslatedPlace names={places} />
            ) : (
              <Link className="link" to={unitPage}>
                <TranslatedPlace names={places} />
              </Link>
            )}
          </p>
        )}
        {signal && <Reports deviceId={device.deviceId} signal={signal} />}
        <h3 className={styles.name}>{t("设备自身")}</h3>
        <Electronics device={device} />
      </section>
      {channels.length > 0 && <Sensors device={device} judged={judged} channels={channels} />}
    </div>
  );
}
