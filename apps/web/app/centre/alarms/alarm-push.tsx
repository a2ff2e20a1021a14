import {
  type AlarmChannel,
  type AlarmSubscription,
  alarmChannels,
  alarmHandleCode,
  alarmPushList,
  alarmPushSubmit,
  alarmPushTest,
  farmTree,
  type LessWoken,
} from "@herdwise/contract";
import { useId, useState } from "react";
import { asApiError } from "../../shared/api/api-error.ts";
import { call } from "../../shared/api/call.ts";
import { useLoad } from "../../shared/api/use-load.ts";
import { Problem } from "../../shared/forms/problem.tsx";
import { Refusal } from "../../shared/forms/refusal.tsx";
import { Select } from "../../shared/forms/select.tsx";
import { useSubmission } from "../../shared/forms/use-submission.ts";
import { Mark } from "../../shared/icons/mark.tsx";
import { Button } from "../../shared/kit/button.tsx";
import { ConfirmDialog } from "../../shared/kit/dialog.tsx";
import { TableSkeleton } from "../../shared/kit/table-skeleton.tsx";
import { Translated } from "../../shared/language/translated.tsx";
import { useJoin } from "../../shared/language/use-join.ts";
import { useTranslate } from "../../shared/language/use-language.ts";
import { useAccess } from "../../shared/session/access-context.ts";
import { NotConfirmed } from "../../shared/session/confirmation.ts";
import { LoadingProblem } from "../../shared/states/loading-problem.tsx";
import { AlarmHead } from "./alarm-head.tsx";
import { severityOptions } from "./alarm-marks.ts";
import { AlarmRosterCard } from "./alarm-roster.tsx";
import { channelNames } from "./channel-names.ts";
import styles from "./push.module.css";
import { PushPreviewCard } from "./push-preview.tsx";
import rosterStyles from "./roster.module.css";

const channelHints: Readonly<Record<AlarmChannel, string>> = {
  site: "在消息里，所有页面右上角有数字",
  sms: "发到您验证过的手机；紧急告警没人确认时再打电话",
  mail: "发到您绑定的邮箱",
  "wechat-robot": "群里添加机器人，把它的地址贴到这里",
  webhook: "把告警以 JSON 发到您的系统",
};
const stepNames: Readonly<Record<number, string>> = {
  1: "一发生就通知",
  2: "第一步没人确认才通知",
  3: "第二步还没人确认才通知",
};
const called = (channel: AlarmChannel): channel is "webhook" | "wechat-robot" =>
  channel === "webhook" || channel === "wechat-robot";

/** @param unchosen whether the person may handle alarms and chose nothing, and so gets what the portal begins with */
const defaults = (channel: AlarmChannel, unchosen: boolean): AlarmSubscription => ({
  channel,
  hasAddress: false,
  leastSeverity: channel === "site" ? "MINOR" : unchosen && channel === "sms" ? "CRITICAL" : "MAJOR",
  farmIds: [],
  step: 1,
  quietFrom: 0,
  quietTo: 0,
  enabled: unchosen && (channel === "site" || channel === "sms"),
});

/** Farms for which somebody would be woken less, as the refusal names them. */
interface Less {
  farms: readonly LessWoken[];
  farmCount: number;
}

/** Asks once more before critical alarms wake somebody less, and says who is still woken. */
function LessDialog({ less, onConfirm, onClose }: { less: Less; onConfirm: () => Promise<void>; onClose: () => void }) {
  const t = useTranslate();
  const join = useJoin();
  const more = less.farmCount - less.farms.length;
  return (
    <ConfirmDialog title={t("紧急告警少叫醒您？")} action={t("仍要保存")} onConfirm={onConfirm} onClose={onClose}>
      <p>{t("保存后，这些场区的紧急告警不再像现在这样用短信或电话叫醒您：")}</p>
      <ul className={rosterStyles.less}>
        {less.farms.map(({ farmId, farmName, woken }) => (
          <li key={farmId}>
            <b>
              <Translated text={farmName} />
            </b>
            {woken.length === 0 ? (
              <span className="state critical">
                <Mark name="critical" />
                {t("没有别人会被叫醒")}
              </span>
            ) : (
              <span>{t("还会叫醒：{names}", { names: join(woken) })}</span>
            )}
          </li>
        ))}
        {more > 0 && <li>{t("另有 {count} 个场区", { count: more })}</li>}
      </ul>
    </ConfirmDialog>
  );
}

const clockOf = (minutes: number): string =>
  `${String(Math.floor(minutes / 60)).padStart(2, "0")}:${String(minutes % 60).padStart(2, "0")}`;
