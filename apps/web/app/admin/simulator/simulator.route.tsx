import {
  type SimulatedDevice,
  type SimulatorRun,
  type SimulatorScenario,
  simulatorDetail,
  simulatorStart,
  simulatorStop,
} from "@herdwise/contract";
import { kindList } from "@herdwise/device-kinds/kind-list";
import { useEffect, useState } from "react";
import { call } from "../../shared/api/call.ts";
import { useLoad } from "../../shared/api/use-load.ts";
import { TableSkeleton } from "../../shared/kit/table-skeleton.tsx";
import { Translated } from "../../shared/language/translated.tsx";
import { useFormats, useLanguage, useTranslate } from "../../shared/language/use-language.ts";
import { Crumbs } from "../../shared/lists/crumbs.tsx";
import { Drawer } from "../../shared/lists/drawer.tsx";
import { Picker, WordField } from "../../shared/lists/filters.tsx";
import { known, useListAddress } from "../../shared/lists/list-address.ts";
import { useLast } from "../../shared/lists/use-last.ts";
import { ExceptionView } from "../../shared/states/exception-view.tsx";
import { LoadingProblem } from "../../shared/states/loading-problem.tsx";
import { showToast } from "../../shared/states/toast-store.ts";
import styles from "./simulator.module.css";

const refreshMs = 10_000;
const kindNames = new Map<string, { readonly zh: string; readonly en: string }>(
  kindList.map(({ kind, name }) => [kind, name]),
);
const kindIds = kindList.map(({ kind }) => kind);

/** A scenario that runs, how far it is, and the way to end it. */
function Run({ run, title, device, onStop }: { run: SimulatorRun; title: string; device: string; onStop: () => void }) {
  const t = useTranslate();
  const { number } = useFormats();
  const minutes = (seconds: number): string =>
    seconds < 7200
      ? t("{count} 分钟", { count: number(Math.ceil(seconds / 60)) })
      : t("{count} 小时", { count: number(seconds / 3600, 1) });
  return (
    <li className={styles.run}>
      <b>{title}</b>
      {run.leftS < 0 ? (
        <span className="mut">{t("一直运行，直到停止")}</span>
      ) : (
        <>
          <progress
            className={styles.bar}
            max={run.elapsedS + run.leftS}
            value={run.elapsedS}
            aria-label={t("{name} 的进度", { name: title })}
          />
          <span className="mut num">{t("还有 {time}", { time: minutes(run.leftS) })}</span>
        </>
      )}
      <button
        type="button"
        className="btn"
        onClick={onStop}
        aria-label={t("停止 {device} 的 {name}", { device, name: title })}
      >
        {t("停止")}
      </button>
    </li>
  );
}

interface StartProps {
  device: SimulatedDevice;
  scenarios: readonly SimulatorScenario[];
  onStart: (scenario: string, wholeUnit: boolean) => Promise<void>;
  onClose: () => void;
}

/** Chooses a scenario for a device, or for all devices of its unit. */
function StartDrawer({ device, scenarios, onStart, onClose }: StartProps) {
  const t = useTranslate();
  const language = useLanguage();
  const fitting = scenarios.filter(({ kinds }) => kinds.includes(device.kind));
  const [chosen, setChosen] = useState(fitting[0]?.name);
  const [wholeUnit, setWholeUnit] = useState(false);
  const [busy, setBusy] = useState(false);
  const start = async (): Promise<void> => {
    if (chosen === undefined) return;
    setBusy(true);
    try {
      await onStart(chosen, wholeUnit);
    } finally {
      setBusy(false);
    }
  };
  return (
    <Drawer
      title={t("启动场景")}
      onClose={onClose}
      footer={
        <>
          <span className="spacer" />
          <button type="button" className="btn" onClick={onClose}>
            {t("取消")}
          </button>
          <button
            type="button"
            className="btn primary"
            disabled={busy || chosen === undefined}
            onClick={() => void start()}
          >
            {t("启动")}
          </button>
        </>
      }
    >
      <p>
        <Translated text={device.name} /> <span className="mut num">{device.serialNumber}</span>
      </p>
      {device.unitId !== "" && (
        <label className={styles.whole}>
          <input type="checkbox" checked={wholeUnit} onChange={(event) => setWholeUnit(event.target.checked)} />
          {t("本单元所有适用的设备")}
        </label>
      )}
      <fieldset className={styles.choice}>
        <legend className="visually-hidden">{t("场景")}</legend>
        {fitting.map(({ name, title, summary }) => (
          <label key={name}>
            <input type="radio" name="scenario" checked={chosen === name} onChange={() => setChosen(name)} />
            <span>
              <b>{title[language]}</b>
              <span className="mut">{summary[language]}</span>
            </span>
          </label>
        ))}
      </fieldset>
    </Drawer>
  );
}

