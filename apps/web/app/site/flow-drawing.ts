/* How a solution works, drawn as the way that something takes through five stations. Drawn by the server alone. */
import { type Attributes, element, group } from "../shared/drawings/svg.ts";

/** What stands at a station. */
export type Glyph = keyof typeof glyphs;
/** What goes from one station to the next. */
export type FlowKind = keyof typeof flows;

const flows = {
  air: { stroke: "var(--d-air)" },
  water: { stroke: "var(--d-water)" },
  feed: { stroke: "var(--d-feed)" },
  data: { stroke: "var(--d-line)", "stroke-dasharray": "2 5" },
  road: { stroke: "var(--d-line-2)" },
} as const satisfies Readonly<Record<string, Attributes>>;

const path = (d: string, more: Attributes = {}): string => element("path", { d, ...more });
const outline = {
  fill: "var(--surface)",
  stroke: "var(--d-line)",
  "stroke-width": 1.6,
  "stroke-linejoin": "round",
} as const;
const thin = { fill: "none", stroke: "var(--d-line-2)", "stroke-width": 1.2, "stroke-linecap": "round" } as const;
const water = { fill: "var(--d-water)", "fill-opacity": 0.28, stroke: "none" } as const;
const roof = {
  fill: "var(--d-roof)",
  stroke: "var(--d-line)",
  "stroke-width": 1.6,
  "stroke-linejoin": "round",
} as const;
const accent = { fill: "none", stroke: "var(--d-air)", "stroke-width": 1.8, "stroke-linecap": "round" } as const;

/** Each stands on the line y = 0, some 100 wide and 90 high, with its middle at x = 0. */
const glyphs = {
  house: () =>
    path("M-46,0V-38L0,-66L46,-38V0Z", outline) +
    path("M-52,-36L0,-68L52,-36L46,-32L0,-60L-46,-32Z", roof) +
    path("M-30,0V-22H-14V0M8,-24H32V-10H8Z", thin),
  farm: () =>
    path("M-8,0V-72Q0,-80 8,-72V0Z", outline) +
    path("M-56,0V-24L-30,-40L-4,-24V0ZM4,0V-24L30,-40L56,-24V0Z", outline) +
    path("M-60,-22L-30,-42L0,-22L-4,-18L-30,-36L-56,-18ZM0,-22L30,-42L60,-22L56,-18L30,-36L4,-18Z", roof),
  fan: () =>
    path("M-40,0V-80H40V0Z", outline) +
    element("circle", { cx: 0, cy: -42, r: 30, ...outline }) +
    [0, 72, 144, 216, 288]
      .map((turn) =>
        path("M0,-5C6,-12 14,-24 6,-28C-4,-26 -5,-14 0,-5Z", {
          fill: "var(--d-line-2)",
          transform: `translate(0,-42) rotate(${turn})`,
        }),
      )
      .join("") +
    element("circle", { cx: 0, cy: -42, r: 5, fill: "var(--d-line)" }),
  pad: () =>
    path("M-40,0V-78H40V0Z", outline) +
    [-28, -14, 0, 14, 28].map((x) => path(`M${x},-6V-72`, { ...thin, stroke: "var(--d-water)" })).join("") +
    path("M-40,-78H40", { ...accent, stroke: "var(--d-water)" }),
  panel: () =>
    path("M-34,0V-78H34V0Z", outline) +
    path("M-24,-68H24V-42H-24Z", { ...outline, fill: "var(--d-air)", "fill-opacity": 0.16 }) +
    path("M-18,-50L-8,-58L0,-52L18,-63", accent) +
    [-18, 0, 18].map((x) => element("circle", { cx: x, cy: -24, r: 5, ...outline })).join(""),
  screen: () =>
    path("M-50,-20V-80H50V-20Z", outline) +
    path("M-12,0L-8,-20H8L12,0Z", outline) +
    path("M-40,-38L-22,-52L-6,-44L12,-62L38,-56", accent) +
    path("M-40,-30H38", thin),
  server: () =>
    [-30, -56, -82].map((top) => path(`M-40,${top + 24}V${top + 2}H40V${top + 24}Z`, outline)).join("") +
    [-18, -44, -70]
      .map((y) => element("circle", { cx: -28, cy: y, r: 3.5, fill: "var(--d-air)" }) + path(`M-14,${y}H28`, thin))
      .join("") +
    path("M0,-4V0M-24,0H24", thin),
  person: () =>
    element("circle", { cx: 0, cy: -66, r: 13, ...outline }) +
    path("M-24,0V-26C-24,-42 -14,-50 0,-50C14,-50 24,-42 24,-26V0Z", outline) +
    path("M-9,-30H9V-14H-9Z", thin),
  truck: () =>
    path("M-54,-12V-62H14V-12Z", outline) +
    path("M14,-12V-44H36L52,-28V-12Z", outline) +
    path("M22,-38H34L43,-28H22Z", thin) +
    [-34, 30].map((x) => element("circle", { cx: x, cy: -10, r: 10, ...outline })).join(""),
  heater: () =>
    path("M-44,0V-70H44V0Z", outline) +
    path("M-44,-70L-30,-84H30L44,-70Z", outline) +
    [-22, 0, 22]
      .map((x) => path(`M${x},-18C${x - 9},-30 ${x + 9},-38 ${x},-52`, { ...accent, stroke: "var(--critical)" }))
      .join(""),
  gate: () =>
    path("M-46,0V-76H46V0Z", outline) +
    path("M-18,0V-56H18V0", { ...outline, fill: "var(--d-air)", "fill-opacity": 0.14 }) +
    element("circle", { cx: 11, cy: -28, r: 2.5, fill: "var(--d-line)" }) +
    path("M-34,-62H-26M26,-62H34", thin),
  tank: () =>
    path("M-32,-8V-66C-32,-74 32,-74 32,-66V-8C32,0 -32,0 -32,-8Z", outline) +
    path("M-31,-40H31V-8C31,-1 -31,-1 -31,-8Z", water) +
    path("M-32,-66C-32,-58 32,-58 32,-66", thin) +
    path("M22,-56V-12", thin),
  tower: () =>
    path("M-28,0V-78H28V0Z", outline) +
    path("M-28,-18H28V0H-28Z", water) +
    [-56, -44, -32].map((y) => path(`M-26,${y}L-13,${y + 8}L0,${y}L13,${y + 8}L26,${y}`, thin)).join("") +
    path("M-20,-68H20M-14,-66L-18,-60M0,-66V-60M14,-66L18,-60", { ...thin, stroke: "var(--d-water)" }) +
    path("M-12,-78V-90H12V-78", outline),
  pump: () =>
    element("circle", { cx: 0, cy: -34, r: 28, ...outline }) +
    path("M-14,-46L18,-34L-14,-22Z", { ...outline, fill: "var(--d-water)", "fill-opacity": 0.28 }) +
    path("M-28,0H28L20,-12M-28,0L-20,-12M0,-62V-78H30", thin),
  pond: () =>
    path("M-56,-26L-40,0H40L56,-26Z", outline) +
    path("M-50,-18H50L40,0H-40Z", water) +
    path("M-24,-14Q-18,-18 -12,-14T0,-14T12,-14T24,-14", { ...thin, stroke: "var(--d-water)" }) +
    path("M34,-56V-6M28,-56H40M30,-44H38M30,-32H38", thin),
  field: () =>
    path("M-58,0L-36,-40H36L58,0Z", outline) +
    [-36, -18, 0, 18, 36].map((x) => path(`M${x * 1.3},-3L${x * 0.8},-37`, thin)).join("") +
    [-26, 0, 26]
      .map((x) =>
        path(`M${x},-44C${x - 8},-54 ${x - 2},-62 ${x},-64C${x + 2},-62 ${x + 8},-54 ${x},-44Z`, {
          fill: "var(--d-leaf)",
          stroke: "var(--d-line)",
          "stroke-width": 1.2,
        }),
      )
      .join(""),
  silo: () =>
    path("M-26,-20V-74H26V-20L8,-4H-8Z", outline) +
    path("M-26,-74L0,-90L26,-74Z", roof) +
    path("M-26,-46H26V-20L8,-4H-8L-26,-20Z", { fill: "var(--d-pit)", "fill-opacity": 0.35 }) +
    path("M-22,0V-22M22,0V-22M-30,0H30", thin),
  sheet: () => path("M-32,0V-82H16L32,-66V0Z", outline) + path("M16,-82V-66H32M-20,-52H20M-20,-38H20M-20,-24H8", thin),
} as const satisfies Readonly<Record<string, () => string>>;

