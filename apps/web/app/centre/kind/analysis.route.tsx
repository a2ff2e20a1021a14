import { shortfallOf } from "@herdwise/device-kinds";
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
import { AnalyticRows, DaysChoice, useAnalyticSheet, useAnalyticText } from "./analytics-card.tsx";
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

/** Every analytic of a kind beside each other for all devices; its parts and the records for the one that is chosen. */
function Analysis() {
  const t = useTranslate();
  const nameOf = useNames();
  const local = useLocalText();
  const text = useAnalyticText();
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
      <div className="page-head">
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
        <section className="card" aria-label={t("统计分析")}>
          <ScrollTable label={t("{name}，表", { name: t("统计分析") })} className={styles.table}>
            <thead>
              <tr>
                <th scope="col">{t("指标")}</th>
                {devices.map(({ deviceId, deviceName }) => (
                  <th key={deviceId} scope="col" className="numeric">
                    <Link to={kindPath(kind.kind, "device", deviceId)}>
                      <Translated text={deviceName} />
                    </Link>
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {analytics.map((analytic) => (
                <tr key={analytic.id}>
                  <th scope="row">
                    <details>
                      <summary>{local(analytic.name)}</summary>
                      <small className="mut">{local(analytic.formula)}</small>
                    </details>
                  </th>
                  {devices.map(({ deviceId, results }) => {
                    const found = results.find(({ id }) => id === analytic.id)?.value;
                    const least = shortfallOf(analytic, found);
                    return (
                      <td key={deviceId} className="numeric">
                        {text(found, analytic.unit)}
                        {least !== undefined && (
                          <StateMark state="minor">
                            {t("低于 {limit}", { limit: text(least, analytic.unit) })}
                          </StateMark>
                        )}
                      </td>
                    );
                  })}
                </tr>
              ))}
            </tbody>
          </ScrollTable>
        </section>
      )}
      {device && (parted.length > 0 || records.length > 0 || grids.length > 0) && (
        <>
          <select
            className={`input ${styles.choice}`}
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
          <div className={styles.records}>
            {grids.map(({ part, analytic, grid }) => (
              <section key={part.title.en} className="card" aria-label={local(part.title)}>
                <header>
                  <h2>{local(part.title)}</h2>
                </header>
                <Grid
                  analytic={analytic}
                  grid={grid}
                  as={part.as}
                  label={t("{name}，表", { name: local(part.title) })}
                />
              </section>
            ))}
          </div>
          <div className={styles.parts}>
            {stays.map((part) => (
              <StaysCard key={part.title.en} part={part} deviceId={device.deviceId} />
            ))}
            {parted.map(({ analytic, result }) => (
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
