import {
  type Device,
  type DeviceDetail,
  deviceBlock,
  deviceInspect,
  deviceLatest,
  devicePlace,
  deviceUnbind,
  deviceUnbindEffects,
  dropReasonNames,
} from "@herdwise/contract";
import { loadKind } from "@herdwise/device-kinds/kind-loader";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { Link } from "react-router";
import { asApiError } from "../../shared/api/api-error.ts";
import { call } from "../../shared/api/call.ts";
import { FormDialog } from "../../shared/forms/form-dialog.tsx";
import { useSubmission } from "../../shared/forms/use-submission.ts";
import { Icon } from "../../shared/icons/icon.tsx";
import { Mark } from "../../shared/icons/mark.tsx";
import { Button } from "../../shared/kit/button.tsx";
import { ConfirmDialog } from "../../shared/kit/dialog.tsx";
import { TableSkeleton } from "../../shared/kit/table-skeleton.tsx";
import { parseWireDateTime } from "../../shared/language/format.ts";
import { TranslatedPlace } from "../../shared/language/translated.tsx";
import { useFormats, useTranslate } from "../../shared/language/use-language.ts";
import { useNames } from "../../shared/language/use-names.ts";
import type { Row } from "../../shared/resource/form-values.ts";
import { keysOf } from "../../shared/resource/resource-api.ts";
import { useAccess } from "../../shared/session/access-context.ts";
import { LoadingProblem } from "../../shared/states/loading-problem.tsx";
import { showToast } from "../../shared/states/toast-store.ts";
import { kindPath } from "../kind/kind-view.ts";
import { Credentials } from "./credentials.tsx";
import styles from "./device-panel.module.css";
import { DeviceReport } from "./device-status.tsx";
import { DeviceValues } from "./device-values.tsx";
import { isHeight, PlaceFields, placeBody } from "./place-fields.tsx";
import { RejectedReadings } from "./rejected-readings.tsx";
import { UnitPlan } from "./unit-plan.tsx";
import "./devices.css";

/** What the list's own answers are kept under. */
const registry = { name: "device" };
const renewMs = 30_000;
const asText = (value: unknown): string => (typeof value === "string" ? value : JSON.stringify(value));

/** Another farm, house or unit, and where in it the device hangs. */
function Move({ device, onDone, onClose }: { device: DeviceDetail; onDone: () => void; onClose: () => void }) {
  const t = useTranslate();
  const [place, setPlace] = useState({
    farmId: device.farmId,
    houseId: device.houseId,
    unitId: device.unitId,
    x: device.positionX,
    y: device.positionY,
    height: device.heightCm === undefined ? "" : String(device.heightCm / 100),
  });
  const submission = useSubmission();
  return (
    <FormDialog
      title={t("设备位置")}
      action={t("保存")}
      ready={place.farmId !== "" && isHeight(place.height)}
      of={submission}
      send={() => call(devicePlace, { body: { id: device.id, ...placeBody(place) }, quiet: true })}
      onDone={() => {
        showToast({ kind: "ok", text: "已保存" });
        onDone();
      }}
      onClose={onClose}
    >
      <PlaceFields value={place} onChange={(next) => setPlace({ ...next, x: next.x, y: next.y })} />
    </FormDialog>
  );
}

/** Asks before a device is given back, and says what goes with it. */
function Unbind({ device, onDone, onClose }: { device: DeviceDetail; onDone: () => void; onClose: () => void }) {
  const t = useTranslate();
  const nameOf = useNames();
  const effects = useQuery({
    queryKey: ["unbind", device.id],
    queryFn: ({ signal }) => call(deviceUnbindEffects, { query: { id: device.id }, signal, quiet: true }),
    staleTime: 0,
  });
  const { openAlarms = 0, openCommands = 0, behind = 0 } = effects.data ?? {};
  return (
    <ConfirmDialog
      title={t("解绑“{name}”？", { name: nameOf(device.name) })}
      action={t("解绑")}
      ready={effects.data !== undefined}
      onConfirm={async () => {
        await call(deviceUnbind, { body: { id: device.id } });
        showToast({ kind: "ok", text: "已解绑" });
        onDone();
      }}
      onClose={onClose}
    >
      <ul className={styles.effects}>
        {openAlarms > 0 && <li>{t("结束 {count} 条未恢复的告警", { count: openAlarms })}</li>}
        {openCommands > 0 && <li>{t("取消 {count} 条未完成的指令", { count: openCommands })}</li>}
        {behind > 0 && <li>{t("它后面的 {count} 台设备一起解绑", { count: behind })}</li>}
        <li>{t("设备的参数和名称会清除，之后不再向本单位上报")}</li>
        <li>{t("告警和指令的记录留在本单位；下一家绑定的人看不到您的数据")}</li>
      </ul>
    </ConfirmDialog>
  );
}

