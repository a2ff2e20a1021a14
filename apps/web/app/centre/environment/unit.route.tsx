import { thi, thiBand, thiBands } from "@herdwise/device-kinds";
import { Link, useSearchParams } from "react-router";
import { Icon } from "../../shared/icons/icon.tsx";
import { Translated } from "../../shared/language/translated.tsx";
import { useFormats, useTranslate } from "../../shared/language/use-language.ts";
import { useNames } from "../../shared/language/use-names.ts";
import { Crumbs } from "../../shared/lists/crumbs.tsx";
import { Age } from "../../shared/states/age.tsx";
import { ExceptionView } from "../../shared/states/exception-view.tsx";
import { LoadingProblem } from "../../shared/states/loading-problem.tsx";
import { PageTitle } from "../../shared/states/page-title.tsx";
import { Skeleton } from "../../shared/states/skeleton.tsx";
import { useNow } from "../../shared/states/use-now.ts";
import { Connection } from "./connection.tsx";
import "./environment.css";
import "./unit.css";
import { judgeUnit, numberIn } from "./judge.ts";
import { StateMark } from "./state-mark.tsx";
import { UnitHistory } from "./unit-history.tsx";
import { ControllerFacts, GearTable, HealthList } from "./unit-panels.tsx";
import { UnitSection } from "./unit-section.tsx";
import { unitPath } from "./unit-tile.tsx";
import { UnitVitals } from "./unit-vitals.tsx";
import { useHistories } from "./use-history.ts";
import { type LoadedUnit, type UnitNow, useUnit } from "./use-unit.ts";
import { modeNames, useLocalText } from "./words.ts";

const overviewPath = "/selfCenter/vet/environment/overview";
const sparkKeys = ["rh", "nh3", "co2", "vent", "dp", "water", "t_out"] as const;
const dayMs = 86_400_000;

function Neighbours({ unit }: { unit: UnitNow }) {
  const t = useTranslate();
  const sides = [
    { id: unit.previousUnitId, label: t("上一单元"), icon: "left" },
    { id: unit.nextUnitId, label: t("下一单元"), icon: "right" },
  ] as const;
  return (
    <span className="nx">
      {sides.map(({ id, label, icon }) =>
        id === "" ? (
          <span key={icon} className="none" aria-hidden="true">
            <Icon name={icon} small />
          </span>
        ) : (
          <Link key={icon} to={unitPath(id)} aria-label={label} title={label} preventScrollReset>
            <Icon name={icon} small />
          </Link>
        ),
      )}
    </span>
  );
}

function UnitHead({
  unit,
  stream,
  heat,
  offline,
}: {
  unit: UnitNow;
  stream: LoadedUnit["stream"];
  heat: number | undefined;
  offline: boolean;
}) {
  const t = useTranslate();
  const { number } = useFormats();
  const local = useLocalText();
  const gear = numberIn(unit.readings, "gear");
  const band = heat === undefined ? undefined : thiBands.find((candidate) => candidate.band === thiBand(heat));
  return (
    <div className="uh">
      <div>
        <h1>
          <Translated text={unit.houseName} /> <Translated text={unit.name} />{" "}
          <span className={unit.mode === "normal" ? "tag ok" : "tag"}>{t(modeNames[unit.mode])}</span>
        </h1>
        <div className="meta">
          {offline ? (
            <>
              <StateMark state="offline" />
              {unit.reportedAtMs !== undefined && <Age atMs={unit.reportedAtMs} />}
            </>
          ) : (
            <Connection stream={stream} newestAtMs={unit.reportedAtMs} />
          )}
          <span>
            <b className="num">{number(unit.headCount)}</b> {t("头")}
          </span>
          {unit.ageDays !== undefined && (
            <span>
              <b className="num">{unit.ageDays}</b> {t("日龄")}
            </span>
          )}
          {unit.averageWeightGrams !== undefined && (
            <span>
              {t("均重")}{" "}
              <b className="num">{number(unit.averageWeightGrams / 1000, unit.averageWeightGrams < 20_000 ? 1 : 0)}</b>{" "}
              kg
            </span>
          )}
          {gear !== undefined && <span>{t("{gear} 档", { gear: number(gear) })}</span>}
          {heat !== undefined && band && (
            <span>{t("温湿指数 {value}，{band}", { value: number(heat), band: local(band.name) })}</span>
          )}
        </div>
      </div>
      <span className="sp" />
      <Neighbours unit={unit} />
    </div>
  );
}

