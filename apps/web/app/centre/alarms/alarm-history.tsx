import {
  type Alarm,
  type AlarmStatistics,
  alarmExport,
  alarmHandleCode,
  alarmPage,
  alarmSeverityNames,
  alarmStates,
  alarmStatistics,
  farmTree,
} from "@herdwise/contract";
import { choice, type ListDeclaration, list, moment, text } from "@herdwise/contract/resource";
import { deviceKinds } from "@herdwise/device-kinds";
import { useMemo, useState } from "react";
import { call } from "../../shared/api/call.ts";
import { useLoad } from "../../shared/api/use-load.ts";
import { Mark } from "../../shared/icons/mark.tsx";
import { severityMarks } from "../../shared/icons/severity-marks.ts";
import { Button } from "../../shared/kit/button.tsx";
import { MenuButton } from "../../shared/kit/menu.tsx";
import { WholeValues } from "../../shared/kit/whole-values.tsx";
import { useFormats, useLanguage, useTranslate } from "../../shared/language/use-language.ts";
import { useNames } from "../../shared/language/use-names.ts";
import { useLast } from "../../shared/lists/use-last.ts";
import type { Cells } from "../../shared/resource/cells.ts";
import type { Row } from "../../shared/resource/form-values.ts";
import { ListPart } from "../../shared/resource/list-screen.tsx";
import { whereOf } from "../../shared/resource/list-state.ts";
import { useList } from "../../shared/resource/use-list.ts";
import { useAccess } from "../../shared/session/access-context.ts";
import { tellJobBegun } from "../../shared/session/job-begun.ts";
import { LoadingProblem } from "../../shared/states/loading-problem.tsx";
import { SectionWait } from "../../shared/states/section-wait.tsx";
import { showToast } from "../../shared/states/toast-store.ts";
import { useNow } from "../../shared/states/use-now.ts";
import { shortName } from "../farms/short-name.ts";
import { useLocalText } from "../kind/kind-view.ts";
import { severityOrder } from "./alarm-marks.ts";
import { AlarmPlace, useAlarmTimes } from "./alarm-row.tsx";
import { ruleNameOf } from "./alarm-words.ts";
import styles from "./alarms.module.css";
import { resolutionNames, stateNames } from "./course-words.ts";

const spans = [7, 14, 90] as const;
/** Rules that the list of causes shows. */
const mostRules = 8;

const kindIds = Object.values(deviceKinds)
  .toSorted((a, b) => a.sort - b.sort)
  .map(({ kind }) => kind);