/** What the registry knows of a device beside its row: states, place, newest values, what was dropped, and what can be done. */
export function DevicePanel({ row }: { row: Row }) {
  const t = useTranslate();
  const { number, dayTime } = useFormats();
  const { user, permissions } = useAccess();
  const client = useQueryClient();
  const ofGroup = user.tenant_type === "group";
  const [open, setOpen] = useState<"move" | "unbind" | "credentials">();
  const own = !ofGroup || row.tenantId === user.tenant_id;
  const loaded = useQuery({
    queryKey: [...keysOf(registry), "panel", row.id],
    queryFn: async ({ signal }) => {
      const device = await call(deviceInspect, { query: { id: row.id }, signal, quiet: true });
      // Newest values are the customer's own.
      const readings = own ? await call(deviceLatest, { query: { id: row.id }, signal, quiet: true }) : undefined;
      return { device, readings, kind: readings && (await loadKind[device.kind]()) };
    },
    refetchInterval: renewMs,
    staleTime: 0,
  });
  const reload = (): void => void client.invalidateQueries({ queryKey: keysOf(registry) });
  if (!loaded.data)
    return loaded.error ? (
      <LoadingProblem
        error={asApiError(loaded.error)}
        onRetry={() => void loaded.refetch()}
        what={t("设备详情")}
        kept={false}
      />
    ) : (
      <TableSkeleton rows={4} />
    );
  const { device, readings, kind } = loaded.data;
  const status = device.status as Device["status"];
  const mayPlace = !ofGroup && device.bound && permissions.has("device_claim");
  const mayEquip = ofGroup && permissions.has("device_credentials");
  const pages = own && device.bound && kindPath(device.kind, "overview") !== "";
  const setBlocked = async (blocked: boolean): Promise<void> => {
    await call(deviceBlock, { body: { id: device.id, blocked } });
    showToast({ kind: "ok", text: blocked ? "已停用" : "已启用" });
    reload();
  };
  return (
    <div className={styles.panel}>
      <dl className={styles.states}>
        <div>
          <dt>{t("连接")}</dt>
          <dd>
            <span className={`state ${device.connected ? "ok" : "off"}`}>
              <Mark name={device.connected ? "ok" : "off"} />
              {t(device.connected ? "已连接" : "断开")}
            </span>
          </dd>
        </div>
        <div>
          <dt>{t("数据")}</dt>
          <dd>
            <DeviceReport status={status} connected={device.connected} />
            <small className="mut num">{dayTime(parseWireDateTime(device.reportAt))}</small>
          </dd>
        </div>
      </dl>
      <p className={styles.actions}>
        {pages && device.unitId !== "" && kindPath(device.kind, "unit") !== "" && (
          <Link className="btn" to={kindPath(device.kind, "unit", device.unitId)}>
            <Icon name="unit" small />
            {t("打开单元")}
          </Link>
        )}
        {pages && (
          <Link className="btn" to={kindPath(device.kind, "device", device.id)}>
            <Icon name="devices" small />
            {t("打开设备")}
          </Link>
        )}
        {mayPlace && (
          <Button icon="pin" onPress={() => setOpen("move")}>
            {t("位置")}
          </Button>
        )}
        {mayEquip && (
          <Button icon="key" onPress={() => setOpen("credentials")}>
            {t("标签与令牌")}
          </Button>
        )}
        {mayEquip && (
          <Button
            icon={status === "blocked" ? "unlock" : "lock"}
            kind={status === "blocked" ? "plain" : "danger"}
            onPress={() => void setBlocked(status !== "blocked")}
          >
            {t(status === "blocked" ? "启用" : "停用")}
          </Button>
        )}
        {mayPlace && (
          <Button kind="danger" onPress={() => setOpen("unbind")}>
            {t("解绑")}
          </Button>
        )}
      </p>
      {device.unitId !== "" && device.positionX !== undefined && device.positionY !== undefined && (
        <section className={styles.part} aria-label={t("装在哪里")}>
          <h3>{t("装在哪里")}</h3>
          <UnitPlan
            label={t("{unit}的平面图", { unit: device.unitName })}
            point={{ x: device.positionX, y: device.positionY }}
          />
          <p className="mut">
            <TranslatedPlace names={[device.farmName, device.houseName, device.unitName]} />
            {device.heightCm !== undefined &&
              ` · ${t("离地 {height} m", { height: number(device.heightCm / 100, 1) })}`}
          </p>
        </section>
      )}
      {readings && kind && Object.keys(readings).length > 0 && <DeviceValues kind={kind} readings={readings} />}
      {kind && <RejectedReadings rejected={device.rejected} channels={kind.channels} />}
      {device.dropped.length > 0 && (
        <section className="vals-group" aria-label={t("未保存的消息")}>
          <h3>{t("未保存的消息")}</h3>
          <dl>
            {device.dropped.map(({ reason, count, lastAt }) => (
              <div key={reason}>
                <dt>{t(dropReasonNames[reason] ?? reason)}</dt>
                <dd className="num">{t("{count} 条", { count: number(count) })}</dd>
                <dd className="age">{dayTime(parseWireDateTime(lastAt))}</dd>
              </div>
            ))}
          </dl>
        </section>
      )}
      {Object.keys(device.attributes).length > 0 && (
        <section className="vals-group" aria-label={t("设备属性")}>
          <h3>{t("设备属性")}</h3>
          <dl>
            {Object.entries(device.attributes).map(([key, attribute]) => (
              <div key={key}>
                <dt>{key}</dt>
                <dd className="num">{asText(attribute)}</dd>
              </div>
            ))}
          </dl>
        </section>
      )}
      <section className="vals-group" aria-label={t("登记信息")}>
        <h3>{t("登记信息")}</h3>
        <dl>
          <div>
            <dt>{t("固件")}</dt>
            <dd className="num">{device.firmwareVersion || "--"}</dd>
          </div>
          <div>
            <dt>{t("登记时间")}</dt>
            <dd className="num">{dayTime(parseWireDateTime(device.createTime))}</dd>
          </div>
          <div>
            <dt>{t("绑定时间")}</dt>
            <dd className="num">{dayTime(parseWireDateTime(device.boundTime))}</dd>
          </div>
        </dl>
      </section>
      {open === "move" && <Move device={device} onDone={reload} onClose={() => setOpen(undefined)} />}
      {open === "unbind" && <Unbind device={device} onDone={reload} onClose={() => setOpen(undefined)} />}
      {open === "credentials" && (
        <Credentials
          device={{ id: device.id, name: device.name, serialNumber: device.serialNumber }}
          fresh={false}
          onClose={() => setOpen(undefined)}
        />
      )}
    </div>
  );
}