const step = 190;
const middle = 100;
const ground = 132;

/** Size of the drawing, for its viewBox. */
export const flowViewBox = `0 0 ${step * 4 + middle * 2} 190`;

/** Size of the drawing of one station. */
export const stationViewBox = "-64 -94 128 98";
/** One station by itself. */
export const stationDrawing = (glyph: Glyph): string => glyphs[glyph]();

const number = (x: number, counted: number): string =>
  element("circle", { cx: x, cy: ground + 30, r: 12, fill: "var(--accent)" }) +
  element(
    "text",
    { x, y: ground + 34.5, "text-anchor": "middle", "font-size": 13, fill: "var(--on-accent)" },
    String(counted),
  );

/** Marks a station at which something fails; the page shows it when asked. */
const failed = group(
  { class: "failed" },
  path("M44,-98L60,-70H28Z", { fill: "var(--critical)", stroke: "var(--surface)", "stroke-width": 2 }),
  path("M44,-90V-80M44,-76V-75", { stroke: "var(--surface)", "stroke-width": 2.4, "stroke-linecap": "round" }),
);

/**
 * The drawing of a solution's stations.
 * @param stations what stands where, and what leads on to the next one
 */
export function flowDrawing(
  stations: readonly { glyph: Glyph; next?: readonly [flow: FlowKind, measured: string] }[],
): string {
  const marker = (flow: FlowKind): string =>
    element(
      "marker",
      { id: `flow-${flow}`, viewBox: "0 0 8 8", refX: 7, refY: 4, markerWidth: 8, markerHeight: 8, orient: "auto" },
      path("M0,0L8,4L0,8Z", { fill: flows[flow].stroke }),
    );
  const used = [...new Set(stations.flatMap(({ next }) => (next ? [next[0]] : [])))];
  return (
    element("defs", {}, used.map(marker).join("") || " ") +
    path(`M10,${ground}H${step * 4 + middle * 2 - 10}`, {
      stroke: "var(--d-line-3)",
      "stroke-width": 1.2,
      fill: "none",
    }) +
    stations
      .map(({ glyph, next }, at) => {
        const x = middle + at * step;
        return (
          group(
            { class: `station s${at + 1}` },
            group({ transform: `translate(${x},${ground})` }, glyphs[glyph](), failed),
            number(x, at + 1),
          ) +
          (next
            ? path(`M${x + 64},${ground - 30}H${x + step - 66}`, {
                class: "flow",
                fill: "none",
                "stroke-width": 2.4,
                "stroke-linecap": "round",
                "marker-end": `url(#flow-${next[0]})`,
                ...flows[next[0]],
              })
            : "")
        );
      })
      .join("")
  );
}
