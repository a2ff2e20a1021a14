import { messageKinds, messagePage, messageRemove, messageUpdateStatus } from "@herdwise/contract";
import { useEffect, useState } from "react";
import { Link } from "react-router";
import { call } from "../../shared/api/call.ts";
import { useLoad } from "../../shared/api/use-load.ts";
import { Icon } from "../../shared/icons/icon.tsx";
import { parseWireDateTime } from "../../shared/language/format.ts";
import { TranslatedLine } from "../../shared/language/translated.tsx";
import { useFormats, useTranslate } from "../../shared/language/use-language.ts";
import { BulkBar } from "../../shared/lists/bulk-bar.tsx";
import { Crumbs } from "../../shared/lists/crumbs.tsx";
import { Picker } from "../../shared/lists/filters.tsx";
import { known, readPaging, useListAddress } from "../../shared/lists/list-address.ts";
import { Paging } from "../../shared/lists/paging.tsx";
import { useLast } from "../../shared/lists/use-last.ts";
import { WaitingRows } from "../../shared/lists/waiting-rows.tsx";
import { messagesChanged, useUnread } from "../../shared/session/unread.ts";
import { Confirm } from "../../shared/states/confirm.tsx";
import { ExceptionView } from "../../shared/states/exception-view.tsx";
import { LoadingProblem } from "../../shared/states/loading-problem.tsx";
import "./messages.css";

const kindNames = { security: "安全通知", system: "系统通知", alarm: "告警通知", service: "服务通知" } as const;
const states = ["0", "1"] as const;

/** Messages of the portal to this person: read, marked, removed. */
export default function Messages() {
  const t = useTranslate();
  const { dayTime } = useFormats();
  const unread = useUnread();
  const [search, change] = useListAddress("row");
  const kind = known(search.get("kind"), messageKinds);
  const status = known(search.get("status"), states);
  const { current, size } = readPaging(search);
  const query = { current, size, ...(kind ? { kind } : {}), ...(status ? { status: Number(status) } : {}) };
  const loaded = useLoad(`messages ${JSON.stringify(query)}`, (signal) =>
    call(messagePage, { query, signal, quiet: true }),
  );
  const shown = useLast(loaded.value);
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const [removing, setRemoving] = useState(false);
  // Another tab, or a message that has just come.
  const { reload } = loaded;
  useEffect(reload, [unread, reload]);

  const records = shown?.records ?? [];
  const ids = records.filter(({ id }) => chosen.has(id)).map(({ id }) => id);
  const done = (): void => {
    setChosen(new Set());
    messagesChanged();
    reload();
  };
  const mark = async (which: readonly string[], read: boolean): Promise<void> => {
    const query = { ...(which.length > 0 && { ids: which.join(",") }), status: read ? 1 : 0 };
    // A refusal shows as a toast.
    await call(messageUpdateStatus, { query }).then(done, () => undefined);
  };
  const filtered = kind !== undefined || status !== undefined;
  return (
    <>
      <Crumbs />
      <div className="page-head">
        <h1>{t("消息")}</h1>
        <span className="mut num">
          {unread > 0 ? t("{count} 条未读", { count: unread }) : shown && t("没有未读消息")}
        </span>
        <span className="spacer" />
        <button type="button" className="btn" disabled={unread === 0} onClick={() => void mark([], true)}>
          <Icon name="check" small />
          {t("全部标为已读")}
        </button>
      </div>
      {loaded.error && (
        <LoadingProblem error={loaded.error} onRetry={reload} what={t("消息")} kept={shown !== undefined} />
      )}
      <section className="card" aria-label={t("消息")}>
        <search className="filters">
          <Picker
            label={t("类别")}
            value={kind ?? ""}
            options={messageKinds.map((key) => [key, t(kindNames[key])])}
            onChange={(next) => change({ kind: next })}
          />
          <Picker
            label={t("状态")}
            value={status ?? ""}
            options={[
              ["0", t("未读")],
              ["1", t("已读")],
            ]}
            onChange={(next) => change({ status: next })}
          />
        </search>
        {ids.length > 0 && (
          <BulkBar words={t("已选 {count} 条", { count: ids.length })} onClear={() => setChosen(new Set())}>
            <button type="button" className="btn" onClick={() => void mark(ids, true)}>
              {t("标为已读")}
            </button>
            <button type="button" className="btn" onClick={() => void mark(ids, false)}>
              {t("标为未读")}
            </button>
            <button type="button" className="btn danger" onClick={() => setRemoving(true)}>
              {t("删除")}
            </button>
          </BulkBar>
        )}
        <div className={loaded.loading && shown && !loaded.value ? "dim" : ""}>
          {!shown && !loaded.error && <WaitingRows rows={4} />}
          {records.length > 0 && (
            <ul className="notes">
              {records.map((message) => (
                <li key={message.id} data-unread={message.status === 0 || undefined}>
                  <label className="tap">
                    <input
                      type="checkbox"
                      aria-label={t("选择“{title}”", { title: t(message.title) })}
                      checked={chosen.has(message.id)}
                      onChange={({ target }) =>
                        setChosen((now) => {
                          const next = new Set(now);
                          if (target.checked) next.add(message.id);
                          else next.delete(message.id);
                          return next;
                        })
                      }
                    />
                  </label>
                  <div>
                    <p className="note-head">
                      <b>
                        {message.link === "" ? t(message.title) : <Link to={message.link}>{t(message.title)}</Link>}
                      </b>
                      {message.status === 0 && <span className="tag notice">{t("未读")}</span>}
                    </p>
                    <p>
                      {message.kind === "alarm" || message.kind === "service" ? (
                        <TranslatedLine text={message.content} />
                      ) : (
                        t(message.content)
                      )}
                    </p>
                    <p className="mut num">
                      {t(kindNames[message.kind])} · {dayTime(parseWireDateTime(message.createTime))}
                    </p>
                  </div>
                  {message.status === 0 && (
                    <button
                      type="button"
                      className="btn"
                      aria-label={t("将“{title}”标为已读", { title: t(message.title) })}
                      onClick={() => void mark([message.id], true)}
                    >
                      {t("标为已读")}
                    </button>
                  )}
                </li>
              ))}
            </ul>
          )}
          {shown && records.length === 0 && (
            <ExceptionView
              type="empty"
              title={filtered ? t("没有符合条件的消息") : t("还没有消息")}
              text={filtered ? t("放宽条件再看，或清除全部条件。") : t("账号安全、权限申请等通知会出现在这里。")}
            />
          )}
        </div>
        {shown && shown.total > 0 && (
          <Paging page={shown} change={change} words={(range) => t("第 {from}–{to} 条，共 {total} 条", range)} />
        )}
      </section>
      {removing && (
        <Confirm
          title={t("删除 {count} 条消息？", { count: ids.length })}
          action={t("删除")}
          onConfirm={async () => {
            await call(messageRemove, { query: { ids: ids.join(",") } });
            done();
          }}
          onClose={() => setRemoving(false)}
        >
          <p>{t("删除后不能恢复。")}</p>
        </Confirm>
      )}
    </>
  );
}
