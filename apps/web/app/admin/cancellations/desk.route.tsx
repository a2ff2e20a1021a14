import {
  type CancellationQueue,
  cancellationDeskPage,
  cancellationQueues,
  type DeskCancellation,
} from "@herdwise/contract";
import { Link, useLocation } from "react-router";
import { call } from "../../shared/api/call.ts";
import { cancellationWords, reasonWords } from "../../shared/cancellation/words.ts";
import { type Fact, Facts } from "../../shared/kit/facts.tsx";
import { parseWireDateTime } from "../../shared/language/format.ts";
import { Translated } from "../../shared/language/translated.tsx";
import { useFormats, useTranslate } from "../../shared/language/use-language.ts";
import { known } from "../../shared/lists/list-address.ts";
import processStyles from "../../shared/process/process.module.css";
import { QueueScreen, useQueue } from "../../shared/process/queue-screen.tsx";
import { StateTag } from "../../shared/process/state-tag.tsx";
import { CancellationPage } from "./detail.tsx";

const queueWords: Readonly<Record<CancellationQueue, string>> = {
  waiting: "等答复",
  cooling: "冷静期",
  accepted: "等清除",
  done: "办完的",
};
/** Others answer, and time goes on: the queues follow, ms. */
const renewMs = 15_000;

function Row({ row }: { row: DeskCancellation }) {
  const t = useTranslate();
  const { dayTime, age } = useFormats();
  const due = parseWireDateTime(row.dueTime) ?? 0;
  const late = row.state === "waiting" && due < Date.now();
  const time = (text: string) => dayTime(parseWireDateTime(text));
  const next = {
    cooling: t("冷静期到 {time}", { time: time(row.coolUntil) }),
    waiting: t("{time} 前答复", { time: time(row.dueTime) }),
    accepted: t("{time} 清除", { time: time(row.eraseTime) }),
    refused: time(row.decideTime),
    taken_back: "",
    erased: "",
  }[row.state];
  return (
    <li>
      <Link to={`/customer/cancellation/detail?id=${row.id}`}>
        <b>
          {row.kind === "tenant" ? <Translated text={row.title} /> : row.title}{" "}
          <span className="tag">{t(row.kind === "tenant" ? "企业" : "账号")}</span>
        </b>
        <StateTag {...cancellationWords[row.state]} />
        <span className={processStyles.line}>
          {row.kind === "account" && <Translated text={row.customer} />}
          <span>
            {row.reason === "" ? t("没写原因") : t(reasonWords[row.reason as keyof typeof reasonWords] ?? row.reason)}
          </span>
          <span className="num">{t("{time} 提出", { time: time(row.askTime) })}</span>
          {late ? (
            <StateTag plain mark="critical" word="超时 {age}" values={{ age: age(Date.now() - due) }} />
          ) : (
            <span className="num">{next}</span>
          )}
        </span>
      </Link>
    </li>
  );
}

/** Who wants to go, by what comes next; what is due first at the top. */
function Queues() {
  const t = useTranslate();
  const { number } = useFormats();
  const queue = useQueue({
    key: ["cancellations"],
    renewMs,
    read: (search) => ({ queue: known(search.get("queue"), cancellationQueues) ?? "waiting" }),
    load: (query, signal) => call(cancellationDeskPage, { query, signal, quiet: true }),
  });
  const counts = queue.loaded.data?.counts;
  const late = counts?.overdue ?? 0;
  const shown = (count: number | undefined): string => (count === undefined ? "--" : number(count));
  const facts: readonly Fact[] = [
    {
      name: t("等答复"),
      value: shown(counts?.waiting),
      note: late > 0 ? t("{count} 件超时", { count: late }) : t("都在时限内"),
      bad: late > 0,
    },
    { name: t("冷静期"), value: shown(counts?.cooling), note: t("7 天，客户随时能取回") },
    { name: t("等清除"), value: shown(counts?.accepted), note: t("同意后 24 小时，仍能取回") },
    { name: t("已清除"), value: shown(counts?.erased), note: t("近 30 天") },
  ];
  return (
    <QueueScreen
      queue={queue}
      title={t("注销答复")}
      what={t("注销")}
      facts={<Facts label={t("注销的数目")} facts={facts} />}
      chips={{ parameter: "queue", label: t("队列"), words: queueWords, chosen: queue.values.queue }}
    >
      {(rows) => (
        <ul>
          {rows.map((row) => (
            <Row key={row.id} row={row} />
          ))}
        </ul>
      )}
    </QueueScreen>
  );
}

/** The desk of closings: its queues, and below them one of it. One file, for what its parts share. */
export default function CancellationDesk() {
  const { pathname } = useLocation();
  return pathname.endsWith("/detail") ? <CancellationPage /> : <Queues />;
}
