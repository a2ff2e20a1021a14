import { deathsMeasure, deathsRight } from "@herdwise/contract";
import { type Channel, type DeviceKind, localUnit } from "@herdwise/device-kinds";
import { useMemo } from "react";
import { useLanguage, useTranslate } from "../../shared/language/use-language.ts";
import { useAccess } from "../../shared/session/access-context.ts";

/** What may be compared of a kind's places. */
export interface Measure {
  key: string;
  name: string;
  /** Of its values; of a counter by the day. */
  unit: string;
  decimals: number;
  isStep: boolean;
  isCounter: boolean;
  /** Absent for what no device tells. */
  channel?: Channel;
}

/** The measures of a kind: its channels, and what the book of heads knows to who may read it. */
export function useMeasures({ channels }: DeviceKind): readonly Measure[] {
  const t = useTranslate();
  const language = useLanguage();
  const mayDeaths = useAccess().permissions.has(deathsRight);
  return useMemo(() => {
    const told = channels
      .filter(({ type }) => type !== "text")
      .map((channel): Measure => {
        const isCounter = channel.cumulative === true;
        const unit = localUnit(channel.unit)[language];
        return {
          key: channel.key,
          name: channel.name[language],
          unit: isCounter ? t("{unit}/天", { unit }) : unit,
          decimals: Math.max(channel.decimals, isCounter ? 1 : 0),
          isStep: channel.type === "boolean" || channel.step === true,
          isCounter,
          channel,
        };
      });
    const deaths = {
      key: deathsMeasure,
      name: t("死亡"),
      unit: t("头/千头·天"),
      decimals: 2,
      isStep: false,
      isCounter: false,
    };
    return mayDeaths ? [...told, deaths] : told;
  }, [channels, language, t, mayDeaths]);
}
