import { useMemo } from "react";
import { turningFans, useLiveFigures } from "../shared/api/live-figures.ts";
import { fanCount } from "../shared/drawings/house-places.ts";
import { Brand } from "../shared/icons/brand.tsx";
import { useFormats, useTranslate } from "../shared/language/use-language.ts";
import { HouseDrawing } from "./house-drawing.tsx";

/** The house at night: the same drawing with its colours taken over, and what the portal counts right now. */
export function BrandPanel() {
  const t = useTranslate();
  const { number } = useFormats();
  const figures = useLiveFigures(undefined);
  const fans = useMemo(() => (figures?.showcase ? turningFans(figures, fanCount) : undefined), [figures]);
  const shown = figures && [
    { name: t("在线设备"), value: figures.devicesOnline },
    { name: t("接入场区"), value: figures.farms },
    { name: t("在养"), value: figures.headCount },
  ];
  return (
    <section className="brand-panel" aria-label={t("品牌")}>
      <a className="brand" href="/index">
        <Brand latin night />
      </a>
      <h1>
        {t("夜里两点，")}
        <br />
        {t("舍里也有人看着")}
      </h1>
      <p>
        {t("温度、氨气、风机和水线，每 60 秒一报。")}
        <br />
        {t("哪一栋不对，一眼就看见。")}
      </p>
      <dl>
        {shown?.map(({ name, value }) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{number(value)}</dd>
          </div>
        ))}
      </dl>
      {/* Behind the words, and after them: a slow line brings those first. */}
      <HouseDrawing fans={fans} />
    </section>
  );
}
