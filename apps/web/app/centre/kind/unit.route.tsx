import { Link, useSearchParams } from "react-router";
import { Icon } from "../../shared/icons/icon.tsx";
import { Translated } from "../../shared/language/translated.tsx";
import { useFormats, useTranslate } from "../../shared/language/use-language.ts";
import { useNames } from "../../shared/language/use-names.ts";
import { Crumbs } from "../../shared/lists/crumbs.tsx";
import { knownId } from "../../shared/lists/list-address.ts";
import { Age } from "../../shared/states/age.tsx";
import { ExceptionView } from "../../shared/states/exception-view.tsx";
import { LoadingProblem } from "../../shared/states/loading-problem.tsx";
import { PageTitle } from "../../shared/states/page-title.tsx";
import { useNow } from "../../shared/states/use-now.ts";
import { AlarmBanner } from "./alarms-here.tsx";
import { CompareLink } from "./compare-link.tsx";
import { Connection } from "./connection.tsx";
import { TraceLink } from "./trace-link.tsx";
import "./kind.css";
import "./unit.css";
import { type JudgedUnit, judgeUnit } from "@herdwise/device-kinds";
import { FirstFigures } from "./first-figures.tsx";
import { KindPage } from "./kind-page.tsx";
import { KindUnitBody } from "./kind-unit-body.tsx";
import { kindPath, useKind, useLocalText } from "./kind-view.ts";
import { kindViewAt, onOtherPath } from "./load-kind.ts";
import { Neighbours } from "./neighbours.tsx";
import { OrderLink } from "./order-link.tsx";
import { StateMark } from "./state-mark.tsx";
import { type LoadedUnit, type UnitNow, useUnit } from "./use-unit.ts";
import { modeNames } from "./words.ts";

function UnitHead({
  unit,
  judged,
  stream,
  offline,
  reload,
}: {
  unit: UnitNow;
  judged: JudgedUnit;
  stream: LoadedUnit["stream"];
  offline: boolean;
  reload: () => void;
}) {
  const t = useTranslate();
  const { number, dayTime } = useFormats();
  const { kind, UnitMeta, UnitMode } = useKind();
  const mode =
    unit.modeEndsMs === undefined ? t(modeNames[unit.mode]) : t("冲洗到 {time}", { time: dayTime(unit.modeEndsMs) });
  const reportedAtMs = judged.device.reportedAtMs;
  return (
    <div className="unit-head">
      <div>
        <div className="unit-name">
          <h1>
            <Translated text={unit.houseName} /> <Translated text={unit.name} />{" "}
            {(UnitMode === undefined || unit.deviceId === "") && <span className="tag">{mode}</span>}
          </h1>
          {UnitMode && unit.deviceId !== "" && <UnitMode unit={unit} says={mode} onDone={reload} />}
          <Neighbours unit={unit} />
        </div>
        <div className="meta">
          {offline ? (
            <>
              <StateMark state="offline" />
              {reportedAtMs !== undefined && <Age atMs={reportedAtMs} />}
            </>
          ) : (
            unit.deviceId !== "" && <Connection stream={stream} newestAtMs={reportedAtMs} />
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
          {UnitMeta && <UnitMeta unit={unit} judged={judged} />}
        </div>
      </div>
      <span className="spacer" />
      {unit.deviceId !== "" && (
        <div className="acts">
          <CompareLink deviceId={unit.deviceId} />
          <TraceLink unitId={unit.id} />
          <OrderLink deviceId={unit.deviceId} />
          <Link className="btn" to={kindPath(kind.kind, "parameters", unit.deviceId)}>
            <Icon name="sliders" small />
            {t("参数设置")}
          </Link>
        </div>
      )}
    </div>
  );
}

function UnitPage({ unit, error, reload, stream }: LoadedUnit & { unit: UnitNow }) {
  const t = useTranslate();
  const nameOf = useNames();
  const local = useLocalText();
  const view = useKind();
  const { kind } = view;
  const judged = judgeUnit(view, unit, useNow(), stream === "open");
  const offline = judged.state === "offline" || judged.state === "silent";
  const overviewPath = kindPath(kind.kind, "overview");
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
      <UnitHead unit={unit} judged={judged} stream={stream} offline={offline} reload={reload} />
      {error && <LoadingProblem error={error} onRetry={reload} what={t("单元数据")} kept />}
      <AlarmBanner unitId={unit.id} judged={judged} />
      {unit.deviceId === "" ? (
        <section className="card">
          <ExceptionView
            type="empty"
            title={view.noDevice ? t(view.noDevice.title) : t("没有设备")}
            text={
              view.noDevice
                ? t(view.noDevice.text)
                : t("这个单元还没有绑定“{kind}”的设备，所以没有实时数值。绑定后，数值会自己出现在这里。", {
                    kind: local(kind.name),
                  })
            }
          />
        </section>
      ) : (
        <div className={offline ? "unit-body gone" : judged.freshness === "stale" ? "unit-body stale" : "unit-body"}>
          {offline && (
            <div className="banner" role="status">
              <StateMark state="offline">{view.offline ? t(view.offline.title) : t("设备离线")}</StateMark>
              <span className="mut">
                {view.offline ? t(view.offline.text) : t("下面是最后一次上报的数值，画面不再变化。")}
              </span>
            </div>
          )}
          <KindUnitBody unit={unit} judged={judged} offline={offline} />
        </div>
      )}
    </>
  );
}

function UnitOfAddress() {
  const t = useTranslate();
  const { kind } = useKind();
  const [search] = useSearchParams();
  const id = knownId(search.get("id")) ?? "";
  const loaded = useUnit(kind.kind, id);
  if (loaded.unit) return <UnitPage {...loaded} unit={loaded.unit} />;
  return (
    <>
      <Crumbs />
      {(id === "" || loaded.error) && <h1 className="visually-hidden">{t("单元详情")}</h1>}
      {id === "" ? (
        <ExceptionView type="noSearchData" title={t("先选一个单元")} text={t("从总览点开一个单元，或按 Ctrl K 查找。")}>
          <Link className="btn primary" to={kindPath(kind.kind, "overview")}>
            {t("去总览")}
          </Link>
        </ExceptionView>
      ) : loaded.error ? (
        <LoadingProblem error={loaded.error} onRetry={loaded.reload} what={t("单元数据")} />
      ) : (
        <FirstFigures />
      )}
    </>
  );
}

export const handle = { waiting: <FirstFigures /> } as const;
export const clientLoader = kindViewAt;
export const shouldRevalidate = onOtherPath;

/** One unit: what the devices of a kind tell of it. */
export default function KindUnit() {
  return (
    <KindPage>
      <UnitOfAddress />
    </KindPage>
  );
}
