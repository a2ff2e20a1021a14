import { Link, useNavigate, useSearchParams } from "react-router";
import { Translated } from "../../shared/language/translated.tsx";
import { useTranslate } from "../../shared/language/use-language.ts";
import { useNames } from "../../shared/language/use-names.ts";
import { Crumbs } from "../../shared/lists/crumbs.tsx";
import { ExceptionView } from "../../shared/states/exception-view.tsx";
import { LoadingProblem } from "../../shared/states/loading-problem.tsx";
import { PageTitle } from "../../shared/states/page-title.tsx";
import { Skeleton } from "../../shared/states/skeleton.tsx";
import { useNow } from "../../shared/states/use-now.ts";
import { DeviceStatusMark } from "../devices/device-status.tsx";
import { DeviceValues } from "../devices/device-values.tsx";
import { AlarmBanner, AlarmLog, MaintenanceHere, WorkOrderHere } from "./alarms-here.tsx";
import { CompareLink } from "./compare-link.tsx";
import { Connection } from "./connection.tsx";
import "../devices/devices.css";
import "./kind.css";
import "./unit.css";
import { RejectedReadings } from "../devices/rejected-readings.tsx";
import { AnalyticsCard } from "./analytics-card.tsx";
import { DeviceCommands } from "./device-commands.tsx";
import { DeviceEvents } from "./device-events.tsx";
import { DeviceFacts } from "./device-facts.tsx";
import { DeviceParameterTable } from "./device-parameters.tsx";
import { DeviceParts } from "./device-parts.tsx";
import { DeviceStates } from "./device-states.tsx";
import { Figures } from "./figures.tsx";
import { HealthList } from "./health-list.tsx";
import { judgeDevice, ofFarm } from "./judge.ts";
import { KindHistory } from "./kind-history.tsx";
import { KindPage } from "./kind-page.tsx";
import { kindPath, useKind } from "./kind-view.ts";
import { kindViewAt, onOtherPath } from "./load-kind.ts";
import { useDevice } from "./use-device.ts";
import type { DeviceNow } from "./use-unit.ts";
import { WorstState } from "./worst-state.tsx";

type Loaded = ReturnType<typeof useDevice>;

function DevicePage({ device, unit, stream }: { device: DeviceNow } & Pick<Loaded, "unit" | "stream">) {
  const t = useTranslate();
  const nameOf = useNames();
  const navigate = useNavigate();
  const view = useKind();
  const { kind } = view;
  const judged = judgeDevice(view, unit ?? ofFarm, device, useNow(), stream === "open");
  const offline = judged.state === "offline" || judged.state === "silent";
  const overview = kindPath(kind.kind, "overview");
  return (
    <>
      <PageTitle title={nameOf(device.name)} />
      <Crumbs
        more={[
          ...(device.farmId === "" ? [] : [{ name: device.farmName, to: `${overview}?place=${device.farmId}` }]),
          ...(device.unitId === ""
            ? []
            : [
                { name: device.houseName, to: `${overview}?place=${device.houseId}` },
                { name: device.unitName, to: kindPath(kind.kind, "unit", device.unitId) || overview },
              ]),
          { name: device.name },
        ]}
      />
      <div className="unit-head">
        <div>
          <h1>
            <Translated text={device.name} />
          </h1>
          <div className="meta">
            <DeviceStatusMark status={device.status} />
            <Connection stream={stream} newestAtMs={device.reportedAtMs} />
            <span className="num">{device.serialNumber}</span>
          </div>
          <WorstState judged={judged} />
        </div>
        <span className="spacer" />
        <CompareLink deviceId={device.deviceId} />
      </div>
      <AlarmBanner deviceId={device.deviceId} />
      <div className={offline ? "unit-body gone" : judged.freshness === "stale" ? "unit-body stale" : "unit-body"}>
        <Figures device={device} judged={judged} />
        {view.Drawing && <view.Drawing device={device} judged={judged} />}
        <div className={kind.pages?.parts ? "two parted" : "two"}>
          <div>
            <DeviceParts device={device} judged={judged} wide />
            <KindHistory judged={judged} />
            <DeviceEvents device={device} />
            <AlarmLog deviceId={device.deviceId} onOpen={({ id }) => void navigate(`/selfCenter/vet/alarm?id=${id}`)} />
            <DeviceParameterTable deviceId={device.deviceId} />
          </div>
          <div>
            <DeviceParts device={device} judged={judged} />
            <DeviceCommands
              deviceId={device.deviceId}
              deviceName={device.name}
              offline={!device.connected && device.status !== "online"}
            />
            <AnalyticsCard deviceId={device.deviceId} />
            <HealthList problems={judged.problems} masked={(unit?.mode ?? "normal") !== "normal"} offline={offline} />
            <section className="card all-values" aria-labelledby="values-title">
              <header>
                <h2 id="values-title">{t("全部数值")}</h2>
              </header>
              <DeviceStates device={device} />
              <DeviceValues kind={kind} readings={device.readings} judged={judged} />
              <RejectedReadings rejected={device.rejected} channels={kind.channels} />
            </section>
            <DeviceEvents device={device} maintenance />
            <MaintenanceHere deviceId={device.deviceId} />
            <WorkOrderHere deviceId={device.deviceId} />
            <DeviceFacts device={device} title={t("设备信息")} linked={false} />
          </div>
        </div>
      </div>
    </>
  );
}

function DeviceOfAddress() {
  const t = useTranslate();
  const { kind } = useKind();
  const [search] = useSearchParams();
  const id = search.get("id") ?? "";
  const { device, unit, error, reload, stream } = useDevice(id);
  // Another kind's device has other channels, and a page of its own.
  if (device && device.kind === kind.kind) return <DevicePage device={device} unit={unit} stream={stream} />;
  return (
    <>
      <Crumbs />
      {(id === "" || error || device) && <h1 className="visually-hidden">{t("设备详情")}</h1>}
      {id === "" || device ? (
        <ExceptionView
          type="noSearchData"
          title={t("先选一台设备")}
          text={t("从总览点开一台设备，或点开一个单元再打开它的设备。")}
        >
          <Link className="btn primary" to={kindPath(kind.kind, "overview")}>
            {t("去总览")}
          </Link>
        </ExceptionView>
      ) : error ? (
        <LoadingProblem error={error} onRetry={reload} what={t("设备详情")} />
      ) : (
        <div aria-busy="true">
          <span className="visually-hidden" role="status">
            {t("正在加载")}
          </span>
          <div className="unit-head">
            <h1>
              <Skeleton width={12} />
            </h1>
          </div>
          <div className="card vitals wait" />
        </div>
      )}
    </>
  );
}

export const clientLoader = kindViewAt;
export const shouldRevalidate = onOtherPath;

/** One device: what it measures, tells, runs with, and what was done to it. */
export default function KindDevicePage() {
  return (
    <KindPage>
      <DeviceOfAddress />
    </KindPage>
  );
}
