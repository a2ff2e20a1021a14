import { type Province, provinces } from "@herdwise/contract";
import type { ReactNode } from "react";
import { useLanguage, useTranslate } from "../language/use-language.ts";
import "./tile-map.css";

interface TileMapProps {
  /** What it shows, for who does not see it. */
  label: string;
  /** What a province shows: class of its tile, lines of text, where it leads, and all of it in words. */
  tileOf: (province: Province) => { tone: string; lines: readonly string[]; href?: string; words: string };
  /** For a narrow column, whatever the window's width. */
  compact?: boolean;
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
/** Room for a name, and what a Latin letter of it takes on the average. */
const nameWidth = 62;
const letterWidth = 5.9;
const columns = 7;
const rows = 8;

/** Provinces as tiles, about where they lie. Each is a link to its row, and says in words what it shows. */
export function TileMap({ label, tileOf, compact = false }: TileMapProps): ReactNode {
  const t = useTranslate();
  const language = useLanguage();
  const sizes = compact ? tileSizes.filter(({ name }) => name === "narrow") : tileSizes;
  return sizes.map(({ name, width, height, lines }) => (
    // biome-ignore lint/a11y/useSemanticElements: a drawing has no fieldset
    <svg
      key={name}
      className={`tile-map ${compact ? "compact " : ""}${name}`}
      viewBox={`0 0 ${columns * (width + gap) - gap} ${rows * (height + gap) - gap}`}
      role="group"
      aria-label={label}
    >
      {provinces.map((province) => {
        const { tone, lines: texts, href, words } = tileOf(province);
        const x = (province.column - 1) * (width + gap);
        const y = (province.row - 1) * (height + gap);
        const named = t(province.name);
        const title = language === "zh" || name === "wide" ? named : province.letters;
        const pressed = language !== "zh" && name === "wide" && named.length * letterWidth > nameWidth;
        const drawn = (
          <>
            <rect x={x + 0.5} y={y + 0.5} width={width - 1} height={height - 1} rx="6" />
            {[title, ...texts].map((text, at) => (
              <text
                key={`${at} ${text}`}
                className={["name", "main"][at] ?? ""}
                x={x + (name === "wide" ? 9 : 5)}
                y={y + (lines[at] ?? 0)}
                {...(at === 0 && pressed && { textLength: nameWidth, lengthAdjust: "spacingAndGlyphs" })}
              >
                {/* Room is for the sign alone. */}
                {name === "narrow" ? text.replace(/^[▲▼] /, "") : text}
              </text>
            ))}
          </>
        );
        return href === undefined ? (
          // biome-ignore lint/a11y/noInteractiveElementToNoninteractiveRole: a tile of a drawing is none
          <g key={province.code} className={`map-tile ${tone}`} role="img" aria-label={words}>
            {drawn}
          </g>
        ) : (
          <a key={province.code} className={`map-tile ${tone}`} href={href}>
            <title>{words}</title>
            {drawn}
          </a>
        );
      })}
    </svg>
  ));
}
