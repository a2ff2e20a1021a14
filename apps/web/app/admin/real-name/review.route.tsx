import {
  type RealNameReason,
  type RealNameTask,
  type RealNameView,
  realNameFigures,
  realNameReviewPage,
  realNameViews,
} from "@herdwise/contract";
import { type RealNameKind, realNameKinds } from "@herdwise/contract/real-name-checks";
import { keepPreviousData, useQuery, useQueryClient } from "@tanstack/react-query";
import { useAddressValues } from "../../shared/address/use-address.ts";
import { asApiError } from "../../shared/api/api-error.ts";
import { call } from "../../shared/api/call.ts";
import { Mark } from "../../shared/icons/mark.tsx";
import { Button } from "../../shared/kit/button.tsx";
import { type Fact, Facts } from "../../shared/kit/facts.tsx";
import { SearchInput } from "../../shared/kit/search-input.tsx";
import { TableSkeleton } from "../../shared/kit/table-skeleton.tsx";
import { parseWireDateTime } from "../../shared/language/format.ts";
import { useFormats, useTranslate } from "../../shared/language/use-language.ts";
import { Crumbs } from "../../shared/lists/crumbs.tsx";
import { Picker } from "../../shared/lists/filters.tsx";
import { known } from "../../shared/lists/list-address.ts";
import { StateTag } from "../../shared/process/state-tag.tsx";
import { kindWords, reasonWord, stateWords } from "../../shared/real-name/words.ts";
import { ExceptionView } from "../../shared/states/exception-view.tsx";
import { LoadingProblem } from "../../shared/states/loading-problem.tsx";
import { Examination } from "./examination.tsx";
import styles from "./review.module.css";

const viewWords: Readonly<Record<RealNameView, string>> = {
  waiting: "待审",
  mine: "我的",
  second: "复核",
  done: "已审",
};
/** Others take and put back: the queue follows, ms. */
const renewMs = 15_000;
const pageSize = 20;

/** How the desk does. */
function Figures() {
  const t = useTranslate();
  const { number } = useFormats();
  const { data } = useQuery({
    queryKey: ["real-name-review", "figures"],
    queryFn: ({ signal }) => call(realNameFigures, { signal, quiet: true }),
    refetchInterval: renewMs,
  });
  const duration = (minutes: number | undefined): string => {
    if (minutes === undefined) return "--";
    if (minutes < 60) return t("{count} 分钟", { count: minutes });
    return t("{count} 小时", { count: number(minutes / 60, 1) });
  };
  const returnedItems = data?.reasons.reduce((sum, { count }) => sum + count, 0) ?? 0;
  const facts: readonly Fact[] = [
    {
      name: t("待审"),
      value: data ? number(data.waiting) : "--",
      note: data && data.overdue > 0 ? t("{count} 件已过时限", { count: data.overdue }) : t("都在时限内"),
      bad: (data?.overdue ?? 0) > 0,
    },
    { name: t("等得最久"), value: duration(data?.oldestMinutes), note: t("从进队列算起") },
    { name: t("一半在多久内审完"), value: duration(data?.medianMinutes), note: t("近 30 天") },
    {
      name: t("退回率"),
      value: data && data.decided > 0 ? `${number((data.rejected / data.decided) * 100)}%` : "--",
      note: data ? t("近 30 天审了 {count} 件", { count: data.decided }) : "",
    },
  ];
  return (
    <Facts label={t("审核质量")} facts={facts}>
      <div>
        <span>{t("退回的理由")}</span>
        {returnedItems === 0 ? (
          <small>{t("近 30 天没有退回")}</small>
        ) : (
          <ul className={styles.shares}>
            {data?.reasons.slice(0, 3).map(({ reason, count }) => (
              <li key={reason}>
                <span>{t(reasonWord(reason as RealNameReason, "enterprise"))}</span>
                <span className="num">{Math.round((count / returnedItems) * 100)}%</span>
              </li>
            ))}
          </ul>
        )}
      </div>
    </Facts>
  );
}

function Task({ task, current, onOpen }: { task: RealNameTask; current: boolean; onOpen: () => void }) {
  const t = useTranslate();
  const { age, dayTime } = useFormats();
  const { mark, word } = stateWords[task.state];
  const queued = parseWireDateTime(task.queueTime);
  const decided = task.state !== "waiting" && task.state !== "second_look";
  const late = !decided && (parseWireDateTime(task.dueTime) ?? Number.POSITIVE_INFINITY) < Date.now();
  return (
    <li>
      <button type="button" aria-current={current || undefined} onClick={onOpen}>
        <b lang="zh-CN">{task.title}</b>
        <span className={styles.line}>
          <span>
            {t(kindWords[task.kind])}
            {task.upgrade && ` · ${t("个人升企业")}`}
            {task.round > 1 && ` · ${t("第 {count} 次", { count: task.round })}`}
          </span>
          <span className="num">
            {decided ? dayTime(parseWireDateTime(task.decideTime)) : queued !== undefined && age(Date.now() - queued)}
          </span>
        </span>
        <span className={styles.line}>
          {task.claimer !== "" && !decided ? (
            <span className={task.mine ? "state notice" : "state off"}>
              <Mark name={task.mine ? "notice" : "off"} />
              {task.mine ? t("我在审") : t("{name} 在审", { name: task.claimer })}
            </span>
          ) : (
            <StateTag plain mark={late ? "major" : mark} word={late ? "已过时限" : word} />
          )}
          {task.rejections > 1 && !decided && (
            <StateTag plain mark="minor" word="退回过 {count} 次" values={{ count: task.rejections }} />
          )}
        </span>
      </button>
    </li>
  );
}

