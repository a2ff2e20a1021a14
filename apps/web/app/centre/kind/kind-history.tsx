import type { JudgedDevice } from "@herdwise/device-kinds";
import { type Channel, type Interval, localUnit, trendChannelOf } from "@herdwise/device-kinds";
import { useMemo } from "react";
import { useAddressValues } from "../../shared/address/use-address.ts";
import type { TimePanel } from "../../shared/chart/time-chart.tsx";
import { useTranslate } from "../../shared/language/use-language.ts";
import { curveOf } from "./first-drawn.ts";
import { HourMap } from "./hour-map.tsx";
import { useKind, useLocalText } from "./kind-view.ts";
import { TimeHistory, useSpan } from "./time-history.tsx";
import { useHistories } from "./use-history.ts";
import { bandOf } from "./verdict-mark.tsx";

const shownAtOnce = 3;
const shownAtFirst = 2;
const dayMs = 86_400_000;
/** Pixels of a chart that stands beside other things. */
const briefHeight = 96;

/** Whether a value is switched and not measured. */
const isStep = ({ type, step }: Channel): boolean => type === "boolean" || step === true;

/** Some values of a device over a span, one below the other, each with the range that it is judged by. */
function usePanels(judged: JudgedDevice, channels: readonly Channel[], spanMs: number, endMs?: number) {
  const local = useLocalText();
  const keys = channels.map(({ key }) => key);
  const steps = channels.filter(isStep).map(({ key }) => key);
  const loaded = useHistories(judged.device.deviceId, keys, spanMs, steps, endMs);
  const { value } = loaded;
  // As text: a band that stays the same leaves the chart as it is.
  const bands = JSON.stringify(channels.map((channel) => bandOf(judged.verdictOf(channel.key)) ?? null));
  const panels = useMemo(
    (): TimePanel[] =>
      channels.map((channel, at) => {
        const unit = local(localUnit(channel.unit));
        const points = value?.points[channel.key] ?? [];
        const doubts = value?.doubts[channel.key] ?? [];
        const { decimals } = channel;
        const series = { name: local(channel.name), unit, decimals, points, doubts, step: isStep(channel) };
        const band = (JSON.parse(bands) as (Interval | null)[])[at] ?? undefined;
        return { unit, height: channels.length === 1 ? 240 : 130, series: [series], band, valid: channel.valid };
      }),
    [channels, value, local, bands],
  );
  return { loaded, panels };
}

/** The last day of the value that is worst, or of the first figure: what led to now. */
export function Trend({ judged }: { judged: JudgedDevice }) {
  const t = useTranslate();
  const local = useLocalText();
  const { kind } = useKind();
  const channel = trendChannelOf(kind, judged);
  const channels = useMemo(() => (channel ? [channel] : []), [channel]);
  const { loaded, panels } = usePanels(judged, channels, dayMs);
  if (!channel) return null;
  const title = t("{name}，24 小时", { name: local(channel.name) });
  return (
    <TimeHistory
      deviceId={judged.device.deviceId}
      shown={[]}
      title={title}
      label={title}
      loaded={loaded}
      panels={panels.map((panel) => ({ ...panel, height: briefHeight }))}
      brief
      ahead={curveOf(judged.device.deviceId, channel.key)}
    />
  );
}

/** The values of a device over time, chosen among its channels; choice and span stand in the address. */
export function KindHistory({ judged }: { judged: JudgedDevice }) {
  const { deviceId } = judged.device;
  const t = useTranslate();
  const local = useLocalText();
  const { kind } = useKind();
  const { spans, span, choose } = useSpan();
  const [search, change] = useAddressValues();
  const drawn = useMemo(() => kind.channels.filter(({ type }) => type !== "text"), [kind]);
  const figures = (kind.pages?.figures ?? []).filter((key) => drawn.some((channel) => channel.key === key));
  const asked = (search.get("show") ?? "").split(",").filter((key) => drawn.some((channel) => channel.key === key));
  const keys = (asked.length > 0 ? asked : figures.slice(0, shownAtFirst)).slice(0, shownAtOnce);
  const key = keys.join();
  const channels = useMemo(
    () => key.split(",").flatMap((one) => drawn.find((channel) => channel.key === one) ?? []),
    [key, drawn],
  );
  const { loaded, panels } = usePanels(judged, channels, span.spanMs, span.endMs);
  const show = (chosen: readonly string[]): void => change({ show: chosen.join() });
  const toggle = (one: string): void =>
    show(keys.includes(one) ? keys.filter((other) => other !== one) : [...keys.slice(-(shownAtOnce - 1)), one]);
  const others = drawn.filter((channel) => !figures.includes(channel.key));
  return (
    <>
      <TimeHistory
        deviceId={deviceId}
        shown={channels.map((channel) => ({ key: channel.key, name: local(channel.name) }))}
        title={t("数值曲线")}
        label={t("数值曲线")}
        loaded={loaded}
        panels={panels}
        span={span}
        spans={spans}
        onSpan={choose}
        empty={t("这段时间没有数据。")}
        legend={
          panels.some(({ band }) => band) && (
            <p className="chart-key">
              <span>
                <i className="band" />
                {t("判断用的范围")}
              </span>
            </p>
          )
        }
      >
        <fieldset className="shown">
          <legend className="visually-hidden">{t("显示的数值")}</legend>
          {figures.map((figure) => (
            <button
              key={figure}
              type="button"
              className="chip"
              aria-pressed={keys.includes(figure)}
              onClick={() => toggle(figure)}
            >
              {local(drawn.find((channel) => channel.key === figure)?.name ?? { zh: figure, en: figure })}
            </button>
          ))}
          <select
            className="chip"
            aria-label={t("其他数值")}
            value={keys.find((one) => others.some((channel) => channel.key === one)) ?? ""}
            onChange={(event) =>
              event.target.value &&
              show([...keys.filter((one) => figures.includes(one)).slice(0, 2), event.target.value])
            }
          >
            <option value="">{t("其他数值")}</option>
            {others.map((channel) => (
              <option key={channel.key} value={channel.key}>
                {local(channel.name)}
              </option>
            ))}
          </select>
        </fieldset>
      </TimeHistory>
      <HourMap key={channels[0]?.key} deviceId={deviceId} channel={channels[0]} />
    </>
  );
}
