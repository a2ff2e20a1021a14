import type { Alarm, AnalyticResult } from "@herdwise/contract";
import { type UnitState, unitStates } from "@herdwise/contract/unit-states";
import { useMemo, useState } from "react";
import { Link } from "react-router";
import { ScrollTable } from "../../shared/kit/scroll-table.tsx";
import { Translated } from "../../shared/language/translated.tsx";
import { useFormats, useTranslate } from "../../shared/language/use-language.ts";
import { useNames } from "../../shared/language/use-names.ts";
import { Crumbs } from "../../shared/lists/crumbs.tsx";
import { Age } from "../../shared/states/age.tsx";
import { ExceptionView } from "../../shared/states/exception-view.tsx";
import { LoadingProblem } from "../../shared/states/loading-problem.tsx";
import { Skeleton } from "../../shared/states/skeleton.tsx";
import { shortName } from "../farms/short-name.ts";
import { AlarmBanner } from "./alarms-here.tsx";
import { DaysChoice, useAnalyticText } from "./analytics-card.tsx";
import { Connection } from "./connection.tsx";
import "./kind.css";
import {
  type Analytic,
  attentionStates,
  figureOf,
  judgeFarmDevices,
  type PlacedDevice,
  problemSentence,
  type Standing,
  shortfallOf,
  type Verdict,
} from "@herdwise/device-kinds";
import styles from "./device-overview.module.css";
import { kindPath, useDeclared, useKind, useLocalText } from "./kind-view.ts";
import { KnownHere, useWorstAlarms, useWorstFirst, withAlarm } from "./known-places.tsx";
import { holdsWords, useOverviewFilter } from "./overview-filter.ts";
import { OverviewFilterBar } from "./overview-filter-bar.tsx";
import { BoardSkeleton, DeviceSummary } from "./overview-summary.tsx";
import { unlistedIn } from "./place-figures.ts";
import { FiguresList, FiguresSummary } from "./place-figures-list.tsx";
import { PlaceSelect } from "./place-tree.tsx";
import { RecordsCard } from "./records-card.tsx";
import { shownFiguresOf } from "./shown-figures.ts";
import { StateMark } from "./state-mark.tsx";
import { type AnalyticsDays, useAnalytics } from "./use-analytics.ts";
import { useJudgedAt, useOverview } from "./use-overview.ts";
import { verdictAttributes } from "./verdict-mark.tsx";

/** Devices whose newest records stand below the table. */
const mostRecorded = 3;

/** How values stand of which no state of the row tells. */
const saysWhy: ReadonlySet<Standing> = new Set(["idle", "off-comfort", "outside-comfort"]);

type Told = ReadonlyMap<string, Pick<Alarm, "ruleId" | "ruleName">>;
const nothingTold: Told = new Map();

/** The worst problem of a device in words, of its values or of its open alarms; "" where nothing is wrong. */
function useProblemWords(told: Told): (judged: PlacedDevice) => string {
  const t = useTranslate();
  const local = useLocalText();
  const alarms = useWorstAlarms();
  const { kind } = useKind();
  return ({ problems, device, state }) => {
    const [worst] = problems;
    if (state === "offline" || state === "silent") return "";
    const held = alarms.get(device.deviceId);
    const alarm = held && { ...held, ...told.get(device.deviceId) };
    const said = (problem: Verdict): string => local(problemSentence(problem));
    // An alarm is named as the banner names it, unless a value is worse.
    if (alarm && (!worst || unitStates.indexOf(worst.state as UnitState) >= unitStates.indexOf(alarm.state))) {
      const now = problems.find(({ rule }) => rule?.id === alarm.ruleId);
      const rule = kind.alarmRules.find(({ id }) => id === alarm.ruleId);
      return now ? said(now) : rule ? local(rule.name) : alarm.ruleName || alarm.ruleId;
    }
    if (worst) return said(worst);
    return device.status === "fault" ? t("自报故障") : "";
  };
}

interface ListProps {
  /** The alarm of each device that the banner tells first. */
  told?: Told;
  devices: readonly PlacedDevice[];
  resultOf: (deviceId: string, id: string) => AnalyticResult | undefined;
  /** Days that the results are of. */
  days: AnalyticsDays;
  /** Whether the results are still to come. */
  isWaiting: boolean;
}

/** The analytics that the kind names for its overview. */
function useKeyAnalytics() {
  const { kind } = useKind();
  return (kind.pages?.keyAnalytics ?? []).flatMap((id) => kind.analytics.find((analytic) => analytic.id === id) ?? []);
}

/** How bad a result is that is below the least that its declaration asks for. */
const shortfallAttributes = (analytic: Analytic, value: number | undefined) => ({
  "data-state": shortfallOf(analytic, value) === undefined ? undefined : "minor",
});