/** The desk of who looks whether customers are who they say: a queue, and the one that is in hand. */
export default function ReviewDesk() {
  const t = useTranslate();
  const client = useQueryClient();
  const [search, change] = useAddressValues({ isStep: true });
  const view = known(search.get("view"), realNameViews) ?? "waiting";
  const kind: RealNameKind | undefined = known(search.get("kind"), realNameKinds);
  const keyword = search.get("q") ?? "";
  const id = search.get("id") ?? "";
  const size = Math.min(500, Math.max(pageSize, Number(search.get("size")) || pageSize));
  const loaded = useQuery({
    queryKey: ["real-name-review", "page", view, kind, keyword, size],
    queryFn: ({ signal }) =>
      call(realNameReviewPage, {
        query: { view, current: 1, size, ...(kind && { kind }), ...(keyword && { keyword }) },
        signal,
        quiet: true,
      }),
    placeholderData: keepPreviousData,
    refetchInterval: renewMs,
  });
  const page = loaded.data;
  const tasks = page?.records ?? [];
  const reload = (): void => void client.invalidateQueries({ queryKey: ["real-name-review"] });
  const at = tasks.findIndex((task) => task.id === id);
  const neighbour = (step: 1 | -1): string | undefined => tasks[at + step]?.id;
  return (
    <>
      <Crumbs />
      <div className="page-head">
        <h1>{t("实名审核")}</h1>
      </div>
      <Figures />
      <div className={styles.desk} data-open={id !== "" || undefined}>
        <section className={`card ${styles.queue}`} aria-label={t("待办队列")}>
          <fieldset className="seg" aria-label={t("队列")}>
            {realNameViews.map((name) => (
              <button
                key={name}
                type="button"
                aria-pressed={name === view}
                onClick={() => change({ view: name === "waiting" ? undefined : name, id: undefined })}
              >
                {t(viewWords[name])}
              </button>
            ))}
          </fieldset>
          <search className={styles.filters}>
            <SearchInput label={t("按名称查找")} value={keyword} onChange={(next) => change({ q: next })} />
            <Picker
              label={t("类型")}
              value={kind ?? ""}
              options={realNameKinds.map((name) => [name, t(kindWords[name])])}
              onChange={(next) => change({ kind: next })}
            />
          </search>
          {!page && !loaded.error && <TableSkeleton rows={5} />}
          {!page && loaded.error && (
            <LoadingProblem
              error={asApiError(loaded.error)}
              onRetry={() => void loaded.refetch()}
              what={t("待办队列")}
            />
          )}
          {page && tasks.length === 0 && (
            <ExceptionView
              type="empty"
              title={t(keyword || kind ? "没有符合条件的申请" : "没有要审的了")}
              text={t(keyword || kind ? "放宽条件再看。" : "新的申请来了会自己出现。")}
            />
          )}
          <ul className={styles.tasks}>
            {tasks.map((task) => (
              <Task key={task.id} task={task} current={task.id === id} onOpen={() => change({ id: task.id })} />
            ))}
          </ul>
          {page && page.total > tasks.length && (
            <p className={styles.more}>
              <Button kind="link" onPress={() => change({ size: String(Math.min(500, size * 2)) })}>
                {t("另有 {count} 件", { count: page.total - tasks.length })}
              </Button>
            </p>
          )}
          <p className={styles.more}>{t("按时限先后排。领取后 30 分钟不动会自动放回。")}</p>
        </section>
        {id === "" ? (
          <section className={`card ${styles.none}`}>
            <ExceptionView
              type="empty"
              title={t("选一件来审")}
              text={t("左边选一件，领取后开始。别人领走的也能看，不能决定。")}
            />
          </section>
        ) : (
          <Examination
            key={id}
            id={id}
            onDecided={() => {
              reload();
              change({ id: neighbour(1) ?? neighbour(-1) });
            }}
            onChanged={reload}
            onClose={() => change({ id: undefined })}
            onStep={(step) => {
              const next = neighbour(step);
              if (next) change({ id: next });
            }}
          />
        )}
      </div>
    </>
  );
}
