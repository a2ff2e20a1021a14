import {
  type BodyOf,
  type SimulatedDevice,
  type SimulatorRun,
  type SimulatorScenario,
  simulatorDetail,
  simulatorSpeeds,
  simulatorStart,
  simulatorStop,
} from "@herdwise/contract";
import { kindList } from "@herdwise/device-kinds/kind-list";
import { useEffect, useId, useState } from "react";
import { Link } from "react-router";
import { call } from "../../shared/api/call.ts";
import { useLoad } from "../../shared/api/use-load.ts";
import { Select } from "../../shared/forms/select.tsx";
import { Icon } from "../../shared/icons/icon.tsx";
import { Button } from "../../shared/kit/button.tsx";
import { Segments } from "../../shared/kit/segments.tsx";
import { TableSkeleton } from "../../shared/kit/table-skeleton.tsx";
import { Translated } from "../../shared/language/translated.tsx";
import { useFormats, useLanguage, useTranslate } from "../../shared/language/use-language.ts";
import { Crumbs } from "../../shared/lists/crumbs.tsx";
import { Drawer } from "../../shared/lists/drawer.tsx";
import { WordField } from "../../shared/lists/filters.tsx";
import { known, useListAddress } from "../../shared/lists/list-address.ts";
import { useLast } from "../../shared/lists/use-last.ts";
import { ExceptionView } from "../../shared/states/exception-view.tsx";
import { LoadingProblem } from "../../shared/states/loading-problem.tsx";
import { showToast } from "../../shared/states/toast-store.ts";
import { Expected } from "./expected.tsx";
import styles from "./simulator.module.css";
import { useLength } from "./use-length.ts";

const refreshMs = 10_000;
const kindIds = kindList.map(({ kind }) => kind);
const deviceList = "/selfCenter/equipmentManage/allDevices";

interface RunProps {
  run: SimulatorRun;
  scenario: SimulatorScenario;
  device: SimulatedDevice;
  onStop: () => void;
}

const expectedOf = ({ expects }: SimulatorScenario, device: SimulatedDevice) =>
  expects.filter(({ kind }) => kind === device.kind);

function Stop({ device, title, onStop }: { device: SimulatedDevice; title: string; onStop: () => void }) {
  const t = useTranslate();
  return (
    <Button onPress={onStop} aria-label={t("停止 {device} 的 {name}", { device: device.serialNumber, name: title })}>
      {t("停止")}
    </Button>
  );
}

function Place({ device: { id, name, serialNumber, farmName } }: { device: SimulatedDevice }) {
  return (
    <p className="mut">
      <Link className="link" to={`${deviceList}?row=${id}`}>
        <Translated text={name} />
      </Link>
      {" · "}
      <span className="num">{serialNumber}</span>
      {farmName !== "" && (
        <>
          {" · "}
          <Translated text={farmName} />
        </>
      )}
    </p>
  );
}

/** How many of the expected alarms have come. */
function Came({ run, scenario, device }: Omit<RunProps, "onStop">) {
  const t = useTranslate();
  return t("预期 {count} 条告警，来了 {came} 条", {
    count: expectedOf(scenario, device).length,
    came: run.raised.length,
  });
}

/** A scenario that runs: where, how far it is, which of its alarms have come, and the way to end it. */
function Run({ run, scenario, device, onStop }: RunProps) {
  const t = useTranslate();
  const language = useLanguage();
  const length = useLength();
  const title = scenario.title[language];
  return (
    <li className={styles.run}>
      <div className={styles.head}>
        <b>{title}</b>
        {run.speed > 1 && <span className="tag">{t("{count} 倍速", { count: run.speed })}</span>}
        <Stop {...{ device, title, onStop }} />
      </div>
      <Place device={device} />
      <p className={styles.time}>
        <progress
          className={styles.bar}
          max={run.elapsedS + run.leftS}
          value={run.elapsedS}
          aria-label={t("{name} 的进度", { name: title })}
        />
        <span className="mut num">{t("还有 {time}", { time: length(run.leftS) })}</span>
      </p>
      {expectedOf(scenario, device).length > 0 && (
        <p className={styles.count}>
          <Came {...{ run, scenario, device }} />
        </p>
      )}
      <Expected scenario={scenario} kind={device.kind} raised={run.raised} hasTimes={run.speed === 1} />
    </li>
  );
}

/** A scenario that runs until it is stopped, in a line, with its alarms behind it. */
function Lasting({ run, scenario, device, onStop }: RunProps) {
  const language = useLanguage();
  const title = scenario.title[language];
  return (
    <li className={styles.lasting}>
      <details className="fold">
        <summary>
          <b>{title}</b>
          <span className="mut num">
            <Came {...{ run, scenario, device }} />
          </span>
        </summary>
        <Expected scenario={scenario} kind={device.kind} raised={run.raised} />
      </details>
      <Place device={device} />
      <Stop {...{ device, title, onStop }} />
    </li>
  );
}

