import {
  type CancellationQueue,
  cancellationDeskPage,
  cancellationKinds,
  cancellationQueues,
  cancellationReasons,
  cancellationStates,
  type DeskCancellation,
  type ReplyOf,
} from "@herdwise/contract";
import { choice, list, moment, text } from "@herdwise/contract/resource";
import { useLocation } from "react-router";
import { cancellationWords, reasonWords } from "../../shared/cancellation/words.ts";
import { parseWireDateTime } from "../../shared/language/format.ts";
import { Translated } from "../../shared/language/translated.tsx";
import { useFormats, useTranslate } from "../../shared/language/use-language.ts";
import { StateTag } from "../../shared/process/state-tag.tsx";
import type { Cells } from "../../shared/resource/cells.ts";
import { ListScreen } from "../../shared/resource/list-screen.tsx";
import { stateCell } from "../../shared/resource/state-cell.tsx";
import { useList } from "../../shared/resource/use-list.ts";
import styles from "./cancellations.module.css";
import { CancellationPage, renewMs } from "./detail.tsx";

const queueWords: Readonly<Record<CancellationQueue, string>> = {
  waiting: "等答复",
  cooling: "冷静期",
  accepted: "等清除",
  done: "办完的",
};

/** Who wants to go, by what comes next; what is due first at the top. */
const deskList = list({
  name: "cancellation_desk",
  path: "/api/muyuan-customer/cancellation/desk",
  page: cancellationDeskPage.path,
  renewMs,
  given: { queue: "waiting" },
  words: { one: "注销", many: "注销答复" },
  title: "title",
  views: cancellationQueues.map((queue) => ({ id: queue, name: queueWords[queue], where: { queue } })),
  fields: {
    title: text("注销的账号或企业", { max: 30, column: true }),
    state: choice("状态", {
      options: cancellationStates.map((state) => [state, cancellationWords[state].word]),
      column: true,
    }),
    dueTime: text("接下来", { max: 36, column: true }),
    kind: choice("类型", {
      options: cancellationKinds.map((kind) => [kind, kind === "tenant" ? "企业" : "账号"]),
      filter: true,
      single: true,
    }),
    // Told with the account.
    customer: text("客户", { max: 30, search: true }),
    reason: choice("原因", {
      options: cancellationReasons.map((reason) => [reason, reasonWords[reason]]),
      column: true,
    }),
    askTime: moment("提出", { column: true }),
    decideTime: moment("答复", { column: true }),
  },
});

const cells: Cells = {
  title: function Who({ row }) {
    const t = useTranslate();
    const { kind, title, customer } = row as unknown as DeskCancellation;
    return kind === "tenant" ? (
      <Translated text={title} />
    ) : (
      <>
        <Translated text={customer} /> <span className="mut">{t("账号 {account}", { account: title })}</span>
      </>
    );
  },
  state: stateCell(cancellationWords),
  dueTime: function Next({ row }) {
    const t = useTranslate();
    const { dayTime, age } = useFormats();
    const { state, coolUntil, dueTime, eraseTime } = row as unknown as DeskCancellation;
    const due = parseWireDateTime(dueTime) ?? 0;
    if (state === "waiting" && due < Date.now())
      return <StateTag plain mark="critical" word="超时 {age}" values={{ age: age(Date.now() - due) }} />;
    const time = (text: string) => dayTime(parseWireDateTime(text));
    const next = {
      cooling: t("冷静期到 {time}", { time: time(coolUntil) }),
      waiting: t("{time} 前答复", { time: time(dueTime) }),
      accepted: t("{time} 清除", { time: time(eraseTime) }),
      refused: "--",
      taken_back: "--",
      erased: "--",
    }[state];
    return <span className="num">{next}</span>;
  },
};

function Queues() {
  const t = useTranslate();
  const { number } = useFormats();
  const rows = useList(deskList);
  const counts = (rows.paged.answer as ReplyOf<typeof cancellationDeskPage> | undefined)?.counts;
  const late = counts?.overdue ?? 0;
  return (
    <ListScreen
      list={rows}
      cells={cells}
      counts={counts ?? {}}
      linkOf={({ id }) => `/customer/cancellation/detail?id=${id}`}
    >
      <p className={`mut ${styles.lead}`}>
        {late > 0 && <StateTag plain mark="critical" word="{count} 件超时" values={{ count: late }} />}{" "}
        {t("冷静期 7 天，客户随时能取回；同意后 24 小时清除，那之前仍能取回。近 30 天清除了 {count} 个。", {
          count: counts === undefined ? "--" : number(counts.erased),
        })}
      </p>
    </ListScreen>
  );
}

/** The desk of closings: its queues, and below them one of it. One file, for what its parts share. */
export default function CancellationDesk() {
  const { pathname } = useLocation();
  return pathname.endsWith("/detail") ? <CancellationPage /> : <Queues />;
}
