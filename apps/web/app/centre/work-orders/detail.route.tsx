import {
  type WorkOrderDetail,
  workOrderCancel,
  workOrderRate,
  workOrderReceive,
  workOrderReopen,
  workOrderReply,
  workOrderUrge,
} from "@herdwise/contract";
import { Link } from "react-router";
import { call } from "../../shared/api/call.ts";
import { Refusal } from "../../shared/forms/refusal.tsx";
import { useSubmission } from "../../shared/forms/use-submission.ts";
import { Icon } from "../../shared/icons/icon.tsx";
import { Button } from "../../shared/kit/button.tsx";
import { ConfirmDialog } from "../../shared/kit/dialog.tsx";
import { parseWireDateTime } from "../../shared/language/format.ts";
import { Translated, TranslatedLine } from "../../shared/language/translated.tsx";
import { useFormats, useTranslate } from "../../shared/language/use-language.ts";
import { useNames } from "../../shared/language/use-names.ts";
import { Crumbs } from "../../shared/lists/crumbs.tsx";
import { ActionBar } from "../../shared/process/action-bar.tsx";
import { NextSteps } from "../../shared/process/next-steps.tsx";
import processStyles from "../../shared/process/process.module.css";
import { ProcessHead, ProcessPage, RowFacts } from "../../shared/process/process-page.tsx";
import { StateTag } from "../../shared/process/state-tag.tsx";
import { useDraft } from "../../shared/resource/use-draft.ts";
import { useAccess } from "../../shared/session/access-context.ts";
import { showToast } from "../../shared/states/toast-store.ts";
import { DueLine } from "../../shared/work-orders/due-line.tsx";
import { LateTag, OrderState, Stars } from "../../shared/work-orders/order-state.tsx";
import { PhotosInput } from "../../shared/work-orders/photos.tsx";
import { Snapshot } from "../../shared/work-orders/snapshot.tsx";
import { Timeline } from "../../shared/work-orders/timeline.tsx";
import { untoldPlace } from "../../shared/work-orders/untold-place.ts";
import { categoryWord, repairWord, typePaths, typeWords } from "../../shared/work-orders/words.ts";
import styles from "../../shared/work-orders/work-orders.module.css";
import { operations, orderKey, useOrderType } from "./order-type.ts";

const renewMs = 15_000;

const noAnswer: { body: string; photos: readonly string[] } = { body: "", photos: [] };

/** Words to the desk: an answer, or why it is opened again. */
function Write({ order, onDone }: { order: WorkOrderDetail; onDone: () => void }) {
  const t = useTranslate();
  const { user } = useAccess();
  const [{ body, photos }, set] = useDraft(`${user.user_id}_answer_${order.id}`, noAnswer);
  const { form, busy, refused, problems, mend, submit } = useSubmission();
  const reopens = order.may.includes("reopen");
  if (!reopens && !order.may.includes("reply")) return null;
  const label = t(reopens ? "还有什么没好" : "写给服务台");
  const send = async (): Promise<void> => {
    const operation = reopens ? workOrderReopen : workOrderReply;
    const sent = await submit(() =>
      call(operation, { body: { id: order.id, body, photos: [...photos] }, quiet: true }),
    );
    if (!sent) return onDone();
    set(noAnswer);
    onDone();
  };
  return (
    <form
      ref={form}
      className={styles.write}
      onSubmit={(event) => {
        event.preventDefault();
        void send();
      }}
    >
      <textarea
        className="input"
        aria-label={label}
        placeholder={label}
        rows={3}
        maxLength={2000}
        value={body}
        aria-invalid={problems.body !== undefined}
        onChange={(event) => {
          mend("body");
          set({ body: event.target.value });
        }}
      />
      <div className={styles.writeLine}>
        <PhotosInput value={photos} onChange={(names) => set({ photos: names })} disabled={busy} />
        <span className={styles.gap} />
        <Button kind={reopens ? "plain" : "primary"} type="submit" isDisabled={busy || body.trim() === ""}>
          <Icon name={reopens ? "undo" : "send"} small />
          {t(reopens ? "没修好，重新打开" : "发送")}
        </Button>
      </div>
      <Refusal text={refused} />
    </form>
  );
}

const starWords = ["很不满意", "不满意", "一般", "满意", "很满意"] as const;

