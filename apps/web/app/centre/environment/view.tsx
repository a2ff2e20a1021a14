import type { JudgedUnit } from "@herdwise/device-kinds";
import { climateOf } from "@herdwise/device-kinds";
import { useFormats, useTranslate } from "../../shared/language/use-language.ts";
import type { KindView } from "../kind/kind-view.ts";
import { isSilent } from "../kind/unit-tile.tsx";
import { verdictAttributes } from "../kind/verdict-mark.tsx";
import { climateFacts, deviationTint } from "./climate.ts";
import { ClimateSummary } from "./climate-summary.tsx";

/** Share of the scale bar for a deviation: the middle is the target, the ends are 5 °C off. */
const scaleShare = (deviation: number): number => Math.min(98, Math.max(2, 50 + deviation * 10));

function TileBody({ judged }: { judged: JudgedUnit }) {
  const { number } = useFormats();
  const { temperature, deviation } = climateOf(judged.unit, judged);
  const silent = isSilent(judged);
  return (
    <>
      <span className="value" {...verdictAttributes(judged.verdictOf("t_in"))}>
        {silent || temperature === undefined ? (
          "—"
        ) : (
          <>
            {number(temperature, 1)}
            <small>℃</small>
          </>
        )}
      </span>
      {!silent && deviation !== undefined && (
        <svg className="deviation" viewBox="0 0 100 9" preserveAspectRatio="none" aria-hidden="true">
          <path d="M0,4.5H100" />
          <path className="comfort" d="M40,4.5H60" />
          <path className="marker" d={`M${scaleShare(deviation)},0V9`} />
        </svg>
      )}
    </>
  );
}

function Scale() {
  const t = useTranslate();
  return (
    <span className="scale">
      {t("低 4 ℃")}
      <i aria-hidden="true" />
      {t("高 4 ℃，与目标之差")}
    </span>
  );
}

/** Environment control: the climate of units against their targets. What pages of one unit show beside it is in unit-parts.tsx. */
export const environmentView: KindView = {
  ...climateFacts,
  TileBody,
  tileAttributes(judged): Record<string, string> {
    const tint =
      isSilent(judged) || judged.state === "offline" ? "" : deviationTint(climateOf(judged.unit, judged).deviation);
    return tint ? { "data-h": tint } : {};
  },
  Summary: ClimateSummary,
  Scale,
  houseNote(first, t, { number }) {
    const { target } = climateOf(first.unit, first);
    return target === undefined ? undefined : t("目标 {target} ℃", { target: number(target, 1) });
  },
  columns: [
    { key: "t_in", name: "温度 ℃", decimals: 1 },
    { key: "rh", name: "湿度 %", decimals: 0 },
    { key: "nh3", name: "氨气 ppm", decimals: 1 },
    { key: "co2", name: "二氧化碳 ppm", decimals: 0 },
    { key: "gear", name: "档位", decimals: 0 },
  ],
  noDevice: {
    title: "没有环控器",
    text: "这个单元还没有绑定环控器，所以没有实时数值。绑定后，数值会自己出现在这里。",
  },
  offline: {
    title: "控制器离线",
    text: "下面是最后一次上报的数值，画面不再变化。舍内控制由现场控制器继续完成。",
  },
};