type Start = BodyOf<typeof simulatorStart>;

interface StartProps {
  scenario: SimulatorScenario;
  devices: readonly SimulatedDevice[];
  onStart: (choice: Start) => Promise<void>;
  onClose: () => void;
}

/** What a scenario does and raises, and where and how fast it is started. */
function StartDrawer({ scenario, devices, onStart, onClose }: StartProps) {
  const t = useTranslate();
  const language = useLanguage();
  const length = useLength();
  const id = useId();
  const fitting = devices.filter(({ kind }) => scenario.kinds.includes(kind));
  const [deviceId, setDeviceId] = useState(fitting[0]?.id ?? "");
  const [speed, setSpeed] = useState<(typeof simulatorSpeeds)[number]>(1);
  const [wholeUnit, setWholeUnit] = useState(false);
  const [busy, setBusy] = useState(false);
  const device = fitting.find((each) => each.id === deviceId);
  const start = async (): Promise<void> => {
    if (device === undefined) return;
    setBusy(true);
    try {
      const place = wholeUnit && device.unitId !== "" ? { unitId: device.unitId } : { deviceId: device.id };
      await onStart({ scenario: scenario.name, speed, ...place });
    } finally {
      setBusy(false);
    }
  };
  return (
    <Drawer
      title={scenario.title[language]}
      onClose={onClose}
      footer={
        <>
          <span className="spacer" />
          <Button onPress={onClose}>{t("取消")}</Button>
          <Button kind="primary" isDisabled={busy || device === undefined} onPress={() => void start()}>
            {t("启动")}
          </Button>
        </>
      }
    >
      <p>{scenario.summary[language]}</p>
      {device ? (
        <div className={styles.form}>
          <div className="field">
            <label htmlFor={`${id}-device`}>{t("设备")}</label>
            <Select
              id={`${id}-device`}
              value={deviceId}
              options={fitting.map((each) => [
                each.id,
                [each.serialNumber, each.unitName || each.farmName].filter(Boolean).join(" · "),
              ])}
              onChange={setDeviceId}
            />
          </div>
          {device.unitId !== "" && (
            <label className={styles.whole}>
              <input type="checkbox" checked={wholeUnit} onChange={(event) => setWholeUnit(event.target.checked)} />
              {t("本单元所有适用的设备")}
            </label>
          )}
          {scenario.hastens && (
            <div className={styles.speed}>
              <span>{t("来得多快")}</span>
              <Segments
                label={t("来得多快")}
                values={simulatorSpeeds.map((each) => [
                  each,
                  each === 1 ? t("原速") : t("{count} 倍速", { count: each }),
                ])}
                chosen={speed}
                onChoose={setSpeed}
              />
            </div>
          )}
          <h3>{t("会看到这些告警，别的没有")}</h3>
          <Expected scenario={scenario} kind={device.kind} hasTimes={speed === 1} />
          <p className="mut">{t("演 {time}，到时自己结束。", { time: length(scenario.lastsS) })}</p>
        </div>
      ) : (
        <ExceptionView type="empty" title={t("没有适用的设备")} text={t("虚拟设备里没有这一类。")} />
      )}
    </Drawer>
  );
}

