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
  /** Distance of the name's line and the others from the tile's upper edge. */
  lines: readonly number[];
  /** The same where an English name takes two lines. */
  broken?: readonly number[];
  /** Distance of words from the tile's left edge. */
  indent: number;
}

/** Drawn for the width that it gets, so that its words keep their size on a phone. */
const tileSizes: readonly TileSize[] = [
  { name: "wide", width: 74, height: 62, lines: [19, 38, 54], indent: 9 },
  { name: "narrow", width: 47, height: 54, lines: [17, 34, 48], broken: [11, 21, 37, 50], indent: 4 },
];
const gap = 4;
/** What a Latin letter of a name takes on the average. */
const letterWidth = 5.6;
const columns = 7;
const rows = 8;

/** Provinces as tiles, about where they lie. Each is a link to its row, and says in words what it shows. */
export function TileMap({ label, tileOf, compact = false }: TileMapProps): ReactNode {
  const t = useTranslate();
  const language = useLanguage();
  const sizes = compact ? tileSizes.filter(({ name }) => name === "narrow") : tileSizes;
  return sizes.map(({ name, width, height, lines, broken, indent }) => (
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
        const first = named.slice(0, province.breakAt);
        const isBroken = language !== "zh" && broken !== undefined && first !== "";
        const title = isBroken
          ? [named[province.breakAt] === " " ? first : `${first}-`, named.slice(province.breakAt).trim()]
          : [named];
        const places = isBroken ? broken : lines;
        const room = width - 2 * indent + 2;
        const drawn = (
          <>
            <rect x={x + 0.5} y={y + 0.5} width={width - 1} height={height - 1} rx="6" />
            {[...title, ...texts].map((text, at) => (
              <text
                key={`${at} ${text}`}
                className={at < title.length ? "name" : at === title.length ? "main" : ""}
                x={x + indent}
                y={y + (places[at] ?? 0)}
                {...(language !== "zh" &&
                  at < title.length &&
                  text.length * letterWidth > room && { textLength: room, lengthAdjust: "spacingAndGlyphs" })}
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
