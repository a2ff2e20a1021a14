import {
  type RealNameFigures,
  type RealNameReason,
  type RealNameTask,
  type RealNameView,
  realNameFigures,
  realNameReviewPage,
  realNameStates,
  realNameViews,
} from "@herdwise/contract";
import { realNameKinds } from "@herdwise/contract/real-name-checks";
import { choice, list, moment, text } from "@herdwise/contract/resource";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useFormerNames } from "../../shared/address/use-address.ts";
import { call } from "../../shared/api/call.ts";
import { Button } from "../../shared/kit/button.tsx";
import { type Fact, Facts } from "../../shared/kit/facts.tsx";
import { parseWireDateTime } from "../../shared/language/format.ts";
import { Translated } from "../../shared/language/translated.tsx";
import { useFormats, useTranslate } from "../../shared/language/use-language.ts";
import { Crumbs } from "../../shared/lists/crumbs.tsx";
import { StateTag } from "../../shared/process/state-tag.tsx";
import { kindWords, reasonWord, stateWords } from "../../shared/real-name/words.ts";
import type { Cells } from "../../shared/resource/cells.ts";
import type { Row } from "../../shared/resource/form-values.ts";
import { ListHead } from "../../shared/resource/list.tsx";
import { ListPart } from "../../shared/resource/list-screen.tsx";
import { keysOf } from "../../shared/resource/resource-api.ts";
import { useList } from "../../shared/resource/use-list.ts";
import { Examination } from "./examination.tsx";
import styles from "./review.module.css";

const viewWords: Readonly<Record<RealNameView, string>> = {
  waiting: "待审",
  mine: "我的",
  second: "其中复核",
  done: "已审",
};
/** Others take and put back: the queue follows, ms. */
const renewMs = 15_000;

const reviewList = list({
  name: "real_name_review",
  path: "/api/muyuan-customer/real-name-review",
  page: realNameReviewPage.path,
  renewMs,
  given: { view: "waiting" },
  words: { one: "申请", many: "实名审核" },
  title: "title",
  views: realNameViews.map((view) => ({ id: view, name: viewWords[view], where: { view } })),
  fields: {
    title: text("名称", { max: 36, column: true, search: true }),
    state: choice("状态", { options: realNameStates.map((state) => [state, stateWords[state].word]), column: true }),
    kind: choice("类型", {
      options: realNameKinds.map((kind) => [kind, kindWords[kind]]),
      column: true,
      filter: true,
      single: true,
    }),
    round: text("提交次数", { max: 30, column: true }),
    dueTime: moment("时限", { column: true }),
    decideTime: moment("审核时间", { column: true }),
    queueTime: moment("进队列", { column: true }),
  },
});
/** Links of earlier versions. */
const formerNames = { id: "row" };
const isOpen = ({ row }: { row: string }): boolean => row !== "";

/** Fewest cases of which a share says something. */
const fewestCases = 10;

/** How the desk does. */
function Figures({ figures: data }: { figures: RealNameFigures | undefined }) {
  const t = useTranslate();
  const { number } = useFormats();
  const duration = (minutes: number | undefined): string => {
    if (minutes === undefined) return "--";
    if (minutes < 60) return t("{count} 分钟", { count: minutes });
    return t("{count} 小时", { count: number(Math.floor(minutes / 60)) });
  };
  const returnedItems = data?.reasons.reduce((sum, { count }) => sum + count, 0) ?? 0;
  const facts: readonly Fact[] = [
    // How many wait is told by the tabs.
    {
      name: t("已过时限"),
      value: data ? number(data.overdue) : "--",
      note: data && data.overdue === 0 ? t("都在时限内") : t("先审这些"),
      bad: (data?.overdue ?? 0) > 0,
    },
    { name: t("等得最久"), value: duration(data?.oldestMinutes), note: t("从进队列算起") },
    { name: t("一半在多久内审完"), value: duration(data?.medianMinutes), note: t("近 30 天") },
    {
      name: t("退回的件数"),
      value: !data
        ? "--"
        : data.decided < fewestCases
          ? t("{count} 件", { count: number(data.rejected) })
          : `${number((data.rejected / data.decided) * 100)} %`,
      note: data ? t("近 30 天审了 {count} 件", { count: data.decided }) : "",
    },
  ];
  return (
    <Facts label={t("审核质量")} facts={facts}>
      <div>
        <span>{t("退回的理由，一件可有几条")}</span>
        {returnedItems === 0 ? (
          <small>{t("近 30 天没有退回")}</small>
        ) : (
          <ul className={styles.shares}>
            {data?.reasons.slice(0, 3).map(({ reason, count }) => (
              <li key={reason}>
                <span>{t(reasonWord(reason as RealNameReason, "enterprise"))}</span>
                <span className="num">
                  {returnedItems < fewestCases ? number(count) : `${Math.round((count / returnedItems) * 100)} %`}
                </span>
              </li>
            ))}
          </ul>
        )}
      </div>
    </Facts>
  );
}