/** A stage: what goes wrong in the virtual devices now and what comes of it, and what else could. */
export default function Simulator() {
  const t = useTranslate();
  const language = useLanguage();
  const length = useLength();
  const { number } = useFormats();
  const [search, change] = useListAddress("scenario");
  const word = (search.get("word") ?? "").slice(0, 100);
  const kind = known(search.get("kind"), kindIds) ?? "environment";
  const loaded = useLoad("simulator", (signal) => call(simulatorDetail, { signal, quiet: true }));
  const shown = useLast(loaded.value);
  const { reload } = loaded;
  useEffect(() => {
    const timer = setInterval(() => document.visibilityState === "visible" && reload(), refreshMs);
    return () => clearInterval(timer);
  }, [reload]);
  const scenarios = shown?.scenarios ?? [];
  const byName = new Map(scenarios.map((each) => [each.name, each]));
  const opened = byName.get(search.get("scenario") ?? "");
  const close = (): void => change({ scenario: undefined });
  const start = async (choice: Start): Promise<void> => {
    await call(simulatorStart, { body: choice });
    showToast({ kind: "ok", text: "场景开始了，告警会一条条来" });
    close();
    reload();
  };
  const stop = async (device: SimulatedDevice, scenario: string): Promise<void> => {
    await call(simulatorStop, { body: { scenario, deviceId: device.id } });
    showToast({ kind: "ok", text: "场景停了，告警按规则结束" });
    reload();
  };
  const running = (shown?.devices ?? [])
    .flatMap((device) =>
      device.runs.flatMap((run) => {
        const scenario = byName.get(run.scenario);
        return scenario ? [{ device, run, scenario }] : [];
      }),
    )
    .toSorted((a, b) => a.run.elapsedS - b.run.elapsedS);
  const [lasting = [], timed = []] = [true, false].map((lasts) => running.filter(({ run }) => run.leftS < 0 === lasts));
  const shownBy = (Shown: typeof Run) => (each: (typeof running)[number]) => (
    <Shown
      key={`${each.device.id} ${each.run.scenario}`}
      {...each}
      onStop={() => void stop(each.device, each.run.scenario)}
    />
  );
  const found = scenarios
    .filter(
      ({ kinds, title, summary }) =>
        kinds.includes(kind) &&
        `${title[language]} ${summary[language]}`.toLowerCase().includes(word.trim().toLowerCase()),
    )
    .map((scenario) => ({ ...scenario, count: scenario.expects.filter((each) => each.kind === kind).length }));
  return (
    <>
      <Crumbs />
      <div className="page-head">
        <h1>{t("模拟器")}</h1>
        {shown?.running && (
          <span className="mut num">
            {t("{count} 台虚拟设备", { count: number(shown.devices.length) })}
            {timed.length > 0 && ` · ${t("{count} 场在演", { count: number(timed.length) })}`}
            {lasting.length > 0 && ` · ${t("{count} 场一直演着", { count: number(lasting.length) })}`}
          </span>
        )}
      </div>
      <p className={`mut ${styles.lead}`}>
        {t("让虚拟设备出一次故障，看告警、原因和通知是否如预期。场景按设备的时间进行，到时自己结束。")}
      </p>
      {loaded.error && (
        <LoadingProblem error={loaded.error} onRetry={reload} what={t("模拟器")} kept={shown !== undefined} />
      )}
      {!shown && !loaded.error && (
        <section className="card" aria-label={t("虚拟设备")}>
          <TableSkeleton />
        </section>
      )}
      {shown && !shown.running && (
        <section className="card" aria-label={t("虚拟设备")}>
          <ExceptionView
            type="empty"
            title={t("这台服务器没有运行模拟器")}
            text={t("以 SIMULATOR=on 启动服务器后，这里会列出虚拟设备。")}
          />
        </section>
      )}
      {shown?.running && (
        <div className={styles.stage}>
          <section className="card" aria-labelledby="running-title">
            <header>
              <h2 id="running-title">{t("正在演的")}</h2>
            </header>
            {timed.length === 0 && (
              <p className={styles.none}>
                {t(
                  lasting.length > 0
                    ? "没有限时的场景在演。在下面挑一个开始。"
                    : "现在风平浪静。在下面挑一个场景开始。",
                )}
              </p>
            )}
            <ul className={styles.runs}>{timed.map(shownBy(Run))}</ul>
            {lasting.length > 0 && (
              <details className={`fold ${styles.always}`}>
                <summary>{t("一直演着的 {count} 场", { count: lasting.length })}</summary>
                <ul>{lasting.map(shownBy(Lasting))}</ul>
              </details>
            )}
          </section>
          <section className="card" aria-labelledby="scenarios-title">
            <header>
              <h2 id="scenarios-title">{t("可以演的")}</h2>
            </header>
            <search className={`filters ${styles.find}`}>
              <Select
                className="chip"
                aria-label={t("设备类型")}
                value={kind}
                options={kindList.map((each) => [each.kind, each.name.zh])}
                onChange={(next) => change({ kind: next })}
              />
              <WordField label={t("场景")} value={word} onChange={(next) => change({ word: next })} />
            </search>
            {found.length === 0 && (
              <ExceptionView type="empty" title={t("没有符合条件的场景")} text={t("换一类设备，或换个词。")} />
            )}
            <ul className={styles.scenarios}>
              {found.map(({ name, title, summary, lastsS, count }) => (
                <li key={name}>
                  <button type="button" onClick={() => change({ scenario: name })}>
                    <b>
                      {title[language]}
                      <Icon name="play" small />
                    </b>
                    <span>{summary[language]}</span>
                    <small className="mut num">
                      {length(lastsS)}
                      {" · "}
                      {count > 0 ? t("{count} 条告警", { count }) : t("不会有告警")}
                    </small>
                  </button>
                </li>
              ))}
            </ul>
          </section>
          {opened && (
            <StartDrawer
              key={opened.name}
              scenario={opened}
              // The kind that was looked at comes first.
              devices={shown.devices.toSorted((a, b) => Number(b.kind === kind) - Number(a.kind === kind))}
              onStart={start}
              onClose={close}
            />
          )}
        </div>
      )}
    </>
  );
}
