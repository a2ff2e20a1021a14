import { type TransitTrack, transits, transitTrack } from "@herdwise/contract";
import { useQuery } from "@tanstack/react-query";
import { useId } from "react";
import { asApiError } from "../api/api-error.ts";
import { call } from "../api/call.ts";
import { TableSkeleton } from "../kit/table-skeleton.tsx";
import { useFormats, useTranslate } from "../language/use-language.ts";
import type { Row } from "../resource/form-values.ts";
import { keysOf } from "../resource/resource-api.ts";
import { LoadingProblem } from "../states/loading-problem.tsx";
import styles from "./driver-link.module.css";
import { FlagText } from "./flag-text.tsx";

const width = 400;
const edge = 8;

/** The way as a strip from its first position to its last: what was driven, breaks hatched, stops as marks. */
function Strip({ points, flags }: Pick<TransitTrack, "points" | "flags">) {
  const t = useTranslate();
  const { number, time } = useFormats();
  const hatch = useId();
  const [first, last] = [points[0], points.at(-1)];
  if (!first || !last || last.metres === 0) return null;
  const x = (metres: number): number => edge + (metres / last.metres) * (width - 2 * edge);
  /** How far it was at a moment: as far as at the last position before it. */
  const metresAt = (atMs: number): number => points.findLast((point) => point.atMs <= atMs)?.metres ?? 0;
  const nextAt = (atMs: number): number => points.find((point) => point.atMs >= atMs)?.metres ?? last.metres;
  const km = number(last.metres / 1000, 1);
  return (
    <figure className={styles.strip}>
      <svg
        viewBox={`0 0 ${width} 44`}
        role="img"
        aria-label={t("路线：{km} km，{count} 处要看", { km, count: flags.length })}
      >
        <defs>
          <pattern id={hatch} width="6" height="6" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
            <rect width="2" height="6" className={styles.hatch} />
          </pattern>
        </defs>
        <rect x={edge} y="20" width={width - 2 * edge} height="8" rx="4" className={styles.road} />
        {flags
          .filter(({ kind }) => kind === "gap")
          .map(({ fromMs, toMs }) => {
            const [from, to] = [x(metresAt(fromMs)), x(nextAt(toMs))];
            return (
              <g key={fromMs}>
                <rect x={from} y="16" width={Math.max(4, to - from)} height="16" className={styles.gap} />
                <rect x={from} y="16" width={Math.max(4, to - from)} height="16" fill={`url(#${hatch})`} />
              </g>
            );
          })}
        {points.map(({ atMs, metres }) => (
          <circle key={atMs} cx={x(metres)} cy="24" r="1.5" className={styles.point} />
        ))}
        {flags
          .filter(({ kind }) => kind === "stop")
          .map(({ fromMs }) => {
            const at = x(metresAt(fromMs));
            return <path key={fromMs} d={`M${at} 15l8 9-8 9-8-9z`} className={styles.stop} />;
          })}
      </svg>
      <figcaption className="num">
        <span>{time(first.atMs)}</span>
        <span>{km} km</span>
        <span>{time(last.atMs)}</span>
      </figcaption>
    </figure>
  );
}

/** The way of a vehicle, and what is to be looked at on it. */
export function RoutePart({ row }: { row: Row }) {
  const t = useTranslate();
  const { number } = useFormats();
  const { data, error, refetch } = useQuery({
    queryKey: [...keysOf(transits), "track", row.id],
    queryFn: ({ signal }) => call(transitTrack, { query: { id: row.id }, signal, quiet: true }),
    staleTime: 0,
    // A vehicle moves.
    refetchInterval: row.state === "departed" ? 60_000 : false,
  });
  if (error && !data)
    return <LoadingProblem error={asApiError(error)} onRetry={() => void refetch()} what={t("路线")} />;
  if (!data) return <TableSkeleton rows={2} />;
  const { points, flags, rejected } = data;
  const started = ["departed", "arrived", "closed"].includes(String(row.state));
  if (points.length === 0 && flags.length === 0 && !started) return null;
  return (
    <section className={styles.part} aria-labelledby="route-part">
      <h3 id="route-part">{t("路线")}</h3>
      <Strip points={points} flags={flags} />
      {points.length === 0 && <p className={styles.note}>{t("司机的手机没有发过位置。")}</p>}
      {flags.length > 0 ? (
        <ul className={styles.flags}>
          {flags.map((flag) => (
            <li key={`${flag.kind} ${flag.fromMs}`}>
              <FlagText flag={flag} />
            </li>
          ))}
        </ul>
      ) : (
        points.length > 0 && <p className={styles.note}>{t("没有断点，也没有在别的猪场附近停留。")}</p>
      )}
      {rejected > 0 && (
        <p className={styles.note}>{t("{count} 个位置不可信，没有算进去", { count: number(rejected) })}</p>
      )}
    </section>
  );
}
