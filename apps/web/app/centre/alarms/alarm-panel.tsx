import {
  type Alarm,
  type AlarmDetail,
  type AlarmResolution,
  alarmAcknowledge,
  alarmAssign,
  alarmClear,
  alarmClose,
  alarmComment,
  alarmDetail,
  alarmPeople,
  alarmResolutions,
  alarmRuleCode,
  alarmSeverityNames,
} from "@herdwise/contract";
import { asksNow } from "@herdwise/contract/alarm-asking";
import { type AlarmAct, type AlarmStep, deviceKinds, type LocalText } from "@herdwise/device-kinds";
import { useState } from "react";
import { Link, useNavigate } from "react-router";
import { call } from "../../shared/api/call.ts";
import { useLoad } from "../../shared/api/use-load.ts";
import { Icon } from "../../shared/icons/icon.tsx";
import { Mark } from "../../shared/icons/mark.tsx";
import { severityMarks } from "../../shared/icons/severity-marks.ts";
import { Button } from "../../shared/kit/button.tsx";
import { Dialog } from "../../shared/kit/dialog.tsx";
import { type MenuAction, MenuButton } from "../../shared/kit/menu.tsx";
import { useFormats, useTranslate } from "../../shared/language/use-language.ts";
import { useNames } from "../../shared/language/use-names.ts";
import { useAccess } from "../../shared/session/access-context.ts";
import { LoadingProblem } from "../../shared/states/loading-problem.tsx";
import { Skeleton } from "../../shared/states/skeleton.tsx";
import { useNow } from "../../shared/states/use-now.ts";
import { kindPath, useLocalText } from "../kind/kind-view.ts";
import { Acknowledge } from "./acknowledge.tsx";
import { AlarmPlace, AlarmValue, useAlarmTimes } from "./alarm-row.tsx";
import { declaredOf, fought, guideOf, ruleNameOf } from "./alarm-words.ts";
import styles from "./alarms.module.css";
import { resolutionNames, stateNames, useCourseText } from "./course-words.ts";
import { KnownMark } from "./known-mark.tsx";

/** A new order with the device's state attached. */
const orderPath = (deviceId: string): string => `/workOrder/orderService/add?device=${deviceId}`;

interface Told {
  alarm: AlarmDetail;
  /** The open alarm that it follows from: that one is why, and what is done about it ends both. */
  cause?: Alarm | undefined;
}

interface Changing extends Told {
  /** Reads what was changed. */
  onChanged: () => void;
}

/** Cause, part, consequence and trend, as the kind declares and the server counts them. */
export function AlarmFacts({ alarm, cause }: Told) {
  const t = useTranslate();
  const local = useLocalText();
  const { number } = useFormats();
  const guide = guideOf(alarm);
  const why = (cause && guideOf(cause)) ?? guide;
  const { unit, decimals } = declaredOf(alarm);
  const { trend } = alarm;
  return (
    <dl className={styles.facts}>
      {guide && why && (
        <>
          <dt>{t("原因")}</dt>
          <dd>{local(why.cause)}</dd>
          <dt>{t("部位")}</dt>
          <dd>{local(why.part)}</dd>
          <dt>{t("结果")}</dt>
          <dd>{local(guide.consequence)}</dd>
        </>
      )}
      {trend && (
        <>
          <dt>{t("走势")}</dt>
          <dd>
            {Math.abs(trend.perTenMinutes) < 10 ** -decimals / 2
              ? t("最近 15 分钟没有明显变化")
              : trend.perTenMinutes > 0
                ? t("每 10 分钟升 {value} {unit}", { value: number(trend.perTenMinutes, decimals), unit: local(unit) })
                : t("每 10 分钟降 {value} {unit}", {
                    value: number(-trend.perTenMinutes, decimals),
                    unit: local(unit),
                  })}
            {trend.toward !== undefined &&
              trend.minutes !== undefined &&
              t("，照此约 {minutes} 分钟后到 {value} {unit}", {
                minutes: trend.minutes,
                value: number(trend.toward, decimals),
                unit: local(unit),
              })}
          </dd>
        </>
      )}
    </dl>
  );
}

