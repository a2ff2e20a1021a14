import {
  type Announcement,
  announcementPage,
  announcementReach,
  announcementRemove,
  announcementSchedule,
  announcementStates,
  announcementUnschedule,
  announcementWithdraw,
} from "@herdwise/contract";
import { choice, list, text } from "@herdwise/contract/resource";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { Link } from "react-router";
import { useAddress } from "../../shared/address/use-address.ts";
import { call } from "../../shared/api/call.ts";
import { Button } from "../../shared/kit/button.tsx";
import { ConfirmDialog } from "../../shared/kit/dialog.tsx";
import { parseWireDateTime } from "../../shared/language/format.ts";
import { Translated } from "../../shared/language/translated.tsx";
import { useJoin } from "../../shared/language/use-join.ts";
import { useFormats, useLanguage, useTranslate } from "../../shared/language/use-language.ts";
import { useNames } from "../../shared/language/use-names.ts";
import { StateTag } from "../../shared/process/state-tag.tsx";
import { ListScreen } from "../../shared/resource/list-screen.tsx";
import { useRegionNames } from "../../shared/resource/regions.ts";
import { useList } from "../../shared/resource/use-list.ts";
import { useAccess } from "../../shared/session/access-context.ts";
import { messagesChanged } from "../../shared/session/unread.ts";
import { PublishDialog } from "../agreements/publish-dialog.tsx";
import { AnnouncementForm } from "./announcement-form.tsx";
import styles from "./announcements.module.css";
import { Receipts } from "./receipts.tsx";
import { audienceWords, kindWords, roleWords, stateWords } from "./words.ts";

/** Sends a draft now or later, beside how many people it reaches. */
function SendDialog({
  announcement: {
    id,
    version,
    title,
    content,
    titleEn,
    contentEn,
    audience,
    tenantKinds,
    regionCodes,
    farms,
    tenants,
    roleAliases,
  },
  onDone,
  onClose,
}: {
  announcement: Announcement;
  onDone: () => void;
  onClose: () => void;
}) {
  const t = useTranslate();
  const { number } = useFormats();
  const target = {
    audience,
    tenantKinds,
    regionCodes,
    roleAliases,
    farmIds: farms.map((farm) => farm.id),
    tenantIds: tenants.map((tenant) => tenant.id),
  };
  const { data } = useQuery({
    queryKey: ["announcements", "reach", target],
    queryFn: ({ signal }) => call(announcementReach, { body: target, signal, quiet: true }),
    staleTime: 0,
  });
  const reached =
    data &&
    t("现在有 {count} 人会收到，来自 {tenants} 个组织", {
      count: number(data.receivers),
      tenants: number(data.tenants),
    });
  return (
    <PublishDialog
      place={`announcement_${id}`}
      title={t("发送公告")}
      now={t("现在发送")}
      later={t("到时发送")}
      onSend={(time) =>
        call(announcementSchedule, { body: { id, version, ...(time && { at: time }) }, quiet: true }).then(() => {
          onDone();
          messagesChanged();
        })
      }
      onClose={onClose}
    >
      <span className={styles.preview}>
        <b>{title}</b>
        <span>{content}</span>
        {titleEn !== "" && <b lang="en">{titleEn}</b>}
        {contentEn !== "" && <span lang="en">{contentEn}</span>}
      </span>
      {reached && <b>{reached}</b>} {t("会出现在每个人的消息里，按各人的设置再发邮件和微信。")}
    </PublishDialog>
  );
}

function Row({ announcement, onEdit, onDone }: { announcement: Announcement; onEdit: () => void; onDone: () => void }) {
  const t = useTranslate();
  const nameOf = useNames();
  const join = useJoin();
  const regionName = useRegionNames();
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
    tenantKinds,
    regionCodes,
    farms,
    tenants,
    roleAliases,
    receivers,
    readers,
    author,
  } = announcement;
  const body = { id, version };
  const mayEdit = permissions.has("announcement_edit");
  const maySend = permissions.has("announcement_publish");
  // Within a list one of them is enough; between lists all hold.
  const targets = [
    tenantKinds.map((kind) => t(kindWords[kind])),
    regionCodes.map(regionName),
    farms.map(({ name }) => nameOf(name)),
    tenants.map(({ name }) => nameOf(name)),
    roleAliases.map((alias) => t(roleWords[alias] ?? alias)),
  ]
    .filter((list) => list.length > 0)
    .map((list) => join(list));
  const at = announcement.sentTime || announcement.dueTime;
  return (
    <li className={styles.row}>
      <b>{(language === "en" && titleEn) || <Translated text={title} />}</b>
      <StateTag plain {...stateWords[state]} />
      <p>{(language === "en" && contentEn) || <Translated text={content} />}</p>
      <span className={styles.meta}>
        <span>{audience === "chosen" ? targets.join(" · ") : t(audienceWords[audience])}</span>
        {at !== "" && <span className="num">{dayTime(parseWireDateTime(at))}</span>}
        {announcement.endTime !== "" && (
          <span className="num">{t("到 {time} 结束", { time: dayTime(parseWireDateTime(announcement.endTime)) })}</span>
        )}
        {receivers > 0 && (
          <Link className="num" to={`?receipts=${id}`}>
            {t("{readers} / {receivers} 人已读", { readers: number(readers), receivers: number(receivers) })}
          </Link>
        )}
        {author !== "" && <span>{nameOf(author)}</span>}
      </span>
      <span className={styles.actions}>
        {state === "draft" && maySend && (
          <Button small kind="primary" onPress={() => setAsked("send")}>
            {t("发送")}
          </Button>
        )}
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
        <SendDialog announcement={announcement} onDone={onDone} onClose={() => setAsked(undefined)} />
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

/** What the group tells many, or who received one announcement where the address names it. */
export function Announcements() {
  const [search] = useAddress();
  const id = search.get("receipts");
  return id === null ? <AnnouncementList /> : <Receipts id={id} />;
}

/** Drafts, what waits, what was sent and how many read it. */
function AnnouncementList() {
  const t = useTranslate();
  const mayEdit = useAccess().permissions.has("announcement_edit");
  const list = useList(announcementList);
  const [editing, setEditing] = useState<Announcement | "new">();
  return (
    <>
      <ListScreen
        list={list}
        nothing="写一条，发给全部客户，或按类型、地区、场区、组织和角色选择。"
        rows={(rows) => (
          <ul>
            {(rows as readonly unknown[] as readonly Announcement[]).map((one) => (
              <Row key={one.id} announcement={one} onEdit={() => setEditing(one)} onDone={list.reload} />
            ))}
          </ul>
        )}
        main={
          mayEdit && {
            icon: "plus",
            name: t("写公告"),
            short: t("写一条"),
            onAction: () => setEditing("new"),
          }
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
