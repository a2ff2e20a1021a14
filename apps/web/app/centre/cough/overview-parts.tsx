import type { DeviceAnalytics } from "@herdwise/contract";
import { figureOf, type JudgedUnit, type PlacedUnit } from "@herdwise/device-kinds";
import { Link } from "react-router";
import { useFormats, useTranslate } from "../../shared/language/use-language.ts";
import { useNames } from "../../shared/language/use-names.ts";
import { useDeclared, useKind } from "../kind/kind-view.ts";
import { Cell, Heads, UnitCounts } from "../kind/overview-summary.tsx";
import { StateMark } from "../kind/state-mark.tsx";
import { isSilent } from "../kind/unit-tile.tsx";
import { useAnalytics } from "../kind/use-analytics.ts";
import { adviceStates } from "./advice-states.ts";
import { advisedOf, isOpen } from "./butler-order.ts";
import styles from "./overview-parts.module.css";

const noDevices: readonly DeviceAnalytics[] = [];
const butlerPath = "/selfCenter/vet/cough/butler";

/** What the butler says of each unit, by its id: its figure and its verdict are those of both screens. */
function useAdvised() {
  const { value } = useAnalytics();
  return advisedOf(value?.devices ?? noDevices);
}

/** Coughs of the last 24 hours per pig, and what the butler says of them. */
export function CoughTile({ judged }: { judged: JudgedUnit }) {
  const t = useTranslate();
  const { number } = useFormats();
  const { kind } = useKind();
  const declared = useDeclared();
  const advised = useAdvised().find(({ advice }) => advice.unitId === judged.unit.id);
  const value = advised?.advice.index ?? figureOf(kind, judged.device.readings, "rdi");
  if (isSilent(judged) || value === undefined) return <span className="value">—</span>;
  const { state, name } = adviceStates[advised?.advice.state ?? "calm"];
  const score = figureOf(kind, judged.device.readings, "rehs");
  return (
    <>
      <span className="value">{number(value, 2)}</span>
      {score !== undefined && (
        <span className="words">
          {declared("rehs").name} {number(score, 0)}
        </span>
      )}
      {state !== "ok" && (
        <span className={`words ${styles.advised}`}>
          <StateMark state={state}>{t(name)}</StateMark>
        </span>
      )}
    </>
  );
}

/** What the figure of a tile is. */
export function CoughScale() {
  const t = useTranslate();
  return <span className="scale">{t("近 24 小时每头咳几次，和咳嗽管家同一个数")}</span>;
}

/** Units that need somebody, those that the butler wants watched, and where they cough most. */
export function CoughSummary({ units }: { units: readonly PlacedUnit[] }) {
  const t = useTranslate();
  const nameOf = useNames();
  const { number } = useFormats();
  const { kind } = useKind();
  const advised = useAdvised().filter(({ advice }) => units.some(({ unit }) => unit.id === advice.unitId));
  const open = advised.filter(isOpen);
  const [most] = advised.toSorted((a, b) => (b.advice.index ?? 0) - (a.advice.index ?? 0));
  const heard = units.flatMap(({ device, state }) =>
    state === "offline" || state === "silent" ? [] : (figureOf(kind, device.readings, "rehs") ?? []),
  );
  return (
    <section className="card sum" aria-label={t("汇总")}>
      <UnitCounts units={units} />
      <Cell
        name={t("咳嗽要盯着")}
        value={
          advised.length === 0 ? (
            "--"
          ) : (
            <Link className="link" to={butlerPath}>
              {number(open.length)}
            </Link>
          )
        }
        unit={t("{count||}个单元", { count: open.length })}
        note={
          open[0]
            ? open[0].advice.place.split(" · ").map(nameOf).join(" ")
            : t(advised.length === 0 ? "没有数据" : "没有")
        }
      />
      <Cell
        name={t("24 小时咳嗽，最高")}
        value={most?.advice.index === undefined ? "--" : number(most.advice.index, 2)}
        unit={t("次/头")}
        note={most ? most.advice.place.split(" · ").map(nameOf).join(" ") : ""}
      />
      <Cell
        name={t("呼吸健康评分，最低")}
        value={heard.length === 0 ? "--" : number(Math.min(...heard), 0)}
        unit={t("满分 100")}
        note=""
      />
      <Heads units={units} />
    </section>
  );
}
