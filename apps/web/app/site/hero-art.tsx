import type { LiveFigures } from "@herdwise/contract";
import { readingNumber, turningFans } from "../shared/api/live-figures.ts";
import { fanCount, probes } from "../shared/drawings/house-places.ts";
import { houseScene } from "../shared/drawings/house-scene.ts";
import { houseAxes, type Place, projection } from "../shared/drawings/projection.ts";
import { trueMinus } from "../shared/language/true-minus.ts";
import { useFormats, useTranslate } from "../shared/language/use-language.ts";

interface Chip {
  /** The figure as the site's script names it. */
  live: string;
  /** Text with a place for a figure of its own. */
  label?: { live: string; words: string };
  name: string;
  value: number | undefined;
  decimals: number;
  unit: string;
  place: Place;
  /** Left upper corner and width of the chip on the picture, px. */
  box: readonly [x: number, y: number, width: number];
}

const at = projection(houseAxes);

/** What the showcase unit tells right now, at the place where it is measured. */
function useChips(figures: LiveFigures | undefined): readonly Chip[] {
  const t = useTranslate();
  const gear = readingNumber(figures, "gear");
  const value = (key: string): number | undefined => readingNumber(figures, key);
  const chips: readonly Chip[] = [
    {
      live: "t_in",
      name: t("舍内温度"),
      value: value("t_in"),
      decimals: 1,
      unit: "℃",
      place: probes.temperature,
      box: [566, 352, 134],
    },
    {
      live: "nh3",
      name: t("氨气"),
      value: value("nh3"),
      decimals: 1,
      unit: "ppm",
      place: probes.gas,
      box: [742, 262, 112],
    },
    {
      live: "rh",
      name: t("相对湿度"),
      value: value("rh"),
      decimals: 0,
      unit: "%",
      place: probes.humidity,
      box: [1010, 688, 116],
    },
    {
      live: "vent",
      ...(gear === undefined ? {} : { label: { live: "gear", words: t("风机 {gear} 档") } }),
      name: gear === undefined ? t("通风量") : t("风机 {gear} 档", { gear }),
      value: value("vent"),
      decimals: 0,
      unit: "m³/h",
      place: probes.fans,
      box: [316, 716, 156],
    },
    {
      live: "showcaseHeads",
      name: t("在养"),
      value: figures?.showcase?.headCount,
      decimals: 0,
      unit: t("头"),
      place: probes.pen,
      box: [500, 728, 108],
    },
    {
      live: "t_out",
      name: t("舍外"),
      value: value("t_out"),
      decimals: 1,
      unit: "℃",
      place: probes.weather,
      box: [1296, 366, 112],
    },
    {
      live: "dp",
      name: t("静压"),
      value: value("dp"),
      decimals: 0,
      unit: "Pa",
      place: probes.filter,
      box: [1190, 640, 116],
    },
  ];
  return chips.filter((chip) => chip.value !== undefined);
}

/** The house, drawn on the server, with the showcase unit's live values on top of it. */
export function HeroArt({ figures }: { figures: LiveFigures | undefined }) {
  const t = useTranslate();
  const formats = useFormats();
  const chips = useChips(figures);
  const fans = turningFans(figures, fanCount);
  // Without a showcase the picture tells how a house works, so its air moves; with one, motion is true. A fan that works
  // by turns may rest just now while the unit is ventilated all the same.
  const still = figures?.showcase !== undefined && !fans.some(Boolean) && !readingNumber(figures, "vent");
  const shown = figures?.showcase ? fans : [true, true, false, false, false, false, false];

  return (
    <>
      <div className="hero-art" data-house="" data-still={still ? "" : undefined}>
        <svg
          className="drawing hero-svg"
          viewBox="0 0 1440 800"
          role="img"
          aria-label={t("智慧猪舍剖视图：空气经过滤进入猪舍，穿过两排栏位，由山墙风机排出，再经除臭塔洗涤")}
          // The browser's build of this file draws nothing: only the server renders the site.
          // Its group is drawn again further down the page.
          dangerouslySetInnerHTML={{
            __html: import.meta.env.SSR
              ? `<g id="house-drawing" class="drawing">${houseScene({ fans: shown })}</g>`
              : "",
          }}
        />
        <svg className="drawing hero-svg hero-chips" viewBox="0 0 1440 800" aria-hidden="true">
          {chips.map(({ live, label, name, value = 0, decimals, unit, place, box: [x, y, width] }) => {
            const [px, py] = at(place);
            return (
              <g key={live} className="callout">
                <path className="callout-line" d={`M${px},${py}L${x + 14},${py > y + 26 ? y + 52 : y}`} />
                <circle cx={px} cy={py} r="3.5" className="callout-dot" />
                <rect x={x} y={y} width={width} height="52" rx="8" className="callout-card" />
                <text x={x + 14} y={y + 20} className="callout-name" data-live={label?.live} data-words={label?.words}>
                  {name}
                </text>
                <text x={x + 14} y={y + 41} className="callout-value">
                  <tspan data-live={live} data-decimals={decimals}>
                    {trueMinus(formats.number(value, decimals))}
                  </tspan>
                  <tspan className="callout-unit" dx="4">
                    {unit}
                  </tspan>
                </text>
              </g>
            );
          })}
        </svg>
      </div>
      {chips.length > 0 && (
        <dl className="m-lb">
          {chips.slice(0, 6).map(({ live, label, name, value = 0, decimals, unit }) => (
            <div key={live}>
              <dt data-live={label?.live} data-words={label?.words}>
                {name}
              </dt>
              <dd>
                <span data-live={live} data-decimals={decimals}>
                  {trueMinus(formats.number(value, decimals))}
                </span>
                <small>{unit}</small>
              </dd>
            </div>
          ))}
        </dl>
      )}
    </>
  );
}
