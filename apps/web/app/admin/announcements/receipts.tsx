import {
  announcementDetail,
  announcementReceiptExport,
  announcementRemind,
  announcementReminderHours,
} from "@herdwise/contract";
import { receiptList } from "@herdwise/contract/lists";
import { useQuery } from "@tanstack/react-query";
import { useMemo, useState } from "react";
import { Link } from "react-router";
import { asApiError } from "../../shared/api/api-error.ts";
import { call } from "../../shared/api/call.ts";
import { ConfirmDialog } from "../../shared/kit/dialog.tsx";
import { parseWireDateTime } from "../../shared/language/format.ts";
import { Translated } from "../../shared/language/translated.tsx";
import { useJoin } from "../../shared/language/use-join.ts";
import { useFormats, useLanguage, useTranslate } from "../../shared/language/use-language.ts";
import { useNames } from "../../shared/language/use-names.ts";
import { StateTag } from "../../shared/process/state-tag.tsx";
import type { Cells } from "../../shared/resource/cells.ts";
import { ListScreen } from "../../shared/resource/list-screen.tsx";
import { whereOf } from "../../shared/resource/list-state.ts";
import { useList } from "../../shared/resource/use-list.ts";
import { useAccess } from "../../shared/session/access-context.ts";
import { tellJobBegun } from "../../shared/session/job-begun.ts";
import { messagesChanged } from "../../shared/session/unread.ts";
import { LoadingProblem } from "../../shared/states/loading-problem.tsx";
import { showToast } from "../../shared/states/toast-store.ts";
import styles from "./announcements.module.css";
import { stateWords } from "./words.ts";

const cells: Cells = {
  contactName: ({ value }) => <b>{String(value)}</b>,
  tenants: function Tenants({ value }) {
    const nameOf = useNames();
    const join = useJoin();
    return join(String(value).split(",").map(nameOf));
  },
  readTime: function ReadTime({ value }) {
    const t = useTranslate();
    const { dayTime } = useFormats();
    return value === "" ? (
      <span className="mut">{t("未读")}</span>
    ) : (
      <span className="num">{dayTime(parseWireDateTime(String(value)))}</span>
    );
  },
};

/** Who received an announcement and who read it, with a reminder for the others. */
export function Receipts({ id }: { id: string }) {
  const t = useTranslate();
  const language = useLanguage();
  const { number, dayTime } = useFormats();
  const { permissions } = useAccess();
  const [asked, setAsked] = useState(false);
  const list = useList(useMemo(() => ({ ...receiptList, given: { id } }), [id]));
  const { data, error, refetch } = useQuery({
    queryKey: ["announcements", "detail", id],
    queryFn: ({ signal }) => call(announcementDetail, { query: { id }, signal, quiet: true }),
  });
  if (error) return <LoadingProblem error={asApiError(error)} onRetry={() => void refetch()} what={t("公告")} />;
  const take = (): void =>
    void call(announcementReceiptExport, { body: { ...whereOf(list.state), id, language } }).then(
      () => {
        tellJobBegun();
        showToast({ kind: "ok", text: "导出已开始，完成后在顶栏和消息里下载" });
      },
      // A refusal shows as a toast.
      () => undefined,
    );
  const unread = data ? data.receivers - data.readers : 0;
  return (
    <ListScreen
      list={list}
      cells={cells}
      nothing="发送以后，收到的人会列在这里。"
      actionsOnAll={
        permissions.has("announcement_export") && list.total > 0
          ? [{ id: "export", icon: "download", name: t("导出"), onAction: take }]
          : []
      }
      head={
        <Link className="btn" to="/customer/announcement">
          {t("返回")}
        </Link>
      }
      main={
        permissions.has("announcement_publish") &&
        data?.state === "sent" &&
        unread > 0 && {
          icon: "bell",
          name: t("提醒未读的人"),
          short: t("提醒"),
          onAction: () => setAsked(true),
        }
      }
    >
      {data && (
        <section className={`card ${styles.row} ${styles.about}`}>
          <b>{(language === "en" && data.titleEn) || <Translated text={data.title} />}</b>
          <StateTag plain {...stateWords[data.state]} />
          <span className={styles.meta}>
            <span className="num">
              {t("{readers} / {receivers} 人已读", {
                readers: number(data.readers),
                receivers: number(data.receivers),
              })}
            </span>
            {data.remindTime !== "" && (
              <span className="num">
                {t("{time} 提醒过未读的人", { time: dayTime(parseWireDateTime(data.remindTime)) })}
              </span>
            )}
          </span>
        </section>
      )}
      {asked && data && (
        <ConfirmDialog
          title={t("提醒还没读的 {count} 人？", { count: number(unread) })}
          action={t("提醒")}
          onConfirm={() =>
            call(announcementRemind, { body: { id, version: data.version } }).then(() => {
              showToast({ kind: "ok", text: "已开始提醒" });
              void refetch();
              list.reload();
              messagesChanged();
            })
          }
          onClose={() => setAsked(false)}
        >
          <p>
            {t(
              "公告会作为新消息再发给他们，替换原来未读的那条；已经不在范围内的人不提醒。{hours} 小时内只能提醒一次。",
              {
                hours: announcementReminderHours,
              },
            )}
          </p>
        </ConfirmDialog>
      )}
    </ListScreen>
  );
}
