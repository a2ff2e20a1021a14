import {
  cancellationAccept,
  cancellationDeskDetail,
  cancellationRefuse,
  type DeskCancellationDetail,
  type RetainedRecord,
  retainedShow,
} from "@herdwise/contract";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import { Link, useSearchParams } from "react-router";
import { asApiError } from "../../shared/api/api-error.ts";
import { call } from "../../shared/api/call.ts";
import { cancellationWords, effectWords, reasonWords, retentionWords } from "../../shared/cancellation/words.ts";
import { Label, TextField } from "../../shared/forms/fields.tsx";
import "../../shared/forms/forms.css";
import { Refusal } from "../../shared/forms/refusal.tsx";
import { useSubmission } from "../../shared/forms/use-submission.ts";
import { Mark } from "../../shared/icons/mark.tsx";
import { Button } from "../../shared/kit/button.tsx";
import { Dialog } from "../../shared/kit/dialog.tsx";
import { TableSkeleton } from "../../shared/kit/table-skeleton.tsx";
import { parseWireDateTime } from "../../shared/language/format.ts";
import { Translated } from "../../shared/language/translated.tsx";
import { useFormats, useTranslate } from "../../shared/language/use-language.ts";
import { useNames } from "../../shared/language/use-names.ts";
import { Crumbs } from "../../shared/lists/crumbs.tsx";
import { knownId } from "../../shared/lists/list-address.ts";
import { StateTag } from "../../shared/process/state-tag.tsx";
import { useDraft } from "../../shared/resource/use-draft.ts";
import { useAccess } from "../../shared/session/access-context.ts";
import { ExceptionView } from "../../shared/states/exception-view.tsx";
import { LoadingProblem } from "../../shared/states/loading-problem.tsx";
import { showToast } from "../../shared/states/toast-store.ts";
import styles from "./cancellations.module.css";

const renewMs = 15_000;
const stepWords: Readonly<Record<DeskCancellationDetail["steps"][number]["what"], string>> = {
  ask: "客户提出",
  take_back: "客户取回",
  ripen: "冷静期过了",
  accept: "同意",
  refuse: "没有同意",
  hold: "被挡住，退回答复",
  erase: "已清除",
};

function Report({ title, rows }: { title: string; rows: readonly { what: string; rows: number }[] }) {
  const { number } = useFormats();
  const t = useTranslate();
  return (
    <div>
      <h3>{title}</h3>
      <ul className={styles.report}>
        {rows.map(({ what, rows: count }) => (
          <li key={what}>
            <span>{t(what)}</span>
            <b className="num">{number(count)}</b>
          </li>
        ))}
      </ul>
    </div>
  );
}

/** The desk's two answers, each in a form of its own. */
function Answer({
  row,
  what,
  onDone,
  onClose,
}: {
  row: DeskCancellationDetail;
  what: "accept" | "refuse";
  onDone: () => void;
  onClose: () => void;
}) {
  const t = useTranslate();
  const { form, busy, refused, submit } = useSubmission<HTMLDivElement>();
  const { user } = useAccess();
  const [{ answer }, set, forget] = useDraft(`${user.user_id}_closing-answer_${row.id}`, { answer: "" });
  const { id, version } = row;
  const send = () =>
    submit(async () => {
      if (what === "accept") await call(cancellationAccept, { body: { id, version }, quiet: true });
      else await call(cancellationRefuse, { body: { id, version, answer }, quiet: true });
      forget();
      showToast({ kind: "ok", text: "已答复，客户会收到消息" });
      onDone();
      onClose();
    });
  return (
    <Dialog
      title={t(what === "accept" ? "同意注销？" : "不同意注销")}
      onClose={onClose}
      footer={
        <>
          <Button onPress={onClose}>{t("取消")}</Button>
          <Button
            kind={what === "accept" ? "danger" : "primary"}
            isDisabled={busy || (what === "refuse" && answer.trim().length < 2)}
            onPress={() => void send()}
          >
            {t(what === "accept" ? "同意，24 小时后清除" : "告诉客户")}
          </Button>
        </>
      }
    >
      <div ref={form}>
        {what === "accept" ? (
          <p>{t("24 小时内客户还能取回。之后个人信息清除，设备历史和工单去掉名字，依法要留的另存。")}</p>
        ) : (
          <div className="form-field">
            <Label id="closing-answer" label={t("为什么（客户会看到）")} required />
            <textarea
              id="closing-answer"
              className="input"
              rows={4}
              maxLength={500}
              value={answer}
              onChange={(event) => set({ answer: event.target.value })}
            />
          </div>
        )}
        <Refusal text={refused} />
      </div>
    </Dialog>
  );
}