/** The customer's judgement, which closes the order. */
function Rate({ order, onDone }: { order: WorkOrderDetail; onDone: () => void }) {
  const t = useTranslate();
  const { user } = useAccess();
  const [{ rating, body }, set, forget] = useDraft(`${user.user_id}_rating_${order.id}`, { rating: 0, body: "" });
  const { form, busy, refused, submit } = useSubmission();
  const mayRate = order.may.includes("rate");
  if (!mayRate && order.rating === 0 && order.state !== "in_process") return null;
  return (
    <section className={`card ${processStyles.side}`} aria-labelledby="rate-title">
      <h2 id="rate-title">{t("评价")}</h2>
      {order.rating > 0 ? (
        <Stars rating={order.rating} />
      ) : !mayRate ? (
        <p className="mut">{t("完成后再评。评价给经手的人和他的主管看，不影响以后派给谁。")}</p>
      ) : (
        <form
          ref={form}
          className={styles.stack}
          onSubmit={(event) => {
            event.preventDefault();
            void submit(() =>
              call(workOrderRate, { body: { id: order.id, rating, ...(body && { body }) }, quiet: true }),
            ).then((sent) => {
              if (sent) {
                showToast({ kind: "ok", text: "谢谢评价" });
                forget();
              }
              onDone();
            });
          }}
        >
          <fieldset className={styles.stars}>
            <legend className="visually-hidden">{t("几星")}</legend>
            {starWords.map((word, index) => (
              <button
                key={word}
                type="button"
                aria-pressed={rating > index}
                aria-label={`${t("{count} 星", { count: index + 1 })} ${t(word)}`}
                onClick={() => set({ rating: index + 1 })}
              >
                <Icon name="star" />
              </button>
            ))}
          </fieldset>
          {rating > 0 && (
            <>
              <span>{t(starWords[rating - 1] ?? "")}</span>
              <textarea
                className="input"
                aria-label={t("说几句（可以不写）")}
                placeholder={t("说几句（可以不写）")}
                rows={2}
                maxLength={500}
                value={body}
                onChange={(event) => set({ body: event.target.value })}
              />
            </>
          )}
          <Button kind="primary" type="submit" isDisabled={busy || rating === 0}>
            {t("评价并关闭")}
          </Button>
          <Refusal text={refused} />
        </form>
      )}
    </section>
  );
}

const sideTitles = { after_sales: "这张单子", complaint: "这件投诉", suggestion: "这条建议" } as const;

const isAboutSomething = ({ deviceName, orderNumber }: WorkOrderDetail): boolean =>
  deviceName !== "" || orderNumber !== "";

/** What an order is about, and who has it. */
function Side({ order }: { order: WorkOrderDetail }) {
  const t = useTranslate();
  const nameOf = useNames();
  if (!isAboutSomething(order)) return null;
  return (
    <section className={`card ${processStyles.side}`} aria-labelledby="side-title">
      <h2 id="side-title">{t(sideTitles[order.type])}</h2>
      <RowFacts
        rows={[
          [t("这台设备"), order.deviceName && <Translated key="device" text={order.deviceName} />],
          [t("位置"), untoldPlace(order) && <TranslatedLine key="place" text={order.place} />],
          [t("订单号"), order.orderNumber],
          [t("提交人"), nameOf(order.raiser)],
          [t("谁在办"), order.assignee === "" ? t("还没有人接手") : nameOf(order.assignee)],
        ]}
      />
    </section>
  );
}

/** How far a suggestion is, and by when it is answered. */
function SuggestionSteps({ order }: { order: WorkOrderDetail }) {
  const t = useTranslate();
  const nameOf = useNames();
  const { dayTime } = useFormats();
  const at = (text: string): string => dayTime(parseWireDateTime(text));
  const answered = order.state === "adopted" || order.state === "rejected";
  if (order.state === "cancelled" || order.state === "merged") return null;
  return (
    <NextSteps
      title={t("进展")}
      done={answered ? 3 : order.assignee === "" ? 1 : 2}
      steps={[
        [t("提交了"), at(order.createTime)],
        [
          t("服务台看过"),
          order.assignee === "" ? t("还没有人接手") : t("{name} 负责", { name: nameOf(order.assignee) }),
        ],
        answered
          ? [t(order.state === "adopted" ? "采纳了" : "没有采纳"), at(order.solveTime || order.updateTime)]
          : [t("给出答复"), t("最晚 {time}", { time: at(order.solveDueTime || order.firstDueTime) })],
      ]}
    />
  );
}

