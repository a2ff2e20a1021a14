import { type BlockCurve, blockSeriesMax } from "@herdwise/contract/article-blocks";
import { htmlOfText } from "@herdwise/contract/html-text";
import { plainNumber } from "@herdwise/contract/plain-number";
import { trueMinus } from "../language/true-minus.ts";
import { element } from "./svg.ts";
import { marksOf } from "./value-marks.ts";

const edges = { left: 46, right: 14, top: 10, bottom: 26 };
/** Room that the name of a point takes on the axis, px of the drawing. */
const nameWidth = 84;
/** Largest number of decimals that a mark of the scale is written with. */
const mostDecimals = 3;

/** Sizes that a curve is drawn in, so that its words keep theirs on a phone. */
export const blockCurveSizes = { wide: { width: 720, height: 240 }, narrow: { width: 310, height: 220 } } as const;

const round = (place: number): number => Math.round(place * 10) / 10;

/** Points that follow each other without a gap, by their places. */
function piecesOf(values: readonly (number | undefined)[]): { at: number; value: number }[][] {
  const pieces: { at: number; value: number }[][] = [[]];
  for (const [at, value] of values.entries()) {
    if (value === undefined) pieces.push([]);
    else pieces.at(-1)?.push({ at, value });
  }
  return pieces.filter((piece) => piece.length > 0);
}

/**
 * The curves of a content block as the content of an SVG of `size`, with their scale; a gap is left open, a point alone is a dot.
 * @returns "" without a value
 */
export function blockCurve(
  { points, series }: BlockCurve,
  { width, height }: (typeof blockCurveSizes)[keyof typeof blockCurveSizes],
): string {
  const drawn = series.slice(0, blockSeriesMax);
  const all = drawn.flatMap(({ values }) => values.filter((value) => value !== undefined));
  if (all.length === 0) return "";
  const marks = marksOf(all);
  const [lowest = 0, highest = 1] = [marks[0], marks.at(-1)];
  const decimals = Math.min(mostDecimals, Math.max(...marks.map((mark) => (String(mark).split(".")[1] ?? "").length)));
  const x = (at: number): number =>
    round(edges.left + (at / Math.max(1, points.length - 1)) * (width - edges.left - edges.right));
  const y = (value: number): number =>
    round(height - edges.bottom - ((value - lowest) / (highest - lowest)) * (height - edges.top - edges.bottom));
  const every = Math.max(1, Math.ceil((points.length * nameWidth) / (width - edges.left - edges.right)));
  const named = points.flatMap((name, at) =>
    at % every === 0
      ? [
          element(
            "text",
            {
              x: x(at),
              y: height - 6,
              "text-anchor": at === 0 ? "start" : at + every >= points.length ? "end" : "middle",
            },
            htmlOfText(name) || " ",
          ),
        ]
      : [],
  );
  return [
    ...marks.flatMap((mark) => [
      element("path", { class: "grid", d: `M${edges.left},${y(mark)}H${width - edges.right}` }),
      element(
        "text",
        { x: edges.left - 8, y: y(mark) + 4, "text-anchor": "end" },
        trueMinus(plainNumber(mark, decimals)),
      ),
    ]),
    ...named,
    ...drawn.flatMap(({ values }, at) =>
      piecesOf(values).map((piece) => {
        const [first] = piece;
        return piece.length === 1 && first
          ? element("circle", { class: `dot s${at + 1}`, cx: x(first.at), cy: y(first.value), r: 3 })
          : element("path", {
              class: `line s${at + 1}`,
              d: `M${piece.map((point) => `${x(point.at)},${y(point.value)}`).join("L")}`,
            });
      }),
    ),
  ].join("");
}
