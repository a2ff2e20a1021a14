import { type AlarmPushPreview, type AlarmSubscription, alarmPushPreview } from "@herdwise/contract";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import { asApiError } from "../../shared/api/api-error.ts";
import { call } from "../../shared/api/call.ts";
import { Mark } from "../../shared/icons/mark.tsx";
import { severityMarks } from "../../shared/icons/severity-marks.ts";
import { TableSkeleton } from "../../shared/kit/table-skeleton.tsx";
import { WholeValues } from "../../shared/kit/whole-values.tsx";
import { TranslatedPlace } from "../../shared/language/translated.tsx";
import { useJoin } from "../../shared/language/use-join.ts";
import { useFormats, useTranslate } from "../../shared/language/use-language.ts";
import { useNames } from "../../shared/language/use-names.ts";
import { LoadingProblem } from "../../shared/states/loading-problem.tsx";
import { shortName } from "../farms/short-name.ts";
import { useLocalText } from "../kind/kind-view.ts";
import { channelNames } from "./channel-names.ts";
import styles from "./push.module.css";
import { useSettled } from "./use-settled.ts";

/** What each channel does, with how often. */
const counted: Readonly<Record<AlarmPushPreview["told"][number]["channel"], string>> = {
  voice: "打 {count} 次电话",
  sms: "发 {count} 条短信",
  site: "站内 {count} 条消息",
  mail: "发 {count} 封邮件",
  "wechat-robot": "群机器人 {count} 条",
  webhook: "接口推送 {count} 次",
};
const order = ["voice", "sms", "site", "mail", "wechat-robot", "webhook"] as const;
const whys = {
  known: "有人确认了，没发",
  ended: "已经恢复，没发",
  masked: "屏蔽着，没发",
} as const;
/** Rest after the last key before the server is asked, ms. */
const restMs = 400;

type PreviewAlarm = AlarmPushPreview["told"][number]["alarms"][number];

function AlarmLine({ alarm }: { alarm: PreviewAlarm }) {
  const local = useLocalText();
  const nameOf = useNames();
  return (
    <>
      <span className={`state ${severityMarks[alarm.severity]}`}>
        <Mark name={severityMarks[alarm.severity]} />
        <span>
          <WholeValues text={local(alarm.sentence)} />
        </span>
      </span>
      <small>
        <TranslatedPlace
          names={
            alarm.unitName === ""
              ? [alarm.farmName, alarm.houseName, shortName(nameOf(alarm.deviceName), [nameOf(alarm.farmName)])]
              : [alarm.farmName, alarm.houseName, alarm.unitName]
          }
        />
      </small>
    </>
  );
}

/** Why it came: the step, that it asked again, or that quiet hours kept it. */
function Why({ line }: { line: AlarmPushPreview["told"][number] }) {
  const t = useTranslate();
  const { dayTime } = useFormats();
  const [first] = line.alarms;
  const parts = [
    line.heldFromMs !== undefined && t("{time} 就该发，安静时段存到这时", { time: dayTime(line.heldFromMs) }),
    first && first.step > 1 && t("第 {step} 步：前面没人确认", { step: first.step }),
    first?.again && t("确认后又提醒"),
    line.night && line.heldFromMs === undefined && t("夜里"),
  ].filter((part) => typeof part === "string");
  return parts.length === 0 ? null : <small>{parts.join(" · ")}</small>;
}

