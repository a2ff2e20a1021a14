import { useId } from "react";
import styles from "./room.module.css";
import { clockText, effectsOf, shortClock } from "./room-clock.ts";
import { useRoomWords } from "./room-words.ts";
import type { Room } from "./use-room.ts";

const height = 230;
const [left, right, top, bottom] = [52, 84, 34, 30];

/** Even steps that people read, at most so many. */
function stepOf(span: number, steps: readonly number[], most: number): number {
  return steps.find((step) => span / step <= most) ?? steps.at(-1) ?? span;
}
const minute = 60_000;
const timeSteps = [1, 2, 5, 10, 15, 30, 60, 120, 240, 480, 1440].map((minutes) => minutes * minute);
const priceSteps = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000];

/** Multiples of a step within a range. */
function multiples(from: number, to: number, step: number): number[] {
  const first = Math.ceil(from / step) * step;
  return Array.from({ length: Math.max(0, Math.floor((to - first) / step) + 1) }, (_, at) => first + at * step);
}

/** The price over time: each bid, and how bids moved the end. @param width of the drawing's own units */
export function RoomChart({ room, entries, width }: Room & { width: number }) {
  const { t, price } = useRoomWords();
  const hatch = useId();
  const struck = new Set(room.struck.map(({ seq }) => seq));
  const bids = entries.flatMap(({ seq, bidder, fenPerKg, atMs }) =>
    fenPerKg === undefined || struck.has(seq)
      ? []
      : [{ seq, atMs, fenPerKg, isOwn: bidder === room.own.bidder && bidder !== 0 }],
  );
  const [first] = bids;
  const last = bids.at(-1);
  if (!first || !last) return null;
  const softMs = room.softCloseMinutes * minute;
  // A long lot with late bids alone is shown from the first of them.
  const from = Math.max(
    room.opensMs,
    Math.min(first.atMs, room.plannedEndMs - softMs) - (room.endsMs - first.atMs) / 8,
  );
  const to = Math.max(room.endsMs, last.atMs);
  const lowest = Math.min(room.reservePerKg, first.fenPerKg);
  const highest = Math.max(...bids.map(({ fenPerKg }) => fenPerKg));
  const priceStep = stepOf(Math.max(1, highest - lowest), priceSteps, 4);
  const x = (ms: number): number => left + ((ms - from) / Math.max(1, to - from)) * (width - left - right);
  const y = (fen: number): number =>
    height - bottom - ((fen - lowest) / Math.max(priceStep, highest - lowest)) * (height - top - bottom - 12);
  const path = bids.map(({ atMs, fenPerKg }, at) => `${at === 0 ? `M${x(atMs)} ` : `H${x(atMs)}V`}${y(fenPerKg)}`);
  const effects = [...effectsOf(room, entries)];
  const bands = effects.map(([seq, endMs], at) => ({
    seq,
    from: effects[at - 1]?.[1] ?? room.plannedEndMs,
    to: endMs,
  }));
  const softFrom = Math.max(from, room.plannedEndMs - softMs);
  const over = room.state !== "announced" && room.state !== "open";
  const lineTo = over ? room.endsMs : Math.min(room.endsMs, Math.max(last.atMs, room.serverMs));
  return (
    <figure className={styles.chart}>
      <svg
        viewBox={`0 0 ${width} ${height}`}
        role="img"
        aria-label={t("{count} 口出价，从 {from} 到 {to} 元/kg，{end} 结束", {
          count: bids.length,
          from: price(first.fenPerKg),
          to: price(last.fenPerKg),
          end: clockText(room.endsMs),
        })}
      >
        <defs>
          <pattern id={hatch} width="5" height="5" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
            <path d="M0 0V5" className={styles.hatch} />
          </pattern>
        </defs>
        {multiples(lowest, highest, priceStep).map((fen) => (
          <g key={fen}>
            <path d={`M${left} ${y(fen)}H${width - right}`} className={styles.grid} />
            <text x={left - 8} y={y(fen) + 4} textAnchor="end">
              {price(fen)}
            </text>
          </g>
        ))}
        {room.plannedEndMs > from && (
          <rect
            x={x(softFrom)}
            width={Math.max(0, x(room.plannedEndMs) - x(softFrom))}
            y={top}
            height={height - top - bottom}
            fill={`url(#${hatch})`}
          />
        )}
        {bands.map((band) => (
          <rect
            key={band.seq}
            x={x(band.from)}
            width={Math.max(0, x(band.to) - x(band.from))}
            y={top}
            height={height - top - bottom}
            className={styles.band}
          />
        ))}
        {multiples(from, to, stepOf(to - from, timeSteps, width > 500 ? 7 : 4)).map((ms) => (
          <text key={ms} x={x(ms)} y={height - 8} textAnchor="middle">
            {shortClock(ms)}
          </text>
        ))}
        {room.endsMs !== room.plannedEndMs && room.plannedEndMs > from && (
          <path d={`M${x(room.plannedEndMs)} ${top}V${height - bottom}`} className={styles.planned} />
        )}
        <path d={`M${x(room.endsMs)} ${top - 8}V${height - bottom}`} className={styles.end} />
        <text x={x(room.endsMs)} y={top - 14} textAnchor="middle" className={styles.strong}>
          {shortClock(room.endsMs)}
        </text>
        <path d={`${path.join("")}H${x(lineTo)}`} className={styles.best} />
        {bids.map(({ seq, atMs, fenPerKg, isOwn }) => (
          <circle key={seq} cx={x(atMs)} cy={y(fenPerKg)} r="4.5" className={isOwn ? styles.own : styles.other} />
        ))}
        <text x={x(lineTo) + 8} y={y(last.fenPerKg) + 4} className={styles.strong}>
          {last.isOwn ? `${t("我")} ${price(last.fenPerKg)}` : price(last.fenPerKg)}
        </text>
      </svg>
      <figcaption className={styles.key}>
        {/* The desk bids nothing. */}
        {room.own.bidder !== 0 && (
          <span>
            <i className={styles.own} />
            {t("我的出价")}
          </span>
        )}
        <span>
          <i className={styles.other} />
          {t(room.own.bidder === 0 ? "出价" : "别人的出价")}
        </span>
        <span>
          <i className={styles.hatched} />
          {t("原定的最后 {minutes} 分钟", { minutes: room.softCloseMinutes })}
        </span>
        {bands.length > 0 && (
          <span>
            <i className={styles.band} />
            {t("延长的时间")}
          </span>
        )}
      </figcaption>
    </figure>
  );
}
