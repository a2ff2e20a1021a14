import { useTranslate } from "../shared/language/use-language.ts";
import { clockOf, events, limitPpm, moments, nightMinutes, withAlarm, without } from "./night-model.ts";

const topPpm = 30;
const edges = { left: 44, right: 16, top: 28, bottom: 30 };

interface Size {
  name: "wide" | "narrow";
  width: number;
  height: number;
  /** Hours between two marks of the time axis. */
  everyHours: number;
}

/** Drawn for the width that it gets, so that its words keep their size on a phone. */
const sizes: readonly Size[] = [
  { name: "wide", width: 1120, height: 300, everyHours: 2 },
  { name: "narrow", width: 350, height: 240, everyHours: 4 },
];

function Chart({ name, width, height, everyHours }: Size) {
  const t = useTranslate();
  const x = (minute: number): number =>
    Math.round(edges.left + (minute / nightMinutes) * (width - edges.left - edges.right));
  const y = (ppm: number): number =>
    Math.round((height - edges.bottom - (ppm / topPpm) * (height - edges.top - edges.bottom)) * 10) / 10;
  const path = (series: readonly number[]): string =>
    series
      .flatMap((ppm, minute) => (minute % 4 === 0 ? [`${minute === 0 ? "M" : "L"}${x(minute)},${y(ppm)}`] : []))
      .join("");
  const hours = Array.from({ length: 12 / everyHours + 1 }, (_, index) => index * everyHours * 60);
  return (
    <svg className={`night-chart ${name}`} viewBox={`0 0 ${width} ${height}`} aria-hidden="true">
      <rect className="over" x={x(0)} y={y(topPpm)} width={x(nightMinutes) - x(0)} height={y(limitPpm) - y(topPpm)} />
      {[0, 10, 20, 30].map((ppm) => (
        <g key={ppm}>
          <path className="grid" d={`M${x(0)},${y(ppm)}H${x(nightMinutes)}`} />
          <text x={x(0) - 8} y={y(ppm) + 4} textAnchor="end">
            {ppm}
          </text>
        </g>
      ))}
      <text x={x(0) - 8} y={14} textAnchor="end">
        ppm
      </text>
      {hours.map((minute) => (
        <text key={minute} x={x(minute)} y={height - 8} textAnchor={minute === nightMinutes ? "end" : "middle"}>
          {clockOf(minute)}
        </text>
      ))}
      <text className="limit" x={x(0) + 8} y={y(limitPpm) - 8}>
        {t("{limit} ppm 以上", { limit: limitPpm })}
      </text>
      <path className="line without" d={path(without)} />
      <path className="line with" d={path(withAlarm)} />
      {moments.map((minute, index) => (
        <g key={minute} className={`moment moment-${index}`}>
          <path className="cursor" d={`M${x(minute)},${y(topPpm) - 6}V${y(0)}`} />
          <circle className="dot without" cx={x(minute)} cy={y(without[minute] ?? 0)} r="5" />
          <circle className="dot with" cx={x(minute)} cy={y(withAlarm[minute] ?? 0)} r="5" />
        </g>
      ))}
      <text
        className="name without"
        x={x(events.foundAtDawn) - 10}
        y={y(without[events.foundAtDawn] ?? 0) - 9}
        textAnchor="end"
      >
        {t("没有{brand}")}
      </text>
      <text
        className="name with"
        x={x(events.foundAtDawn) - 10}
        y={y(withAlarm[nightMinutes] ?? 0) + 20}
        textAnchor="end"
      >
        {t("有{brand}")}
      </text>
    </svg>
  );
}

/** Ammonia in both houses from evening to morning. */
export function NightChart() {
  const t = useTranslate();
  return (
    <figure className="night-curves">
      <figcaption>{t("舍内氨气，{from} 至次日 {to}", { from: clockOf(0), to: clockOf(nightMinutes) })}</figcaption>
      {sizes.map((size) => (
        <Chart key={size.name} {...size} />
      ))}
    </figure>
  );
}