const dayMinutes = 1440;
/** Quiet hours are chosen in steps of this. */
const quietStep = 30;
/** How long they are at first, minutes. */
const quietAtFirst = 480;
/** Stands for no quiet hours, which are stored as two equal ends. */
const never = -1;

/** Times of day to choose from, with one that was set otherwise. */
const clocks = (held: number): (readonly [minutes: number, name: string])[] =>
  [...new Set([...Array.from({ length: dayMinutes / quietStep }, (_, at) => at * quietStep), held])]
    .filter((minutes) => minutes !== never)
    .sort((a, b) => a - b)
    .map((minutes) => [minutes, clockOf(minutes)] as const);

/** From when to when only critical alarms are told. */
function QuietHours({
  id,
  from,
  to,
  onChange,
}: {
  id: string;
  from: number;
  to: number;
  onChange: (quiet: { quietFrom: number; quietTo: number }) => void;
}) {
  const t = useTranslate();
  const begin = from === to ? never : from;
  return (
    <div>
      <label htmlFor={id}>{t("免打扰")}</label>
      <span className={styles.quiet}>
        <Select
          id={id}
          value={begin}
          options={[[never, "不设"], ...clocks(begin)]}
          onChange={(chosen) =>
            onChange(
              chosen === never
                ? { quietFrom: 0, quietTo: 0 }
                : {
                    quietFrom: chosen,
                    quietTo: begin === never || chosen === to ? (chosen + quietAtFirst) % dayMinutes : to,
                  },
            )
          }
        />
        {begin !== never && (
          <>
            <span aria-hidden="true">–</span>
            <Select
              aria-label={t("免打扰到")}
              value={to}
              options={clocks(to).filter(([minutes]) => minutes !== begin)}
              onChange={(quietTo) => onChange({ quietFrom: begin, quietTo })}
            />
          </>
        )}
      </span>
    </div>
  );
}

interface ChannelProps {
  held: AlarmSubscription | undefined;
  channel: AlarmChannel;
  farms: readonly { id: string; name: string }[];
  /** See `defaults`. */
  unchosen: boolean;
  onSaved: () => void;
  /** Told what is typed, and undefined where it is as saved. */
  onDraft: (channel: AlarmChannel, draft: AlarmSubscription | undefined) => void;
}

/** One way of being told: when, of what, of which farms. */
function Channel({ held, channel, farms, unchosen, onSaved, onDraft }: ChannelProps) {
  const t = useTranslate();
  const id = useId();
  const [draft, setDraft] = useState<AlarmSubscription>(held ?? defaults(channel, unchosen));
  const [address, setAddress] = useState("");
  const [said, setSaid] = useState("");
  const [isChanged, setIsChanged] = useState(false);
  const [less, setLess] = useState<Less>();
  const { form, busy, refused, problems, mend, submit } = useSubmission<HTMLLIElement>();
  // What the portal begins with ends with the first choice, so that it can be kept by saving it.
  const maySave = isChanged || (held === undefined && draft.enabled);
  const change = (part: Partial<AlarmSubscription>): void => {
    setSaid("");
    setIsChanged(true);
    const next = { ...draft, ...part };
    setDraft(next);
    onDraft(channel, next);
  };
  const save = async (confirmed = false): Promise<void> => {
    const { hasAddress: _hasAddress, ...chosen } = draft;
    const body = { ...chosen, ...(address !== "" && { address }), ...(confirmed && { confirmed }) };
    const send = (): Promise<unknown> =>
      call(alarmPushSubmit, { body, quiet: true }).catch((error: unknown) => {
        const refusal = asApiError(error);
        if (refusal.reason !== "push.confirm") throw refusal;
        setLess({ farms: refusal.more("farms") as LessWoken[], farmCount: refusal.more("farmCount") as number });
        throw new NotConfirmed();
      });
    if (!(await submit(send))) return;
    setAddress("");
    setIsChanged(false);
    setSaid(t("已保存"));
    onDraft(channel, undefined);
    onSaved();
  };
  const test = async (): Promise<void> => {
    await submit(async () => {
      const { arrived, fault } = await call(alarmPushTest, { body: { channel }, quiet: true });
      setSaid(arrived ? t("测试已送达") : `${t("测试没有送达")} (${fault})`);
    });
  };
  return (
    <li ref={form} className={styles.channel}>
      <label className={styles.switch}>
        <input type="checkbox" checked={draft.enabled} onChange={({ target }) => change({ enabled: target.checked })} />
        <span>
          <b>{t(channelNames[channel])}</b>
          <small className="mut">{t(channelHints[channel])}</small>
        </span>
      </label>
      {draft.enabled && (
        <div className={styles.fields}>
          {called(channel) && (
            <div className={styles.wide}>
              <label htmlFor={`${id}-address`}>{t("地址")}</label>
              <input
                id={`${id}-address`}
                className="input"
                type="url"
                autoComplete="off"
                placeholder={held?.hasAddress ? t("已保存，不显示；重填则替换") : "https://"}
                value={address}
                aria-invalid={problems.address !== undefined}
                aria-describedby={`${id}-address-problem`}
                onChange={({ target }) => {
                  mend("address");
                  setIsChanged(true);
                  setAddress(target.value);
                }}
              />
              <Problem id={`${id}-address-problem`} text={problems.address} />
            </div>
          )}
          <div>
            <label htmlFor={`${id}-severity`}>{t("最低级别")}</label>
            <Select
              id={`${id}-severity`}
              value={draft.leastSeverity}
              options={severityOptions}
              onChange={(leastSeverity) => change({ leastSeverity })}
            />
          </div>
          <div>
            <label htmlFor={`${id}-step`}>{t("什么时候")}</label>
            <Select
              id={`${id}-step`}
              value={draft.step}
              options={[1, 2, 3].map((step) => [step, stepNames[step] ?? ""] as const)}
              onChange={(step) => change({ step })}
            />
          </div>
          <div>
            <label htmlFor={`${id}-farm`}>{t("场区")}</label>
            <Select
              id={`${id}-farm`}
              value={draft.farmIds[0] ?? ""}
              options={[["", "全部场区"], ...farms.map((farm) => [farm.id, farm.name] as const)]}
              onChange={(farmId) => change({ farmIds: farmId === "" ? [] : [farmId] })}
            />
          </div>
          <QuietHours id={`${id}-from`} from={draft.quietFrom} to={draft.quietTo} onChange={change} />
        </div>
      )}
      <p className={styles.actions}>
        {maySave && (
          <Button small kind="primary" isDisabled={busy} onPress={() => void save()}>
            {t("保存")}
          </Button>
        )}
        {draft.enabled && (!called(channel) || held?.hasAddress) && (
          <Button small isDisabled={busy} onPress={() => void test()}>
            {t("发送测试")}
          </Button>
        )}
        <span role="status">{said}</span>
        <Refusal text={refused} />
      </p>
      {less && <LessDialog less={less} onConfirm={() => save(true)} onClose={() => setLess(undefined)} />}
    </li>
  );
}

