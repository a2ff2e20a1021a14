import { useTranslate } from "../../shared/language/use-language.ts";
import { firstValuesAttribute } from "./first-values-script.ts";

/**
 * Where the document's own script puts the first values, before React has begun: a line for each farm, or a board of houses. React
 * leaves what it finds there, and the screen takes its place.
 */
export function FirstValues({ as }: { as: "farms" | "board" }) {
  const t = useTranslate();
  return (
    <div
      {...{ [firstValuesAttribute]: as }}
      className="first-values"
      data-told={t("{heard} / {all} 个单元在上报")}
      data-told-devices={t("{heard} / {all} 台设备在上报")}
      suppressHydrationWarning
      dangerouslySetInnerHTML={{ __html: "" }}
    />
  );
}
