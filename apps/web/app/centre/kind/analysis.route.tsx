import type { DeviceAnalytics } from "@herdwise/contract";
import { type Analytic, shortfallOf } from "@herdwise/device-kinds";
import { useState } from "react";
import { Link } from "react-router";
import { Button } from "../../shared/kit/button.tsx";
import { ScrollTable } from "../../shared/kit/scroll-table.tsx";
import { Translated } from "../../shared/language/translated.tsx";
import { useTranslate } from "../../shared/language/use-language.ts";
import { useNames } from "../../shared/language/use-names.ts";
import { Crumbs } from "../../shared/lists/crumbs.tsx";
import { downloadCsv } from "../../shared/sheets/csv.ts";
import { ExceptionView } from "../../shared/states/exception-view.tsx";
import { LoadingProblem } from "../../shared/states/loading-problem.tsx";
import {
  AnalyticRows,
  DaysChoice,
  isAllFull,
  useAnalyticSheet,
  useAnalyticText,
  usePartName,
} from "./analytics-card.tsx";
import "./kind.css";
import { SectionWait } from "../../shared/states/section-wait.tsx";
import styles from "./analysis.module.css";
import { Grid } from "./grid-card.tsx";
import { KindPage } from "./kind-page.tsx";
import { kindPath, useKind, useLocalText } from "./kind-view.ts";
import { kindViewAt, onOtherPath } from "./load-kind.ts";
import { RecordsCard } from "./records-card.tsx";
import { StateMark } from "./state-mark.tsx";
import { StaysCard } from "./stays-card.tsx";
import { useAnalytics } from "./use-analytics.ts";

/** Above this number devices stand below each other, with the figures as columns. */
const mostBeside = 6;

interface TableProps {
  analytics: readonly Analytic[];
  devices: readonly DeviceAnalytics[];
}

/** The name of a figure, with its formula on request. */
function FigureName({ of }: { of: Analytic }) {
  const local = useLocalText();
  return (
    <details>
      <summary>{local(of.name)}</summary>
      <small className="mut">{local(of.formula)}</small>
    </details>
  );
}

const resultOf = ({ results }: DeviceAnalytics, { id }: Analytic) => results.find((result) => result.id === id);

/** A device's figure, marked where it is below the least; a plain number says which of its parts it is of. */
function Figure({ of, device }: { of: Analytic; device: DeviceAnalytics }) {
  const t = useTranslate();
  const text = useAnalyticText();
  const partName = usePartName();
  const found = resultOf(device, of);
  const least = shortfallOf(of, found?.value);
  const [part] = found?.rows ?? [];
  return (
    <>
      {text(found?.value, of.unit)}
      {of.unit === "" && part && part.value === found?.value && (
        <small className="mut">{partName(of, part.label)}</small>
      )}
      {least !== undefined && <StateMark state="minor">{t("低于 {limit}", { limit: text(least, of.unit) })}</StateMark>}
    </>
  );
}

/** The figures of each device on a phone: those that the kind names first and those below their least, the others on request. */
function FigureCards({ analytics, devices }: TableProps) {
  const t = useTranslate();
  const { kind } = useKind();
  const key = kind.pages?.keyAnalytics ?? analytics.slice(0, 3).map(({ id }) => id);
  const cards = (
    <ul className={`narrow-only ${styles.cards}`}>
      {devices.map((device) => {
        const known = analytics.filter((of) => resultOf(device, of)?.value !== undefined);
        const isFirst = (of: Analytic): boolean =>
          key.includes(of.id) || shortfallOf(of, resultOf(device, of)?.value) !== undefined;
        const pairs = (shown: readonly Analytic[]) => (
          <dl>
            {shown.map((of) => (
              <div key={of.id}>
                <dt>
                  <FigureName of={of} />
                </dt>
                <dd className="num">
                  <Figure of={of} device={device} />
                </dd>
              </div>
            ))}
          </dl>
        );
        const others = known.filter((of) => !isFirst(of));
        return (
          <li key={device.deviceId}>
            <DeviceLink of={device} />
            {pairs(known.filter(isFirst))}
            {others.length > 0 && (
              <details className={styles.others}>
                <summary>{t("另有 {count} 项", { count: others.length })}</summary>
                {pairs(others)}
              </details>
            )}
          </li>
        );
      })}
    </ul>
  );
  if (devices.length <= mostBeside) return cards;
  return (
    <details className={`narrow-only ${styles.all}`}>
      <summary>{t("{count} 台设备的指标", { count: devices.length })}</summary>
      {cards}
    </details>
  );
}

