import {
  cancellationAccept,
  cancellationDeskDetail,
  cancellationRefuse,
  type DeskCancellationDetail,
  type RetainedRecord,
  retainedShow,
} from "@herdwise/contract";
import { type ReactNode, useState } from "react";
import { call } from "../../shared/api/call.ts";
import { cancellationWords, effectWords, reasonWords, retentionWords } from "../../shared/cancellation/words.ts";
import { Mark } from "../../shared/icons/mark.tsx";
import { Button } from "../../shared/kit/button.tsx";
import { parseWireDateTime } from "../../shared/language/format.ts";
import { Translated } from "../../shared/language/translated.tsx";
import { useFormats, useTranslate } from "../../shared/language/use-language.ts";
import { useNames } from "../../shared/language/use-names.ts";
import { Crumbs } from "../../shared/lists/crumbs.tsx";
import { ActionBar } from "../../shared/process/action-bar.tsx";
import { asks, EventDialog } from "../../shared/process/event-dialog.tsx";
import { HistoryLines } from "../../shared/process/history-lines.tsx";
import processStyles from "../../shared/process/process.module.css";
import { ProcessPage, RowFacts } from "../../shared/process/process-page.tsx";
import { StateTag } from "../../shared/process/state-tag.tsx";
import { useAccess } from "../../shared/session/access-context.ts";
import styles from "./cancellations.module.css";

/** Others answer, and time goes on: the queues follow, ms. */
export const renewMs = 15_000;
const answered = "已答复，客户会收到消息";
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

/** What law keeps, opened for a reason. */
function Show({ record, onClose }: { record: RetainedRecord; onClose: () => void }) {
  const t = useTranslate();
  const [content, setContent] = useState<string>();
  return (
    <EventDialog
      id={record.id}
      event="show"
      prefix="retained"
      title={t(retentionWords[record.category].what)}
      size="wide"
      cancel={t("关闭")}
      action={t("查看")}
      onClose={onClose}
      fields={{ reason: { label: t("为什么要看（记入操作记录）"), minLength: 2, maxLength: 200 } }}
      send={async ({ reason }) => {
        const answer = await call(retainedShow, { body: { id: record.id, reason }, quiet: true });
        setContent(JSON.stringify(JSON.parse(answer.content), null, 2));
      }}
      answer={
        content !== undefined && (
          // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, and keyboards scroll what has the focus
          <pre className={styles.content} tabIndex={0} lang="zh-CN">
            {content}
          </pre>
        )
      }
    />
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
  const [showing, setShowing] = useState<RetainedRecord>();
  const { id, version } = row;
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
    [t("谁答复的"), row.decider === "" ? "" : nameOf(row.decider)],
    [t("清除时间"), row.eraseTime === "" ? "" : time(row.eraseTime)],
    [t("答复"), row.answer],
  ];
  return (
    <>
      <Crumbs more={[{ name: t("注销答复"), to: "/customer/cancellation" }, { name: row.title }]} />
      <div className="page-head">
        <h1>
          {row.kind === "tenant" ? (
            <Translated text={row.title} />
          ) : (
            <>
              <Translated text={row.customer} />{" "}
              <span className="mut">{t("账号 {account}", { account: row.title })}</span>
            </>
          )}
        </h1>
        {row.kind === "tenant" && <span className="tag">{kind}</span>}
        <StateTag plain {...cancellationWords[row.state]} />
        <span className={`spacer ${styles.break}`} />
        <ActionBar
          row={{ id, may: row.state === "waiting" ? ["refuse", "accept"] : [] }}
          prefix="closing"
          reload={reload}
          actions={[
            {
              event: "refuse",
              word: "不同意",
              title: "不同意注销",
              done: answered,
              ask: asks({
                action: t("告诉客户"),
                fields: { answer: { label: t("为什么（客户会看到）"), rows: 4, minLength: 2 } },
                send: (typed) => call(cancellationRefuse, { body: { id, version, ...typed }, quiet: true }),
              }),
            },
            {
              event: "accept",
              word: "同意注销",
              kind: "danger",
              isDisabled: blocked,
              title: "同意注销？",
              done: answered,
              ask: asks({
                action: t("同意，24 小时后清除"),
                kind: "danger",
                fields: {},
                send: () => call(cancellationAccept, { body: { id, version }, quiet: true }),
                children: (
                  <p>{t("24 小时内客户还能取回。之后个人信息清除，设备历史和工单去掉名字，依法要留的另存。")}</p>
                ),
              }),
            },
          ]}
        />
      </div>
      <div className={processStyles.page}>
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
              <dl className={styles.fates}>
                <dt>{t("清掉")}</dt>
                <dd>{t("姓名、电话、证件、登录和消息")}</dd>
                <dt>{t("去掉名字")}</dt>
                <dd>{t("设备历史和工单")}</dd>
                <dt>{t("依法另存")}</dt>
                <dd>{t("合同、发票和付款")}</dd>
              </dl>
              {row.touches.length === 0 && <p className={styles.padded}>{t("没有挡住的事，也不影响别人。")}</p>}
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
            <div className={styles.padded}>
              <RowFacts rows={facts} />
            </div>
          </Part>
          <Part id="steps-title" title={t("经过")}>
            <HistoryLines
              lines={row.steps.map(({ actor, what, ...step }) => ({
                ...step,
                text: t(stepWords[what]),
                note: actor !== "" && nameOf(actor),
              }))}
            />
          </Part>
        </aside>
      </div>
      {showing && <Show record={showing} onClose={() => setShowing(undefined)} />}
    </>
  );
}

/** One cancellation at the desk: what it touches, how it went, and the answer. */
export const CancellationPage = () => (
  <ProcessPage
    queryKey={["resource", "cancellation_desk"]}
    load={(id, signal) => call(cancellationDeskDetail, { query: { id }, signal, quiet: true })}
    renewMs={renewMs}
    title="注销详情"
    what="详情"
    unchosen={["先选一件", "从列表点开一件，这里显示它的经过。"]}
    list="/customer/cancellation"
  >
    {(row, reload) => <View key={row.id} row={row} reload={reload} />}
  </ProcessPage>
);
