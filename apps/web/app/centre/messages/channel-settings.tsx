import {
  type MessageChannel,
  type MessageKind,
  type MessageSettings,
  messageChannels,
  messageChannelTest,
  messageSettings,
  messageSettingsSubmit,
  noDigest,
  wechatUnbind,
} from "@herdwise/contract";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { Link } from "react-router";
import { asApiError } from "../../shared/api/api-error.ts";
import { call } from "../../shared/api/call.ts";
import { Refusal } from "../../shared/forms/refusal.tsx";
import { useSubmission } from "../../shared/forms/use-submission.ts";
import { Icon } from "../../shared/icons/icon.tsx";
import { Mark } from "../../shared/icons/mark.tsx";
import { Button } from "../../shared/kit/button.tsx";
import { CheckBox } from "../../shared/kit/check-box.tsx";
import { TableSkeleton } from "../../shared/kit/table-skeleton.tsx";
import { parseWireDateTime } from "../../shared/language/format.ts";
import { tellIn } from "../../shared/language/tell.ts";
import { useFormats, useTranslate } from "../../shared/language/use-language.ts";
import { useDraft } from "../../shared/resource/use-draft.ts";
import { useAccess } from "../../shared/session/access-context.ts";
import { useUnsaved } from "../../shared/session/use-unsaved.ts";
import { LoadingProblem } from "../../shared/states/loading-problem.tsx";
import { showToast } from "../../shared/states/toast-store.ts";
import styles from "./messages.module.css";
import { WechatDialog } from "./wechat-dialog.tsx";
import { channelWords, kindWords } from "./words.ts";

const queryKey = ["messages", "settings"] as const;
const clockOf = (minute: number): string =>
  `${String(Math.floor(minute / 60)).padStart(2, "0")}:${String(minute % 60).padStart(2, "0")}`;
const minuteOf = (clock: string): number => {
  const [hours = 0, minutes = 0] = clock.split(":").map(Number);
  return hours * 60 + minutes;
};
type Standing = MessageSettings["channels"][number];

/** Whether a channel reaches the person, with a try. */
function Channel({ standing, onBind, onChanged }: { standing: Standing; onBind: () => void; onChanged: () => void }) {
  const t = useTranslate();
  const { dayTime } = useFormats();
  const [busy, setBusy] = useState(false);
  const [said, setSaid] = useState<{ ok: boolean; text: string }>();
  const { channel, available, bound, failed } = standing;
  const test = async (): Promise<void> => {
    setBusy(true);
    try {
      const { arrived } = await call(messageChannelTest, { body: { channel }, quiet: true });
      setSaid({ ok: arrived, text: t(arrived ? "发出了，请看看到没到" : "没发出去，稍后再试") });
      onChanged();
    } catch (error) {
      setSaid({ ok: false, text: tellIn(t, asApiError(error)) });
    } finally {
      setBusy(false);
    }
  };
  const missing: Readonly<Record<MessageChannel, string>> = {
    site: "",
    sms: "还没有验证过的手机号",
    mail: "没绑邮箱，勾了也收不到",
    wechat: "没绑微信，勾了也收不到",
  };
  const note = !available
    ? t("本平台没有开通")
    : !bound
      ? t(missing[channel])
      : failed
        ? t("上次没发出去")
        : standing.lastTime === ""
          ? t("还没发过")
          : t("上次 {time}", { time: dayTime(parseWireDateTime(standing.lastTime)) });
  return (
    <div className={styles.channel}>
      <span>
        {t(channelWords[channel])} <span className="num">{standing.phone || standing.email}</span>
      </span>
      {available && bound ? (
        <Button small isDisabled={busy} onPress={() => void test()}>
          {t("试一条")}
        </Button>
      ) : available && channel === "wechat" ? (
        <Button small onPress={onBind}>
          {t("去绑定")}
        </Button>
      ) : available && channel !== "site" ? (
        <Link className="btn small" to="/selfCenter/safeManage">
          {t("去绑定")}
        </Link>
      ) : (
        <span />
      )}
      <small role="status">
        {said ? (
          <span className={`state ${said.ok ? "ok" : "minor"}`}>
            <Mark name={said.ok ? "ok" : "minor"} />
            {said.text}
          </span>
        ) : (
          <>
            {(failed || (available && !bound)) && <Mark name="minor" />} {note}
            {channel === "wechat" && bound && (
              <>
                {" · "}
                <Button kind="link" onPress={() => void call(wechatUnbind).then(onChanged, () => undefined)}>
                  {t("解绑")}
                </Button>
              </>
            )}
          </>
        )}
      </small>
    </div>
  );
}

