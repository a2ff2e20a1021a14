import { figureOf, type PlacedUnit } from "@herdwise/device-kinds";
import { Link } from "react-router";
import { Translated } from "../../shared/language/translated.tsx";
import { useFormats, useTranslate } from "../../shared/language/use-language.ts";
import { Age } from "../../shared/states/age.tsx";
import { type FigureColumn, kindPath, useDeclared, useKind, useUnitWords } from "./kind-view.ts";
import { KnownHere, useWorstFirst } from "./known-places.tsx";
import { StateMark } from "./state-mark.tsx";
import { verdictAttributes } from "./verdict-mark.tsx";

/** The figures of the list: those that the kind chose, else those of its declaration. */
function useColumns(): readonly FigureColumn[] {
  const t = useTranslate();
  const { kind, columns } = useKind();
  const declared = useDeclared();
  if (columns) return columns.map((column) => ({ ...column, name: t(column.name) }));
  return (kind.pages?.figures ?? []).map((key) => {
    const { name, unit, decimals } = declared(key);
    return { key, name: `${name} ${unit}`.trim(), decimals };
  });
}

/** The units as a list, worst first; cards on a phone. */
export function UnitList({ units: given }: { units: readonly PlacedUnit[] }) {
  const units = given.toSorted(useWorstFirst(({ unit }: PlacedUnit) => unit.id));
  const t = useTranslate();
  const { number } = useFormats();
  const words = useUnitWords();
  const { kind } = useKind();
  const [first, ...columns] = useColumns();
  const declared = useDeclared();
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
              {first && (
                <th scope="col" className="numeric">
                  {first.name}
                </th>
              )}
              <th scope="col">{t("说明")}</th>
              {columns.map(({ key, name }) => (
                <th key={key} scope="col" className="numeric">
                  {name}
                </th>
              ))}
              <th scope="col" className="numeric">
                {t("头数")}
              </th>
              <th scope="col" className="numeric">
                {t("更新")}
              </th>
            </tr>
          </thead>
          <tbody>
            {units.map((judged) => (
              <tr key={judged.unit.id} className={judged.state === "offline" ? "gone" : ""}>
                <th scope="row">
                  <Link to={kindPath(kind.kind, "unit", judged.unit.id)}>
                    <Translated text={judged.house.name} /> <Translated text={judged.unit.name} />
                  </Link>
                  <span className="mut">
                    <Translated text={judged.farm.name} />
                  </span>
                </th>
                <td>
                  <StateMark state={judged.state} />
                  <KnownHere id={judged.unit.id} />
                </td>
                {first && (
                  <td className="numeric strong" {...verdictAttributes(judged.verdictOf(first.key))}>
                    {shown(figureOf(kind, judged.device.readings, first.key), first.decimals)}
                  </td>
                )}
                <td className="say">{words(judged)}</td>
                {columns.map(({ key, decimals }) => (
                  <td key={key} className="numeric" {...verdictAttributes(judged.verdictOf(key))}>
                    {shown(figureOf(kind, judged.device.readings, key), decimals)}
                  </td>
                ))}
                <td className="numeric">{number(judged.unit.headCount)}</td>
                <td className="numeric">
                  {judged.device.reportedAtMs === undefined ? "--" : <Age atMs={judged.device.reportedAtMs} />}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <ul className="cards narrow-only">
        {units.map((judged) => (
          <li key={judged.unit.id}>
            <Link to={kindPath(kind.kind, "unit", judged.unit.id)}>
              <b>
                <Translated text={judged.house.name} /> <Translated text={judged.unit.name} />
              </b>
              <StateMark state={judged.state} />
              <KnownHere id={judged.unit.id} />
              <span className="value num">
                {first && (
                  <>
                    {shown(figureOf(kind, judged.device.readings, first.key), first.decimals)}
                    <small>{declared(first.key).unit}</small>
                  </>
                )}
              </span>
              <span className="words">{words(judged)}</span>
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
