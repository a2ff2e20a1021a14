import type { ReactNode } from "react";
import { useFormats, useTranslate } from "../../shared/language/use-language.ts";
import { useNames } from "../../shared/language/use-names.ts";
import { Skeleton } from "../../shared/states/skeleton.tsx";
import { attentionStates, numberIn, type PlacedUnit } from "./judge.ts";

/** Ammonia above which the kind's rules speak, ppm; named so that the cell's title and its count agree. */
const ammoniaLimitPpm = 20;

function Cell({ name, value, unit, note }: { name: string; value: ReactNode; unit: string; note: string }) {
  return (
    <dl>
      <dt>{name}</dt>
      <dd>
        {value}
        <small>{unit}</small>
      </dd>
      <dd className="nt">{note || "　"}</dd>
    </dl>
  );
}

/** What can be told of the chosen units right now; nothing here is a guess over time. */
export function Summary({ units }: { units: readonly PlacedUnit[] }) {
  const t = useTranslate();
  const nameOf = useNames();
  const { number } = useFormats();
  const equipped = units.filter(({ state }) => state !== "bare");
  const online = equipped.filter(({ state }) => state !== "offline" && state !== "silent");
  const count = (state: PlacedUnit["state"]): number => units.filter((judged) => judged.state === state).length;
  const said = (parts: readonly (readonly [count: number, text: string])[]): string =>
    parts
      .filter(([many]) => many > 0)
      .map(([, text]) => text)
      .join("　");
  const attention = units.filter(({ state }) => attentionStates.some((candidate) => candidate === state)).length;
  const judged = units.filter(({ comfortable }) => comfortable !== undefined);
  const comfortable = judged.filter((unit) => unit.comfortable).length;
  const deviations = judged.flatMap(({ deviation }) => (deviation === undefined ? [] : [Math.abs(deviation)]));
  const meanDeviation = deviations.reduce((sum, value) => sum + value, 0) / deviations.length;
  const ammonia = online.filter(({ unit }) => (numberIn(unit.readings, "nh3") ?? 0) > ammoniaLimitPpm);
  const [worstAmmonia] = ammonia.toSorted(
    (a, b) => (numberIn(b.unit.readings, "nh3") ?? 0) - (numberIn(a.unit.readings, "nh3") ?? 0),
  );
  return (
    <section className="card sum" aria-label={t("汇总")}>
      <Cell
        name={t("在线单元")}
        value={number(online.length)}
        unit={`/ ${number(equipped.length)}`}
        note={said([
          [count("offline"), t("{count} 离线", { count: count("offline") })],
          [count("empty"), t("{count} 空栏", { count: count("empty") })],
          [count("washing"), t("{count} 冲洗", { count: count("washing") })],
          [count("bare"), t("{count} 未绑定", { count: count("bare") })],
        ])}
      />
      <Cell
        name={t("需要关注")}
        value={number(attention)}
        unit={t("个单元")}
        note={
          said([
            [count("critical"), t("{count} 紧急", { count: count("critical") })],
            [count("major"), t("{count} 严重", { count: count("major") })],
            [count("minor"), t("{count} 一般", { count: count("minor") })],
            [count("offline"), t("{count} 离线", { count: count("offline") })],
          ]) || t("全部正常")
        }
      />
      <Cell
        name={t("此刻舒适")}
        value={judged.length === 0 ? "--" : number((comfortable / judged.length) * 100, 1)}
        unit="%"
        note={t("{count} / {all} 个有猪单元在舒适带内", { count: comfortable, all: judged.length })}
      />
      <Cell
        name={t("在养")}
        value={number(units.reduce((sum, { unit }) => sum + unit.headCount, 0))}
        unit={t("头")}
        note={t("{count} 个单元", { count: units.length })}
      />
      <Cell
        name={t("与目标平均相差")}
        value={deviations.length === 0 ? "--" : number(meanDeviation, 1)}
        unit="℃"
        note={deviations.length === 0 ? "" : t("最大 {value} ℃", { value: number(Math.max(...deviations), 1) })}
      />
      <Cell
        name={t("氨气 > 20 ppm")}
        value={number(ammonia.length)}
        unit={t("个单元")}
        note={
          worstAmmonia
            ? `${nameOf(worstAmmonia.house.name)} ${nameOf(worstAmmonia.unit.name)}，${number(numberIn(worstAmmonia.unit.readings, "nh3") ?? 0, 1)} ppm`
            : t("没有")
        }
      />
    </section>
  );
}

const sixCells = [0, 1, 2, 3, 4, 5];

/** The overview at its final size, before its first values. */
export function BoardSkeleton() {
  const t = useTranslate();
  return (
    <div aria-busy="true">
      <span className="sr" role="status">
        {t("正在加载")}
      </span>
      <section className="card sum" aria-hidden="true">
        {sixCells.map((cell) => (
          <Cell key={cell} name="　" value={<Skeleton width={3} />} unit="" note="" />
        ))}
      </section>
      <div className="lay" aria-hidden="true">
        <div className="card left wait" />
        <section className="card units-board">
          <div className="fl">
            <Skeleton width={30} />
          </div>
          {[0, 1, 2].map((row) => (
            <div key={row} className="fm">
              <div className="hs">
                <div className="hl">
                  <Skeleton width={6} />
                </div>
                <div className="tls">
                  {[...sixCells, 6, 7].map((tile) => (
                    <div key={tile} className="tl wait">
                      <Skeleton width={3} />
                    </div>
                  ))}
                </div>
              </div>
            </div>
          ))}
        </section>
      </div>
    </div>
  );
}