/** Quiet hours over the day. */
function Day({ from, to }: { from: number; to: number }) {
  const parts =
    from === to
      ? []
      : from < to
        ? [[from, to]]
        : [
            [0, to],
            [from, 1440],
          ];
  return (
    <div className={styles.day} aria-hidden="true">
      <svg viewBox="0 0 1440 12" preserveAspectRatio="none" aria-hidden="true">
        <rect width="1440" height="12" />
        {parts.map(([begin = 0, end = 0]) => (
          <rect key={begin} x={begin} width={end - begin} height="12" />
        ))}
      </svg>
      <span className="num">
        {[0, 6, 12, 18, 24].map((hour) => (
          <small key={hour}>{clockOf(hour * 60)}</small>
        ))}
      </span>
    </div>
  );
}

type Times = Partial<Pick<MessageSettings, "quietFrom" | "quietTo" | "digestAt">>;
/** What was changed and not saved: choices by kind and channel, and times. */
const unchanged: { choices: Readonly<Record<string, boolean>>; times: Times } = { choices: {}, times: {} };

function Form({ settings, onSaved }: { settings: MessageSettings; onSaved: () => void }) {
  const t = useTranslate();
  const { form, busy, refused, submit } = useSubmission<HTMLDivElement>();
  const { user } = useAccess();
  const [{ choices, times }, put, forget] = useDraft(`${user.user_id}_message-settings`, unchanged);
  const [binding, setBinding] = useState(false);
  const { quietFrom, quietTo, digestAt } = { ...settings, ...times };
  const changedTimes = (["quietFrom", "quietTo", "digestAt"] as const).filter(
    (name) => times[name] !== undefined && times[name] !== settings[name],
  );
  const count = Object.keys(choices).length + changedTimes.length;
  useUnsaved(count > 0 && !busy);
  const keyOf = (kind: MessageKind, channel: MessageChannel): string => `${kind} ${channel}`;
  const toggle = (kind: MessageKind, channel: MessageChannel, before: boolean, after: boolean): void =>
    put((now) => {
      const { [keyOf(kind, channel)]: _before, ...rest } = now.choices;
      return { choices: after === before ? rest : { ...rest, [keyOf(kind, channel)]: after } };
    });
  const setTimes = (next: Times): void => put({ times: next });
  const undo = (): void => {
    put(unchanged);
    forget();
  };
  const save = async (): Promise<void> => {
    const changed = Object.entries(choices).map(([key, enabled]) => {
      const [kind, channel] = key.split(" ") as [MessageKind, MessageChannel];
      return { kind, channel, enabled };
    });
    const body = {
      ...(changed.length > 0 && { choices: changed }),
      ...Object.fromEntries(changedTimes.map((name) => [name, times[name]])),
    };
    if (!(await submit(() => call(messageSettingsSubmit, { body, quiet: true })))) return;
    undo();
    showToast({ kind: "ok", text: "已保存" });
    onSaved();
  };
  const quiet = quietFrom !== quietTo;
  // What is ticked there arrives only once it is bound.
  const unbound = new Set(
    settings.channels.flatMap(({ channel, available, bound }) => (available && !bound ? [channel] : [])),
  );
  return (
    <div ref={form} className={styles.both}>
      <div className="card">
        <div className="tbl-wrap">
          <table className={`tbl ${styles.matrix}`}>
            <thead>
              <tr>
                <th scope="col">{t("什么事")}</th>
                {messageChannels.map((channel) => (
                  <th key={channel} scope="col">
                    {t(channelWords[channel])}
                    {unbound.has(channel) && <small>{t("未绑定")}</small>}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {settings.kinds.map(({ kind, channels }) => (
                <tr key={kind}>
                  <th scope="row">
                    {t(kindWords[kind].name)}
                    <small>
                      {t(kindWords[kind].note)}
                      {kind === "alarm" && (
                        <>
                          {" "}
                          <Link className="link" to="/selfCenter/biosafety/alarm">
                            {t("去设")}
                          </Link>
                        </>
                      )}
                    </small>
                  </th>
                  {messageChannels.map((channel) => {
                    const choice = channels.find((one) => one.channel === channel);
                    const label = `${t(kindWords[kind].name)} ${t(channelWords[channel])}`;
                    return (
                      <td key={channel}>
                        {choice === undefined ? (
                          <span className="mut">
                            <span aria-hidden="true">–</span>
                            <span className="visually-hidden">{t("没有这个渠道")}</span>
                          </span>
                        ) : choice.locked ? (
                          <span className={styles.locked} title={t("不能关")}>
                            <Icon name="lock" small />
                            <span className="visually-hidden">{t("一直开着，不能关")}</span>
                          </span>
                        ) : (
                          <label className="tap">
                            <CheckBox
                              aria-label={label}
                              checked={choices[keyOf(kind, channel)] ?? choice.enabled}
                              onChange={({ target }) => toggle(kind, channel, choice.enabled, target.checked)}
                            />
                          </label>
                        )}
                      </td>
                    );
                  })}
                </tr>
              ))}
            </tbody>
          </table>
        </div>
        <div className={styles.bar}>
          <span className={count > 0 ? "state notice" : "mut"}>
            {count > 0 ? t("改了 {count} 处，还没保存", { count }) : t("没有改动")}
          </span>
          <Refusal text={refused} />
          <span className="spacer" />
          <Button isDisabled={count === 0 || busy} onPress={undo}>
            {t("还原")}
          </Button>
          <Button kind="primary" isDisabled={count === 0 || busy} onPress={() => void save()}>
            {t("保存")}
          </Button>
        </div>
      </div>
      <div>
        <section className="card" aria-labelledby="quiet-title">
          <header>
            <h2 id="quiet-title">{t("安静时段")}</h2>
          </header>
          <div className={styles.box2}>
            <label className={styles.check}>
              <CheckBox
                checked={quiet}
                onChange={({ target }) =>
                  setTimes({
                    ...times,
                    ...(target.checked ? { quietFrom: 1320, quietTo: 390 } : { quietFrom: 0, quietTo: 0 }),
                  })
                }
              />{" "}
              {t("这段时间不发短信、邮件和微信")}
            </label>
            {quiet && (
              <div className={styles.times}>
                {(["quietFrom", "quietTo"] as const).map((end) => (
                  <label key={end}>
                    {t(end === "quietFrom" ? "从" : "到")}
                    <input
                      className="input"
                      type="time"
                      value={clockOf(end === "quietFrom" ? quietFrom : quietTo)}
                      onChange={({ target }) => target.value && setTimes({ ...times, [end]: minuteOf(target.value) })}
                    />
                  </label>
                ))}
              </div>
            )}
            {quiet && <Day from={quietFrom} to={quietTo} />}
            <p className="mut">{t("紧急告警照发，其余存到时段结束。")}</p>
          </div>
        </section>
        <section className="card" aria-labelledby="digest-title">
          <header>
            <h2 id="digest-title">{t("每天汇总")}</h2>
          </header>
          <div className={styles.box2}>
            <label className={styles.check}>
              <CheckBox
                checked={digestAt !== noDigest}
                onChange={({ target }) => setTimes({ ...times, digestAt: target.checked ? 1080 : noDigest })}
              />{" "}
              {t("邮件和微信每天合成一条发")}
            </label>
            {digestAt !== noDigest && (
              <div className={styles.times}>
                <label>
                  {t("几点发")}
                  <input
                    className="input"
                    type="time"
                    value={clockOf(digestAt)}
                    onChange={({ target }) => target.value && setTimes({ ...times, digestAt: minuteOf(target.value) })}
                  />
                </label>
              </div>
            )}
            <p className="mut">{t("告警和安全通知不等汇总。")}</p>
          </div>
        </section>
        <section className="card" aria-labelledby="channels-title">
          <header>
            <h2 id="channels-title">{t("渠道通不通")}</h2>
          </header>
          <div className={styles.box2}>
            {settings.channels
              .filter(({ channel }) => channel !== "site")
              .map((standing) => (
                <Channel
                  key={standing.channel}
                  standing={standing}
                  onBind={() => setBinding(true)}
                  onChanged={onSaved}
                />
              ))}
          </div>
        </section>
      </div>
      {binding && (
        <WechatDialog
          onClose={() => setBinding(false)}
          onBound={() => {
            setBinding(false);
            showToast({ kind: "ok", text: "微信已绑定" });
            onSaved();
          }}
        />
      )}
    </div>
  );
}

/** What is told how, when it is quiet, and whether each way works. */
export function ChannelSettings() {
  const t = useTranslate();
  const client = useQueryClient();
  const loaded = useQuery({
    queryKey,
    queryFn: ({ signal }) => call(messageSettings, { signal, quiet: true }),
  });
  const again = (): void => void client.invalidateQueries({ queryKey });
  return (
    <section className={styles.settings} id="message-settings" aria-labelledby="settings-title">
      <h2 id="settings-title">{t("什么事，怎么告诉我")}</h2>
      <p>{t("锁着的一直开：漏掉一条会伤到账号、猪或钱。")}</p>
      {loaded.error && !loaded.data && (
        <LoadingProblem error={asApiError(loaded.error)} onRetry={again} what={t("通知设置")} />
      )}
      {!loaded.data && !loaded.error && (
        <div className="card">
          <TableSkeleton rows={6} />
        </div>
      )}
      {loaded.data && <Form settings={loaded.data} onSaved={again} />}
    </section>
  );
}
