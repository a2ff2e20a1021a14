import { type HistoryReply, telemetryHistory } from "@herdwise/contract";
import { type Channel, localUnit } from "@herdwise/device-kinds";
import { useState } from "react";
import { call } from "../../shared/api/call.ts";
import { useLoad } from "../../shared/api/use-load.ts";
import { type HeatCell, HeatMap } from "../../shared/chart/heat-map.tsx";
import { useFormats, useTranslate } from "../../shared/language/use-language.ts";
import { LoadingProblem } from "../../shared/states/loading-problem.tsx";
import { Waiting } from "../../shared/states/waiting.tsx";
import { daysOfHours, outsideOf } from "./hour-days.ts";
import styles from "./hour-map.module.css";
import { useLocalText } from "./kind-view.ts";

const days = 14;
const dayMs = 86_400_000;
/** A signal at which messages begin to be lost, and one that is as good as any better one; dBm. */
const signalEnds = [-100, -60] as const;
/** Hours whose signal differs by less than this look alike, and a signal this close to the weakest is shown, dB. */
const evenDb = 8;

/** The ends of a signal whose hours all look alike, as text; undefined where some differ or one is weak. */
export function evenSignal(points: HistoryReply["points"]): { from: number; to: number } | undefined {
  const means = points.flatMap(([, , mean]) => (typeof mean === "number" ? [mean] : []));
  const [from, to] = [Math.min(...means), Math.max(...means)];
  return means.length > 0 && from > signalEnds[0] + evenDb && to - from < evenDb ? { from, to } : undefined;
}

/** The points of hours, day by day. @param points by the hour, at least one of them known */
export function HoursTable({ points, channel }: { points: HistoryReply["points"]; channel: Channel }) {
  const t = useTranslate();
  const local = useLocalText();
  const { number } = useFormats();
  const name = local(channel.name);
  const rows = daysOfHours(points, channel.cumulative === true);
  const isOutside = outsideOf(rows, Date.now());
  const known = rows.flatMap(({ hours }) => hours.filter((hour) => hour !== undefined));
  // The strength of a signal is told by fixed limits: stretched over its noise it would look like a pattern.
  const isSignal = channel.unit === "dBm";
  const [low, high] = isSignal ? signalEnds : [Math.min(...known), Math.max(...known)];
  const unit = local(localUnit(channel.unit));
  const text = (hour: number | undefined): string =>
    hour === undefined ? t("没有数据") : `${number(hour, channel.decimals)} ${unit}`.trim();
  return (
    <HeatMap
      label={t("{name}，每日每小时", { name })}
      corner={t("日期")}
      rows={rows.map(({ day }) => ({ key: day, name: day.slice(5) }))}
      columns={Array.from({ length: 24 }, (_, hour) => ({
        key: String(hour),
        name: String(hour).padStart(2, "0"),
        shown: hour % 3 === 0,
      }))}
      // Colours begin at the least value: what matters of a temperature is its change.
      cells={rows.map(({ day, hours }) =>
        hours.map(
          (hour, at): HeatCell => ({
            value: hour === undefined ? undefined : Math.min(Math.max(hour, low), high) - low,
            isOutside: hour === undefined && isOutside(day, at),
            title: `${day.slice(5)} ${String(at).padStart(2, "0")}:00　${text(hour)}`,
          }),
        ),
      )}
      most={high - low}
      least={isSignal ? t("弱 {value}", { value: text(low) }) : text(low)}
      highest={isSignal ? t("强 {value}", { value: text(high) }) : text(high)}
      unknown={t("没有数据")}
    />
  );
}

/** The mean of each hour of two weeks, day by day. */
function HoursOfWeeks({ deviceId, channel }: { deviceId: string; channel: Channel }) {
  const t = useTranslate();
  const local = useLocalText();
  const { value, error, reload } = useLoad(`hours ${deviceId} ${channel.key}`, async (signal) => {
    const end = Date.now();
    const query = { id: deviceId, key: channel.key, start: end - days * dayMs, end, resolution: "hour" as const };
    return (await call(telemetryHistory, { query, signal, quiet: true })).points;
  });
  if (error) return <LoadingProblem error={error} onRetry={reload} what={local(channel.name)} kept={false} />;
  if (!value) return <Waiting />;
  if (value.length === 0) return <p className="calm">{t("这段时间没有数据。")}</p>;
  return <HoursTable points={value} channel={channel} />;
}

/** Below a chart, on request: a value by the hour of the day over two weeks. */
export function HourMap({ deviceId, channel }: { deviceId: string; channel: Channel | undefined }) {
  const t = useTranslate();
  const local = useLocalText();
  const [open, setOpen] = useState(false);
  if (channel === undefined) return null;
  return (
    <details className={`card ${styles.details}`} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>{t("{name}：14 天里每个小时", { name: local(channel.name) })}</summary>
      {open && <HoursOfWeeks deviceId={deviceId} channel={channel} />}
    </details>
  );
}
