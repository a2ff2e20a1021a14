import { type Alarm, alarmPage, alarmPath, telemetryHistory, telemetrySeries } from "@herdwise/contract";
import { judgeUnit } from "@herdwise/device-kinds";
import { useEffect, useRef, useState } from "react";
import { Link } from "react-router";
import { useAddressValues } from "../../shared/address/use-address.ts";
import { call } from "../../shared/api/call.ts";
import { useLoad } from "../../shared/api/use-load.ts";
import { Mark } from "../../shared/icons/mark.tsx";
import { severityMarks } from "../../shared/icons/severity-marks.ts";
import { Button, IconButton } from "../../shared/kit/button.tsx";
import { useFormats, useTranslate } from "../../shared/language/use-language.ts";
import { LoadingProblem } from "../../shared/states/loading-problem.tsx";
import { useNow } from "../../shared/states/use-now.ts";
import { type UnitPartProps, useLocalText } from "../kind/kind-view.ts";
import { pointsOf } from "../kind/use-history.ts";
import type { UnitNow } from "../kind/use-unit.ts";
import { climateFacts } from "./climate.ts";
import { alarmsAt, hourAround, replayKeys, replaySpan, unitAt } from "./replay-values.ts";
import styles from "./unit-replay.module.css";
import { UnitSection } from "./unit-section.tsx";

const minuteMs = 60_000;
const dayMs = 1440 * minuteMs;
/** While it plays, so many minutes pass in each step. */
const playedMinutes = 3;
const stepMs = 120;
/** Alarms that hold in a day began in the week before at the latest; older ones stand in the list of alarms. */
const alarmsBeforeMs = 7 * dayMs;

type Series = Awaited<ReturnType<typeof loadHour>>;
const loadHour = (deviceId: string, atMs: number, signal: AbortSignal) =>
  call(telemetrySeries, {
    query: { ids: deviceId, keys: replayKeys.join(), ...hourAround(atMs), resolution: "raw" },
    signal,
    quiet: true,
  }).then(({ series }) => series);

interface Span {
  fromMs: number;
  toMs: number;
}

/** The temperature of the day, with the alarms that held: where to look. */
function Course({ unit, span, alarms }: { unit: UnitNow; span: Span; alarms: readonly Alarm[] }) {
  const { value: points = [] } = useLoad(`${unit.deviceId} ${span.fromMs}`, async (signal) => {
    const query = { id: unit.deviceId, key: "t_in", start: span.fromMs, end: span.toMs, resolution: "auto" } as const;
    return pointsOf(await call(telemetryHistory, { query, signal, quiet: true }));
  });
  const x = (atMs: number): number => ((atMs - span.fromMs) / (span.toMs - span.fromMs)) * 1000;
  const values = points.map((point) => point.value);
  const [low, high] = [Math.min(...values), Math.max(...values)];
  const y = (of: number): number => 34 - ((of - low) / Math.max(1, high - low)) * 28;
  return (
    <svg className={styles.course} viewBox="0 0 1000 46" preserveAspectRatio="none" aria-hidden="true">
      {points.length > 1 && <path d={`M${points.map(({ atMs, value: of }) => `${x(atMs)},${y(of)}`).join("L")}`} />}
      {alarms.map(({ id, sinceMs, endedMs, severity }) => {
        const from = Math.max(0, x(sinceMs));
        const to = Math.min(1000, endedMs === undefined ? 1000 : x(endedMs));
        return <rect key={id} data-severity={severity} x={from} y="40" width={Math.max(2, to - from)} height="6" />;
      })}
    </svg>
  );
}

/** A unit's drawing as it is, or as it was at a moment of a day: dragged, played, or opened by a link. */
export function UnitReplay({ unit, judged, ...props }: UnitPartProps) {
  const t = useTranslate();
  const [search, change] = useAddressValues();
  const asked = Number(search.get("at") ?? Number.NaN);
  const isOpen = Number.isSafeInteger(asked) && asked > 0;
  if (!isOpen)
    return (
      <UnitSection
        unit={unit}
        judged={judged}
        {...props}
        stale={judged.freshness === "stale"}
        action={
          unit.deviceId !== "" && (
            <Button
              small
              icon="play"
              onPress={() => change({ at: String(Math.floor(Date.now() / minuteMs) * minuteMs) })}
            >
              {t("重放")}
            </Button>
          )
        }
      />
    );
  return (
    <Replayed
      unit={unit}
      {...props}
      atMs={asked}
      onMoment={(at) => change({ at: at === undefined ? undefined : String(at) })}
    />
  );
}

