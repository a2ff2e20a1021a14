import { type Device, deviceKindIds, devicePage, deviceStatuses, farmTree, type Page } from "@herdwise/contract";
import { useCallback, useEffect, useRef, useState } from "react";
import { call } from "../../shared/api/call.ts";
import { useLoad } from "../../shared/api/use-load.ts";
import { Icon } from "../../shared/icons/icon.tsx";
import { parseWireDateTime } from "../../shared/language/format.ts";
import { useFormats, useTranslate } from "../../shared/language/use-language.ts";
import { ExceptionView } from "../../shared/states/exception-view.tsx";
import { LoadingProblem } from "../../shared/states/loading-problem.tsx";
import { Skeleton } from "../../shared/states/skeleton.tsx";
import { Crumbs } from "../crumbs.tsx";
import { DeviceDrawer } from "./device-drawer.tsx";
import { type DeviceFilter, pageSizes, useDeviceFilter } from "./device-filter.ts";
import { DeviceStatusMark } from "./device-status.tsx";
import { kindNames, statusNames } from "./device-words.ts";
import "./devices.css";

type Change = (change: Record<string, string | undefined>) => void;
const typingMs = 300;
const renewMs = 30_000;

function Picker({
  label,
  value,
  options,
  onChange,
}: {
  label: string;
  value: string;
  options: readonly (readonly [string, string])[];
  onChange: (value: string) => void;
}) {
  return (
    <select className="chip" aria-label={label} value={value} onChange={(event) => onChange(event.target.value)}>
      <option value="">{label}</option>
      {options.map(([key, name]) => (
        <option key={key} value={key}>
          {name}
        </option>
      ))}
    </select>
  );
}

/** The word is sent when typing pauses, not at every stroke. */
function WordField({ value, onChange }: { value: string; onChange: (word: string) => void }) {
  const t = useTranslate();
  const [text, setText] = useState(value);
  useEffect(() => setText(value), [value]);
  useEffect(() => {
    if (text === value) return;
    const timer = setTimeout(() => onChange(text), typingMs);
    return () => clearTimeout(timer);
  }, [text, value, onChange]);
  return (
    <div className="s">
      <Icon name="search" small />
      <input
        className="in"
        type="search"
        maxLength={64}
        aria-label={t("名称或序列号")}
        placeholder={t("名称或序列号")}
        value={text}
        onChange={(event) => setText(event.target.value)}
      />
    </div>
  );
}

function Filters({ filter, change }: { filter: DeviceFilter; change: Change }) {
  const t = useTranslate();
  const farms = useLoad("farm-tree", (signal) => call(farmTree, { signal, quiet: true }));
  const latest = useRef(change);
  latest.current = change;
  const setWord = useCallback((name: string) => latest.current({ name }), []);
  return (
    <search className="fl">
      <WordField value={filter.word} onChange={setWord} />
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
  const place = (device: Device): string =>
    [device.farmName, device.houseName, device.unitName].filter(Boolean).join(" · ") || t("未绑定");
  return (
    <>
      <div className="tbl-wrap wide-only">
        <table className="tbl devs">
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
                <th scope="row">
                  <button type="button" className="link plain">
                    {device.name}
                  </button>
                </th>
                <td className="num">{device.serialNumber}</td>
                <td>{t(kindNames[device.kind])}</td>
                <td>
                  <DeviceStatusMark status={device.status} />
                </td>
                <td className={device.bound ? "" : "mut"}>{place(device)}</td>
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
              <b>{device.name}</b>
              <DeviceStatusMark status={device.status} />
              <span className="mut">{place(device)}</span>
              <span className="w">{dayTime(parseWireDateTime(device.reportAt))}</span>
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

function Waiting({ rows }: { rows: number }) {
  const t = useTranslate();
  return (
    <div aria-busy="true">
      <span className="sr" role="status">
        {t("正在加载")}
      </span>
      {Array.from({ length: rows }, (_, index) => (
        // These lines have no identity.
        <div key={index} className="wait-row">
          <Skeleton width={8} />
          <Skeleton width={8} />
          <Skeleton width={12} />
        </div>
      ))}
    </div>
  );
}

function Paging({ page, filter, change }: { page: Page<Device>; filter: DeviceFilter; change: Change }) {
  const t = useTranslate();
  const { number } = useFormats();
  const first = (page.current - 1) * page.size + 1;
  return (
    <nav className="paging" aria-label={t("翻页")}>
      <span className="num">
        {t("第 {from}–{to} 台，共 {total} 台", {
          from: number(first),
          to: number(first + page.records.length - 1),
          total: number(page.total),
        })}
      </span>
      <span className="sp" />
      <label>
        {t("每页")}
        <select className="chip" value={filter.size} onChange={(event) => change({ size: event.target.value })}>
          {pageSizes.map((size) => (
            <option key={size} value={size}>
              {size}
            </option>
          ))}
        </select>
      </label>
      <button
        type="button"
        className="btn i"
        aria-label={t("上一页")}
        disabled={page.current <= 1}
        onClick={() => change({ current: String(page.current - 1) })}
      >
        <Icon name="left" small />
      </button>
      <span className="num">
        {number(page.current)} / {number(Math.max(1, page.pages))}
      </span>
      <button
        type="button"
        className="btn i"
        aria-label={t("下一页")}
        disabled={page.current >= page.pages}
        onClick={() => change({ current: String(page.current + 1) })}
      >
        <Icon name="right" small />
      </button>
    </nav>
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
  const [shown, setShown] = useState<Page<Device>>();
  // While the next page loads the last one stays, dimmed: a list that collapses at every click can't be read.
  useEffect(() => {
    if (loaded.value) setShown(loaded.value);
  }, [loaded.value]);
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
          {!shown && !loaded.error && <Waiting rows={8} />}
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
        {shown && shown.total > 0 && <Paging page={shown} filter={filter} change={change} />}
      </section>
      {filter.device && (
        <DeviceDrawer key={filter.device} id={filter.device} onClose={() => change({ device: undefined })} />
      )}
    </>
  );
}
