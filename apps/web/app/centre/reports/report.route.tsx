import {
  type FarmReport,
  farmTree,
  type ReportPeriod,
  reportDetail,
  reportedAnalytics,
  reportPdf,
} from "@herdwise/contract";
import { shanghaiDay } from "@herdwise/contract/shanghai";
import { deviceKinds, localUnit, shortfallOf } from "@herdwise/device-kinds";
import { useState } from "react";
import { Link } from "react-router";
import { useAddressValues } from "../../shared/address/use-address.ts";
import { asApiError } from "../../shared/api/api-error.ts";
import { call } from "../../shared/api/call.ts";
import { useLoad } from "../../shared/api/use-load.ts";
import { Select } from "../../shared/forms/select.tsx";
import { Icon } from "../../shared/icons/icon.tsx";
import { Mark } from "../../shared/icons/mark.tsx";
import { Paper, PaperBar, paperStyles } from "../../shared/kit/paper.tsx";
import { ScrollRegion } from "../../shared/kit/scroll-table.tsx";
import { tellIn } from "../../shared/language/tell.ts";
import { numbersTied } from "../../shared/language/tied-numbers.ts";
import { useJoin } from "../../shared/language/use-join.ts";
import { useFormats, useLanguage, useTranslate } from "../../shared/language/use-language.ts";
import { useNames } from "../../shared/language/use-names.ts";
import { Crumbs } from "../../shared/lists/crumbs.tsx";
import { tellJobBegun } from "../../shared/session/job-begun.ts";
import { ExceptionView } from "../../shared/states/exception-view.tsx";
import { LoadingProblem } from "../../shared/states/loading-problem.tsx";
import { showToast } from "../../shared/states/toast-store.ts";
import { ruleNameOf } from "../alarms/alarm-words.ts";
import { shortName } from "../farms/short-name.ts";
import { kindPath, useLocalText } from "../kind/kind-view.ts";
import { Unreliable } from "../kind/unreliable.tsx";
import "../kind/kind.css";
import { SectionWait } from "../../shared/states/section-wait.tsx";
import styles from "./report.module.css";
import { ReportAlarms } from "./report-alarms.tsx";
import { ReportSubscriptions } from "./report-subscriptions.tsx";
import {
  analyticOf,
  coughLimit,
  coughRatio,
  decimalsOfAll,
  figureOf,
  isSentLater,
  meanOf,
  shortest,
} from "./report-words.ts";
import { SendReport } from "./send-report.tsx";
import { useSpanText } from "./use-span-text.ts";

const dayMs = 86_400_000;
const periods: readonly ReportPeriod[] = ["day", "week"];

/** The first of a report: what a manager asks before anything else. */
function Headline({ report }: { report: FarmReport }) {
  const t = useTranslate();
  const nameOf = useNames();
  const local = useLocalText();
  const { dayTime } = useFormats();
  const span = useSpanText();
  const [worst] = report.wrong;
  if (!worst) return <p className={styles.headline}>{t("这段时间没有告警。")}</p>;
  const about = {
    place: [worst.houseName, worst.unitName].filter(Boolean).map(nameOf).join(" ") || nameOf(worst.deviceName),
    name: local(worst.sentence),
  };
  return (
    <p className={styles.headline}>
      <b>{t("最要紧的：")}</b>
      {worst.endedMs === undefined
        ? t("{place} {name}，{time} 起，还没有恢复。", { ...about, time: dayTime(worst.sinceMs) })
        : t("{place} {name}，{time} 起，持续 {span}。", {
            ...about,
            time: dayTime(worst.sinceMs),
            span: span((worst.endedMs - worst.sinceMs) / 1000),
          })}
    </p>
  );
}

/** What falls short most of what it should be, below the headline. */
function Short({ report }: { report: FarmReport }) {
  const t = useTranslate();
  const nameOf = useNames();
  const local = useLocalText();
  const { number } = useFormats();
  const short = shortest(report);
  if (short.length === 0) return null;
  return (
    <ul className={styles.plain}>
      {short.map(({ place, analytic, value, least }) => (
        <li key={`${place} ${analytic.id}`}>
          <span>
            <Mark name="minor" />
            {`${place.split(" · ").map(nameOf).join(" · ")} ${local(analytic.name)}`}
          </span>
          <b className="num">
            {t("{value}，至少要 {least}", {
              value: `${number(value, 1)} ${local(localUnit(analytic.unit))}`.trim(),
              least: `${number(least, 0)} ${local(localUnit(analytic.unit))}`.trim(),
            })}
          </b>
        </li>
      ))}
    </ul>
  );
}

