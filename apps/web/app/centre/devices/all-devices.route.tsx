import { type Device, deviceKindIds, devicePage, deviceStatuses, farmTree } from "@herdwise/contract";
import { useEffect } from "react";
import { call } from "../../shared/api/call.ts";
import { useLoad } from "../../shared/api/use-load.ts";
import { parseWireDateTime } from "../../shared/language/format.ts";
import { Translated, TranslatedPlace } from "../../shared/language/translated.tsx";
import { useFormats, useTranslate } from "../../shared/language/use-language.ts";
import { Crumbs } from "../../shared/lists/crumbs.tsx";
import { Picker, WordField } from "../../shared/lists/filters.tsx";
import type { ChangeAddress } from "../../shared/lists/list-address.ts";
import { Paging } from "../../shared/lists/paging.tsx";
import { useLast } from "../../shared/lists/use-last.ts";
import { WaitingRows } from "../../shared/lists/waiting-rows.tsx";
import { ExceptionView } from "../../shared/states/exception-view.tsx";
import { LoadingProblem } from "../../shared/states/loading-problem.tsx";
import { DeviceDrawer } from "./device-drawer.tsx";
import { type DeviceFilter, useDeviceFilter } from "./device-filter.ts";
import { DeviceStatusMark } from "./device-status.tsx";
import { kindNames, statusNames } from "./device-words.ts";
import "./devices.css";

const renewMs = 30_000;

function Filters({ filter, change }: { filter: DeviceFilter; change: ChangeAddress }) {
  const t = useTranslate();
  const farms = useLoad("farm-tree", (signal) => call(farmTree, { signal, quiet: true }));
  return (
    <search className="filters">
      <WordField label={t("名称或序列号")} value={filter.word} onChange={(name) => change({ name })} />
      <Picker
        label={t("设备类型")}
        value={filter.kind ?? ""}
        options={deviceKindIds.map((kind) => [kind, t(kindNames[kind])])}
        onChange={(kind) => change({ kind })}
      />
      <Picker
        label={t("设备状态")}
        value={filter.status ?? ""}
        options={deviceStatuses.map((status) => [status, t(statusNames[status])])}
        onChange={(status) => change({ status })}
      />
      <Picker
        label={t("是否绑定")}
        value={filter.bound === undefined ? "" : String(filter.bound)}
        options={[
          ["true", t("已绑定")],
          ["false", t("未绑定")],
        ]}
        onChange={(bound) => change({ bound })}
      />
      <Picker
        label={t("场区")}
        value={filter.farmId ?? ""}
        options={(farms.value ?? []).map(({ id, name }) => [id, name])}
        onChange={(farm) => change({ farm })}
      />
    </search>
  );
}

function DeviceTable({ devices, onOpen }: { devices: readonly Device[]; onOpen: (id: string) => void }) {
  const t = useTranslate();
  const { dayTime } = useFormats();
  const place = (device: Device) =>
    device.farmName === "" ? (
      t("未绑定")
    ) : (
      <TranslatedPlace names={[device.farmName, device.houseName, device.unitName]} />
    );
  return (
    <>
      <div className="tbl-wrap wide-only">
        <table className="tbl rows-open">
          <thead>
            <tr>
              <th scope="col">{t("名称")}</th>
              <th scope="col">{t("序列号")}</th>
              <th scope="col">{t("类型")}</th>
              <th scope="col">{t("状态")}</th>
              <th scope="col">{t("位置")}</th>
              <th scope="col">{t("固件")}</th>
              <th scope="col">{t("最近上报")}</th>
            </tr>
          </thead>
          <tbody>
            {devices.map((device) => (
              // The button in the row is the control; the whole row answers the pointer as a convenience.
              // The button inside works by keyboard.
              <tr key={device.id} onClick={() => onOpen(device.id)}>
                <th scope="row" className="names">
                  <button type="button" className="link plain">
                    <Translated text={device.name} />
                  </button>
                </th>
                <td className="num">{device.serialNumber}</td>
                <td>{t(kindNames[device.kind])}</td>
                <td>
                  <DeviceStatusMark status={device.status} />
                </td>
                <td className={device.bound ? "names" : "names mut"}>{place(device)}</td>
                <td className="num">{device.firmwareVersion || "--"}</td>
                <td className="num">{dayTime(parseWireDateTime(device.reportAt))}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <ul className="cards narrow-only">
        {devices.map((device) => (
          <li key={device.id}>
            <button type="button" onClick={() => onOpen(device.id)}>
              <b>
                <Translated text={device.name} />
              </b>
              <DeviceStatusMark status={device.status} />
              <span className="mut">{place(device)}</span>
              <span className="words">{dayTime(parseWireDateTime(device.reportAt))}</span>
              <span className="mut num">
                {t(kindNames[device.kind])}　{device.serialNumber}
              </span>
            </button>
          </li>
        ))}
      </ul>
    </>
  );
}

/** All devices of the organization: filters in the address, a drawer for one of them. */
export default function AllDevices() {
  const t = useTranslate();
  const [filter, change] = useDeviceFilter();
  const { word, kind, status, bound, farmId, current, size } = filter;
  const query = {
    current,
    size,
    ...(word === "" ? {} : { name: word }),
    ...(kind ? { kind } : {}),
    ...(status ? { status } : {}),
    ...(bound === undefined ? {} : { bound }),
    ...(farmId ? { farmId } : {}),
  };
  const loaded = useLoad(`devices ${JSON.stringify(query)}`, (signal) =>
    call(devicePage, { query, signal, quiet: true }),
  );
  const shown = useLast(loaded.value);
  const { reload } = loaded;
  useEffect(() => {
    const timer = setInterval(() => document.visibilityState === "visible" && reload(), renewMs);
    return () => clearInterval(timer);
  }, [reload]);
  const filtered =
    word !== "" || kind !== undefined || status !== undefined || bound !== undefined || farmId !== undefined;
  const clear = (): void =>
    change({ name: undefined, kind: undefined, status: undefined, bound: undefined, farm: undefined });
  return (
    <>
      <Crumbs />
      <div className="page-head">
        <h1>{t("全部设备")}</h1>
        {shown && <span className="mut num">{t("{count} 台", { count: shown.total })}</span>}
      </div>
      {loaded.error && (
        <LoadingProblem error={loaded.error} onRetry={reload} what={t("设备列表")} kept={shown !== undefined} />
      )}
      <section className="card" aria-label={t("设备列表")}>
        <Filters filter={filter} change={change} />
        <div className={loaded.loading && shown && !loaded.value ? "dim" : ""}>
          {!shown && !loaded.error && <WaitingRows />}
          {shown && shown.records.length > 0 && (
            <DeviceTable devices={shown.records} onOpen={(device) => change({ device })} />
          )}
          {shown && shown.records.length === 0 && (
            <ExceptionView
              type="empty"
              title={filtered ? t("没有符合条件的设备") : t("还没有设备")}
              text={
                filtered ? t("放宽条件再看，或清除全部条件。") : t("设备由集团登记，绑定到您的场区后会出现在这里。")
              }
            >
              {filtered && (
                <button type="button" className="btn" onClick={clear}>
                  {t("清除条件")}
                </button>
              )}
            </ExceptionView>
          )}
        </div>
        {shown && shown.total > 0 && (
          <Paging page={shown} change={change} words={(range) => t("第 {from}–{to} 台，共 {total} 台", range)} />
        )}
      </section>
      {filter.device && (
        <DeviceDrawer key={filter.device} id={filter.device} onClose={() => change({ device: undefined })} />
      )}
    </>
  );
}