function OrderView({ order, reload }: { order: WorkOrderDetail; reload: () => void }) {
  const t = useTranslate();
  const nameOf = useNames();
  const { dayTime } = useFormats();
  const { id, may } = order;
  const shipped = order.entries.findLastIndex(({ what }) => what === "ship");
  const received = order.entries.findLastIndex(({ what }) => what === "receive");
  const urged = parseWireDateTime(order.urgeTime);
  const kind = order.type === "after_sales" ? repairWord(order.repairMode) : categoryWord(order.category);
  const suggestion = order.type === "suggestion";
  const worked = order.state === "pending" || order.state === "in_process";
  // What was urged lately stays in sight, and waits.
  const urges = !suggestion && worked && (may.includes("urge") || urged !== undefined);
  const offered = [
    ...may.filter((event) => event !== "urge" && (event !== "receive" || shipped > received)),
    ...(urges ? ["urge"] : []),
  ];
  return (
    <>
      <Crumbs more={[{ name: t(typeWords[order.type]), to: typePaths[order.type].list }, { name: order.number }]} />
      <ProcessHead
        title={<Translated text={order.title} />}
        meta={
          <>
            <OrderState order={order} ofCustomer />
            <LateTag order={order} />
            <span>{t(kind)}</span>
            <span className="num">{order.number}</span>
            <span className="num">{t("{time} 提交", { time: dayTime(parseWireDateTime(order.createTime)) })}</span>
            {worked && !isAboutSomething(order) && (
              <span>
                {order.assignee === "" ? t("还没有人接手") : t("{name} 负责", { name: nameOf(order.assignee) })}
              </span>
            )}
            {order.urges > 0 && <StateTag plain mark="minor" word="催过 {count} 次" values={{ count: order.urges }} />}
          </>
        }
        actions={
          <ActionBar
            row={{ id, may: offered }}
            prefix="order"
            reload={reload}
            actions={[
              {
                event: "receive",
                word: "收到了",
                icon: "check",
                act: () => call(workOrderReceive, { body: { id } }),
                done: "已告诉服务台东西收到了",
              },
              {
                event: "cancel",
                word: "撤回",
                icon: "close",
                ask: ({ onClose }) => (
                  <ConfirmDialog
                    title={t("撤回“{title}”？", { title: order.number })}
                    action={t("撤回")}
                    onConfirm={async () => {
                      await call(workOrderCancel, { body: { id } }).finally(reload);
                    }}
                    onClose={onClose}
                  >
                    <p>{t("服务台不再处理，往来留着。还有问题就提一张新的。")}</p>
                  </ConfirmDialog>
                ),
              },
              {
                event: "urge",
                word: "催一下",
                icon: "bell",
                isDisabled: !may.includes("urge"),
                act: () => call(workOrderUrge, { body: { id } }),
                done: "已催，负责的人收到了消息",
              },
            ]}
          />
        }
      />
      <div className={processStyles.page}>
        <div>
          {!suggestion && order.state !== "cancelled" && order.state !== "merged" && (
            <DueLine order={order} ofCustomer />
          )}
          {order.mergedInto !== "" && (
            <p className={styles.attached}>
              <Link className="link" to={`${typePaths[order.type].list}/detail?id=${order.mergedInto}`}>
                {t("这张单子并入了另一张，去那里接着看")}
              </Link>
            </p>
          )}
          {urged !== undefined && worked && (
            <p className="mut">{t("刚催过，{time} 后可以再催", { time: dayTime(urged) })}</p>
          )}
          <section className="card" aria-labelledby="talk-title">
            <header>
              <h2 id="talk-title">{t("往来")}</h2>
            </header>
            <Timeline entries={order.entries} snapshot={order.snapshot} />
            <Write key={order.id} order={order} onDone={reload} />
          </section>
          {!suggestion && <Rate key={order.id} order={order} onDone={reload} />}
          {order.snapshot && <Snapshot snapshot={order.snapshot} />}
        </div>
        {(suggestion || isAboutSomething(order)) && (
          <aside aria-label={t(sideTitles[order.type])}>
            {suggestion && <SuggestionSteps order={order} />}
            <Side order={order} />
          </aside>
        )}
      </div>
    </>
  );
}

/** One order of the customer's, with everything that was said and done. */
export default function OrderPage() {
  const type = useOrderType();
  return (
    <ProcessPage
      queryKey={orderKey}
      load={(id, signal) => call(operations[type].detail, { query: { id }, signal, quiet: true })}
      renewMs={renewMs}
      title={typeWords[type]}
      what="详情"
      unchosen={["先选一张", "从列表点开一张，这里显示它的往来。"]}
      list={typePaths[type].list}
    >
      {(order, reload) => <OrderView key={order.id} order={order} reload={reload} />}
    </ProcessPage>
  );
}