/** What law keeps, opened for a reason. */
function Show({ record, onClose }: { record: RetainedRecord; onClose: () => void }) {
  const t = useTranslate();
  const { form, busy, refused, submit } = useSubmission<HTMLDivElement>();
  const { user } = useAccess();
  const [{ reason }, set, forget] = useDraft(`${user.user_id}_retained_${record.id}`, { reason: "" });
  const [content, setContent] = useState<string>();
  const look = () =>
    submit(async () => {
      const answer = await call(retainedShow, { body: { id: record.id, reason }, quiet: true });
      forget();
      setContent(JSON.stringify(JSON.parse(answer.content), null, 2));
    });
  return (
    <Dialog
      title={t(retentionWords[record.category].what)}
      size="wide"
      onClose={onClose}
      footer={
        <>
          <Button onPress={onClose}>{t("关闭")}</Button>
          {content === undefined && (
            <Button kind="primary" isDisabled={busy || reason.trim().length < 2} onPress={() => void look()}>
              {t("查看")}
            </Button>
          )}
        </>
      }
    >
      <div ref={form}>
        {content === undefined ? (
          <>
            <TextField
              id="retained-reason"
              label={t("为什么要看（记入操作记录）")}
              required
              autoComplete="off"
              maxLength={200}
              value={reason}
              onChange={(text) => set({ reason: text })}
            />
            <Refusal text={refused} />
          </>
        ) : (
          // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, and keyboards scroll what has the focus
          <pre className={styles.content} tabIndex={0} lang="zh-CN">
            {content}
          </pre>
        )}
      </div>
    </Dialog>
  );
}

function Part({ id, title, children }: { id: string; title: string; children: ReactNode }) {
  return (
    <section className={`card ${styles.part}`} aria-labelledby={id}>
      <header>
        <h2 id={id}>{title}</h2>
      </header>
      {children}
    </section>
  );
}