/** How this person is told of alarms. */
export function AlarmPush() {
  const t = useTranslate();
  const mayHandle = useAccess().permissions.has(alarmHandleCode);
  const [saves, setSaves] = useState(0);
  const loaded = useLoad("alarm push", (signal) => call(alarmPushList, { signal, quiet: true }));
  const [drafts, setDrafts] = useState<Readonly<Partial<Record<AlarmChannel, AlarmSubscription>>>>({});
  const farms = useLoad("alarm push farms", (signal) => call(farmTree, { signal, quiet: true }));
  return (
    <>
      <AlarmHead title="告警推送设置" />
      {loaded.error && <LoadingProblem error={loaded.error} onRetry={loaded.reload} what={t("告警推送设置")} />}
      <AlarmRosterCard newest={saves} />
      <div className={styles.beside}>
        <section className={`card ${styles.choices}`} aria-label={t("告警推送设置")}>
          <p className={styles.note}>
            {t("每条告警每一步最多通知一次；同时来很多条时合成一条。免打扰时段内紧急告警照常通知。")}
          </p>
          {loaded.value?.length === 0 && (
            <p className={styles.note}>
              {mayHandle
                ? t("现在按默认：一般及以上的告警发站内消息，紧急告警再发短信，5 分钟没人确认就打电话。改了要保存。")
                : t("还没有设置过：告警不通知您。")}
            </p>
          )}
          {!loaded.value && !loaded.error && <TableSkeleton rows={5} />}
          {loaded.value && (
            <ul className={styles.channels}>
              {alarmChannels.map((channel) => (
                <Channel
                  key={channel}
                  channel={channel}
                  held={loaded.value?.find((held) => held.channel === channel)}
                  farms={farms.value ?? []}
                  unchosen={mayHandle && loaded.value?.length === 0}
                  onDraft={(of, draft) =>
                    setDrafts(({ [of]: _before, ...rest }) => (draft ? { ...rest, [of]: draft } : rest))
                  }
                  onSaved={() => {
                    setSaves((now) => now + 1);
                    loaded.reload();
                  }}
                />
              ))}
            </ul>
          )}
        </section>
        <PushPreviewCard drafts={Object.values(drafts)} saves={saves} />
      </div>
    </>
  );
}