/** The name of a device without that of its farm, which stands below it. */
function DeviceName({ of: { device, farm } }: { of: PlacedDevice }) {
  const nameOf = useNames();
  const whole = nameOf(device.deviceName);
  const short = shortName(whole, [nameOf(farm.name)]);
  return short === whole ? <Translated text={device.deviceName} /> : short;
}

/** What a device shows in the table and in its card, and the words for it. */
function useShown(devices: readonly PlacedDevice[], told: Told = nothingTold) {
  const { kind } = useKind();
  const t = useTranslate();
  const declared = useDeclared();
  const { number } = useFormats();
  const text = useAnalyticText();
  return {
    t,
    local: useLocalText(),
    words: useProblemWords(told),
    text,
    number,
    kind,
    declared,
    /** Between which limits a figure of some devices has to stay, where all of them have the same. */
    ends: (key: string, of: readonly PlacedDevice[]): string => {
      const { decimals } = declared(key);
      const [first = "", ...others] = new Set(
        of.map((judged) => {
          const { low, high } = judged.verdictOf(key).range;
          const [least, most] = [low, high].map((end) => (end !== undefined && end > 0 ? number(end, decimals) : ""));
          return least && most ? `${least}–${most}` : least ? `≥ ${least}` : most && `≤ ${most}`;
        }),
      );
      return others.length > 0 ? "" : first;
    },
    /** What a share counts as missed for want of a record. */
    gap: (
      { gap }: Analytic,
      value: number | undefined,
      resultOf: (id: string) => AnalyticResult | undefined,
    ): string | undefined => {
      const missing = gap === undefined || value === undefined ? undefined : resultOf(gap)?.value;
      return missing ? t("{span} 没有记录", { span: text(missing, "h") }) : undefined;
    },
    analytics: useKeyAnalytics(),
    figures: shownFiguresOf(kind.pages?.figures ?? [], devices),
  };
}

/** The state of a device; of one whose first figure rests, that it stands still. */
function StateOf({ judged, tag }: { judged: PlacedDevice; tag?: boolean }) {
  const t = useTranslate();
  const [first = ""] = useKind().kind.pages?.figures ?? [];
  if (judged.state !== "ok" || judged.verdictOf(first).standing !== "idle")
    return <StateMark state={judged.state} {...(tag && { tag })} />;
  return (
    <StateMark state="empty" {...(tag && { tag })}>
      {t("停着")}
    </StateMark>
  );
}

/** Devices as a table, in the order that they are given in. */
export function DeviceTable({ devices, resultOf, days, isWaiting, told }: ListProps) {
  const { t, local, words, text, number, kind, declared, analytics, figures, ends, gap } = useShown(devices, told);
  return (
    <ScrollTable label={t("{name}，表", { name: t("设备") })} className={styles.table} wideOnly>
      <thead>
        {analytics.length > 0 && (
          <tr className={styles.spans}>
            <td colSpan={2} />
            <th scope="colgroup" colSpan={figures.length}>
              {t("现在")}
            </th>
            <th scope="colgroup" colSpan={analytics.length} className={styles.analytic}>
              {days === 1 ? t("24 小时") : t("{count} 日", { count: days })}
            </th>
            <td />
          </tr>
        )}
        <tr>
          <th scope="col">{t("设备")}</th>
          <th scope="col">{t("状态")}</th>
          {figures.map((key) => {
            const { name, unit } = declared(key);
            return (
              <th key={key} scope="col" className="numeric">
                {name} <small>{unit}</small>
                <small>{ends(key, devices)}</small>
              </th>
            );
          })}
          {analytics.map(({ id, name }) => (
            <th key={id} scope="col" className={`numeric ${styles.analytic}`}>
              {local(name)}
            </th>
          ))}
          <th scope="col" className="numeric">
            {t("更新")}
          </th>
        </tr>
      </thead>
      <tbody>
        {devices.map((judged) => (
          <tr key={judged.device.deviceId} className={judged.state === "offline" ? "gone" : ""}>
            <th scope="row">
              <Link to={kindPath(kind.kind, "device", judged.device.deviceId)}>
                <DeviceName of={judged} />
              </Link>
              <span className="mut">
                <Translated text={judged.farm.name} />
                {judged.unit && judged.house && (
                  <>
                    {" "}
                    <Translated text={judged.house.name} /> <Translated text={judged.unit.name} />
                  </>
                )}
              </span>
            </th>
            <td className={styles.state}>
              <StateOf judged={judged} />
              {words(judged) !== "" && <span>{words(judged)}</span>}
              <KnownHere id={judged.device.deviceId} />
            </td>
            {figures.map((key) => {
              const value = figureOf(kind, judged.device.readings, key);
              const verdict = judged.verdictOf(key);
              return (
                <td key={key} className="numeric" {...verdictAttributes(verdict)}>
                  <span data-value>{value === undefined ? "--" : number(value, declared(key).decimals)}</span>
                  {saysWhy.has(verdict.standing) && <small>{local(verdict.reason)}</small>}
                </td>
              );
            })}
            {analytics.map((analytic) => {
              const value = resultOf(judged.device.deviceId, analytic.id)?.value;
              return (
                <td
                  key={analytic.id}
                  className={`numeric ${styles.analytic}`}
                  {...shortfallAttributes(analytic, value)}
                >
                  {isWaiting ? <Skeleton width={2} /> : text(value, analytic.unit)}
                  <small>{gap(analytic, value, (id) => resultOf(judged.device.deviceId, id))}</small>
                </td>
              );
            })}
            <td className="numeric">
              {judged.device.reportedAtMs === undefined ? "--" : <Age atMs={judged.device.reportedAtMs} />}
            </td>
          </tr>
        ))}
      </tbody>
    </ScrollTable>
  );
}

