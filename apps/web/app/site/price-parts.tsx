import { provinces, type Province } from "@herdwise/contract";
import type { ReactNode } from "react";
import { useLanguage, useTranslate } from "../shared/language/use-language.ts";

/** A price per kg as it is written, from fen. */
export const yuan = (fen: number): string => (fen / 100).toFixed(2);

const minus = "−";
/** A difference in yuan with its sign. */
export const signedYuan = (fen: number): string =>
  `${fen > 0 ? "+" : fen < 0 ? minus : ""}${(Math.abs(fen) / 100).toFixed(2)}`;
/** A difference in per cent with its sign, two digits. */
export const signedPercent = (now: number, before: number): string => {
  const percent = ((now - before) / before) * 100;
  const text = Math.abs(percent).toFixed(2);
  return `${text === "0.00" ? "" : percent > 0 ? "+" : minus}${text} %`;
};

/** A change with an arrow beside its sign; nothing where one of the two is not known. */
export function Change({ now, before }: { now: number | undefined; before: number | undefined }) {
  if (now === undefined || before === undefined) return <span className="dl none">—</span>;
  const change = now - before;
  return (
    <span className="dl">
      <svg className="arrow" viewBox="0 0 12 12" aria-hidden="true">
        <path d={change > 0 ? "M6 2 10.500 9h-9z" : change < 0 ? "M6 10 1.500 3h9z" : "M2 5.250h8v1.500H2z"} />
      </svg>
      {signedYuan(change)}
    </span>
  );
}

/** A day in Shanghai without its year, in words. */
export function useDay(): (day: string) => string {
  const language = useLanguage();
  const format = new Intl.DateTimeFormat(language === "zh" ? "zh-CN" : "en-GB", {
    timeZone: "UTC",
    month: "long",
    day: "numeric",
  });
  return (day) => (day === "" ? "" : format.format(Date.parse(`${day}T00:00:00Z`)));
}

interface TileMapProps {
  /** What it shows, for who does not see it. */
  label: string;
  /** What a province shows: class of its tile, lines of text, where it leads, and all of it in words. */
  tileOf: (province: Province) => { tone: string; lines: readonly string[]; href?: string; words: string };
}

interface TileSize {
  name: "wide" | "narrow";
  width: number;
  height: number;
  /** Distance of the lines from the tile's upper edge. */
  lines: readonly number[];
}

/** Drawn for the width that it gets, so that its words keep their size on a phone. */
const tileSizes: readonly TileSize[] = [
  { name: "wide", width: 74, height: 62, lines: [19, 38, 54] },
  { name: "narrow", width: 47, height: 54, lines: [17, 34, 48] },
];
const gap = 4;
const columns = 7;
const rows = 8;

/** Provinces as tiles, about where they lie. Each is a link to its row, and says in words what it shows. */
export function TileMap({ label, tileOf }: TileMapProps): ReactNode {
  const t = useTranslate();
  const language = useLanguage();
  return tileSizes.map(({ name, width, height, lines }) => (
    <svg
      key={name}
      className={`tile-map ${name}`}
      viewBox={`0 0 ${columns * (width + gap) - gap} ${rows * (height + gap) - gap}`}
      role="group"
      aria-label={label}
    >
      {provinces.map((province) => {
        const { tone, lines: texts, href, words } = tileOf(province);
        const x = (province.column - 1) * (width + gap);
        const y = (province.row - 1) * (height + gap);
        const title = language === "zh" ? t(province.name) : province.letters;
        const drawn = (
          <>
            <rect x={x + 0.5} y={y + 0.5} width={width - 1} height={height - 1} rx="6" />
            {[title, ...texts].map((text, at) => (
              <text key={`${at} ${text}`} className={at === 1 ? "main" : ""} x={x + (name === "wide" ? 9 : 5)} y={y + (lines[at] ?? 0)}>
                {text}
              </text>
            ))}
          </>
        );
        return href === undefined ? (
          <g key={province.code} className={`tile ${tone}`} role="img" aria-label={words}>
            {drawn}
          </g>
        ) : (
          <a key={province.code} className={`tile ${tone}`} href={href} aria-label={words}>
            {drawn}
          </a>
        );
      })}
    </svg>
  ));
}