function DeviceLink({ of: { deviceId, deviceName } }: { of: DeviceAnalytics }) {
  const { kind } = useKind();
  return (
    <Link to={kindPath(kind.kind, "device", deviceId)}>
      <Translated text={deviceName} />
    </Link>
  );
}

/** All figures of all devices: a few devices beside each other, many below each other. */
function FiguresTable({ analytics, devices }: TableProps) {
  const t = useTranslate();
  const isLong = devices.length > mostBeside;
  return (
    <ScrollTable label={t("{name}，表", { name: t("统计分析") })} className={styles.table} wideOnly>
      <thead>
        <tr>
          <th scope="col">{isLong ? t("设备") : t("指标")}</th>
          {isLong
            ? analytics.map((analytic) => (
                <th key={analytic.id} scope="col" className="numeric">
                  <FigureName of={analytic} />
                </th>
              ))
            : devices.map((device) => (
                <th key={device.deviceId} scope="col" className="numeric">
                  <DeviceLink of={device} />
                </th>
              ))}
        </tr>
      </thead>
      <tbody>
        {isLong
          ? devices.map((device) => (
              <tr key={device.deviceId}>
                <th scope="row">
                  <DeviceLink of={device} />
                </th>
                {analytics.map((analytic) => (
                  <td key={analytic.id} className="numeric">
                    <Figure of={analytic} device={device} />
                  </td>
                ))}
              </tr>
            ))
          : analytics.map((analytic) => (
              <tr key={analytic.id}>
                <th scope="row">
                  <FigureName of={analytic} />
                </th>
                {devices.map((device) => (
                  <td key={device.deviceId} className="numeric">
                    <Figure of={analytic} device={device} />
                  </td>
                ))}
              </tr>
            ))}
      </tbody>
    </ScrollTable>
  );
}

