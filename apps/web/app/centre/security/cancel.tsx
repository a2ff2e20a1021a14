import {
  type Cancellation,
  type CancellationReason,
  type CancellationTouch,
  type CancellationView,
  cancellationCode,
  cancellationDetail,
  cancellationSubmit,
  cancellationTakeBack,
  customerCloseDetail,
  customerCloseSubmit,
  customerCloseTakeBack,
} from "@herdwise/contract";
import { cancellationReasons } from "@herdwise/contract/cancellation-states";
import { type ReactNode, useState } from "react";
import { Link, useSearchParams } from "react-router";
import { asApiError } from "../../shared/api/api-error.ts";
import { call } from "../../shared/api/call.ts";
import { useLoad } from "../../shared/api/use-load.ts";
import { cancellationWords, effectWords, reasonWords, retentionWords } from "../../shared/cancellation/words.ts";
import { SelectField } from "../../shared/forms/fields.tsx";
import "../../shared/forms/forms.css";
import { Refusal } from "../../shared/forms/refusal.tsx";
import { useSubmission } from "../../shared/forms/use-submission.ts";
import { Icon } from "../../shared/icons/icon.tsx";
import { Mark } from "../../shared/icons/mark.tsx";
import { Button } from "../../shared/kit/button.tsx";
import { CheckBox } from "../../shared/kit/check-box.tsx";
import { TableSkeleton } from "../../shared/kit/table-skeleton.tsx";
import { parseWireDateTime } from "../../shared/language/format.ts";
import { tellIn } from "../../shared/language/tell.ts";
import { Translated } from "../../shared/language/translated.tsx";
import { useFormats, useTranslate } from "../../shared/language/use-language.ts";
import { Crumbs } from "../../shared/lists/crumbs.tsx";
import { StateTag } from "../../shared/process/state-tag.tsx";
import { useDraft } from "../../shared/resource/use-draft.ts";
import { useAccess } from "../../shared/session/access-context.ts";
import { useUnsaved } from "../../shared/session/use-unsaved.ts";
import { ExceptionView } from "../../shared/states/exception-view.tsx";
import { LoadingProblem } from "../../shared/states/loading-problem.tsx";
import { showToast } from "../../shared/states/toast-store.ts";
import { useNow } from "../../shared/states/use-now.ts";
import styles from "./cancel.module.css";
import { CodeField, type SentCode } from "./code-field.tsx";

const hourMs = 3_600_000;
const calls = {
  account: { detail: cancellationDetail, submit: cancellationSubmit, takeBack: cancellationTakeBack },
  tenant: { detail: customerCloseDetail, submit: customerCloseSubmit, takeBack: customerCloseTakeBack },
} as const;
const isOpen = ({ state }: Cancellation): boolean => state === "cooling" || state === "waiting" || state === "accepted";

/** How much time is left, in the two largest units. */
function useLeft(until: string): string {
  const t = useTranslate();
  const now = useNow();
  const left = Math.max(0, (parseWireDateTime(until) ?? now) - now);
  const hours = Math.floor(left / hourMs);
  if (hours >= 24) return t("还有 {days} 天 {hours} 小时", { days: Math.floor(hours / 24), hours: hours % 24 });
  return t("还有 {hours} 小时 {minutes} 分", { hours, minutes: Math.floor((left % hourMs) / 60_000) });
}