/** Where an action of a step leads; undefined where the person may not do it, or it asks here. */
function useActLink({
  kind,
  deviceId,
}: Alarm): (act: AlarmAct) => { to: string; name: LocalText | string } | undefined {
  const { permissions, user } = useAccess();
  return (act) => {
    switch (act.do) {
      case "command": {
        const command = deviceKinds[kind].commands.find(({ method }) => method === act.method);
        return command && permissions.has("device_command")
          ? { to: `${kindPath(kind, "device", deviceId)}&command=${act.method}`, name: command.name }
          : undefined;
      }
      case "parameters":
        return {
          to: `${kindPath(kind, "parameters", deviceId)}${act.group ? `&group=${act.group}` : ""}`,
          name: "打开参数",
        };
      case "order":
        return user.tenant_type !== "group" && permissions.has("work_order_submit")
          ? { to: orderPath(deviceId), name: "提交工单" }
          : undefined;
      case "readings":
        return { to: `${kindPath(kind, "device", deviceId)}#values-title`, name: "看不可信的读数" };
      case "people":
        return undefined;
    }
  };
}

/** What to do, in its order; what can be done from here has its button beside the words. */
export function AlarmSteps({ alarm, cause, onChanged }: Changing) {
  const t = useTranslate();
  const local = useLocalText();
  const { permissions } = useAccess();
  const about = fought<Alarm>(alarm, cause);
  const linkOf = useActLink(about);
  const [assigning, setAssigning] = useState(false);
  const steps: readonly AlarmStep[] = guideOf(about)?.steps ?? [];
  if (steps.length === 0) return null;
  const isOver = alarm.endedMs !== undefined;
  return (
    <section className={styles.steps} aria-label={t("接下来做什么")}>
      <h3>{t("接下来做什么")}</h3>
      <ol>
        {steps.map((step) => {
          const { act } = step;
          const link = act && !isOver ? linkOf(act) : undefined;
          return (
            <li key={step.zh}>
              <span>{local(step)}</span>{" "}
              {link && (
                <Link className="btn" to={link.to}>
                  {typeof link.name === "string" ? t(link.name) : `${local(link.name)}…`}
                </Link>
              )}
              {act?.do === "people" && !isOver && permissions.has("alarm_handle") && (
                <Button small icon="person" onPress={() => setAssigning(true)}>
                  {t("叫人来")}
                </Button>
              )}
            </li>
          );
        })}
      </ol>
      {assigning && <AssignDialog alarm={alarm} onChanged={onChanged} onClose={() => setAssigning(false)} />}
    </section>
  );
}

/** What was done and said, the oldest first. */
function AlarmEntries({ alarm }: { alarm: AlarmDetail }) {
  const t = useTranslate();
  const nameOf = useNames();
  const { clock } = useAlarmTimes();
  const textOf = useCourseText();
  return (
    <ol className={styles.entries}>
      <li>
        <span className="mut num">{clock(alarm.raisedMs)}</span>
        <span>{t("告警发生")}</span>
      </li>
      {alarm.entries.map((entry) => (
        <li key={entry.id}>
          <span className="mut num">{clock(entry.atMs)}</span>
          <span>
            {entry.personName !== "" && <b>{nameOf(entry.personName)} </b>}
            {textOf(entry)}
          </span>
        </li>
      ))}
      {alarm.endedMs !== undefined && (
        <li>
          <span className="mut num">{clock(alarm.endedMs)}</span>
          <span>{t("已恢复")}</span>
        </li>
      )}
    </ol>
  );
}

function Comment({ alarm, onChanged }: Changing) {
  const t = useTranslate();
  const [text, setText] = useState("");
  return (
    <form
      className={styles.comment}
      onSubmit={(event) => {
        event.preventDefault();
        void call(alarmComment, { body: { id: alarm.id, text: text.trim() } }).then(
          () => {
            setText("");
            onChanged();
          },
          // A refusal shows as a toast.
          () => undefined,
        );
      }}
    >
      <input
        className="input"
        aria-label={t("写留言")}
        placeholder={t("写留言")}
        maxLength={500}
        value={text}
        onChange={({ target }) => setText(target.value)}
      />
      <Button small type="submit" isDisabled={text.trim() === ""}>
        {t("发送")}
      </Button>
    </form>
  );
}

function AssignDialog({ alarm, onChanged, onClose }: Changing & { onClose: () => void }) {
  const t = useTranslate();
  const nameOf = useNames();
  const people = useLoad("alarm people", (signal) => call(alarmPeople, { signal, quiet: true }));
  const give = (accountId: string): void =>
    void call(alarmAssign, { body: { ids: alarm.id, accountId } }).then(
      () => {
        onChanged();
        onClose();
      },
      () => undefined,
    );
  return (
    <Dialog
      title={t("指派给谁")}
      onClose={onClose}
      footer={
        <Button small onPress={onClose}>
          {t("取消")}
        </Button>
      }
    >
      {people.error && <LoadingProblem error={people.error} onRetry={people.reload} what={t("成员")} />}
      {!people.value && !people.error && <Skeleton width={12} />}
      <ul className={styles.people}>
        {people.value?.map(({ id, personName }) => (
          <li key={id}>
            <Button icon="person" onPress={() => give(id)}>
              {nameOf(personName)}
            </Button>
          </li>
        ))}
      </ul>
    </Dialog>
  );
}

