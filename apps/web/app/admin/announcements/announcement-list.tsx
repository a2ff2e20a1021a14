import {
  type Announcement,
  announcementPage,
  announcementRemove,
  announcementSchedule,
  announcementStates,
  announcementUnschedule,
  announcementWithdraw,
} from "@herdwise/contract";
import { choice, list, text } from "@herdwise/contract/resource";
import { useState } from "react";
import { call } from "../../shared/api/call.ts";
import { Button } from "../../shared/kit/button.tsx";
import { ConfirmDialog } from "../../shared/kit/dialog.tsx";
import { parseWireDateTime } from "../../shared/language/format.ts";
import { Translated } from "../../shared/language/translated.tsx";
import { useFormats, useLanguage, useTranslate } from "../../shared/language/use-language.ts";
import { useNames } from "../../shared/language/use-names.ts";
import { StateTag } from "../../shared/process/state-tag.tsx";
import { ListScreen } from "../../shared/resource/list-screen.tsx";
import { useList } from "../../shared/resource/use-list.ts";
import { useAccess } from "../../shared/session/access-context.ts";
import { messagesChanged } from "../../shared/session/unread.ts";
import { PublishDialog } from "../agreements/publish-dialog.tsx";
import { AnnouncementForm } from "./announcement-form.tsx";
import styles from "./announcements.module.css";
import { audienceWords, roleWords, stateWords } from "./words.ts";

function Row({ announcement, onEdit, onDone }: { announcement: Announcement; onEdit: () => void; onDone: () => void }) {
  const t = useTranslate();
  const nameOf = useNames();
  const language = useLanguage();
  const { dayTime, number } = useFormats();
  const { permissions } = useAccess();
  const [asked, setAsked] = useState<"send" | "withdraw" | "remove">();
  const {
    id,
    version,
    state,
    title,
    content,
    titleEn,
    contentEn,
    audience,
    farms,
    roleAliases,
    receivers,
    readers,
    author,
  } = announcement;
  const body = { id, version };
  const mayEdit = permissions.has("announcement_edit");
  const maySend = permissions.has("announcement_publish");
  const targets =
    audience === "farms"
      ? farms.map(({ name }) => nameOf(name)).join("、")
      : audience === "roles"
        ? roleAliases.map((alias) => t(roleWords[alias] ?? alias)).join("、")
        : "";
  const at = announcement.sentTime || announcement.dueTime;
  return (
    <li className={styles.row}>
      <b>{(language === "en" && titleEn) || <Translated text={title} />}</b>
      <StateTag plain {...stateWords[state]} />
      <p>{(language === "en" && contentEn) || <Translated text={content} />}</p>
      <span className={styles.meta}>
        <span>
          {t(audienceWords[audience])}
          {targets !== "" && `：${targets}`}
        </span>
        {at !== "" && <span className="num">{dayTime(parseWireDateTime(at))}</span>}
        {receivers > 0 && (
          <span className="num">
            {t("{readers} / {receivers} 人已读", { readers: number(readers), receivers: number(receivers) })}
          </span>
        )}
        {author !== "" && <span>{nameOf(author)}</span>}
      </span>
      <span className={styles.actions}>
        {state === "draft" && mayEdit && (
          <>
            <Button small onPress={onEdit}>
              {t("编辑")}
            </Button>
            <Button small kind="danger" onPress={() => setAsked("remove")}>
              {t("删除")}
            </Button>
          </>
        )}
        {state === "draft" && maySend && (
          <Button small kind="primary" onPress={() => setAsked("send")}>
            {t("发送")}
          </Button>
        )}
        {state === "scheduled" && maySend && (
          <Button small onPress={() => void call(announcementUnschedule, { body }).then(onDone, onDone)}>
            {t("改回草稿")}
          </Button>
        )}
        {(state === "sent" || state === "sending") && maySend && (
          <Button small kind="danger" onPress={() => setAsked("withdraw")}>
            {t("收回")}
          </Button>
        )}
      </span>
      {asked === "send" && (
        <PublishDialog
          place={`announcement_${body.id}`}
          title={t("发送公告")}
          now={t("现在发送")}
          later={t("到时发送")}
          onSend={(time) =>
            call(announcementSchedule, { body: { ...body, ...(time && { at: time }) }, quiet: true }).then(() => {
              onDone();
              messagesChanged();
            })
          }
          onClose={() => setAsked(undefined)}
        >
          {t("会出现在每个人的消息里，按各人的设置再发邮件和微信。")}
        </PublishDialog>
      )}
      {asked === "withdraw" && (
        <ConfirmDialog
          title={t("收回这条公告？")}
          action={t("收回")}
          onConfirm={() => call(announcementWithdraw, { body }).then(onDone)}
          onClose={() => setAsked(undefined)}
        >
          <p>{t("还没发的不再发，已收到的会从消息里消失；已经发出的邮件和微信收不回来。")}</p>
        </ConfirmDialog>
      )}
      {asked === "remove" && (
        <ConfirmDialog
          title={t("删除这份草稿？")}
          action={t("删除")}
          onConfirm={() => call(announcementRemove, { body }).then(onDone)}
          onClose={() => setAsked(undefined)}
        >
          <p>{t("删除后不能恢复。")}</p>
        </ConfirmDialog>
      )}
    </li>
  );
}

const announcementList = list({
  name: "announcement",
  path: "/api/muyuan-message-center/announcement",
  page: announcementPage.path,
  // What is being sent changes by itself.
  renewMs: 5000,
  words: { one: "公告条目", many: "公告" },
  title: "title",
  fields: {
    title: text("标题", { max: 60, column: true }),
    state: choice("状态", {
      options: announcementStates.map((state) => [state, stateWords[state].word]),
      filter: true,
      single: true,
    }),
  },
});

/** What the group tells many: drafts, what waits, what was sent and how many read it. */
export function Announcements() {
  const t = useTranslate();
  const mayEdit = useAccess().permissions.has("announcement_edit");
  const list = useList(announcementList);
  const [editing, setEditing] = useState<Announcement | "new">();
  return (
    <>
      <ListScreen
        list={list}
        nothing="写一条，发给全部客户、有某些场区的客户，或有某些角色的人。"
        rows={(rows) => (
          <ul>
            {(rows as readonly unknown[] as readonly Announcement[]).map((one) => (
              <Row key={one.id} announcement={one} onEdit={() => setEditing(one)} onDone={list.reload} />
            ))}
          </ul>
        )}
        head={
          mayEdit && (
            <Button kind="primary" icon="plus" onPress={() => setEditing("new")}>
              {t("写公告")}
            </Button>
          )
        }
      />
      {editing !== undefined && (
        <AnnouncementForm
          announcement={editing === "new" ? undefined : editing}
          onClose={() => setEditing(undefined)}
          onSaved={list.reload}
        />
      )}
    </>
  );
}