function Waiting() {
  const t = useTranslate();
  return (
    <div aria-busy="true">
      <span className="sr" role="status">
        {t("正在加载")}
      </span>
      <div className="uh">
        <div>
          <h1>
            <Skeleton width={10} />
          </h1>
          <div className="meta">
            <Skeleton width={24} />
          </div>
        </div>
      </div>
      <div className="card vitals wait" />
      <div className="card section-wait" />
    </div>
  );
}

function UnitPage({ unit, device, error, reload, stream }: LoadedUnit & { unit: UnitNow }) {
  const t = useTranslate();
  const nameOf = useNames();
  const { value: histories } = useHistories(unit.deviceId, sparkKeys, dayMs);
  const judged = judgeUnit(unit, useNow(), stream === "open");
  const offline = judged.state === "offline" || judged.state === "silent";
  const temperature = numberIn(unit.readings, "t_in");
  const humidity = numberIn(unit.readings, "rh");
  const heat = temperature === undefined || humidity === undefined ? undefined : thi(temperature, humidity);
  const gear = numberIn(unit.readings, "gear");
  return (
    <>
      <PageTitle title={`${nameOf(unit.houseName)} ${nameOf(unit.name)}`} />
      <Crumbs
        more={[
          { name: unit.farmName, to: `${overviewPath}?place=${unit.farmId}` },
          { name: unit.houseName, to: `${overviewPath}?place=${unit.houseId}` },
          { name: unit.name },
        ]}
      />
      <UnitHead unit={unit} stream={stream} heat={heat} offline={offline} />
      {error && <LoadingProblem error={error} onRetry={reload} what={t("单元数据")} kept />}
      {unit.deviceId === "" ? (
        <section className="card">
          <ExceptionView
            type="empty"
            title={t("没有环控器")}
            text={t("这个单元还没有绑定环控器，所以没有实时数值。绑定后，数值会自己出现在这里。")}
          />
        </section>
      ) : (
        <div className={offline ? "unit-body gone" : judged.freshness === "stale" ? "unit-body stale" : "unit-body"}>
          {offline && (
            <div className="banner" role="status">
              <StateMark state="offline">{t("控制器离线")}</StateMark>
              <span className="mut">{t("下面是最后一次上报的数值，画面不再变化。舍内控制由现场控制器继续完成。")}</span>
            </div>
          )}
          <UnitVitals unit={unit} values={judged.assessment.values} histories={histories} target={judged.target} />
          <UnitSection unit={unit} offline={offline} stale={judged.freshness === "stale"} />
          <div className="two">
            <div>
              <UnitHistory unit={unit} target={judged.target} />
              <GearTable target={judged.target} gear={gear} />
            </div>
            <div>
              <HealthList problems={judged.problems} masked={unit.mode !== "normal"} offline={offline} />
              {device && <ControllerFacts device={device} />}
            </div>
          </div>
        </div>
      )}
    </>
  );
}

/** One unit: its values, its house as a section, its day and its controller. */
export default function Unit() {
  const t = useTranslate();
  const [search] = useSearchParams();
  const id = search.get("id") ?? "";
  const loaded = useUnit(id);
  if (loaded.unit) return <UnitPage {...loaded} unit={loaded.unit} />;
  return (
    <>
      <Crumbs />
      {(id === "" || loaded.error) && <h1 className="sr">{t("单元详情")}</h1>}
      {id === "" ? (
        <ExceptionView type="noSearchData" title={t("先选一个单元")} text={t("从总览点开一个单元，或按 Ctrl K 查找。")}>
          <Link className="btn p" to={overviewPath}>
            {t("去总览")}
          </Link>
        </ExceptionView>
      ) : loaded.error ? (
        <LoadingProblem error={loaded.error} onRetry={loaded.reload} what={t("单元数据")} />
      ) : (
        <Waiting />
      )}
    </>
  );
}