function CloseDialog({ alarm, onChanged, onClose }: Changing & { onClose: () => void }) {
  const t = useTranslate();
  const [text, setText] = useState("");
  const close = (resolution: AlarmResolution): void =>
    void call(alarmClose, { body: { ids: alarm.id, resolution, text: text.trim() } }).then(
      () => {
        onChanged();
        onClose();
      },
      () => undefined,
    );
  return (
    <Dialog
      title={t("关闭告警")}
      onClose={onClose}
      footer={
        <Button small onPress={onClose}>
          {t("取消")}
        </Button>
      }
    >
      <p>{t("怎样处理的？它留在历史和统计里。")}</p>
      <textarea
        className="input"
        rows={3}
        maxLength={500}
        aria-label={t("说明")}
        placeholder={t("说明")}
        value={text}
        onChange={({ target }) => setText(target.value)}
      />
      <div className={styles.people}>
        {alarmResolutions.map((resolution) => (
          <Button key={resolution} small onPress={() => close(resolution)}>
            {t(resolutionNames[resolution])}
          </Button>
        ))}
      </div>
    </Dialog>
  );
}

interface ActionsProps extends Changing {
  /** Whether the way to its place is one of these. */
  isLinked?: boolean;
  /** Only what is done first stands open, so that a page below it keeps its room. */
  isShort?: boolean;
}

/** What stands behind what is done first: on a page of its own as buttons, on a banner in a menu. */
interface RestAction extends Omit<MenuAction, "onAction"> {
  /** Where it leads; without it, it acts. */
  to?: string;
  onAction?: () => void;
}

/** The buttons that fit where the alarm stands; people without the right see none. */
export function AlarmActions({ alarm, onChanged, isLinked = true, isShort = false }: ActionsProps) {
  const t = useTranslate();
  const { permissions, user } = useAccess();
  const navigate = useNavigate();
  const now = useNow();
  const [asking, setAsking] = useState<"assign" | "close">();
  if (!permissions.has("alarm_handle")) return null;
  const done = (action: Promise<unknown>): void => void action.then(onChanged, () => undefined);
  const unit = !isLinked || alarm.unitId === "" ? "" : kindPath(alarm.kind, "unit", alarm.unitId);
  const device = isLinked && unit === "" ? kindPath(alarm.kind, "device", alarm.deviceId) : "";
  const rest: readonly RestAction[] =
    alarm.state !== "open"
      ? []
      : [
          ...(user.tenant_type !== "group" && permissions.has("work_order_submit")
            ? [{ id: "order", icon: "wrench", name: t("提交工单"), to: orderPath(alarm.deviceId) } as const]
            : []),
          ...(permissions.has(alarmRuleCode)
            ? [
                {
                  id: "mask",
                  icon: "clock",
                  name: t("屏蔽一段时间"),
                  to: `/selfCenter/vet/alarmRules?tab=masks&place=${alarm.unitId === "" ? `device/${alarm.deviceId}` : `unit/${alarm.unitId}`}`,
                } as const,
              ]
            : []),
          {
            id: "clear",
            icon: "check",
            name: t("清除"),
            onAction: () => done(call(alarmClear, { body: { ids: alarm.id } })),
          },
        ];
  return (
    <div className={styles.buttons}>
      {alarm.state === "open" && (
        <Acknowledge
          key={alarm.severity}
          alarm={alarm}
          asks={asksNow(alarm, now)}
          onAcknowledge={(minutes) => done(call(alarmAcknowledge, { body: { ids: alarm.id, minutes } }))}
        />
      )}
      {alarm.state === "open" && (
        <Button icon="person" onPress={() => setAsking("assign")}>
          {t("指派")}
        </Button>
      )}
      {unit !== "" && (
        <Link className="btn" to={unit}>
          <Icon name="unit" small />
          {t("打开单元")}
        </Link>
      )}
      {device !== "" && (
        <Link className="btn" to={device}>
          <Icon name="devices" small />
          {t("打开设备")}
        </Link>
      )}
      {isShort && rest.length > 0 && (
        <MenuButton
          button={<Button>{t("更多")}</Button>}
          label={t("更多")}
          actions={rest.map(({ to, onAction, ...action }) => ({
            ...action,
            onAction: () => (to === undefined ? onAction?.() : void navigate(to)),
          }))}
        />
      )}
      {!isShort &&
        rest.map(({ id, icon, name, to, onAction }) =>
          to === undefined ? (
            <Button key={id} kind="quiet" onPress={() => onAction?.()}>
              {name}
            </Button>
          ) : (
            <Link key={id} className="btn" to={to}>
              <Icon name={icon} small />
              {name}
            </Link>
          ),
        )}
      {alarm.state === "cleared" && (
        <Button icon="check" onPress={() => setAsking("close")}>
          {t("关闭告警")}
        </Button>
      )}
      {asking === "assign" && <AssignDialog alarm={alarm} onChanged={onChanged} onClose={() => setAsking(undefined)} />}
      {asking === "close" && <CloseDialog alarm={alarm} onChanged={onChanged} onClose={() => setAsking(undefined)} />}
    </div>
  );
}