type ReplayedProps = Omit<UnitPartProps, "judged"> & { atMs: number; onMoment: (atMs: number | undefined) => void };

function Replayed({ unit, atMs: asked, onMoment, ...props }: ReplayedProps) {
  const t = useTranslate();
  const local = useLocalText();
  const { dayTime, time } = useFormats();
  const now = useNow();
  // While it is dragged, the address keeps the moment before.
  const [dragged, setDragged] = useState<number>();
  const [playing, setPlaying] = useState(false);
  const span = replaySpan(asked, now);
  const atMs = Math.min(span.toMs, Math.max(span.fromMs, dragged ?? asked));
  const { start } = hourAround(atMs);
  const loaded = useLoad(`${unit.deviceId} ${start}`, (signal) => loadHour(unit.deviceId, atMs, signal));
  const kept = useRef<Series>([]);
  if (loaded.value) kept.current = loaded.value;
  const ofDay = useLoad(`${unit.deviceId} ${span.fromMs}`, (signal) =>
    call(alarmPage, {
      query: { current: 1, size: 100, deviceId: unit.deviceId, from: span.fromMs - alarmsBeforeMs, to: span.toMs },
      signal,
      quiet: true,
    }).then(({ records }) => records.filter(({ endedMs }) => endedMs === undefined || endedMs > span.fromMs)),
  );
  const alarms = ofDay.value ?? [];
  const then = unitAt(unit, kept.current, atMs);
  const judged = judgeUnit(climateFacts, then, atMs, true);
  const held = alarmsAt(alarms, atMs);
  const settle = (): void => {
    if (dragged === undefined) return;
    onMoment(dragged);
    setDragged(undefined);
  };

  const isLoading = loaded.loading;
  useEffect(() => {
    if (!playing || isLoading) return;
    const timer = setTimeout(() => {
      const next = atMs + playedMinutes * minuteMs;
      if (next < span.toMs) setDragged(next);
      else setPlaying(false);
    }, stepMs);
    return () => clearTimeout(timer);
  });

  return (
    <UnitSection
      {...props}
      unit={then}
      judged={judged}
      offline={judged.freshness === "offline"}
      stale={judged.freshness === "stale"}
      moment={dayTime(atMs)}
      action={
        <Button small kind="primary" onPress={() => onMoment(undefined)}>
          {t("回到现在")}
        </Button>
      }
    >
      <div className={styles.replay} aria-busy={isLoading || undefined}>
        <IconButton
          icon={playing ? "pause" : "play"}
          label={playing ? t("暂停") : t("播放")}
          onPress={() => {
            if (playing) settle();
            else if (atMs >= span.toMs - playedMinutes * minuteMs) setDragged(span.fromMs);
            setPlaying(!playing);
          }}
        />
        <div className={styles.track}>
          <Course unit={unit} span={span} alarms={alarms} />
          <input
            type="range"
            aria-label={t("重放到几点")}
            aria-valuetext={dayTime(atMs)}
            min={span.fromMs}
            max={span.toMs}
            step={minuteMs}
            value={atMs}
            onChange={({ target }) => {
              setPlaying(false);
              setDragged(Number(target.value));
            }}
            onPointerUp={settle}
            onKeyUp={settle}
            onBlur={settle}
          />
          <p className={styles.ends}>
            <span>{time(span.fromMs)}</span>
            <output>{dayTime(atMs)}</output>
            <span>{time(span.toMs)}</span>
          </p>
        </div>
        <div className={styles.days}>
          <IconButton icon="left" label={t("前一天")} onPress={() => onMoment(atMs - dayMs)} />
          <IconButton
            icon="right"
            label={t("后一天")}
            isDisabled={span.toMs + minuteMs >= now - minuteMs}
            onPress={() => onMoment(Math.min(atMs + dayMs, Math.floor(now / minuteMs) * minuteMs))}
          />
        </div>
        {loaded.error && (
          <LoadingProblem
            error={loaded.error}
            onRetry={loaded.reload}
            what={t("那时的数值")}
            kept={kept.current.length > 0}
          />
        )}
        <ul className={styles.held}>
          {held.map((alarm) => (
            <li key={alarm.id}>
              <span className={`state ${severityMarks[alarm.severity]}`}>
                <Mark name={severityMarks[alarm.severity]} />
                <Link to={`${alarmPath}?id=${alarm.id}`}>{local(alarm.sentence)}</Link>
              </span>
            </li>
          ))}
          {held.length === 0 && !ofDay.loading && <li className="mut">{t("这时没有告警")}</li>}
        </ul>
      </div>
    </UnitSection>
  );
}