function View({ row, reload }: { row: DeskCancellationDetail; reload: () => void }) {
  const t = useTranslate();
  const nameOf = useNames();
  const { permissions } = useAccess();
  const { dayTime, number } = useFormats();
  const [answering, setAnswering] = useState<"accept" | "refuse">();
  const [showing, setShowing] = useState<RetainedRecord>();
  const blocked = row.touches.some(({ blocks }) => blocks);
  const time = (text: string) => dayTime(parseWireDateTime(text));
  const kind = t(row.kind === "tenant" ? "企业" : "账号");
  const facts: readonly (readonly [string, ReactNode])[] = [
    [t("客户"), <Translated key="customer" text={row.customer} />],
    [
      t("原因"),
      row.reason === "" ? t("没写原因") : t(reasonWords[row.reason as keyof typeof reasonWords] ?? row.reason),
    ],
    [t("提出"), time(row.askTime)],
    [t("冷静期到"), time(row.coolUntil)],
    [t("答复期限"), time(row.dueTime)],
    ...(row.decider === "" ? [] : [[t("谁答复的"), nameOf(row.decider)] as const]),
    ...(row.eraseTime === "" ? [] : [[t("清除时间"), time(row.eraseTime)] as const]),
    ...(row.answer === "" ? [] : [[t("答复"), row.answer] as const]),
  ];
  return (
    <>
      <Crumbs more={[{ name: t("注销答复"), to: "/customer/cancellation" }, { name: row.title }]} />
      <div className="page-head">
        <h1>{row.kind === "tenant" ? <Translated text={row.title} /> : row.title}</h1>
        <span className="tag">{kind}</span>
        <StateTag plain {...cancellationWords[row.state]} />
        <span className="spacer" />
        {row.state === "waiting" && (
          <>
            <Button onPress={() => setAnswering("refuse")}>{t("不同意")}</Button>
            <Button kind="danger" isDisabled={blocked} onPress={() => setAnswering("accept")}>
              {t("同意注销")}
            </Button>
          </>
        )}
      </div>
      <div className={styles.page}>
        <div>
          {row.report && (
            <Part id="report-title" title={t("清除报告")}>
              <div className={styles.reports}>
                <Report title={t("清掉")} rows={row.report.erased} />
                <Report title={t("去掉名字")} rows={row.report.anonymized} />
              </div>
            </Part>
          )}
          {row.state !== "erased" && (
            <Part id="touches-title" title={t("会影响什么")}>
              {row.touches.length === 0 && <p className={styles.none}>{t("没有挡住的事，也不影响别人。")}</p>}
              <ul className={styles.touches}>
                {row.touches.map(({ effect, count, blocks }) => (
                  <li key={effect} data-mark={effectWords[effect].mark}>
                    <Mark name={effectWords[effect].mark} />
                    <b className="num">{t(effectWords[effect].title, { count: number(count) })}</b>
                    {blocks && <span className="tag major">{t("挡住注销")}</span>}
                  </li>
                ))}
              </ul>
            </Part>
          )}
          {row.retained.length > 0 && (
            <Part id="retained-title" title={t("依法另存")}>
              <ul className={styles.retained}>
                {row.retained.map((record) => (
                  <li key={record.id}>
                    <div>
                      <b>{t(retentionWords[record.category].what)}</b>
                      <small>
                        {record.gone
                          ? t("到期已删除")
                          : t("存到 {day}，{basis}", {
                              day: record.keepUntil,
                              basis: t(retentionWords[record.category].basis),
                            })}
                      </small>
                    </div>
                    {!record.gone && permissions.has("retained_view") && (
                      <Button icon="eye" onPress={() => setShowing(record)}>
                        {t("查看")}
                      </Button>
                    )}
                  </li>
                ))}
              </ul>
            </Part>
          )}
        </div>
        <aside aria-label={t("注销的经过")}>
          <Part id="facts-title" title={t("这次注销")}>
            <dl className={styles.facts}>
              {facts.map(([name, value]) => (
                <div key={name}>
                  <dt>{name}</dt>
                  <dd className="num">{value}</dd>
                </div>
              ))}
            </dl>
          </Part>
          <Part id="steps-title" title={t("经过")}>
            <ol className={styles.steps}>
              {row.steps.map(({ id, what, actor, createTime }) => (
                <li key={id}>
                  <b>{t(stepWords[what])}</b>
                  <small className="num">
                    {actor !== "" && `${nameOf(actor)} · `}
                    {time(createTime)}
                  </small>
                </li>
              ))}
            </ol>
          </Part>
        </aside>
      </div>
      {answering && <Answer row={row} what={answering} onDone={reload} onClose={() => setAnswering(undefined)} />}
      {showing && <Show record={showing} onClose={() => setShowing(undefined)} />}
    </>
  );
}

/** One cancellation at the desk: what it touches, how it went, and the answer. */
export function CancellationPage() {
  const t = useTranslate();
  const client = useQueryClient();
  const [search] = useSearchParams();
  const id = knownId(search.get("id")) ?? "";
  const loaded = useQuery({
    queryKey: ["cancellations", "detail", id],
    queryFn: ({ signal }) => call(cancellationDeskDetail, { query: { id }, signal, quiet: true }),
    enabled: id !== "",
    staleTime: 0,
    refetchInterval: renewMs,
  });
  if (loaded.data)
    return (
      <View key={id} row={loaded.data} reload={() => void client.invalidateQueries({ queryKey: ["cancellations"] })} />
    );
  return (
    <>
      <Crumbs />
      {(id === "" || loaded.error) && <h1 className="visually-hidden">{t("注销详情")}</h1>}
      {id === "" ? (
        <ExceptionView type="noSearchData" title={t("先选一件")} text={t("从列表点开一件，这里显示它的经过。")}>
          <Link className="btn primary" to="/customer/cancellation">
            {t("去列表")}
          </Link>
        </ExceptionView>
      ) : loaded.error ? (
        <LoadingProblem error={asApiError(loaded.error)} onRetry={() => void loaded.refetch()} what={t("详情")} />
      ) : (
        <TableSkeleton rows={8} />
      )}
    </>
  );
}
