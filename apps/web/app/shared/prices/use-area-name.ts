import { macroRegions, nationCode, provinces } from "@herdwise/contract";
import { useTranslate } from "../language/use-language.ts";

/** Names of the nation, of macro-regions and of provinces. */
export function useAreaName(): (code: string) => string {
  const t = useTranslate();
  return (code) =>
    t(
      code === nationCode
        ? "全国"
        : (provinces.find((held) => held.code === code)?.name ??
            macroRegions.find(([macro]) => macro === code)?.[1] ??
            code),
    );
}