/** Four figures of the farm. */
function Tiles({ report }: { report: FarmReport }) {
  const t = useTranslate();
  const nameOf = useNames();
  const { number } = useFormats();
  const span = useSpanText();
  const of = (kind: string, id: string) =>
    report.kinds
      .find((held) => held.kind === kind)
      ?.devices.map(({ results }) => results.find((result) => result.id === id)) ?? [];
  const comfort = meanOf(of("environment", "comfort_time"));
  const fever = meanOf(of("temperature", "fever_curve"));
  const [cough] = (report.kinds.find(({ kind }) => kind === "cough")?.devices ?? [])
    .flatMap(({ place, deviceName, results }) => {
      const ratio = coughRatio(results.find(({ id }) => id === "index_against_baseline"));
      return ratio === undefined ? [] : [{ ratio, place: place === "" ? [deviceName] : place.split(" · ") }];
    })
    .toSorted((a, b) => b.ratio - a.ratio);
  const tiles = [
    { name: t("舒适时间"), value: comfort === undefined ? "--" : `${number(comfort, 0)} %`, note: t("有猪的时间里") },
    {
      name: t("咳嗽，最高的单元"),
      value: cough === undefined ? "--" : `×${number(cough.ratio, 1)}${cough.ratio >= coughLimit ? " ▲" : ""}`,
      note: cough
        ? t("{place}，和它的基线比", {
            place: numbersTied(cough.place.map(nameOf).join(" ")),
          })
        : t("是它基线的几倍"),
    },
    { name: t("发热比例"), value: fever === undefined ? "--" : `${number(fever, 1)} %`, note: t("测温头次里") },
    {
      name: t("告警"),
      value: number(report.alarms.total),
      note:
        report.alarms.acknowledgeS === undefined
          ? t(report.alarms.total === 0 ? "这段时间里" : "没有人确认")
          : t("确认用时中位数 {span}", { span: span(report.alarms.acknowledgeS) }),
    },
    { name: t("设备离线"), value: span(report.offlineS), note: t("{count} 台设备", { count: report.offline.length }) },
  ];
  return (
    <dl className={styles.tiles}>
      {tiles.map(({ name, value, note }) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd className="num">{value}</dd>
          <dd className={styles.small}>{note}</dd>
        </div>
      ))}
    </dl>
  );
}

