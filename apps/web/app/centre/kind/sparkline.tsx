import type { Interval } from "@herdwise/device-kinds";

const width = 116;
const height = 40;

const mostPoints = 60;

/** Means of equal stretches: a day of minutes on a hundred pixels is a smear, its means are a line. */
function thinned(values: readonly number[]): number[] {
  const size = Math.max(1, Math.ceil(values.length / mostPoints));
  return Array.from({ length: Math.ceil(values.length / size) }, (_, index) => {
    const stretch = values.slice(index * size, (index + 1) * size);
    return stretch.reduce((sum, value) => sum + value, 0) / stretch.length;
  });
}

/** The day as a line with its band behind it; decorative, the figures stand beside it and in the chart's table. */
export function Sparkline({
  points,
  band,
  tone,
}: {
  points: readonly { value: number }[];
  band?: Interval | undefined;
  tone?: "water" | undefined;
}) {
  if (points.length < 2) return <div className="sparkline" />;
  const values = thinned(points.map(({ value }) => value));
  // The line has the say over the scale; of a band that reaches far beyond it, only the near edge shows.
  const lineLow = Math.min(...values);
  const lineHigh = Math.max(...values);
  const reach = Math.max(lineHigh - lineLow, Math.abs(lineHigh) * 0.06, 1e-6);
  const low = lineLow - reach * 0.8;
  const high = lineHigh + reach * 0.8;
  const y = (value: number): number => Math.round((height - ((value - low) / (high - low)) * height) * 10) / 10;
  const x = (index: number): number => Math.round((index / Math.max(1, values.length - 1)) * (width - 6) * 10) / 10;
  const path = values.map((value, index) => `${x(index)},${y(value)}`).join("L");
  const top = band ? Math.max(0, y(Math.min(band[1], high))) : 0;
  const bottom = band ? Math.min(height, y(Math.max(band[0], low))) : 0;
  const last = values.at(-1) ?? 0;
  return (
    <div className="sparkline">
      <svg
        className={tone === "water" ? "spk water" : "spk"}
        viewBox={`0 0 ${width} ${height}`}
        preserveAspectRatio="none"
        aria-hidden="true"
      >
        {/* A band that reaches over all of the plot has no edge to show. */}
        {band && bottom > top && bottom - top < height && (
          <rect x="0" y={top} width={width - 6} height={bottom - top} fill="var(--chart-band)" />
        )}
        <path d={`M${path}`} />
        <path className="end" d={`M${x(values.length - 1)},${y(last)}h.01`} />
      </svg>
    </div>
  );
}
