import {
  type Alarm,
  type AlarmCounts,
  type AlarmSeverity,
  alarmAcknowledge,
  alarmOpen,
  alarmSeverityNames,
} from "@herdwise/contract";
import { asksNow } from "@herdwise/contract/alarm-asking";
import { useState } from "react";
import { useAddressValues } from "../../shared/address/use-address.ts";
import { call } from "../../shared/api/call.ts";
import { useLoad } from "../../shared/api/use-load.ts";
import { Mark } from "../../shared/icons/mark.tsx";
import { severityMarks } from "../../shared/icons/severity-marks.ts";
import { Button } from "../../shared/kit/button.tsx";
import { TableSkeleton } from "../../shared/kit/table-skeleton.tsx";
import { useFormats, useTranslate } from "../../shared/language/use-language.ts";
import { Crumbs } from "../../shared/lists/crumbs.tsx";
import { knownId } from "../../shared/lists/list-address.ts";
import { useAccess } from "../../shared/session/access-context.ts";
import { ExceptionView } from "../../shared/states/exception-view.tsx";
import { LoadingProblem } from "../../shared/states/loading-problem.tsx";
import { useNow } from "../../shared/states/use-now.ts";
import { Connection } from "../kind/connection.tsx";
import { useLocalText } from "../kind/kind-view.ts";
import { type AlarmGroup, groupsOf } from "./alarm-groups.ts";
import { AlarmHistory } from "./alarm-history.tsx";
import { severityOrder } from "./alarm-marks.ts";
import { AlarmPanel } from "./alarm-panel.tsx";
import { AlarmRow, useAlarmTimes } from "./alarm-row.tsx";
import { noticeOnDesktop, soundAlarm } from "./alarm-sound.ts";
import styles from "./alarms.module.css";
import { useAlarms } from "./use-alarms.ts";

const tabs = ["open", "mine", "suppressed", "history"] as const;
type Tab = (typeof tabs)[number];
const tabNames: Readonly<Record<Tab, string>> = {
  open: "待处理",
  mine: "归我",
  suppressed: "已屏蔽",
  history: "历史与统计",
};

/** A choice of this browser that survives reloads. */
function useKept(key: string): [boolean, (on: boolean) => void] {
  const [on, setOn] = useState(() => localStorage.getItem(key) === "on");
  return [
    on,
    (next) => {
      localStorage.setItem(key, next ? "on" : "off");
      setOn(next);
    },
  ];
}

/** How many of each severity, and how long the oldest has waited for somebody. */
function Strip({ counts, alarms }: { counts: AlarmCounts; alarms: readonly Alarm[] }) {
  const t = useTranslate();
  const { number } = useFormats();
  const { duration } = useAlarmTimes();
  const now = useNow();
  const waiting = alarms.filter((alarm) => asksNow(alarm, now));
  const oldest = waiting.reduce((least, { raisedMs }) => Math.min(least, raisedMs), Number.POSITIVE_INFINITY);
  return (
    <div className={`card ${styles.strip}`}>
      {severityOrder.map((severity) => {
        const nobody = waiting.filter((alarm) => alarm.severity === severity).length;
        return (
          <div key={severity}>
            <span className={`state ${severityMarks[severity]}`}>
              <Mark name={severityMarks[severity]} />
              {t(alarmSeverityNames[severity])}
            </span>
            <b className="num">{number(counts[severity])}</b>
            <small className="mut">
              {counts[severity] === 0
                ? t("没有")
                : nobody === 0
                  ? t("都有人知道")
                  : t("{count} 条在提醒", { count: nobody })}
            </small>
          </div>
        );
      })}
      <div>
        <span>{t("最久没人理")}</span>
        <b className={`num ${styles.longest}`}>{Number.isFinite(oldest) ? duration(now - oldest) : "--"}</b>
        <small className="mut">{Number.isFinite(oldest) ? t("从告警发生算起") : t("都有人知道")}</small>
      </div>
    </div>
  );
}

const membersOf = ({ lead, cause, others }: AlarmGroup): Alarm[] => [lead, ...(cause ? [cause] : []), ...others];