/** Where it stands: what is done, what is now, what comes. */
function Course({ current }: { current: Cancellation }) {
  const t = useTranslate();
  const { dayTime } = useFormats();
  const time = (text: string) => dayTime(parseWireDateTime(text));
  const at = { cooling: 1, waiting: 2, accepted: 3, refused: 2, taken_back: 0, erased: 3 }[current.state];
  const steps: readonly (readonly [string, ReactNode])[] = [
    [t("提出"), time(current.askTime)],
    [t("冷静期"), t("到 {time}，账号照常用", { time: time(current.coolUntil) })],
    [
      t("人工答复"),
      current.decideTime === "" ? t("{time} 前，还能取回", { time: time(current.dueTime) }) : time(current.decideTime),
    ],
    [
      t("清除"),
      current.eraseTime === "" ? t("从这里起不能取回") : t("{time}，之后不能取回", { time: time(current.eraseTime) }),
    ],
  ];
  return (
    <ol className={styles.course} aria-label={t("注销的经过")}>
      {steps.map(([name, note], index) => (
        <li
          key={name}
          data-done={index < at || undefined}
          {...(index === at && isOpen(current) && { "aria-current": "step" as const })}
        >
          <b>{name}</b>
          <small className="num">{note}</small>
        </li>
      ))}
    </ol>
  );
}

function Standing({ view, onChanged }: { view: CancellationView; onChanged: (view: CancellationView) => void }) {
  const t = useTranslate();
  const { dayTime } = useFormats();
  const [busy, setBusy] = useState(false);
  const [refused, setRefused] = useState<string>();
  const current = view.current as Cancellation;
  const { mark, word } = cancellationWords[current.state];
  const left = useLeft(current.state === "cooling" ? current.coolUntil : current.eraseTime);
  const heading = { cooling: left, waiting: t("等客服答复"), accepted: left }[
    current.state as "cooling" | "waiting" | "accepted"
  ];
  const text = {
    cooling: t("{asked} 提出。到 {until} 之前点一下就取回，什么都没变。", {
      asked: dayTime(parseWireDateTime(current.askTime)),
      until: dayTime(parseWireDateTime(current.coolUntil)),
    }),
    waiting: t("客服在 {due} 前答复。答复以后、清除之前，也还能取回。", {
      due: dayTime(parseWireDateTime(current.dueTime)),
    }),
    accepted: t("客服同意了，{time} 清除。之前点一下就取回，之后不能。", {
      time: dayTime(parseWireDateTime(current.eraseTime)),
    }),
  }[current.state as "cooling" | "waiting" | "accepted"];
  const takeBack = async (): Promise<void> => {
    setBusy(true);
    setRefused(undefined);
    try {
      onChanged(await call(calls[view.kind].takeBack, { body: { id: current.id }, quiet: true }));
      showToast({ kind: "ok", text: "已取回，照常使用" });
    } catch (error) {
      setRefused(tellIn(t, asApiError(error)));
    } finally {
      setBusy(false);
    }
  };
  return (
    <section className={`card ${styles.standing}`} aria-labelledby="standing-title">
      <div>
        <p className={`state ${mark}`}>
          <Mark name={mark} />
          {t(word)}
        </p>
        <h2 id="standing-title" className="num">
          {heading}
        </h2>
        <p>{text}</p>
        <div className={styles.buttons}>
          <Button kind="primary" isDisabled={busy} onPress={() => void takeBack()}>
            {t("取回，继续用")}
          </Button>
          <Link className="btn" to="/selfCenter/safeManage#my-data">
            {t("下载我的数据")}
          </Link>
        </div>
        <Refusal text={refused} />
      </div>
      <Course current={current} />
    </section>
  );
}

/** How it ended last time. */
function Ended({ current }: { current: Cancellation }) {
  const t = useTranslate();
  const { dayTime } = useFormats();
  if (current.state !== "refused") return null;
  return (
    <section className={`card ${styles.ended}`} aria-label={t("上次的答复")}>
      <StateTag
        plain
        mark="off"
        word="{time} 答复：没有同意"
        values={{ time: dayTime(parseWireDateTime(current.decideTime)) }}
      />
      <p>
        <Translated text={current.answer} />
      </p>
    </section>
  );
}

