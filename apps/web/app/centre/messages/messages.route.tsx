import {
  type Message,
  messageCounts,
  messageKinds,
  messagePage,
  messageRemove,
  messageUpdateStatus,
} from "@herdwise/contract";
import { keepPreviousData, useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { asApiError } from "../../shared/api/api-error.ts";
import { call } from "../../shared/api/call.ts";
import { Icon, type IconName } from "../../shared/icons/icon.tsx";
import { TableSkeleton } from "../../shared/kit/table-skeleton.tsx";
import { parseWireDateTime } from "../../shared/language/format.ts";
import { TranslatedLine } from "../../shared/language/translated.tsx";
import { useFormats, useLanguage, useTranslate } from "../../shared/language/use-language.ts";
import { BulkBar } from "../../shared/lists/bulk-bar.tsx";
import { Crumbs } from "../../shared/lists/crumbs.tsx";
import { known, knownId, readPaging, useListAddress } from "../../shared/lists/list-address.ts";
import { Paging } from "../../shared/lists/paging.tsx";
import { messagesChanged, useUnread } from "../../shared/session/unread.ts";
import { Confirm } from "../../shared/states/confirm.tsx";
import { ExceptionView } from "../../shared/states/exception-view.tsx";
import { LoadingProblem } from "../../shared/states/loading-problem.tsx";
import { ChannelSettings } from "./channel-settings.tsx";
import styles from "./messages.module.css";
import { Reading } from "./reading.tsx";
import { kindWords } from "./words.ts";

const states = ["0", "1"] as const;

/** Kinds with how many there are; unread ones stand out. */
function Rail({
  kind,
  status,
  onChoose,
}: {
  kind: string | undefined;
  status: string | undefined;
  onChoose: (choice: { kind: string | undefined; status: string | undefined }) => void;
}) {
  const t = useTranslate();
  const { number } = useFormats();
  const { data = [] } = useQuery({
    queryKey: ["messages", "counts"],
    queryFn: ({ signal }) => call(messageCounts, { signal, quiet: true }),
  });
  const sum = (field: "total" | "unread"): number => data.reduce((all, one) => all + one[field], 0);
  const entry = (icon: IconName, name: string, pressed: boolean, count: number, unread: number, choose: () => void) => (
    <button key={name} type="button" aria-pressed={pressed} onClick={choose}>
      <Icon name={icon} small />
      <span>{t(name)}</span>
      <small data-unread={unread > 0 || undefined}>{count > 0 ? number(unread > 0 ? unread : count) : ""}</small>
    </button>
  );
  return (
    <nav className={styles.rail} aria-label={t("消息的类别")}>
      {entry("list", "全部", kind === undefined && status === undefined, sum("total"), 0, () =>
        onChoose({ kind: undefined, status: undefined }),
      )}
      {entry("dense", "没读", kind === undefined && status === "0", sum("unread"), sum("unread"), () =>
        onChoose({ kind: undefined, status: "0" }),
      )}
      {messageKinds
        .filter((name) => name === kind || data.some((one) => one.kind === name))
        .map((name) => {
          const of = data.find((one) => one.kind === name);
          return entry(kindWords[name].icon, kindWords[name].name, kind === name, of?.total ?? 0, of?.unread ?? 0, () =>
            onChoose({ kind: name, status: undefined }),
          );
        })}
    </nav>
  );
}

interface RowProps {
  message: Message;
  open: boolean;
  chosen: boolean;
  onChoose: (chosen: boolean) => void;
  onOpen: () => void;
  onRead: () => void;
}

function Row({ message, open, chosen, onChoose, onOpen, onRead }: RowProps) {
  const t = useTranslate();
  const language = useLanguage();
  const { dayTime } = useFormats();
  const title = (language === "en" && message.titleEn) || t(message.title);
  const content = language === "en" && message.contentEn;
  return (
    <li data-unread={message.status === 0 || undefined} data-open={open || undefined}>
      <label className="tap">
        <input
          type="checkbox"
          aria-label={t("选择“{title}”", { title })}
          checked={chosen}
          onChange={({ target }) => onChoose(target.checked)}
        />
      </label>
      <button type="button" className={styles.open} aria-current={open || undefined} onClick={onOpen}>
        <span className="num">
          <Icon name={kindWords[message.kind].icon} small />
          {t(kindWords[message.kind].name)} · {dayTime(parseWireDateTime(message.createTime))}
          {message.status === 0 && <span className="tag notice">{t("未读")}</span>}
        </span>
        <b>{title}</b>
        <span>{content || <TranslatedLine text={t(message.content)} />}</span>
      </button>
      {message.status === 0 && (
        <button type="button" className="icon-button" aria-label={t("将“{title}”标为已读", { title })} onClick={onRead}>
          <Icon name="check" small />
        </button>
      )}
    </li>
  );
}

/** Messages of the portal to this person: read, marked, removed; and how they are told. */
export default function Messages() {
  const t = useTranslate();
  const unread = useUnread();
  const client = useQueryClient();
  const [search, change] = useListAddress("id");
  const kind = known(search.get("kind"), messageKinds);
  const status = known(search.get("status"), states);
  const opened = knownId(search.get("id"));
  const { current, size } = readPaging(search);
  const query = { current, size, ...(kind ? { kind } : {}), ...(status ? { status: Number(status) } : {}) };
  const loaded = useQuery({
    queryKey: ["messages", "page", query],
    queryFn: ({ signal }) => call(messagePage, { query, signal, quiet: true }),
    placeholderData: keepPreviousData,
  });
  const shown = loaded.data;
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const [removing, setRemoving] = useState<readonly string[]>();
  // Another tab, or a message that has just come.
  useEffect(() => {
    void client.invalidateQueries({ queryKey: ["messages", "page"] });
    void client.invalidateQueries({ queryKey: ["messages", "counts"] });
  }, [unread, client]);

  const records = shown?.records ?? [];
  const ids = records.filter(({ id }) => chosen.has(id)).map(({ id }) => id);
  const done = (): void => {
    setChosen(new Set());
    messagesChanged();
    void client.invalidateQueries({ queryKey: ["messages"] });
  };
  const mark = async (which: readonly string[], read: boolean): Promise<void> => {
    const query = { ...(which.length > 0 && { ids: which.join(",") }), status: read ? 1 : 0 };
    // A refusal shows as a toast.
    await call(messageUpdateStatus, { query }).then(done, () => undefined);
  };
  const open = (message: Message): void => {
    change({ id: message.id });
    if (message.status === 0) void mark([message.id], true);
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
        <a className="btn" href="#message-settings">
          <Icon name="gear" small />
          {t("通知设置")}
        </a>
      </div>
      {loaded.error && (
        <LoadingProblem
          error={asApiError(loaded.error)}
          onRetry={() => void loaded.refetch()}
          what={t("消息")}
          kept={shown !== undefined}
        />
      )}
      <section className={`card ${styles.box}`} aria-label={t("消息")} data-open={opened || undefined}>
        <Rail kind={kind} status={status} onChoose={(choice) => change({ ...choice, id: undefined })} />
        <div className={styles.list}>
          {ids.length > 0 && (
            <BulkBar words={t("已选 {count} 条", { count: ids.length })} onClear={() => setChosen(new Set())}>
              <button type="button" className="btn" onClick={() => void mark(ids, true)}>
                {t("标为已读")}
              </button>
              <button type="button" className="btn" onClick={() => void mark(ids, false)}>
                {t("标为未读")}
              </button>
              <button type="button" className="btn danger" onClick={() => setRemoving(ids)}>
                {t("删除")}
              </button>
            </BulkBar>
          )}
          {!shown && !loaded.error && <TableSkeleton rows={6} />}
          {records.length > 0 && (
            <ul className="notes">
              {records.map((message) => (
                <Row
                  key={message.id}
                  message={message}
                  open={message.id === opened}
                  chosen={chosen.has(message.id)}
                  onChoose={(on) =>
                    setChosen((now) => {
                      const next = new Set(now);
                      if (on) next.add(message.id);
                      else next.delete(message.id);
                      return next;
                    })
                  }
                  onOpen={() => open(message)}
                  onRead={() => void mark([message.id], true)}
                />
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
          {shown && shown.total > 0 && (
            <Paging page={shown} change={change} words={(range) => t("第 {from}–{to} 条，共 {total} 条", range)} />
          )}
        </div>
        {opened ? (
          <Reading
            key={opened}
            id={opened}
            onClose={() => change({ id: undefined })}
            onUnread={() => {
              void mark([opened], false);
              change({ id: undefined });
            }}
            onRemove={() => setRemoving([opened])}
          />
        ) : (
          <div className={styles.read}>
            <p className={styles.none}>{t("选一条，在这里看全文、去处和它还发到了哪里。")}</p>
          </div>
        )}
      </section>
      <ChannelSettings />
      {removing !== undefined && (
        <Confirm
          title={t("删除 {count} 条消息？", { count: removing.length })}
          action={t("删除")}
          onConfirm={async () => {
            await call(messageRemove, { query: { ids: removing.join(",") } });
            if (opened && removing.includes(opened)) change({ id: undefined });
            done();
          }}
          onClose={() => setRemoving(undefined)}
        >
          <p>{t("删除后不能恢复。")}</p>
        </Confirm>
      )}
    </>
  );
}