function Answer({ answer }: { answer: AlarmPushPreview }) {
  const t = useTranslate();
  const join = useJoin();
  const sorted = order.flatMap((channel) => answer.channels.filter((one) => one.channel === channel));
  const held = sorted.reduce((sum, one) => sum + one.held, 0);
  return (
    <p className={styles.answer}>
      {answer.alarms === 0
        ? t("最近 7 天没有要通知的告警，试算不出来。")
        : sorted.length === 0
          ? t("照这样设，最近 7 天的 {count} 条告警一条都不会告诉您。", { count: answer.alarms })
          : t("照这样设，最近 7 天会给您{what}。", {
              what: join(sorted.map(({ channel, messages }) => t(counted[channel], { count: messages }))),
            })}
      {sorted.length > 0 && (
        <small>
          {answer.nights === 0 ? t("夜里不会吵醒您。") : t("其中夜里叫醒您 {count} 次。", { count: answer.nights })}
          {held > 0 && ` ${t("安静时段存下 {count} 条，时段结束再发。", { count: held })}`}
          {answer.untoldCount > 0 && ` ${t("{count} 条没发：有人确认、已恢复或屏蔽。", { count: answer.untoldCount })}`}
        </small>
      )}
    </p>
  );
}

const shownAtFirst = 6;

/** Messages below each other, the first of them until all are asked for. */
function Told<Line>({
  label,
  lines,
  children,
}: {
  label: string;
  lines: readonly Line[];
  children: (line: Line) => ReactNode;
}) {
  const t = useTranslate();
  const [all, setAll] = useState(false);
  return (
    <>
      <ul className={styles.told} aria-label={label}>
        {(all ? lines : lines.slice(0, shownAtFirst)).map(children)}
      </ul>
      {!all && lines.length > shownAtFirst && (
        <button type="button" className={`btn small ${styles.more}`} onClick={() => setAll(true)}>
          {t("全部 {count} 条", { count: lines.length })}
        </button>
      )}
    </>
  );
}

/** What the settings as typed would have told of the alarms of the last days, as the server works it out. */
export function PushPreviewCard({ drafts, saves }: { drafts: readonly AlarmSubscription[]; saves: number }) {
  const t = useTranslate();
  const { dayTime } = useFormats();
  const body = useSettled(
    JSON.stringify({ settings: drafts.map(({ hasAddress: _hasAddress, ...draft }) => draft) }),
    restMs,
  );
  const { data, error, isPlaceholderData, refetch } = useQuery({
    queryKey: ["alarm push preview", body, saves],
    queryFn: ({ signal }) => call(alarmPushPreview, { body: JSON.parse(body), signal, quiet: true }),
    placeholderData: keepPreviousData,
  });
  return (
    <section
      className={`card ${styles.preview}`}
      aria-labelledby="push-preview-title"
      aria-live="polite"
      data-waits={isPlaceholderData || undefined}
    >
      <header>
        <h2 id="push-preview-title">{t("用最近 7 天的告警试算")}</h2>
      </header>
      {error && !data && <LoadingProblem error={asApiError(error)} onRetry={() => void refetch()} what={t("试算")} />}
      {!data && !error && <TableSkeleton rows={4} />}
      {data && <Answer answer={data} />}
      {data && data.told.length > 0 && (
        <Told label={t("会发的")} lines={data.told}>
          {(line) => (
            <li key={`${line.channel} ${line.atMs}`}>
              <time className="num">{dayTime(line.atMs)}</time>
              <div>
                <b>{t(channelNames[line.channel])}</b>
                {line.count > 1 && ` · ${t("{count} 条告警合成一条", { count: line.count })}`}
                <div>{line.alarms[0] && <AlarmLine alarm={line.alarms[0]} />}</div>
                <Why line={line} />
              </div>
            </li>
          )}
        </Told>
      )}
      {data && data.untold.length > 0 && (
        <>
          <h3>{t("没发的")}</h3>
          <Told label={t("没发的")} lines={data.untold}>
            {(one) => (
              <li key={`${one.channel} ${one.id} ${one.atMs} ${one.step}`}>
                <time className="num">{dayTime(one.atMs)}</time>
                <div>
                  <b>{t(channelNames[one.channel])}</b> · {t(whys[one.why])}
                  <div>
                    <AlarmLine alarm={one} />
                  </div>
                </div>
              </li>
            )}
          </Told>
        </>
      )}
    </section>
  );
}