/** The virtual devices and what goes wrong in them. */
export default function Simulator() {
  const t = useTranslate();
  const language = useLanguage();
  const { number } = useFormats();
  const [search, change] = useListAddress("row");
  const word = (search.get("word") ?? "").slice(0, 100);
  const kind = known(search.get("kind"), kindIds);
  const running = search.get("running") === "1";
  const loaded = useLoad("simulator", (signal) => call(simulatorDetail, { signal, quiet: true }));
  const shown = useLast(loaded.value);
  const [starting, setStarting] = useState<SimulatedDevice>();
  const { reload } = loaded;
  useEffect(() => {
    const timer = setInterval(() => document.visibilityState === "visible" && reload(), refreshMs);
    return () => clearInterval(timer);
  }, [reload]);
  const titles = new Map(shown?.scenarios.map(({ name, title }) => [name, title[language]]));
  const start = async (device: SimulatedDevice, scenario: string, wholeUnit: boolean): Promise<void> => {
    await call(simulatorStart, {
      body: { scenario, ...(wholeUnit ? { unitId: device.unitId } : { deviceId: device.id }) },
    });
    showToast({ kind: "ok", text: "操作成功" });
    setStarting(undefined);
    reload();
  };
  const stop = async (device: SimulatedDevice, scenario: string): Promise<void> => {
    await call(simulatorStop, { body: { scenario, deviceId: device.id } });
    showToast({ kind: "ok", text: "操作成功" });
    reload();
  };
  // What runs stands first, else nobody finds it among so many.
  const ordered = (shown?.devices ?? []).toSorted((a, b) => Math.sign(b.runs.length) - Math.sign(a.runs.length));
  const devices = ordered.filter(
    (device) =>
      (kind === undefined || device.kind === kind) &&
      (!running || device.runs.length > 0) &&
      `${device.name} ${device.serialNumber} ${device.farmName} ${device.unitName}`
        .toLowerCase()
        .includes(word.toLowerCase()),
  );
  const busy = shown?.devices.filter(({ runs }) => runs.length > 0).length ?? 0;
  return (
    <>
      <Crumbs />
      <div className="page-head">
        <h1>{t("模拟器")}</h1>
        {shown?.running && <span className="mut num">{t("{count} 台设备有场景在运行", { count: number(busy) })}</span>}
      </div>
      <p className={`mut ${styles.lead}`}>
        {t("让虚拟设备出一次故障，看告警、原因和通知是否如预期。场景按设备的时间进行，到时自己结束。")}
      </p>
      {loaded.error && (
        <LoadingProblem error={loaded.error} onRetry={reload} what={t("模拟器")} kept={shown !== undefined} />
      )}
      <section className="card" aria-label={t("虚拟设备")}>
        {!shown && !loaded.error && <TableSkeleton />}
        {shown && !shown.running && (
          <ExceptionView
            type="empty"
            title={t("这台服务器没有运行模拟器")}
            text={t("以 SIMULATOR=on 启动服务器后，这里会列出虚拟设备。")}
          />
        )}
        {shown?.running && (
          <>
            <search className="filters">
              <WordField label={t("设备、序列号或单元")} value={word} onChange={(next) => change({ word: next })} />
              <Picker
                label={t("设备类型")}
                value={kind ?? ""}
                options={kindIds.map((id) => [id, kindNames.get(id)?.zh ?? id] as const)}
                onChange={(next) => change({ kind: next })}
              />
              <button
                type="button"
                className="chip"
                aria-pressed={running}
                onClick={() => change({ running: running ? "" : "1" })}
              >
                {t("只看运行中")}
              </button>
            </search>
            {devices.length === 0 && (
              <ExceptionView type="empty" title={t("没有符合条件的设备")} text={t("放宽条件再看，或清除全部条件。")} />
            )}
            <ul className={styles.devices}>
              {devices.map((device) => (
                <li key={device.id}>
                  <div className={styles.what}>
                    <b>
                      <Translated text={device.name} />
                    </b>
                    <span className="mut">
                      <span className="num">{device.serialNumber}</span> · {kindNames.get(device.kind)?.[language]}
                      {device.farmName !== "" && (
                        <>
                          {" · "}
                          <Translated text={device.farmName} />
                        </>
                      )}
                    </span>
                  </div>
                  <ul className={styles.runs}>
                    {device.runs.map((run) => (
                      <Run
                        key={run.scenario}
                        run={run}
                        title={titles.get(run.scenario) ?? run.scenario}
                        device={device.serialNumber}
                        onStop={() => void stop(device, run.scenario)}
                      />
                    ))}
                  </ul>
                  <button
                    type="button"
                    className="btn"
                    aria-label={t("为 {device} 启动场景", { device: device.serialNumber })}
                    onClick={() => setStarting(device)}
                  >
                    {t("启动场景")}
                  </button>
                </li>
              ))}
            </ul>
          </>
        )}
      </section>
      {starting && shown && (
        <StartDrawer
          device={starting}
          scenarios={shown.scenarios}
          onStart={(scenario, wholeUnit) => start(starting, scenario, wholeUnit)}
          onClose={() => setStarting(undefined)}
        />
      )}
    </>
  );
}