/** How many alarms a section is of, as the strip counts them, and how many stand with those of another severity. */
function GroupCount({
  groups,
  all,
  severity,
}: {
  groups: readonly AlarmGroup[];
  all?: number;
  severity?: AlarmSeverity;
}) {
  const t = useTranslate();
  const members = groups.flatMap(membersOf);
  const own = severity === undefined ? members : members.filter((alarm) => alarm.severity === severity);
  const milder = members.length - own.length;
  const elsewhere = (all ?? own.length) - own.length;
  return (
    <span className={`num ${styles.count}`}>
      {[
        t("{count} 条告警", { count: own.length }),
        milder > 0 && t("连带 {count} 条较轻的", { count: milder }),
        elsewhere > 0 && t("另有 {count} 条在更重的里", { count: elsewhere }),
      ]
        .filter((part) => part !== false)
        .join(" · ")}
    </span>
  );
}

/** Open alarms that ask, by severity, and below those that are known; each group stands where its worst alarm does. */
function OpenList({
  alarms,
  chosen,
  onChoose,
  onAcknowledge,
}: {
  alarms: readonly Alarm[];
  chosen: string | undefined;
  onChoose: (id: string) => void;
  onAcknowledge: (ids: readonly string[]) => void;
}) {
  const t = useTranslate();
  const { permissions } = useAccess();
  const mayHandle = permissions.has("alarm_handle");
  const now = useNow();
  const groups = groupsOf(alarms, now);
  const isKnown = ({ lead, asks }: AlarmGroup): boolean => lead.state === "open" && !asks;
  const known = groups.filter(isKnown);
  const asking = groups.filter((group) => !isKnown(group)).flatMap(membersOf);
  const row = (group: AlarmGroup) => (
    <AlarmRow
      key={group.lead.id}
      group={group}
      chosen={chosen}
      mayHandle={mayHandle}
      onChoose={onChoose}
      onAcknowledge={(id) => onAcknowledge([id])}
    />
  );
  return (
    <>
      {severityOrder.map((severity) => {
        const of = groups.filter((group) => !isKnown(group) && group.lead.severity === severity);
        if (of.length === 0) return null;
        const nobody = of.filter(({ asks }) => asks);
        return (
          <section key={severity} className={styles.group} aria-labelledby={`severity-${severity}`}>
            <header>
              <h2 id={`severity-${severity}`} className={`state ${severityMarks[severity]}`}>
                <Mark name={severityMarks[severity]} />
                {t(alarmSeverityNames[severity])}
                <GroupCount
                  groups={of}
                  severity={severity}
                  all={asking.filter((alarm) => alarm.severity === severity).length}
                />
              </h2>
              {nobody.length > 1 && mayHandle && (
                <Button small kind="quiet" onPress={() => onAcknowledge(nobody.map(({ lead }) => lead.id))}>
                  {t("全部确认")}
                </Button>
              )}
            </header>
            <ul>{of.map(row)}</ul>
          </section>
        );
      })}
      {known.length > 0 && (
        <section className={styles.group} aria-labelledby="alarms-known">
          <header>
            <h2 id="alarms-known" className="state aside">
              <Mark name="aside" />
              {t("已知")}
              <GroupCount groups={known} />
            </h2>
            <small className="mut">{t("变严重或到时间，会再提醒")}</small>
          </header>
          <ul>{known.map(row)}</ul>
        </section>
      )}
    </>
  );
}

/** What the unit's mode or a window masks. */
function Suppressed({ chosen, onChoose }: { chosen: string | undefined; onChoose: (id: string) => void }) {
  const t = useTranslate();
  const loaded = useLoad("alarms suppressed", (signal) =>
    call(alarmOpen, { query: { suppressed: true }, signal, quiet: true }),
  );
  const alarms = loaded.value?.alarms;
  if (loaded.error && !alarms) return <LoadingProblem error={loaded.error} onRetry={loaded.reload} what={t("告警")} />;
  if (!alarms) return <TableSkeleton rows={4} />;
  if (alarms.length === 0) {
    return (
      <ExceptionView
        type="empty"
        title={t("没有被屏蔽的告警")}
        text={t("空栏、冲洗或屏蔽窗口里的告警记在这里，不推送。")}
      />
    );
  }
  return <OpenList alarms={alarms} chosen={chosen} onChoose={onChoose} onAcknowledge={() => undefined} />;
}