const taskOf = (row: Row): RealNameTask => row as unknown as RealNameTask;
const isDecided = ({ state }: RealNameTask): boolean => state !== "waiting" && state !== "second_look";

const cells: Cells = {
  title: ({ value }) => <Translated text={String(value)} />,
  state: function State({ row }) {
    const task = taskOf(row);
    const { mark, word } = stateWords[task.state];
    if (isDecided(task)) return <StateTag plain mark={mark} word={word} />;
    if (task.mine) return <StateTag plain mark="notice" word="我在审" />;
    if (task.claimer !== "") return <StateTag plain mark="off" word="{name} 在审" values={{ name: task.claimer }} />;
    const late = (parseWireDateTime(task.dueTime) ?? Number.POSITIVE_INFINITY) < Date.now();
    return <StateTag plain mark={late ? "major" : mark} word={late ? "已过时限" : word} />;
  },
  round: function Round({ row }) {
    const t = useTranslate();
    const task = taskOf(row);
    return (
      <>
        {t("第 {count} 次", { count: task.round })}
        {task.upgrade && ` · ${t("个人升企业")}`}{" "}
        {task.rejections > 1 && !isDecided(task) && (
          <StateTag plain mark="minor" word="退回过 {count} 次" values={{ count: task.rejections }} />
        )}
      </>
    );
  },
  queueTime: function Queued({ row }) {
    const { age, dayTime } = useFormats();
    const at = parseWireDateTime(taskOf(row).queueTime);
    return (
      <span className="num">{at === undefined || isDecided(taskOf(row)) ? dayTime(at) : age(Date.now() - at)}</span>
    );
  },
};

/** The desk of who looks whether customers are who they say: a queue, and the one that is in hand. */
export default function ReviewDesk() {
  const t = useTranslate();
  const client = useQueryClient();
  useFormerNames(formerNames);
  const queue = useList(reviewList, { beside: isOpen });
  const { state, change, rows = [] } = queue;
  const figures = useQuery({
    queryKey: [...keysOf(reviewList), "figures"],
    queryFn: ({ signal }) => call(realNameFigures, { signal, quiet: true }),
    refetchInterval: renewMs,
  }).data;
  const reload = (): void => void client.invalidateQueries({ queryKey: keysOf(reviewList) });
  const show = (row = ""): void => change({ row });
  // The first that nobody else has in hand.
  const next = rows.map(taskOf).find((task) => !isDecided(task) && (task.mine || task.claimer === ""));
  const at = rows.findIndex(({ id }) => id === state.row);
  return (
    <>
      <Crumbs />
      <ListHead list={queue} note={t("按时限先后排。领取后 30 分钟不动会自动放回。")}>
        {next && !isOpen(state) && (
          <Button kind="primary" icon="right" onPress={() => show(next.id)}>
            {t("审下一件")}
          </Button>
        )}
      </ListHead>
      <Figures figures={figures} />
      <div className={styles.desk} data-open={isOpen(state) || undefined}>
        <div className={styles.queue}>
          <ListPart
            list={queue}
            cells={cells}
            counts={figures ? { waiting: figures.waiting, mine: figures.mine, second: figures.second } : {}}
            onOpen={({ id }) => show(id)}
          />
        </div>
        {isOpen(state) && (
          <Examination
            key={state.row}
            id={state.row}
            onDecided={() => {
              reload();
              show((rows[at + 1] ?? rows[at - 1])?.id);
            }}
            onChanged={reload}
            onClose={show}
            onStep={(step) => {
              const next = rows[at + step];
              if (next) show(next.id);
            }}
          />
        )}
      </div>
    </>
  );
}