function DeviceCards({ devices, resultOf, days, isWaiting, told }: ListProps) {
  const { t, local, words, text, number, kind, declared, analytics, figures, ends, gap } = useShown(devices, told);
  return (
    <ul className={`narrow-only ${styles.cards}`}>
      {devices.map((judged) => (
        <li key={judged.device.deviceId}>
          <Link to={kindPath(kind.kind, "device", judged.device.deviceId)}>
            <span className={styles.head}>
              <b>
                <DeviceName of={judged} />
              </b>
              <StateOf judged={judged} tag />
            </span>
            {words(judged) !== "" && <span className={styles.words}>{words(judged)}</span>}
            <KnownHere id={judged.device.deviceId} />
            <span className="mut">
              <Translated text={judged.farm.name} />
              {judged.device.reportedAtMs !== undefined && (
                <>
                  {" · "}
                  <Age atMs={judged.device.reportedAtMs} />
                </>
              )}
            </span>
            <span className={styles.pairs}>
              {figures.map((key) => {
                const value = figureOf(kind, judged.device.readings, key);
                const { name, unit, decimals } = declared(key, value);
                const verdict = judged.verdictOf(key);
                return (
                  <span key={key} {...verdictAttributes(verdict)}>
                    <small>{name}</small>
                    <b className="num">{value === undefined ? "--" : `${number(value, decimals)} ${unit}`.trimEnd()}</b>
                    <small>{saysWhy.has(verdict.standing) ? local(verdict.reason) : ends(key, [judged])}</small>
                  </span>
                );
              })}
            </span>
            {analytics.length > 0 && (
              <span className={styles.pairs}>
                <small className={styles.span}>{days === 1 ? t("24 小时") : t("{count} 日", { count: days })}</small>
                {analytics.map((analytic) => {
                  const value = resultOf(judged.device.deviceId, analytic.id)?.value;
                  return (
                    <span key={analytic.id} {...shortfallAttributes(analytic, value)}>
                      <small>{local(analytic.name)}</small>
                      <b className="num">{isWaiting ? <Skeleton width={2} /> : text(value, analytic.unit)}</b>
                      <small>{gap(analytic, value, (id) => resultOf(judged.device.deviceId, id))}</small>
                    </span>
                  );
                })}
              </span>
            )}
            <span className="visually-hidden">{t("打开设备")}</span>
          </Link>
        </li>
      ))}
    </ul>
  );
}

