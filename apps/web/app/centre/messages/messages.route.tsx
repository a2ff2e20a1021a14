import {
  type Message,
  messageCounts,
  messageKinds,
  messagePage,
  messageRemove,
  messageUpdateStatus,
} from "@herdwise/contract";
import { choice, list, text } from "@herdwise/contract/resource";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { useAddressValues } from "../../shared/address/use-address.ts";
import { call } from "../../shared/api/call.ts";
import { Icon, type IconName } from "../../shared/icons/icon.tsx";
import { Button } from "../../shared/kit/button.tsx";
import { CheckBox } from "../../shared/kit/check-box.tsx";
import { parseWireDateTime } from "../../shared/language/format.ts";
import { TranslatedLine } from "../../shared/language/translated.tsx";
import { useFormats, useLanguage, useTranslate } from "../../shared/language/use-language.ts";
import { Crumbs } from "../../shared/lists/crumbs.tsx";
import { knownId } from "../../shared/lists/list-address.ts";
import { ChosenBar } from "../../shared/resource/bulk-actions.tsx";
import type { Where } from "../../shared/resource/conditions.ts";
import { ListPart } from "../../shared/resource/list-screen.tsx";
import { keysOf } from "../../shared/resource/resource-api.ts";
import { useList } from "../../shared/resource/use-list.ts";
import { messagesChanged, useUnread } from "../../shared/session/unread.ts";
import { Confirm } from "../../shared/states/confirm.tsx";
import { ChannelSettings } from "./channel-settings.tsx";
import styles from "./messages.module.css";
import { Reading } from "./reading.tsx";
import { kindWords } from "./words.ts";

/** The own messages, narrowed by the rail beside them. */
const messageList = list({
  name: "message",
  path: "/api/muyuan-message-center/message",
  page: messagePage.path,
  words: { one: "消息条目", many: "消息" },
  title: "title",
  fields: {
    title: text("消息", { max: 200, column: true }),
    kind: choice("类别", {
      options: messageKinds.map((kind) => [kind, kindWords[kind].name]),
      filter: true,
      single: true,
    }),
    status: choice("状态", {
      options: [
        ["0", "未读"],
        ["1", "已读"],
      ],
      filter: true,
      single: true,
    }),
  },
});

/** Kinds with how many there are; unread ones stand out. */
function Rail({
  kind,
  status,
  onChoose,
}: {
  kind: string | undefined;
  status: string | undefined;
  onChoose: (where: Where) => void;
}) {
  const t = useTranslate();
  const { number } = useFormats();
  const { data = [] } = useQuery({
    queryKey: [...keysOf(messageList), "counts"],
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
      {entry("list", "全部", kind === undefined && status === undefined, sum("total"), 0, () => onChoose({}))}
      {entry("dense", "没读", kind === undefined && status === "0", sum("unread"), sum("unread"), () =>
        onChoose({ status: "0" }),
      )}
      {messageKinds
        .filter((name) => name === kind || data.some((one) => one.kind === name))
        .map((name) => {
          const of = data.find((one) => one.kind === name);
          return entry(kindWords[name].icon, kindWords[name].name, kind === name, of?.total ?? 0, of?.unread ?? 0, () =>
            onChoose({ kind: name }),
          );
        })}
    </nav>
  );
}

interface LineProps {
  message: Message;
  open: boolean;
  chosen: boolean;
  onChoose: () => void;
  onOpen: () => void;
  onRead: () => void;
}

function Line({ message, open, chosen, onChoose, onOpen, onRead }: LineProps) {
  const t = useTranslate();
  const language = useLanguage();
  const { dayTime } = useFormats();
  const title = (language === "en" && message.titleEn) || t(message.title);
  const content = language === "en" && message.contentEn;
  return (
    <li data-unread={message.status === 0 || undefined} data-open={open || undefined}>
      <label className="tap">
        <CheckBox aria-label={t("选择“{title}”", { title })} checked={chosen} onChange={onChoose} />
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
  const [search, change] = useAddressValues({ isStep: true });
  const opened = knownId(search.get("id"));
  const list = useList(messageList);
  const { where } = list.state;
  const { selection } = list;
  const [removing, setRemoving] = useState<readonly string[]>();
  // Another tab, or a message that has just come.
  useEffect(() => {
    void client.invalidateQueries({ queryKey: keysOf(messageList) });
  }, [unread, client]);
  const done = (): void => {
    selection.clear();
    messagesChanged();
    void client.invalidateQueries({ queryKey: ["messages"] });
    void client.invalidateQueries({ queryKey: keysOf(messageList) });
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
  const chosen = [...selection.ids];
  return (
    <>
      <Crumbs />
      <div className="page-head">
        <h1>{t("消息")}</h1>
        <span className="mut num">
          {unread > 0 ? t("{count} 条未读", { count: unread }) : list.items && t("没有未读消息")}
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
      <section className={`card ${styles.box}`} aria-label={t("消息")} data-open={opened || undefined}>
        <Rail kind={where.kind} status={where.status} onChoose={(where) => list.change({ where })} />
        <div className={styles.list}>
          <ListPart
            list={list}
            nothing="账号安全、权限申请等通知会出现在这里。"
            rows={(rows) => (
              <ul className="notes">
                {(rows as readonly unknown[] as readonly Message[]).map((message) => (
                  <Line
                    key={message.id}
                    message={message}
                    open={message.id === opened}
                    chosen={selection.has(message.id)}
                    onChoose={() => selection.toggle(message.id)}
                    onOpen={() => open(message)}
                    onRead={() => void mark([message.id], true)}
                  />
                ))}
              </ul>
            )}
            bulk={
              <ChosenBar count={selection.count} onClear={selection.clear}>
                <Button small onPress={() => void mark(chosen, true)}>
                  {t("标为已读")}
                </Button>
                <Button small onPress={() => void mark(chosen, false)}>
                  {t("标为未读")}
                </Button>
                <Button small kind="danger" onPress={() => setRemoving(chosen)}>
                  {t("删除")}
                </Button>
              </ChosenBar>
            }
          />
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