/** One alarm in full, beside the list. @param newest changes when the alarm did */
export function AlarmPanel({ id, newest, onChanged }: { id: string; newest: string; onChanged: () => void }) {
  const t = useTranslate();
  const local = useLocalText();
  const { permissions } = useAccess();
  const { duration, clock } = useAlarmTimes();
  const now = useNow();
  const loaded = useLoad(`alarm ${id} ${newest}`, (signal) =>
    call(alarmDetail, { query: { id }, signal, quiet: true }),
  );
  const [last, setLast] = useState<AlarmDetail>();
  if (loaded.value && loaded.value !== last) setLast(loaded.value);
  const alarm = loaded.value ?? (last?.id === id ? last : undefined);
  if (loaded.error && !alarm) return <LoadingProblem error={loaded.error} onRetry={loaded.reload} what={t("告警")} />;
  if (!alarm) {
    return (
      <section className={`card ${styles.panel}`} aria-busy="true">
        <Skeleton width={10} />
        <Skeleton width={16} />
      </section>
    );
  }
  const mark = severityMarks[alarm.severity];
  const renew = (): void => {
    loaded.reload();
    onChanged();
  };
  return (
    <section className={`card ${styles.panel}`} aria-labelledby="alarm-title">
      <p className={styles.head}>
        <span className={`state ${mark}`}>
          <Mark name={mark} />
          {t(alarmSeverityNames[alarm.severity])}
        </span>
        {alarm.state !== "open" && <span className="tag">{t(stateNames[alarm.state])}</span>}
        {alarm.known && !asksNow(alarm, now) && <KnownMark known={alarm.known} />}
        <span className="num">
          {alarm.endedMs === undefined
            ? t("{time} 起，已 {duration}", { time: clock(alarm.raisedMs), duration: duration(now - alarm.raisedMs) })
            : t("{time} 起，持续 {duration}", {
                time: clock(alarm.raisedMs),
                duration: duration(alarm.endedMs - alarm.raisedMs),
              })}
        </span>
      </p>
      <h2 id="alarm-title">{local(alarm.sentence)}</h2>
      <p>
        <AlarmPlace alarm={alarm} />
        {alarm.headCount > 0 && <span className="num mut">　{t("{count} 头", { count: alarm.headCount })}</span>}
      </p>
      <AlarmValue alarm={alarm} />
      <AlarmFacts alarm={alarm} />
      <AlarmSteps alarm={alarm} onChanged={renew} />
      <AlarmActions alarm={alarm} onChanged={renew} />
      {alarm.effects.length > 0 && (
        <div className={styles.following}>
          <h3>{t("由它引起的 {count} 条", { count: alarm.effects.length })}</h3>
          <ul>
            {alarm.effects.map((effect) => (
              <li key={effect.id}>
                <span className={`state ${severityMarks[effect.severity]}`}>
                  <Mark name={severityMarks[effect.severity]} />
                  {local(ruleNameOf(effect))}
                </span>{" "}
                <span className="mut">{t(stateNames[effect.state])}</span>
              </li>
            ))}
          </ul>
        </div>
      )}
      <h3>{t("经过")}</h3>
      <AlarmEntries alarm={alarm} />
      {permissions.has("alarm_handle") && <Comment alarm={alarm} onChanged={renew} />}
    </section>
  );
}