/** All devices of a kind that serve farms: the worst alarm with its next steps first, then each device, worst first. */
export function DeviceOverview() {
  const t = useTranslate();
  const nameOf = useNames();
  const local = useLocalText();
  const view = useKind();
  const { kind } = view;
  const [filter, change] = useOverviewFilter();
  const { farms, error, loading, reload, stream, followed, newestAtMs } = useOverview(kind.kind, filter.place);
  const judgedAtMs = useJudgedAt();
  const analytics = useAnalytics();
  const alarms = useWorstAlarms();
  const [told, setTold] = useState(nothingTold);
  const worstFirst = useWorstFirst(({ device }: PlacedDevice) => device.deviceId);
  const devices = useMemo(
    () =>
      farms &&
      judgeFarmDevices(view, farms, Math.max(judgedAtMs, Date.now()), stream === "open").map((judged) =>
        withAlarm(judged, alarms.get(judged.device.deviceId)),
      ),
    // Judged anew when values or alarms come and when five seconds have passed.
    [view, farms, stream, judgedAtMs, alarms],
  );
  const here = (devices ?? []).filter(
    ({ farm, house }) => filter.place === undefined || farm.id === filter.place || house?.id === filter.place,
  );
  const counted = here.filter(({ device, farm }) =>
    holdsWords(filter.word, [farm.name, nameOf(farm.name), device.deviceName, nameOf(device.deviceName)]),
  );
  const shown = (
    filter.states.length === 0 ? counted : counted.filter(({ state }) => filter.states.includes(state))
  ).toSorted(worstFirst);
  const [first] = here.toSorted(worstFirst);
  const worst = first && attentionStates.some((state) => state === first.state) ? first : undefined;
  const filtered = filter.word !== "" || filter.states.length > 0 || filter.place !== undefined;
  const resultOf: ListProps["resultOf"] = (deviceId, id) =>
    analytics.value?.devices.find((device) => device.deviceId === deviceId)?.results.find((result) => result.id === id);
  const listed: ListProps = {
    devices: shown,
    resultOf,
    days: analytics.days,
    isWaiting: analytics.value === undefined && !analytics.error,
    told,
  };
  const isLarge = unlistedIn(farms ?? []).length > 0;
  const figured = unlistedIn(farms ?? [], filter.place).filter(({ counts }) => counts.devices > 0);
  const records = (kind.pages?.parts ?? []).flatMap((part) => (part.type === "records" && part.onOverview ? part : []));
  const named = (farms ?? []).filter((farm) => devices?.some((device) => device.farm.id === farm.id));
  return (
    <>
      <Crumbs />
      <div className="page-head">
        <h1>{kind.pages && local(kind.pages.title)}</h1>
        {followed && <Connection stream={stream} newestAtMs={newestAtMs} />}
        <span className="spacer" />
        <DaysChoice days={analytics.days} onChoose={analytics.setDays} />
      </div>
      <AlarmBanner
        kind={kind.kind}
        judged={worst}
        place={
          worst && (
            <Link to={kindPath(kind.kind, "device", worst.device.deviceId)}>
              <Translated text={worst.farm.name} /> <DeviceName of={worst} />
            </Link>
          )
        }
        onTold={setTold}
      />
      {error && (farms || !loading) && (
        <LoadingProblem error={error} onRetry={reload} what={t("设备数据")} kept={farms !== undefined} />
      )}
      {!farms && loading && <BoardSkeleton />}
      {devices?.length === 0 && !isLarge && (
        <section className="card">
          <ExceptionView
            type="empty"
            title={t("还没有设备")}
            text={t("绑定“{kind}”的设备后，这里会显示它们的实时数值。", { kind: local(kind.name) })}
          />
        </section>
      )}
      {isLarge && <PlaceSelect farms={farms ?? []} place={filter.place} onChoose={(place) => change({ place })} />}
      {figured.length > 0 && (
        <>
          <FiguresSummary places={figured} />
          <section className="card units-board" aria-label={t("猪舍")}>
            <FiguresList places={figured} onChoose={(place) => change({ place })} />
          </section>
        </>
      )}
      {devices && (isLarge ? here.length : devices.length) > 0 && (
        <>
          <DeviceSummary devices={here} />
          <section className="card units-board" aria-label={t("设备")}>
            <OverviewFilterBar
              filter={filter}
              counted={counted}
              onChange={change}
              searchName={t("查找设备")}
              placeholder={t("查找")}
            >
              <select
                className="chip"
                aria-label={t("场区")}
                value={filter.place ?? ""}
                onChange={(event) => change({ place: event.target.value })}
              >
                <option value="">{t("全部场区")}</option>
                {named.map((farm) => (
                  <option key={farm.id} value={farm.id}>
                    {nameOf(farm.name)}
                  </option>
                ))}
              </select>
            </OverviewFilterBar>
            {analytics.error && (
              <LoadingProblem
                error={analytics.error}
                onRetry={analytics.reload}
                what={t("统计分析")}
                kept={analytics.value !== undefined}
              />
            )}
            {shown.length === 0 ? (
              <ExceptionView type="empty" title={t("没有符合条件的设备")} text={t("放宽条件再看，或清除全部条件。")}>
                {filtered && (
                  <button
                    type="button"
                    className="btn"
                    onClick={() => change({ q: undefined, state: undefined, place: undefined })}
                  >
                    {t("清除条件")}
                  </button>
                )}
              </ExceptionView>
            ) : (
              <>
                <DeviceTable {...listed} />
                <DeviceCards {...listed} />
              </>
            )}
          </section>
          {shown.slice(0, mostRecorded).flatMap(({ device: { deviceId, deviceName } }) =>
            records.map((part) => (
              <div key={`${deviceId} ${part.event}`} className={styles.records}>
                <RecordsCard part={part} deviceId={deviceId} of={shown.length > 1 ? deviceName : undefined} />
              </div>
            )),
          )}
        </>
      )}
    </>
  );
}