function Touches({ touches }: { touches: readonly CancellationTouch[] }) {
  const t = useTranslate();
  const { number } = useFormats();
  return (
    <section className={`card ${styles.touches}`} aria-labelledby="touches-title">
      <header>
        <h2 id="touches-title">{t("会影响什么")}</h2>
      </header>
      {touches.length === 0 && <p className="safe-none">{t("名下没有设备、工单和猪场，注销不影响别人。")}</p>}
      <ul>
        {touches.map(({ effect, count, blocks }) => {
          const { mark, title, text, to, action } = effectWords[effect];
          return (
            <li key={effect} data-mark={mark}>
              <Mark name={mark} />
              <div>
                <b className="num">{t(title, { count: number(count) })}</b>
                <p>{t(text)}</p>
                {blocks && <span className="tag major">{t("挡住注销，要先办完")}</span>}
              </div>
              {to && action && (
                <Link className="btn" to={to}>
                  {t(action)}
                </Link>
              )}
            </li>
          );
        })}
      </ul>
    </section>
  );
}

function Kept({ view }: { view: CancellationView }) {
  const t = useTranslate();
  return (
    <section className={`card ${styles.kept}`} aria-labelledby="kept-title">
      <header>
        <h2 id="kept-title">{t("什么清掉，什么留下")}</h2>
      </header>
      <dl>
        <div>
          <dt>
            <Mark name="off" />
            {t("清掉")}
          </dt>
          <dd>{t("姓名、手机、邮箱、地址、证件号、银行卡、头像、登录记录、消息、偏好")}</dd>
        </div>
        <div>
          <dt>
            <Mark name="notice" />
            {t("去掉名字")}
          </dt>
          <dd>{t("设备历史、告警、工单和操作记录，写作“已注销用户”")}</dd>
        </div>
        <div>
          <dt>
            <Icon name="lock" small />
            {t("依法另存，只有审核员能看")}
          </dt>
          {view.kept.map(({ category, months }) => (
            <dd key={category}>
              {t(retentionWords[category].what)} ·{" "}
              {months % 12 === 0 ? t("{count} 年", { count: months / 12 }) : t("{count} 个月", { count: months })}
              <small>{t(retentionWords[category].basis)}</small>
            </dd>
          ))}
        </div>
      </dl>
    </section>
  );
}

/** What outlives a reload, in this tab: with the code of the SMS, but not its digits. */
const nothing: { read: boolean; downloaded: boolean; reason: CancellationReason | ""; sent: SentCode | undefined } = {
  read: false,
  downloaded: false,
  reason: "",
  sent: undefined,
};