/** Every analytic of a kind beside each other for all devices; its parts and the records for the one that is chosen. */
function Analysis() {
  const t = useTranslate();
  const nameOf = useNames();
  const local = useLocalText();
  const { kind, AnalysisHead } = useKind();
  const { value, error, loading, reload, days, setDays } = useAnalytics();
  const [chosen, setChosen] = useState("");
  const devices = value?.devices ?? [];
  const device = devices.find(({ deviceId }) => deviceId === chosen) ?? devices[0];
  const analytics = kind.analytics.filter(({ id }) =>
    devices.some(({ results }) => results.some((result) => result.id === id && result.value !== undefined)),
  );
  const grids = (kind.pages?.parts ?? []).flatMap((part) => {
    if (part.type !== "grid") return [];
    const analytic = kind.analytics.find(({ id }) => id === part.analytic);
    const grid = device?.results.find(({ id }) => id === part.analytic)?.grid;
    return analytic && grid ? [{ part, analytic, grid }] : [];
  });
  const parted = (device?.results ?? []).flatMap((result) => {
    const analytic = kind.analytics.find(({ id }) => id === result.id);
    return analytic && (result.rows?.length ?? 0) > 0 ? [{ analytic, result }] : [];
  });
  const full = parted.filter(({ analytic, result }) => isAllFull(analytic, result));
  const records = (kind.pages?.parts ?? []).filter((part) => part.type === "records");
  const stays = (kind.pages?.parts ?? []).filter((part) => part.type === "stays");
  const rowsOf = useAnalyticSheet();
  const exportAll = (): void =>
    downloadCsv(kind.pages?.more?.analysis ? local(kind.pages.more.analysis.title) : t("统计分析"), [
      [t("设备"), t("指标"), t("部分"), t("数值"), t("计量单位"), t("公式")],
      ...devices.flatMap(({ deviceName, results }) =>
        rowsOf(
          results.flatMap((result) => {
            const analytic = kind.analytics.find(({ id }) => id === result.id);
            return analytic ? [{ analytic, result }] : [];
          }),
          nameOf(deviceName),
        ),
      ),
    ]);
  return (
    <>
      <Crumbs />
      <div className={`page-head ${styles.head}`}>
        <h1>{kind.pages?.more?.analysis && local(kind.pages.more.analysis.title)}</h1>
        <span className="spacer" />
        <DaysChoice days={days} onChoose={setDays} />
        <Button small icon="download" isDisabled={devices.length === 0} onPress={exportAll}>
          {t("导出 CSV")}
        </Button>
        <Button small icon="sheet" isDisabled={devices.length === 0} onPress={() => window.print()}>
          {t("打印")}
        </Button>
      </div>
      {error && <LoadingProblem error={error} onRetry={reload} what={t("统计分析")} kept={value !== undefined} />}
      {!value && loading && <SectionWait />}
      {AnalysisHead && devices.length > 0 && <AnalysisHead devices={devices} />}
      {value && analytics.length === 0 && (
        <section className="card">
          <ExceptionView
            type="empty"
            title={t("还算不出结果")}
            text={t("这段时间的记录不够：等设备再上报一阵，或换一段更长的时间。")}
          />
        </section>
      )}
      {analytics.length > 0 && (
        <section className={`card ${styles.sheet}`} aria-label={t("统计分析")}>
          <FiguresTable analytics={analytics} devices={devices} />
          <FigureCards analytics={analytics} devices={devices} />
        </section>
      )}
      {device && (parted.length > 0 || records.length > 0 || grids.length > 0) && (
        <>
          <label className={styles.choice}>
            <span>{t("下面看哪台设备")}</span>
            <select
              className="input"
              aria-label={t("设备")}
              value={device.deviceId}
              onChange={(event) => setChosen(event.target.value)}
            >
              {devices.map(({ deviceId, deviceName }) => (
                <option key={deviceId} value={deviceId}>
                  {nameOf(deviceName)}
                </option>
              ))}
            </select>
          </label>
          <div className={styles.records}>
            {grids.map(({ part, analytic, grid }) => (
              <section key={part.title.en} className="card" aria-label={local(part.title)}>
                <header>
                  <h2>{local(part.title)}</h2>
                </header>
                {part.as === "coverage" && <p className={`mut ${styles.part}`}>{local(analytic.formula)}</p>}
                <Grid
                  analytic={analytic}
                  grid={grid}
                  as={part.as}
                  label={t("{name}，表", { name: local(part.title) })}
                />
              </section>
            ))}
          </div>
          {full.length > 0 && (
            <section className={`card ${styles.full}`} aria-label={t("全部 100 % 的")}>
              {full.map(({ analytic, result }) => (
                <div key={result.id}>
                  <h2>{local(analytic.name)}</h2>
                  <AnalyticRows analytic={analytic} result={result} />
                </div>
              ))}
            </section>
          )}
          <div className={styles.parts} data-single={stays.length + parted.length - full.length === 1 || undefined}>
            {stays.map((part) => (
              <StaysCard key={part.title.en} part={part} deviceId={device.deviceId} />
            ))}
            {parted
              .filter((one) => !full.includes(one))
              .map(({ analytic, result }) => (
                <section key={result.id} className="card" aria-label={local(analytic.name)}>
                  <header>
                    <h2>{local(analytic.name)}</h2>
                  </header>
                  <div className={styles.part}>
                    <AnalyticRows analytic={analytic} result={result} />
                  </div>
                </section>
              ))}
          </div>
          <div className={styles.records}>
            {records.map((part) => (
              <RecordsCard key={part.title.en} part={part} deviceId={device.deviceId} />
            ))}
          </div>
        </>
      )}
    </>
  );
}

export const clientLoader = kindViewAt;
export const shouldRevalidate = onOtherPath;

/** What the devices of a kind come to over days. */
export default function KindAnalysis() {
  return (
    <KindPage>
      <Analysis />
    </KindPage>
  );
}
