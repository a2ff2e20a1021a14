import { deviceFresh, type FreshDevice } from "@herdwise/contract";
import type { DeviceKind } from "@herdwise/device-kinds";
import { judgeDevice, localUnit, ofFarm } from "@herdwise/device-kinds";
import { loadKind } from "@herdwise/device-kinds/kind-loader";
import { useQuery } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { call } from "../../shared/api/call.ts";
import { Mark, type MarkName } from "../../shared/icons/mark.tsx";
import { useFormats, useLanguage, useTranslate } from "../../shared/language/use-language.ts";
import { VerdictMark } from "../kind/verdict-mark.tsx";
import styles from "./bind.module.css";

/** How often new devices are looked at, and after how long without a value it is said that something is wrong, ms. */
const lookMs = 2000;
const patienceMs = 120_000;
/** Values that are shown of a device. */
const mostShown = 3;

/** Devices that came lately, looked at while one of them is waited for. @param id one device alone */
export function useFresh(id?: string) {
  return useQuery({
    queryKey: ["fresh devices", id ?? ""],
    queryFn: ({ signal }) => call(deviceFresh, { query: id === undefined ? {} : { id }, signal, quiet: true }),
    refetchInterval: lookMs,
    staleTime: 0,
  });
}

/** The declaration of a kind, once it is here. */
function useDeclaration(kind: FreshDevice["kind"]): DeviceKind | undefined {
  const { data } = useQuery({
    queryKey: ["declaration", kind],
    queryFn: () => loadKind[kind](),
    staleTime: Number.POSITIVE_INFINITY,
  });
  return data;
}

/** The first values of a device, each with its verdict. */
function Values({ device, kind }: { device: FreshDevice; kind: DeviceKind }) {
  const language = useLanguage();
  const { number, time } = useFormats();
  const judged = judgeDevice(
    { kind },
    device.unit ?? ofFarm,
    { ...device, deviceName: device.deviceName },
    Date.now(),
    true,
  );
  const first = kind.pages?.figures ?? [];
  const told = [...first, ...kind.channels.map(({ key }) => key)].filter(
    (key, at, all) => all.indexOf(key) === at && device.readings[key] !== undefined,
  );
  return (
    <ul className={styles.values}>
      {told.slice(0, mostShown).map((key) => {
        const reading = device.readings[key];
        const channel = kind.channels.find((one) => one.key === key);
        const value = reading?.value;
        return (
          <li key={key}>
            <span>{channel?.name[language] ?? key}</span>
            <b className="num">
              {typeof value === "number" ? number(value, channel?.decimals ?? 1) : String(value)}{" "}
              <small>{localUnit(channel?.unit ?? "", value)[language]}</small>
            </b>
            <VerdictMark verdict={judged.verdictOf(key)} />
            {reading && <small className="mut num">{time(reading.ts)}</small>}
          </li>
        );
      })}
    </ul>
  );
}

/** Whether nothing came for so long that something is wrong. */
function useIsLate(device: FreshDevice | undefined): boolean {
  const isWaiting = device !== undefined && device.reportedAtMs === undefined;
  const sinceMs = device?.sinceMs ?? 0;
  const [late, setLate] = useState(false);
  useEffect(() => {
    if (!isWaiting) return setLate(false);
    const timer = setTimeout(() => setLate(true), Math.max(0, sinceMs + patienceMs - Date.now()));
    return () => clearTimeout(timer);
  }, [isWaiting, sinceMs]);
  return late;
}

/** What to look at while nothing comes. */
function WhatToCheck({ connected, late }: { connected: boolean; late: boolean }) {
  const t = useTranslate();
  return (
    <div className={styles.checks} data-late={late || undefined} role="status">
      <b>{late ? t("2 分钟还没有数据，请检查：") : t("等的时候看一眼：")}</b>
      <ul>
        {connected ? (
          <>
            <li>{t("设备连上了，还没有报数：一般一分钟报一次。")}</li>
            <li>{t("探头插好没有；设备的时钟准不准。")}</li>
          </>
        ) : (
          <>
            <li>{t("电源：指示灯亮着")}</li>
            <li>{t("网口：网线插好，或 SIM 卡有流量")}</li>
            <li>{t("天线：拧紧，离开金属遮挡")}</li>
          </>
        )}
        {late && <li>{t("都对还是没有：核对机身序列号，或提工单请人来看。")}</li>}
      </ul>
    </div>
  );
}

/** The way of a device to its first value, and that value. @param brief without what to check before it is late */
export function FirstValue({ device, brief = false }: { device: FreshDevice; brief?: boolean }) {
  const t = useTranslate();
  const kind = useDeclaration(device.kind);
  const late = useIsLate(device);
  const { reportedAtMs, connected, came } = device;
  const isHere = reportedAtMs !== undefined;
  const lines: readonly { reached: boolean; done: string; waiting: string }[] = [
    { reached: true, done: came === "bound" ? t("已绑定") : t("已登记，还没绑定"), waiting: "" },
    { reached: connected || isHere, done: t("已连接"), waiting: t("等设备连接") },
    { reached: isHere, done: t("收到第一条数据"), waiting: t("等第一条数据") },
  ];
  return (
    <>
      <ol className={styles.lines} aria-live="polite">
        {lines.map(({ reached, done, waiting }) => {
          const mark: MarkName = reached ? "ok" : "empty";
          return (
            <li key={done}>
              <span className={`state ${reached ? "ok" : "off"}`}>
                <Mark name={mark} />
                {reached ? done : waiting}
              </span>
            </li>
          );
        })}
      </ol>
      {isHere && kind && <Values device={device} kind={kind} />}
      {!isHere && (late || !brief) && <WhatToCheck connected={connected} late={late} />}
    </>
  );
}
