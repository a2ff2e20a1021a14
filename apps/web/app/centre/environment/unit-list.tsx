import { Link } from "react-router";
import { Translated } from "../../shared/language/translated.tsx";
import { useFormats, useTranslate } from "../../shared/language/use-language.ts";
import { Age } from "../../shared/states/age.tsx";
import { numberIn, type PlacedUnit } from "./judge.ts";
import { StateMark } from "./state-mark.tsx";
import { unitPath, useUnitWords } from "./unit-tile.tsx";

const columns = [
  { key: "rh", name: "湿度 %", decimals: 0 },
  { key: "nh3", name: "氨气 ppm", decimals: 1 },
  { key: "co2", name: "二氧化碳 ppm", decimals: 0 },
  { key: "gear", name: "档位", decimals: 0 },
] as const;

/** The units as a list, worst first; cards on a phone. */
export function UnitList({ units }: { units: readonly PlacedUnit[] }) {
  const t = useTranslate();
  const { number } = useFormats();
  const words = useUnitWords();
  const shown = (value: number | undefined, decimals: number): string =>
    value === undefined ? "--" : number(value, decimals);
  return (
    <>
      <div className="tbl-wrap wide-only">
        <table className="tbl">
          <thead>
            <tr>
              <th scope="col">{t("单元")}</th>
              <th scope="col">{t("状态")}</th>
              <th scope="col" className="n">
                {t("温度 ℃")}
              </th>
              <th scope="col">{t("说明")}</th>
              {columns.map(({ key, name }) => (
                <th key={key} scope="col" className="n">
                  {t(name)}
                </th>
              ))}
              <th scope="col" className="n">
                {t("头数")}
              </th>
              <th scope="col" className="n">
                {t("更新")}
              </th>
            </tr>
          </thead>
          <tbody>
            {units.map((judged) => (
              <tr key={judged.unit.id} className={judged.state === "offline" ? "gone" : ""}>
                <th scope="row">
                  <Link to={unitPath(judged.unit.id)}>
                    <Translated text={judged.house.name} /> <Translated text={judged.unit.name} />
                  </Link>
                  <span className="mut">
                    <Translated text={judged.farm.name} />
                  </span>
                </th>
                <td>
                  <StateMark state={judged.state} />
                </td>
                <td className="n strong">{shown(judged.temperature, 1)}</td>
                <td className="say">{words(judged)}</td>
                {columns.map(({ key, decimals }) => (
                  <td key={key} className="n">
                    {shown(numberIn(judged.unit.readings, key), decimals)}
                  </td>
                ))}
                <td className="n">{number(judged.unit.headCount)}</td>
                <td className="n">
                  {judged.unit.reportedAtMs === undefined ? "--" : <Age atMs={judged.unit.reportedAtMs} />}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <ul className="cards narrow-only">
        {units.map((judged) => (
          <li key={judged.unit.id}>
            <Link to={unitPath(judged.unit.id)}>
              <b>
                <Translated text={judged.house.name} /> <Translated text={judged.unit.name} />
              </b>
              <StateMark state={judged.state} />
              <span className="v num">
                {shown(judged.temperature, 1)}
                <small>℃</small>
              </span>
              <span className="w">{words(judged)}</span>
              <span className="mut">
                <Translated text={judged.farm.name} />
              </span>
            </Link>
          </li>
        ))}
      </ul>
    </>
  );
}
