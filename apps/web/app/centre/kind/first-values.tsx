import { unitStates } from "@herdwise/contract/unit-states";
import { useTranslate } from "../../shared/language/use-language.ts";
import { firstValuesAttribute } from "./first-values-script.ts";
import { stateMarks, stateNames } from "./unit-states.ts";

/**
 * Where the document's own script puts the first values and their verdicts, before React has begun: what needs attention and a line for
 * each farm, or a board of houses. React leaves what it finds there, and the screen takes its place.
 */
export function FirstValues({ as }: { as: "farms" | "board" }) {
  const t = useTranslate();
  const looks = Object.fromEntries(unitStates.map((state) => [state, [stateMarks[state].tone, t(stateNames[state])]]));
  return (
    <div
      {...{ [firstValuesAttribute]: as }}
      className="first-values"
      data-told={t("{heard} / {all} 个单元在上报")}
      data-told-devices={t("{heard} / {all} 台设备在上报")}
      data-attention={t("需要关注")}
      data-good={t("全部单元正常，没有需要您处理的事")}
      data-well={t("有上报的 {count} 个单元都正常")}
      data-looks={JSON.stringify(looks)}
      suppressHydrationWarning
      dangerouslySetInnerHTML={{ __html: "" }}
    />
  );
}