/** All alarms of the tenant: what is open, what was, and what somebody does about it. */
export function AlarmCentre() {
  const t = useTranslate();
  const local = useLocalText();
  const { user } = useAccess();
  const [search, go] = useAddressValues({ isStep: true, fromTop: true });
  const tab = tabs.find((name) => name === search.get("tab")) ?? "open";
  const chosen = knownId(search.get("id"));
  const [sound, setSound] = useKept("alarm_sound");
  const [desktop, setDesktop] = useKept("alarm_desktop");
  const { alarms, counts, error, loading, stream, reload } = useAlarms({}, (alarm) => {
    if (sound && alarm.severity === "CRITICAL") soundAlarm();
    if (desktop) {
      const place = [alarm.farmName, alarm.houseName, alarm.unitName].filter((name) => name !== "").join(" / ");
      noticeOnDesktop(`${t(alarmSeverityNames[alarm.severity])} ${local(alarm.sentence)}`, place, alarm.id);
    }
  });
  const choose = (id: string): void => go({ id });
  const acknowledge = (ids: readonly string[]): void =>
    // A refusal shows as a toast.
    void call(alarmAcknowledge, { body: { ids: ids.join(",") } }).then(reload, () => undefined);
  const allowDesktop = (on: boolean): void => {
    setDesktop(on);
    if (on && typeof Notification !== "undefined" && Notification.permission === "default") {
      void Notification.requestPermission();
    }
  };
  const mine = alarms?.filter(({ assignedTo }) => assignedTo === user.user_id);
  const listed = tab === "mine" ? mine : alarms;
  const total = counts && counts.CRITICAL + counts.MAJOR + counts.MINOR + counts.WARN;
  const tabCounts: Readonly<Record<Tab, number | undefined>> = {
    open: total,
    mine: counts?.mine,
    suppressed: counts?.suppressed,
    history: undefined,
  };
  const newest = alarms?.find(({ id }) => id === chosen);
  return (
    <div className={styles.centre} data-open={chosen !== undefined || undefined}>
      <Crumbs />
      <div className="page-head">
        <h1>{t("告警中心")}</h1>
        <Connection stream={stream} newestAtMs={undefined} />
        <span className="spacer" />
        <div className={styles.toggles}>
          <label className={styles.toggle}>
            <input type="checkbox" checked={sound} onChange={({ target }) => setSound(target.checked)} />
            {t("声音，只响紧急")}
          </label>
          <label className={styles.toggle}>
            <input type="checkbox" checked={desktop} onChange={({ target }) => allowDesktop(target.checked)} />
            {t("桌面通知")}
          </label>
        </div>
      </div>
      <nav className={styles.tabs} aria-label={t("告警")}>
        {tabs.map((name) => (
          <button
            key={name}
            type="button"
            aria-current={name === tab ? "page" : undefined}
            onClick={() =>
              go({ tab: name === "open" ? undefined : name, id: undefined, current: undefined, state: undefined })
            }
          >
            {t(tabNames[name])} {tabCounts[name] !== undefined && <span className="num">{tabCounts[name]}</span>}
          </button>
        ))}
      </nav>
      {error && (alarms || !loading) && (
        <LoadingProblem error={error} onRetry={reload} what={t("告警")} kept={alarms !== undefined} />
      )}
      {tab !== "history" && counts && alarms && <Strip counts={counts} alarms={alarms} />}
      <div className={styles.columns} data-open={chosen !== undefined || undefined}>
        <div>
          {tab === "history" ? (
            <AlarmHistory onOpen={({ id }) => choose(id)} />
          ) : (
            <section className={`card ${styles.list}`} aria-label={t(tabNames[tab])}>
              {tab === "suppressed" ? (
                <Suppressed chosen={chosen} onChoose={choose} />
              ) : listed === undefined ? (
                !error && <TableSkeleton rows={6} />
              ) : listed.length === 0 ? (
                <ExceptionView
                  type="empty"
                  title={tab === "mine" ? t("没有归您的告警") : t("没有未恢复的告警")}
                  text={
                    tab === "mine"
                      ? t("您确认的和指派给您的告警会在这里。")
                      : t("设备超限、离线或自报故障时，会马上出现在这里。")
                  }
                />
              ) : (
                <OpenList alarms={listed} chosen={chosen} onChoose={choose} onAcknowledge={acknowledge} />
              )}
            </section>
          )}
        </div>
        {chosen !== undefined && (
          <aside aria-label={t("告警详情")}>
            <Button small kind="quiet" icon="close" onPress={() => go({ id: undefined })}>
              {t("收起")}
            </Button>
            <AlarmPanel
              id={chosen}
              newest={`${newest?.state} ${newest?.known?.untilMs} ${newest?.assignedTo} ${newest?.step}`}
              onChanged={reload}
            />
          </aside>
        )}
      </div>
    </div>
  );
}
