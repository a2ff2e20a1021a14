import { telemetryHistory } from "@herdwise/contract";
import { type KindPart, localUnit } from "@herdwise/device-kinds";
import { useId } from "react";
import { call } from "../../shared/api/call.ts";
import { useLoad } from "../../shared/api/use-load.ts";
import { useFormats, useTranslate } from "../../shared/language/use-language.ts";
import { LoadingProblem } from "../../shared/states/loading-problem.tsx";
import { useKind, useLocalText } from "./kind-view.ts";
import styles from "./parts.module.css";
import { stretchesOf } from "./stretches.ts";
import type { DeviceNow } from "./use-unit.ts";

const dayMs = 86_400_000;
const hourMs = 3_600_000;

/** What a device did over the last day, as one strip, with how long each took. */
export function StateStrip({ part, device }: { part: Extract<KindPart, { type: "strip" }>; device: DeviceNow }) {
  const t = useTranslate();
  const local = useLocalText();
  const { number, time } = useFormats();
  const { kind } = useKind();
  const titleId = useId();
  const { value, error, reload } = useLoad(`strip ${device.deviceId} ${part.of}`, async (signal) => {
    const end = Date.now();
    const query = { id: device.deviceId, key: part.of, start: end - dayMs, end, resolution: "raw" as const };
    return { end, points: (await call(telemetryHistory, { query, signal, quiet: true })).points };
  });
  const channel = kind.channels.find(({ key }) => key === part.of);
  const words = channel?.words ?? [];
  const nameOf = (word: string): string => {
    const found = words.find((candidate) => candidate.value === word);
    if (found) return local(found.name);
    return word === "true" ? t("开") : word === "false" ? t("关") : word;
  };
  const stretches = value ? stretchesOf(value.points, value.end) : [];
  const startMs = (value?.end ?? 0) - dayMs;
  const isBad = (word: string): boolean => part.bad?.includes(word) ?? false;
  const sums = [...Map.groupBy(stretches, (stretch) => stretch.value)]
    .map(([word, held]) => ({ word, ms: held.reduce((all, { fromMs, toMs }) => all + toMs - fromMs, 0) }))
    .toSorted((a, b) => Number(isBad(b.word)) - Number(isBad(a.word)) || b.ms - a.ms);
  const tone = (word: string): string => {
    if (isBad(word)) return "bad";
    const at = words.findIndex((candidate) => candidate.value === word);
    return word === "false" || at === 0 ? "rest" : String(Math.max(0, at) % 4);
  };
  return (
    <section className="card" data-part aria-labelledby={titleId}>
      <header>
        <h2 id={titleId}>{local(part.title)}</h2>
        <span className="mut num">{value && `${time(startMs)} – ${time(value.end)}`}</span>
      </header>
      {error && <LoadingProblem error={error} onRetry={reload} what={local(part.title)} kept={value !== undefined} />}
      <svg className={styles.strip} viewBox="0 0 1000 24" preserveAspectRatio="none" aria-hidden="true">
        {stretches.map(({ value: word, fromMs, toMs }) => (
          <rect
            key={fromMs}
            data-tone={tone(word)}
            x={Math.max(0, ((fromMs - startMs) / dayMs) * 1000)}
            width={Math.max(1, ((toMs - Math.max(fromMs, startMs)) / dayMs) * 1000)}
            height="24"
          />
        ))}
      </svg>
      <ul className={styles.legend}>
        {value && sums.length === 0 && <li className="mut">{t("这段时间没有数据。")}</li>}
        {sums.map(({ word, ms }) => (
          <li key={word}>
            <i data-tone={tone(word)} aria-hidden="true" />
            {nameOf(word)}
            <span className="mut num">
              {ms >= hourMs ? `${number(ms / hourMs, 1)} ${local(localUnit("h"))}` : `${number(ms / 60_000)} min`}
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}
