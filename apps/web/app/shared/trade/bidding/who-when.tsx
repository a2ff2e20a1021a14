import { useNames } from "../../language/use-names.ts";
import styles from "./room.module.css";
import { shortClock } from "./room-clock.ts";
import { useRoomWords } from "./room-words.ts";
import type { Room } from "./use-room.ts";

const lane = 34;
const [top, bottom, right] = [34, 28, 24];

/** Half of a price's width, by which it stays left of the end. */
const halfLabel = 24;
/** Where times stand below the drawing. */
const shares = [0, 0.5, 1] as const;

/** A name that fits, Chinese characters being twice as wide as Latin ones. */
function cut(name: string, most: number): string {
  let width = 0;
  const kept = [...name].filter((character) => {
    width += character > "\u00ff" ? 2 : 1;
    return width <= most;
  });
  return width > most ? `${kept.join("")}…` : name;
}

/** When each bidder bid: a line for each, the best one filled. @param width of the drawing's own units */
export function WhoWhen({ room, entries, names, width }: Room & { names: ReadonlyMap<number, string>; width: number }) {
  const { t, bidder, price } = useRoomWords();
  const nameOf = useNames();
  const left = width > 500 ? 190 : 130;
  const struck = new Set(room.struck.map(({ seq }) => seq));
  const bids = entries.filter(({ seq, fenPerKg }) => fenPerKg !== undefined && !struck.has(seq));
  const [first] = bids;
  if (!first) return null;
  const from = Math.max(room.opensMs, first.atMs - (room.endsMs - first.atMs) / 8);
  const to = room.endsMs;
  const height = top + bottom + lane * room.ranking.length;
  const x = (ms: number): number => left + ((ms - from) / Math.max(1, to - from)) * (width - left - right);
  const most = width > 500 ? 27 : 17;
  return (
    <figure className={styles.chart}>
      <svg
        viewBox={`0 0 ${width} ${height}`}
        role="img"
        aria-label={t("{bidders} 家出价，{count} 口", { bidders: room.ranking.length, count: bids.length })}
      >
        {room.endsMs > room.plannedEndMs && room.plannedEndMs > from && (
          <rect
            x={x(room.plannedEndMs)}
            width={x(room.endsMs) - x(room.plannedEndMs)}
            y={top - 8}
            height={height - top - bottom + 8}
            className={styles.band}
          />
        )}
        {room.ranking.map((one, at) => {
          const y = top + lane * at + lane / 2;
          const own = bids.filter((entry) => entry.bidder === one.bidder);
          const best = own.findLast(({ fenPerKg }) => fenPerKg === one.fenPerKg);
          return (
            <g key={one.bidder}>
              <text x={8} y={y + 4} className={at === 0 ? styles.strong : undefined}>
                {cut(`${one.bidder} ${nameOf(names.get(one.bidder) ?? bidder(one.bidder, 0))}`, most)}
              </text>
              <path d={`M${left} ${y}H${width - right}`} className={styles.grid} />
              {own.map(({ seq, atMs }) => (
                <circle
                  key={seq}
                  cx={x(atMs)}
                  cy={y}
                  r="4.5"
                  className={seq === best?.seq ? styles.filled : styles.other}
                />
              ))}
              {best && (
                <text
                  x={Math.min(x(best.atMs), x(to) - halfLabel)}
                  y={y - 9}
                  textAnchor="middle"
                  className={styles.strong}
                >
                  {price(one.fenPerKg)}
                </text>
              )}
            </g>
          );
        })}
        <path d={`M${x(room.endsMs)} ${top - 14}V${height - bottom}`} className={styles.end} />
        <text x={x(room.endsMs)} y={12} textAnchor="end" className={styles.strong}>
          {t("结束 {time}", { time: shortClock(room.endsMs) })}
        </text>
        {shares.map((share) => (
          <text
            key={share}
            x={left + share * (width - left - right)}
            y={height - 8}
            textAnchor={share === 0 ? "start" : share === 1 ? "end" : "middle"}
          >
            {shortClock(from + share * (to - from))}
          </text>
        ))}
      </svg>
    </figure>
  );
}
