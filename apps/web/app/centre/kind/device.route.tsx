import { Link, useSearchParams } from "react-router";
import { Translated } from "../../shared/language/translated.tsx";
import { useTranslate } from "../../shared/language/use-language.ts";
import { useNames } from "../../shared/language/use-names.ts";
import { Crumbs } from "../../shared/lists/crumbs.tsx";
import { knownId } from "../../shared/lists/list-address.ts";
import { ExceptionView } from "../../shared/states/exception-view.tsx";
import { LoadingProblem } from "../../shared/states/loading-problem.tsx";
import { PageTitle } from "../../shared/states/page-title.tsx";
import { useNow } from "../../shared/states/use-now.ts";
import { DeviceStatusMark } from "../devices/device-status.tsx";
import { shortName } from "../farms/short-name.ts";
import { AlarmBanner } from "./alarms-here.tsx";
import { CompareLink } from "./compare-link.tsx";
import { Connection } from "./connection.tsx";
import "../devices/devices.css";
import "./kind.css";
import "./unit.css";
import { judgeDevice, ofFarm } from "@herdwise/device-kinds";
import { FirstFigures } from "./first-figures.tsx";
import { KindFrame } from "./kind-frame.tsx";
import { KindPage } from "./kind-page.tsx";
import { kindPath, useKind } from "./kind-view.ts";
import { kindViewAt, onOtherPath } from "./load-kind.ts";
import { OrderLink } from "./order-link.tsx";
import { useDevice } from "./use-device.ts";
import type { DeviceNow } from "./use-unit.ts";

type Loaded = ReturnType<typeof useDevice>;

function DevicePage({ device, unit, stream }: { device: DeviceNow } & Pick<Loaded, "unit" | "stream">) {
  const nameOf = useNames();
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
          // Without the places that stand before it.
          { name: shortName(nameOf(device.name), [device.farmName, device.houseName, device.unitName].map(nameOf)) },
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
        </div>
        <span className="spacer" />
        <div className="acts">
          <CompareLink deviceId={device.deviceId} />
          <OrderLink deviceId={device.deviceId} />
        </div>
      </div>
      <AlarmBanner deviceId={device.deviceId} judged={judged} />
      <div className={offline ? "unit-body gone" : judged.freshness === "stale" ? "unit-body stale" : "unit-body"}>
        <KindFrame device={device} judged={judged} offline={offline} masked={(unit?.mode ?? "normal") !== "normal"} />
      </div>
    </>
  );
}

function DeviceOfAddress() {
  const t = useTranslate();
  const { kind } = useKind();
  const [search] = useSearchParams();
  const id = knownId(search.get("id")) ?? "";
  const { device, unit, error, reload, stream } = useDevice(id);
  // Another kind's device has other channels, and a page of its own.
  if (device && device.kind === kind.kind) return <DevicePage device={device} unit={unit} stream={stream} />;
  return (
    <>
      <Crumbs />
      {(id === "" || error || device) && <h1 className="visually-hidden">{t("设备详情")}</h1>}
      {id === "" || device || error?.code === 404 ? (
        <ExceptionView
          type={error ? "404" : "noSearchData"}
          title={error ? t("没有这台设备") : t("先选一台设备")}
          text={
            error
              ? t("它可能已经删除，或属于另一个组织。总览里有您的全部设备。")
              : kind.pages?.ofFarm
                ? t("从总览点开一台设备。")
                : t("从总览点开一台设备，或点开一个单元再打开它的设备。")
          }
        >
          <Link className="btn primary" to={kindPath(kind.kind, "overview")}>
            {t("去总览")}
          </Link>
        </ExceptionView>
      ) : error ? (
        <LoadingProblem error={error} onRetry={reload} what={t("设备详情")} />
      ) : (
        <FirstFigures />
      )}
    </>
  );
}

export const handle = { waiting: <FirstFigures /> } as const;
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
