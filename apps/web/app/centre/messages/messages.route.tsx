import {
  type MessageGroup,
  messageCounts,
  messageGroups,
  messageKinds,
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
import { useMedia } from "../../shared/kit/use-media.ts";
import { useFormats, useTranslate } from "../../shared/language/use-language.ts";
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
import { GroupLine } from "./group-line.tsx";
import styles from "./messages.module.css";
import { Reading } from "./reading.tsx";
import { useStandings } from "./use-standings.ts";
import { kindWords } from "./words.ts";

/** The own messages by what they are about, narrowed by the rail beside them. */
const messageList = list({
  name: "message",
  path: "/api/muyuan-message-center/message",
  page: messageGroups.path,
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

/** Kinds with about how many things they are; those with unread messages stand out. */
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
  const sum = (field: "things" | "unreadThings"): number => data.reduce((all, one) => all + one[field], 0);
  const entry = (icon: IconName, name: string, pressed: boolean, count: number, unread: number, choose: () => void) => (
    <button key={name} type="button" aria-pressed={pressed} onClick={choose}>
      <Icon name={icon} small />
      <span>{t(name)}</span>
      <small data-unread={unread > 0 || undefined}>{count > 0 ? number(unread > 0 ? unread : count) : ""}</small>
    </button>
  );
  return (
    <nav className={styles.rail} aria-label={t("消息的类别")}>
      {entry("list", "全部", kind === undefined && status === undefined, sum("things"), 0, () => onChoose({}))}
      {entry("dense", "没读", kind === undefined && status === "0", sum("unreadThings"), sum("unreadThings"), () =>
        onChoose({ status: "0" }),
      )}
      {messageKinds
        .filter((name) => name === kind || data.some((one) => one.kind === name))
        .map((name) => {
          const of = data.find((one) => one.kind === name);
          return entry(
            kindWords[name].icon,
            kindWords[name].name,
            kind === name,
            of?.things ?? 0,
            of?.unreadThings ?? 0,
            () => onChoose({ kind: name }),
          );
        })}
    </nav>
  );
}

/** Wide enough for the list and a message beside each other, as in messages.module.css. */
const bothFit = "(min-width: 1181px)";

/** The message that opens by itself: the newest unread one, else the newest; it stays while it is in the list. */
function useShown(groups: readonly MessageGroup[] | undefined): string | undefined {
  const wide = useMedia(bothFit);
  const [held, setHeld] = useState<string>();
  const stays = groups?.some(({ id }) => id === held) ?? true;
  const first = stays ? held : (groups?.find(({ unread }) => unread > 0) ?? groups?.[0])?.id;
  useEffect(() => setHeld(first), [first]);
  return wide ? first : undefined;
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
  /** @param which one message of each group; all messages where it is empty */
  const mark = async (which: readonly string[], read: boolean): Promise<void> => {
    const query = { ...(which.length > 0 && { groups: which.join(",") }), status: read ? 1 : 0 };
    // A refusal shows as a toast.
    await call(messageUpdateStatus, { query }).then(done, () => undefined);
  };
  const open = (group: MessageGroup): void => {
    change({ id: group.id });
    if (group.unread > 0) void mark([group.id], true);
  };
  const standings = useStandings(list.items?.map(({ row }) => String(row.id)) ?? []);
  const alarmsOf = (id: string): string[] => standings?.get(id)?.alarms.map((alarm) => alarm.id) ?? [];
  // An alarm that was told alone before it was told with others waits for somebody there.
  const inOthers = new Set([...(standings?.keys() ?? [])].map(alarmsOf).flatMap((ids) => (ids.length > 1 ? ids : [])));
  const isInOther = (id: string): boolean => {
    const [alarm, ...more] = alarmsOf(id);
    return alarm !== undefined && more.length === 0 && inOthers.has(alarm);
  };
  const shown = useShown(list.items?.map(({ row }) => row as unknown as MessageGroup));
  const reads = opened ?? shown;
  /** Of the thing that is read, which may have a newer message meanwhile. */
  const [openedThing, setOpenedThing] = useState<string>();
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
            untabbed
            nothing="账号安全、权限申请等通知会出现在这里。"
            rows={(rows) => (
              <ul className="notes">
                {(rows as readonly unknown[] as readonly MessageGroup[]).map((group) => (
                  <GroupLine
                    key={group.thing}
                    group={group}
                    standing={standings?.get(group.id)}
                    isInOther={isInOther(group.id)}
                    open={reads !== undefined && (group.id === reads || group.thing === openedThing)}
                    chosen={selection.has(group.id)}
                    onChoose={() => selection.toggle(group.id)}
                    onOpen={() => open(group)}
                    onRead={() => void mark([group.id], true)}
                    onDone={done}
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
        {reads ? (
          <Reading
            key={reads}
            id={reads}
            onThing={setOpenedThing}
            onDone={done}
            onClose={() => change({ id: undefined })}
            onUnread={() => {
              void mark([reads], false);
              change({ id: undefined });
            }}
            onRemove={() => setRemoving([reads])}
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
          title={t("删除 {count} 组消息？", { count: removing.length })}
          action={t("删除")}
          onConfirm={async () => {
            await call(messageRemove, { query: { groups: removing.join(",") } });
            if (opened && removing.includes(opened)) change({ id: undefined });
            done();
          }}
          onClose={() => setRemoving(undefined)}
        >
          <p>{t("同一件事的消息一起删除，不能恢复。")}</p>
        </Confirm>
      )}
    </>
  );
}