/** Alarms of each day as stacked bars; the table behind it is for those who don't see it. */
function Days({ days }: { days: AlarmStatistics["days"] }) {
  const t = useTranslate();
  const { number } = useFormats();
  const sums = days.map((day) => severityOrder.reduce((sum, severity) => sum + day[severity], 0));
  const most = Math.max(1, ...sums);
  return (
    <section className="card" aria-labelledby="alarm-days">
      <header>
        <h2 id="alarm-days">{t("每天条数")}</h2>
      </header>
      <div className={styles.days} aria-hidden="true">
        {days.map((day, index) => (
          <div key={day.day} title={`${day.day}  ${sums[index]}`}>
            <small className="num">{days.length <= 14 && sums[index] ? number(sums[index] as number) : ""}</small>
            {severityOrder.map((severity) => (
              <i key={severity} data-severity={severity} style={{ height: `${(day[severity] / most) * 140}px` }} />
            ))}
            <small className="num">{days.length <= 14 || index % 15 === 0 ? day.day.slice(5) : ""}</small>
          </div>
        ))}
      </div>
      <table className="visually-hidden">
        <caption>{t("每天条数")}</caption>
        <thead>
          <tr>
            <th scope="col">{t("日期")}</th>
            {severityOrder.map((severity) => (
              <th key={severity} scope="col">
                {t(alarmSeverityNames[severity])}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {days.map((day) => (
            <tr key={day.day}>
              <th scope="row">{day.day}</th>
              {severityOrder.map((severity) => (
                <td key={severity}>{day[severity]}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      <p className={styles.legend}>
        {severityOrder.map((severity) => (
          <span key={severity} className={`state ${severityMarks[severity]}`}>
            <Mark name={severityMarks[severity]} />
            {t(alarmSeverityNames[severity])}
          </span>
        ))}
      </p>
    </section>
  );
}

function Figure({ name, value, unit, note }: { name: string; value: string; unit: string; note: string }) {
  return (
    <div>
      <span>{name}</span>
      <b className="num">
        {value} <small>{unit}</small>
      </b>
      <small className="mut">{note}</small>
    </div>
  );
}

/** Units that alarm most often, with how often. */
function Units({ units }: Pick<AlarmStatistics, "units">) {
  const t = useTranslate();
  const nameOf = useNames();
  const { number } = useFormats();
  const most = Math.max(1, ...units.map(({ count }) => count));
  if (units.length === 0) return null;
  return (
    <section className="card" aria-labelledby="alarm-units">
      <header>
        <h2 id="alarm-units">{t("哪些单元")}</h2>
      </header>
      <ul className={`${styles.rules} ${styles.units}`}>
        {units.slice(0, mostRules).map(({ unitId, farmName, houseName, unitName, count }) => (
          <li key={unitId}>
            <span>
              {nameOf(houseName)} {shortName(nameOf(unitName), [nameOf(farmName), nameOf(houseName)])}
            </span>
            <i style={{ width: `${(count / most) * 100}%` }} aria-hidden="true" />
            <b className="num">{number(count)}</b>
          </li>
        ))}
      </ul>
    </section>
  );
}

/** Each rule with how often it was raised, how long until somebody acknowledged it, and until it was over. */
function RuleTable({ rules }: Pick<AlarmStatistics, "rules">) {
  const t = useTranslate();
  const local = useLocalText();
  const { number } = useFormats();
  const minutes = (seconds: number | undefined): string =>
    seconds === undefined ? "--" : number(seconds / 60, seconds < 600 ? 1 : 0);
  if (rules.length === 0) return null;
  return (
    <section className="card" aria-labelledby="alarm-rule-times">
      <header>
        <h2 id="alarm-rule-times">{t("各规则用了多久")}</h2>
      </header>
      <div className={styles.scroll}>
        <table className={styles.times}>
          <thead>
            <tr>
              <th scope="col">{t("规则")}</th>
              <th scope="col">{t("次数")}</th>
              <th scope="col">{t("平均多久确认（分钟）")}</th>
              <th scope="col">{t("平均多久恢复（分钟）")}</th>
            </tr>
          </thead>
          <tbody>
            {rules.slice(0, mostRules).map((rule) => (
              <tr key={`${rule.kind} ${rule.ruleId}`}>
                <th scope="row">
                  {local(ruleNameOf(rule))} <small className="mut">{local(deviceKinds[rule.kind].name)}</small>
                </th>
                <td className="num">{number(rule.count)}</td>
                <td className="num">{minutes(rule.acknowledgeS)}</td>
                <td className="num">{minutes(rule.clearS)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </section>
  );
}

function Statistics({ days }: { days: number }) {
  const t = useTranslate();
  const local = useLocalText();
  const { number } = useFormats();
  const loaded = useLoad(`alarm statistics ${days}`, (signal) =>
    call(alarmStatistics, { query: { days }, signal, quiet: true }),
  );
  const shown = useLast(loaded.value);
  if (loaded.error && !shown) return <LoadingProblem error={loaded.error} onRetry={loaded.reload} what={t("统计")} />;
  if (!shown) return <SectionWait />;
  const minutes = (seconds: number | undefined): string =>
    seconds === undefined ? "--" : number(seconds / 60, seconds < 600 ? 1 : 0);
  const most = Math.max(1, ...shown.rules.map(({ count }) => count));
  return (
    <>
      <div className={`card ${styles.strip}`}>
        <Figure
          name={t("全部")}
          value={number(shown.total)}
          unit={t("条")}
          note={t("另屏蔽 {count} 条", { count: number(shown.suppressed) })}
        />
        <Figure name={t("多久确认")} value={minutes(shown.acknowledgeS)} unit={t("分钟")} note={t("中位数")} />
        <Figure name={t("多久恢复")} value={minutes(shown.clearS)} unit={t("分钟")} note={t("中位数")} />
        <Figure
          name={t("误报")}
          value={shown.total === 0 ? "--" : number((shown.falseAlarms / shown.total) * 100, 1)}
          unit="%"
          note={t("{count} 条", { count: number(shown.falseAlarms) })}
        />
      </div>
      <div className={styles.charts}>
        <Days days={shown.days} />
        <section className="card" aria-labelledby="alarm-rules">
          <header>
            <h2 id="alarm-rules">{t("原因")}</h2>
          </header>
          {shown.rules.length === 0 ? (
            <p className="calm mut">{t("这段时间没有告警")}</p>
          ) : (
            <ul className={styles.rules}>
              {shown.rules.slice(0, mostRules).map((rule) => (
                <li key={`${rule.kind} ${rule.ruleId}`}>
                  <span>{local(ruleNameOf(rule))}</span>
                  <i style={{ width: `${(rule.count / most) * 100}%` }} aria-hidden="true" />
                  <b className="num">{number(rule.count)}</b>
                </li>
              ))}
            </ul>
          )}
        </section>
        <RuleTable rules={shown.rules} />
        <Units units={shown.units} />
      </div>
    </>
  );
}

const alarmOf = (row: Row): Alarm => row as unknown as Alarm;

const cells: Cells = {
  deviceName: function Sentence({ row }) {
    const t = useTranslate();
    const local = useLocalText();
    const { severity, sentence } = alarmOf(row);
    const mark = severityMarks[severity];
    return (
      <>
        <span className={`state ${mark}`}>
          <Mark name={mark} />
          <span className="visually-hidden">{t(alarmSeverityNames[severity])}</span>
        </span>{" "}
        <WholeValues text={local(sentence)} />
      </>
    );
  },
  unitName: ({ row }) => <AlarmPlace alarm={alarmOf(row)} />,
  raisedMs: function Raised({ row }) {
    return <span className="num">{useAlarmTimes().clock(alarmOf(row).raisedMs)}</span>;
  },
  endedMs: function Lasted({ row }) {
    const t = useTranslate();
    const { duration } = useAlarmTimes();
    const now = useNow();
    const { raisedMs, endedMs } = alarmOf(row);
    const span = duration((endedMs ?? now) - raisedMs);
    return <span className="num">{endedMs === undefined ? t("已 {span}", { span }) : span}</span>;
  },
  acknowledgedBy: function By({ row }) {
    const t = useTranslate();
    const nameOf = useNames();
    const { acknowledgedMs, acknowledgedBy } = alarmOf(row);
    return acknowledgedMs === undefined ? <span className="mut">{t("没人确认")}</span> : nameOf(acknowledgedBy);
  },
  state: function State({ row }) {
    const t = useTranslate();
    const { resolution, state } = alarmOf(row);
    return (
      <span className="tag">{t(resolutionNames[resolution as keyof typeof resolutionNames] ?? stateNames[state])}</span>
    );
  },
};

interface LogPlace {
  deviceId?: string;
  unitId?: string;
  kind?: Alarm["kind"];
}

/** The log of a place or a kind, or of all, which is narrowed by either. */
function useLogList({ deviceId, unitId, kind }: LogPlace): ListDeclaration {
  const language = useLanguage();
  const everywhere = deviceId === undefined && unitId === undefined;
  const { value: farms } = useLoad(everywhere ? "alarm log farms" : undefined, (signal) =>
    call(farmTree, { signal, quiet: true }),
  );
  const asked = { filter: true, single: true } as const;
  return useMemo(
    () =>
      list({
        name: "alarm_log",
        path: "/api/muyuan-iot/alarm",
        page: alarmPage.path,
        given: {
          // What was late or never was is found by asking for it.
          state: "open,suppressed,cleared,closed",
          ...(deviceId && { deviceId }),
          ...(unitId && { unitId }),
          ...(kind && { kind }),
        },
        words: { one: "告警条目", many: "告警历史" },
        title: "deviceName",
        card: ["unitName", "raisedMs", "endedMs", "acknowledgedBy"],
        fields: {
          deviceName: text("告警", { max: 80, column: true }),
          severity: choice("级别", {
            options: severityOrder.map((name) => [name, alarmSeverityNames[name]]),
            filter: true,
          }),
          unitName: text("地点", { max: 60, column: true }),
          raisedMs: moment("发生时间", { column: true, filter: true, ends: ["fromDay", "toDay"] }),
          endedMs: text("持续", { max: 12, column: true }),
          acknowledgedBy: text("确认人", { max: 20, column: true }),
          state: choice("状态", {
            options: alarmStates.map((name) => [name, stateNames[name]]),
            column: true,
            filter: true,
          }),
          ...(everywhere &&
            kind === undefined && {
              kind: choice("设备类型", {
                options: kindIds.map((name) => [name, deviceKinds[name].name[language]]),
                ...asked,
              }),
            }),
          ...((farms?.length ?? 0) > 1 && {
            farmId: choice("场区", { options: farms?.map(({ id, name }) => [id, name]) ?? [], ...asked }),
          }),
        },
      }),
    [deviceId, unitId, kind, everywhere, farms, language],
  );
}

/** The log: every alarm with what became of it, also of one device, unit or kind alone. */
export function AlarmLog({ onOpen, ...place }: LogPlace & { onOpen: (alarm: Alarm) => void }) {
  const t = useTranslate();
  const language = useLanguage();
  const mayExport = useAccess().permissions.has(alarmHandleCode);
  const log = useList(useLogList(place));
  const exportAs = (format: "csv" | "xlsx"): void =>
    void call(alarmExport, { body: { ...log.of.given, ...whereOf(log.state), format, language } }).then(
      () => {
        tellJobBegun();
        showToast({ kind: "ok", text: "导出已开始，完成后在顶栏和消息里下载" });
      },
      // A refusal shows as a toast.
      () => undefined,
    );
  // The page of a kind's log has said already what it is.
  const isPart = place.kind === undefined || place.unitId !== undefined || place.deviceId !== undefined;
  return (
    <section className="card" aria-label={t("告警历史")}>
      {isPart && (
        <header>
          <h2>{t("告警历史")}</h2>
        </header>
      )}
      <ListPart
        list={log}
        cells={cells}
        onOpen={(row) => onOpen(alarmOf(row))}
        nothing="设备超限、离线或自报故障时，会记在这里。"
        tools={
          mayExport &&
          log.total > 0 && (
            <MenuButton
              label={t("导出")}
              button={
                <Button small icon="download">
                  {t("导出")}
                </Button>
              }
              actions={[
                { id: "xlsx", icon: "table", name: "Excel (xlsx)", onAction: () => exportAs("xlsx") },
                { id: "csv", icon: "download", name: "CSV", onAction: () => exportAs("csv") },
              ]}
            />
          )
        }
      />
    </section>
  );
}

/** What was, and how long it took. */
export function AlarmHistory({ onOpen }: { onOpen: (alarm: Alarm) => void }) {
  const t = useTranslate();
  const [days, setDays] = useState<number>(14);
  return (
    <>
      <fieldset className={`seg ${styles.spans}`}>
        <legend className="visually-hidden">{t("时间范围")}</legend>
        {spans.map((span) => (
          <button key={span} type="button" aria-pressed={span === days} onClick={() => setDays(span)}>
            {t("{count} 日", { count: span })}
          </button>
        ))}
      </fieldset>
      <Statistics days={days} />
      <AlarmLog onOpen={onOpen} />
    </>
  );
}