function Ask({ view, onChanged }: { view: CancellationView; onChanged: (view: CancellationView) => void }) {
  const t = useTranslate();
  const { form, busy, refused, problems, submit } = useSubmission();
  const { user } = useAccess();
  const [{ read, downloaded, reason, sent }, set, forget] = useDraft(
    `${user.user_id}_closing_${view.kind}`,
    nothing,
    sessionStorage,
  );
  const [digits, setDigits] = useState("");
  useUnsaved(digits !== "");
  const blocked = view.touches.some(({ blocks }) => blocks);
  const noPhone = view.phone === "";
  const ready = read && downloaded && sent !== undefined && digits.length === 6 && !blocked && !noPhone;
  const isTenant = view.kind === "tenant";
  return (
    <section className={`card ${styles.ask}`} aria-labelledby="ask-title">
      <div>
        <h2 id="ask-title">{t(isTenant ? "提出注销企业" : "提出注销账号")}</h2>
        <p>{t("勾过两项、短信验证后，按钮才亮。原因可以不写。")}</p>
        {blocked && (
          <p className="state major">
            <Mark name="major" />
            {t("上面有挡住注销的事，办完再来。")}
          </p>
        )}
        {noPhone && (
          <p className="state major">
            <Mark name="major" />
            {t("注销要短信验证，请先绑定并验证手机号")}
          </p>
        )}
      </div>
      <form
        ref={form}
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          if (!ready) return;
          void submit(async () => {
            const body = { understood: true as const, codeId: sent.id, code: digits, ...(reason !== "" && { reason }) };
            const asked = await call(calls[view.kind].submit, { body, quiet: true });
            forget();
            onChanged(asked);
            showToast({ kind: "ok", text: "已提出，7 天内都能取回" });
          });
        }}
      >
        <label className={styles.tick}>
          <CheckBox
            checked={read}
            disabled={blocked || noPhone}
            onChange={(event) => set({ read: event.target.checked })}
          />
          <span>{t("我看过上面的影响")}</span>
        </label>
        <label className={styles.tick}>
          <CheckBox
            checked={downloaded}
            disabled={blocked || noPhone}
            onChange={(event) => set({ downloaded: event.target.checked })}
          />
          <span>{t("我已下载或不需要我的数据")}</span>
        </label>
        <div className={styles.pair}>
          <CodeField
            id="closing-code"
            label={noPhone ? t("短信验证码") : t("短信验证码，发到 {phone}", { phone: view.phone })}
            sent={sent}
            digits={digits}
            disabled={blocked || noPhone}
            problem={problems.code}
            send={async () => {
              const answer = await call(cancellationCode, { quiet: true });
              return { id: answer.id, to: answer.phone };
            }}
            onSent={(code) => set({ sent: code })}
            onDigits={setDigits}
          />
          <SelectField
            id="closing-reason"
            label={t("原因，可不写")}
            value={reason}
            disabled={blocked || noPhone}
            onChange={(value) => set({ reason: value as CancellationReason | "" })}
            options={[["", "不说"], ...cancellationReasons.map((one) => [one, reasonWords[one]] as const)]}
          />
        </div>
        <Refusal text={refused} />
        <Button kind="danger" type="submit" isDisabled={busy || !ready}>
          {t(isTenant ? "提出注销企业，进入 7 天冷静期" : "提出注销，进入 7 天冷静期")}
        </Button>
      </form>
    </section>
  );
}

/** Closing of the own account, or of the whole customer: what it affects, how it stands, and the way back. */
export function Cancel() {
  const t = useTranslate();
  const { permissions } = useAccess();
  const [search] = useSearchParams();
  const kind = search.get("kind") === "tenant" ? "tenant" : "account";
  const may = kind === "account" || permissions.has("customer_close");
  const loaded = useLoad<CancellationView>(may ? `cancellation ${kind}` : undefined, (signal) =>
    call(calls[kind].detail, { signal, quiet: true }),
  );
  const [newer, setNewer] = useState<CancellationView>();
  const view = newer?.kind === kind ? newer : loaded.value;
  const title = t(kind === "tenant" ? "注销企业" : "注销账号");
  return (
    <>
      <Crumbs more={[{ name: t("安全设置"), to: "/selfCenter/safeManage" }, { name: title }]} />
      <div className="page-head">
        <div>
          <h1>{title}</h1>
          {view && (
            <p className="mut">
              {kind === "tenant" ? <Translated text={view.title} /> : view.title}
              {view.phone !== "" && <span className="num"> · {view.phone}</span>}
            </p>
          )}
        </div>
      </div>
      {!may && (
        <ExceptionView
          type="403"
          title={t("只有企业主能注销企业")}
          text={t("请企业主来办，或者只注销您自己的账号。")}
        />
      )}
      {loaded.error && (
        <LoadingProblem error={loaded.error} onRetry={loaded.reload} what={title} kept={view !== undefined} />
      )}
      {may && !view && !loaded.error && <TableSkeleton rows={8} />}
      {view && (
        <>
          {view.current && isOpen(view.current) && <Standing view={view} onChanged={setNewer} />}
          {view.current && !isOpen(view.current) && <Ended current={view.current} />}
          <div className={styles.facts}>
            <Touches touches={view.touches} />
            <Kept view={view} />
          </div>
          {!(view.current && isOpen(view.current)) && <Ask key={kind} view={view} onChanged={setNewer} />}
        </>
      )}
    </>
  );
}
