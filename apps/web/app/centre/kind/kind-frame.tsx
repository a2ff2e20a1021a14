import type { JudgedDevice } from "@herdwise/device-kinds";
import { useNavigate } from "react-router";
import { useTranslate } from "../../shared/language/use-language.ts";
import { CommissioningHere } from "../commissioning/commissioning-here.tsx";
import { DeviceValues } from "../devices/device-values.tsx";
import { RejectedReadings } from "../devices/rejected-readings.tsx";
import { AlarmLog, MaintenanceHere, WorkOrderHere } from "./alarms-here.tsx";
import { AnalyticsCard } from "./analytics-card.tsx";
import { DeviceCommands } from "./device-commands.tsx";
import { DeviceEvents } from "./device-events.tsx";
import { DeviceFacts } from "./device-facts.tsx";
import { DeviceOwn } from "./device-own.tsx";
import { DeviceParameterTable } from "./device-parameters.tsx";
import { DeviceParts } from "./device-parts.tsx";
import { DeviceStates } from "./device-states.tsx";
import { Figures } from "./figures.tsx";
import styles from "./frame.module.css";
import { FrameTabs } from "./frame-tabs.tsx";
import { GridCard } from "./grid-card.tsx";
import { HealthList } from "./health-list.tsx";
import { KindHistory, Trend } from "./kind-history.tsx";
import { kindPath, type UnitPartProps, useKind } from "./kind-view.ts";
import type { DeviceNow } from "./use-unit.ts";

interface FrameProps {
  device: DeviceNow;
  judged: JudgedDevice;
  /** Nothing is heard of it. */
  offline: boolean;
  /** The alarms of its unit are masked. */
  masked: boolean;
  /** The unit whose page this is; absent on the page of a device. */
  ofUnit?: UnitPartProps;
}

/** What stands below the head of a unit or a device, the same thing at the same place in each kind; a kind fills slots. */
export function KindFrame({ device, judged, offline, masked, ofUnit }: FrameProps) {
  const t = useTranslate();
  const navigate = useNavigate();
  const { kind, Drawing, OwnTrend, unitParts } = useKind();
  const { deviceId } = device;
  const own = ofUnit && unitParts;
  // The drawing and its process belong to the page of the unit; that of its device tells of the device itself.
  const hasUnitPage = device.unitId !== "" && kindPath(kind.kind, "unit") !== "";
  // Where a unit has no drawing, its first grid stands there: when it was how bad.
  const gridAbove = ofUnit && !own && !Drawing ? kind.pages?.parts?.find((part) => part.type === "grid") : undefined;
  const shownAbove = own ? own.keys : (kind.pages?.figures ?? []);
  return (
    <>
      {own ? <own.Figures {...ofUnit} /> : <Figures device={device} judged={judged} />}
      {own ? (
        <own.Drawing {...ofUnit} />
      ) : Drawing && (ofUnit || !hasUnitPage) ? (
        <Drawing device={device} judged={judged} />
      ) : gridAbove ? (
        <div className={styles.grid}>
          <GridCard part={gridAbove} deviceId={deviceId} />
        </div>
      ) : (
        !ofUnit && <DeviceOwn device={device} judged={judged} />
      )}
      <FrameTabs
        parts={{
          now: () => (
            <div className={styles.now}>
              {OwnTrend ? (
                <OwnTrend deviceId={deviceId} declared={<Trend judged={judged} />} />
              ) : (
                <Trend judged={judged} />
              )}
              <DeviceParts types={["tanks"]} device={device} judged={judged} />
              <DeviceCommands
                deviceId={deviceId}
                deviceName={device.name}
                offline={!device.connected && device.status !== "online"}
              />
            </div>
          ),
          history: () => (
            <>
              {own ? <own.History {...ofUnit} /> : <KindHistory judged={judged} />}
              <DeviceParts types={["strip", "grid"]} but={gridAbove} device={device} judged={judged} />
            </>
          ),
          analysis: () => <AnalyticsCard deviceId={deviceId} />,
          parameters: () => (
            <>
              {own && <own.Settings {...ofUnit} />}
              <DeviceParameterTable deviceId={deviceId} />
            </>
          ),
          records: () => (
            <>
              <DeviceParts types={["stays", "records"]} device={device} judged={judged} />
              <div className={styles.columns}>
                <div>
                  <DeviceEvents device={device} />
                </div>
                <div>
                  <DeviceEvents device={device} maintenance />
                  <MaintenanceHere {...(ofUnit ? { unitId: ofUnit.unit.id } : { deviceId })} />
                </div>
              </div>
            </>
          ),
          alarms: () => (
            <>
              <HealthList problems={judged.problems} masked={masked} offline={offline} shownAbove={shownAbove} />
              <AlarmLog deviceId={deviceId} onOpen={({ id }) => void navigate(`/selfCenter/vet/alarm?id=${id}`)} />
            </>
          ),
          about: () => (
            <>
              <div className={styles.columns}>
                <div>
                  <DeviceFacts device={device} title={t("设备信息")} linked={ofUnit !== undefined} />
                </div>
                <div>
                  {ofUnit && <CommissioningHere unitId={ofUnit.unit.id} />}
                  <WorkOrderHere deviceId={deviceId} />
                </div>
              </div>
              <section className="card all-values" aria-labelledby="values-title">
                <header>
                  <h2 id="values-title">{t("其他数值")}</h2>
                </header>
                <DeviceStates device={device} />
                <DeviceValues kind={kind} readings={device.readings} judged={judged} shownAbove={shownAbove} />
                <RejectedReadings rejected={device.rejected} channels={kind.channels} />
              </section>
            </>
          ),
        }}
      />
    </>
  );
}