function Causes({ report: { alarms } }: { report: FarmReport }) {
  const t = useTranslate();
  const local = useLocalText();
  const { number } = useFormats();
  const span = useSpanText();
  if (alarms.causes.length === 0) return null;
  return (
    <>
      <h3>{t("告警按原因，多久处理")}</h3>
      <ScrollRegion label={t("{name}，表", { name: t("告警按原因，多久处理") })} className={paperStyles.scroll}>
        <table>
          <thead>
            <tr>
              <th scope="col">{t("原因")}</th>
              <th scope="col">{t("设备类型")}</th>
              <th scope="col" className="numeric">
                {t("次数")}
              </th>
              <th scope="col" className="numeric">
                {t("确认用时")}
              </th>
              <th scope="col" className="numeric">
                {t("持续")}
              </th>
            </tr>
          </thead>
          <tbody>
            {alarms.causes.map((cause) => (
              <tr key={`${cause.kind} ${cause.ruleId}`}>
                <th scope="row">{local(ruleNameOf(cause))}</th>
                <td>{local(deviceKinds[cause.kind].name)}</td>
                <td className="numeric">{number(cause.count)}</td>
                <td className="numeric">{span(cause.acknowledgeS)}</td>
                <td className="numeric">{span(cause.clearS)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </ScrollRegion>
    </>
  );
}

/** What a column is called: a curve stands in a report as one figure, and a count of times needs no "times" behind it. */
function useHead(kind: FarmReport["kinds"][number]["kind"]): (id: string) => string {
  const t = useTranslate();
  const local = useLocalText();
  return (id) => {
    const analytic = analyticOf(kind, id);
    if (id === "index_against_baseline") return t("24 小时每头咳几次");
    // A unit stays with the last word of its figure.
    if (id === "fever_curve") return `${t("发热比例")}\u00a0%`;
    return analytic
      ? `${local(analytic.name)}\u00a0${analytic.unit === "次" ? "" : local(localUnit(analytic.unit))}`.trim()
      : "";
  };
}

/** A kind's figures of each device: those of its pages. */
function KindTable({ of: { kind, devices }, farmName }: { of: FarmReport["kinds"][number]; farmName: string }) {
  const t = useTranslate();
  const nameOf = useNames();
  const local = useLocalText();
  const { number } = useFormats();
  const ids = [...reportedAnalytics[kind], "report_completeness"].filter((id) =>
    devices.some(({ results }) => results.some((result) => result.id === id && result.value !== undefined)),
  );
  const name = local(deviceKinds[kind].name);
  const headOf = useHead(kind);
  const unreliable = devices
    .filter((device) => device.unreliable !== undefined)
    .map(({ deviceId, deviceName, place, unreliable: channels }) => (
      <Unreliable
        key={deviceId}
        kind={deviceKinds[kind]}
        channels={channels}
        place={place === "" ? nameOf(deviceName) : place.split(" · ").map(nameOf).join(" · ")}
      />
    ));
  if (ids.length === 0 && unreliable.length === 0) return null;
  const known = devices.filter(({ results }) =>
    results.some(({ id, value }) => value !== undefined && (ids.includes(id) || id === "index_against_baseline")),
  );
  const unknown = devices.length - known.length;
  const decimals = new Map(ids.map((id) => [id, decimalsOfAll(known.map((device) => figureOf(device, id)))]));
  return (
    <>
      <h3>{name}</h3>
      {unreliable}
      <ScrollRegion label={t("{name}，表", { name })} className={`${paperStyles.scroll} ${styles.devices}`}>
        <table data-kind={kind}>
          <thead>
            <tr>
              <th scope="col">{t("哪里")}</th>
              {ids.map((id) => (
                <th key={id} scope="col" className="numeric">
                  {headOf(id)}
                </th>
              ))}
              {kind === "cough" && (
                <th scope="col" className="numeric">
                  {t("与基线比")}
                </th>
              )}
            </tr>
          </thead>
          <tbody>
            {known.map(({ deviceId, deviceName, place, results }) => {
              const ratio = coughRatio(results.find(({ id }) => id === "index_against_baseline"));
              return (
                <tr key={deviceId}>
                  <th scope="row">
                    <Link to={kindPath(kind, "device", deviceId)}>
                      {place === ""
                        ? shortName(nameOf(deviceName), [nameOf(farmName)])
                        : place.split(" · ").map(nameOf).join(" · ")}
                    </Link>
                  </th>
                  {ids.map((id) => {
                    const value = figureOf({ results }, id);
                    const low = shortfallOf(analyticOf(kind, id) ?? {}, value) !== undefined;
                    return (
                      <td key={id} className="numeric" data-name={headOf(id)} data-low={low || undefined}>
                        {value === undefined ? "--" : number(value, decimals.get(id))}
                        {low && ` ▼`}
                      </td>
                    );
                  })}
                  {kind === "cough" && (
                    <td className="numeric" data-name={t("与基线比")}>
                      {ratio === undefined ? t("基线还在学") : `×${number(ratio, 1)}${ratio >= coughLimit ? " ▲" : ""}`}
                    </td>
                  )}
                </tr>
              );
            })}
          </tbody>
        </table>
      </ScrollRegion>
      {unknown > 0 && <p className={styles.small}>{t("另有 {count} 台设备这段时间没有数据。", { count: unknown })}</p>}
    </>
  );
}

function Offline({ report }: { report: FarmReport }) {
  const t = useTranslate();
  const nameOf = useNames();
  const local = useLocalText();
  const span = useSpanText();
  if (report.offline.length === 0) return null;
  return (
    <>
      <h3>{t("设备离线")}</h3>
      <ul className={styles.plain}>
        {report.offline.map(({ deviceId, deviceName, kind, seconds }) => (
          <li key={deviceId}>
            <span>
              {`${nameOf(deviceName)} · ${local(deviceKinds[kind].name)}`}
              {isSentLater(report, deviceId, seconds) && (
                <small className={styles.later}>{t("这段时间的数据后来补传了，所以上面的数值是全的")}</small>
              )}
            </span>
            <b className="num">
              {t(report.period === "day" ? "这一天里 {span}" : "这一周里 {span}", { span: span(seconds) })}
            </b>
          </li>
        ))}
      </ul>
    </>
  );
}

/** Reports of a farm: for a day or a week, as a sheet that is read, printed and kept as PDF. */
export default function ReportScreen() {
  const t = useTranslate();
  const language = useLanguage();
  const nameOf = useNames();
  const { number, dateTime } = useFormats();
  const join = useJoin();
  const [search, change] = useAddressValues();
  const farms = useLoad("report farms", (signal) => call(farmTree, { signal, quiet: true }));
  const farm = farms.value?.find(({ id }) => id === search.get("farm")) ?? farms.value?.[0];
  const period = periods.find((one) => one === search.get("period")) ?? "day";
  const today = shanghaiDay(Date.now());
  const asked = search.get("day") ?? "";
  // The one that is over: yesterday, or the week before this one.
  const usual = shanghaiDay(Date.now() - (period === "week" ? 7 : 1) * dayMs);
  const day = /^\d{4}-\d{2}-\d{2}$/.test(asked) ? asked : usual;
  const which = farm && { farmId: farm.id, period, day };
  const { value, error, loading, reload } = useLoad(which && `report ${Object.values(which).join()}`, (signal) =>
    call(reportDetail, { query: which ?? { farmId: "", period, day }, signal, quiet: true }),
  );
  const isMarked = value?.kinds.some(({ kind, devices }) =>
    devices.some(({ results }) =>
      results.some((one) => shortfallOf(analyticOf(kind, one.id) ?? {}, one.value) !== undefined),
    ),
  );
  const isCoughing = value?.kinds.some(({ kind, devices }) =>
    devices.some(
      ({ results }) =>
        kind === "cough" && (coughRatio(results.find(({ id }) => id === "index_against_baseline")) ?? 0) >= coughLimit,
    ),
  );
  const [sending, setSending] = useState(false);
  const choose = (key: string, chosen: string): void => change({ [key]: chosen });
  const makePdf = async (): Promise<void> => {
    if (!which) return;
    try {
      await call(reportPdf, { body: { ...which, language }, quiet: true });
      tellJobBegun();
      showToast({ kind: "ok", text: "PDF 正在生成，完成后在顶栏和消息里下载" });
    } catch (reason) {
      showToast({ kind: "error", text: tellIn(t, asApiError(reason)) });
    }
  };
  return (
    <>
      <Crumbs />
      <div className="page-head">
        <h1>{t("养殖报告")}</h1>
      </div>
      <PaperBar disabled={!value}>
        <Select
          aria-label={t("场区")}
          value={farm?.id ?? ""}
          options={(farms.value ?? []).map(({ id, name }) => [id, name] as const)}
          onChange={(id) => choose("farm", id)}
        />
        <fieldset className="seg">
          <legend className="visually-hidden">{t("周期")}</legend>
          {periods.map((one) => (
            <button key={one} type="button" aria-pressed={one === period} onClick={() => choose("period", one)}>
              {one === "day" ? t("日报") : t("周报")}
            </button>
          ))}
        </fieldset>
        <input
          className="input"
          type="date"
          aria-label={t("日期")}
          max={today}
          value={day}
          onChange={(event) => event.target.value && choose("day", event.target.value)}
        />
        <button type="button" className="btn" disabled={!value} onClick={() => void makePdf()}>
          <Icon name="download" small />
          {t("PDF")}
        </button>
        <button type="button" className="btn" disabled={!value} aria-haspopup="dialog" onClick={() => setSending(true)}>
          <Icon name="person" small />
          {t("发给同事")}
        </button>
      </PaperBar>
      {sending && which && <SendReport report={which} onClose={() => setSending(false)} />}
      {farms.error && <LoadingProblem error={farms.error} onRetry={farms.reload} what={t("场区")} kept={false} />}
      {error && <LoadingProblem error={error} onRetry={reload} what={t("养殖报告")} kept={value !== undefined} />}
      {farms.value?.length === 0 && <ExceptionView type="empty" text={t("还没有猪场。")} />}
      {!value && !error && (loading || farms.loading) && (
        <div className={styles.waits}>
          <SectionWait text="正在汇总这段时间的数据" tiles={5} />
        </div>
      )}
      {value && (
        <Paper
          title={t(value.period === "day" ? "{farm} 养殖日报" : "{farm} 养殖周报", { farm: nameOf(value.farmName) })}
          about={join([
            value.period === "day" ? value.day : `${value.day} – ${shanghaiDay(value.to - 1)}`,
            t("{count} 个单元", { count: value.units }),
            t("{count} 头", { count: number(value.headCount) }),
          ])}
          facts={[
            { name: t("生成"), value: dateTime(Date.now()) },
            ...(value.running ? [{ name: t("截至"), value: dateTime(value.to) }] : []),
          ]}
          signs={[t("填表"), t("场长"), t("兽医")]}
        >
          <Headline report={value} />
          <Short report={value} />
          <Tiles report={value} />
          <ReportAlarms alarms={value.wrong} />
          {value.kinds.map((of) => (
            <KindTable key={of.kind} of={of} farmName={value.farmName} />
          ))}
          <Causes report={value} />
          <Offline report={value} />
          <p className={paperStyles.note}>{t("数值来自设备，和各页面的统计是同一套算法；没有数据的时间不补算。")}</p>
          {isMarked && <p className={styles.small}>{t("▼ 低于这项规定的最低值。")}</p>}
          {isCoughing && (
            <p className={styles.small}>{t("▲ 咳嗽到了基线的 {times} 倍，要处理。", { times: coughLimit })}</p>
          )}
        </Paper>
      )}
      {farm && <ReportSubscriptions farmId={farm.id} farmName={farm.name} />}
    </>
  );
}
