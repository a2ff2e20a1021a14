import { deskFigures, type Todo, todoKinds } from "@herdwise/contract";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { Link } from "react-router";
import { asApiError } from "../../shared/api/api-error.ts";
import { call } from "../../shared/api/call.ts";
import { Mark } from "../../shared/icons/mark.tsx";
import { Button } from "../../shared/kit/button.tsx";
import rowStyles from "../../shared/kit/rows.module.css";
import { Translated } from "../../shared/language/translated.tsx";
import { useFormats, useTranslate } from "../../shared/language/use-language.ts";
import { useAccess } from "../../shared/session/access-context.ts";
import { LoadingProblem } from "../../shared/states/loading-problem.tsx";
import { Skeleton } from "../../shared/states/skeleton.tsx";
import styles from "./todo-card.module.css";
import { todoWords } from "./todo-words.ts";
import { pathOfTodo, useTodos } from "./use-todos.ts";

const renewMs = 60_000;
/** As many as the card shows before the rest is a number. */
const mostShown = 6;

interface Entry {
  key: string;
  to: string;
  /** Name of what it is about; "" where the words say everything. */
  title: string;
  word: string;
  action: string;
  note?: string;
  late?: boolean;
  /** How many of those that wait it stands for. */
  stands?: number;
}

function Card({ entries: given, all, count }: { entries: readonly Entry[] | undefined; all?: string; count: number }) {
  const t = useTranslate();
  const { number } = useFormats();
  const [isWhole, setWhole] = useState(false);
  const entries = isWhole ? given : given?.slice(0, mostShown);
  const told = entries?.reduce((sum, { stands = 1 }) => sum + stands, 0) ?? 0;
  return (
    <section className="card" aria-labelledby="todo-title">
      <header>
        <h2 id="todo-title">{t("待办")}</h2>
        {count > 0 && <span className="mut num">{number(count)}</span>}
        <span className="spacer" />
        {all && (
          <Link className="link" to={all}>
            {t("全部工单")}
          </Link>
        )}
      </header>
      {!entries && (
        <p className={styles.none}>
          <Skeleton width={14} />
        </p>
      )}
      {entries?.length === 0 && <p className={styles.none}>{t("没有等您做的事。")}</p>}
      <ul className={rowStyles.rows}>
        {entries?.map(({ key, to, title, word, action, note, late }, at) => (
          <li key={key}>
            <b id={`todo-${at}`}>{title === "" ? word : <Translated text={title} />}</b>
            <Link className="link" to={to} id={`todo-go-${at}`} aria-labelledby={`todo-go-${at} todo-${at}`}>
              {action}
            </Link>
            <small className={styles.why}>
              {title !== "" && <span>{word}</span>}
              {note && (
                <span className={late ? "state major num" : "num"}>
                  {late && <Mark name="major" />}
                  {note}
                </span>
              )}
            </small>
          </li>
        ))}
      </ul>
      {entries && count > told && (
        <p className={styles.none}>
          {given && given.length > entries.length ? (
            <Button kind="link" onPress={() => setWhole(true)}>
              {t("还有 {count} 件", { count: count - told })}
            </Button>
          ) : (
            t("还有 {count} 件，数字在菜单里", { count: number(count - told) })
          )}
        </p>
      )}
    </section>
  );
}

function OfCustomer() {
  const t = useTranslate();
  const { dayTime } = useFormats();
  const { data, error, refetch } = useTodos();
  if (error && !data)
    return <LoadingProblem error={asApiError(error)} onRetry={() => void refetch()} what={t("待办")} />;
  const vaccinations = data?.counts.find(({ kind }) => kind === "vaccination")?.count ?? 0;
  const entry = (todo: Todo): Entry => {
    const { word, action } = todoWords[todo.kind];
    const { dueMs, late } = todo;
    // A deadline at midnight is a day: its clock is left out.
    const time = dueMs === undefined ? "" : dayTime(dueMs).replace(/ 00:00$/, "");
    const note = time === "" ? {} : { note: t(late ? "{time} 已到期" : "{time} 前", { time }) };
    if (todo.kind === "vaccination" && vaccinations > 1)
      return {
        key: todo.kind,
        to: todoKinds.vaccination.list,
        title: "",
        word: t("免疫到期，{count} 个单元还没做完", { count: vaccinations }),
        action: t(action),
        late,
        stands: vaccinations,
        ...note,
      };
    return {
      key: `${todo.kind} ${todo.id}`,
      to: pathOfTodo(todo),
      title: todo.title,
      word: t(typeof word === "string" ? word : (word[todo.variant] ?? "")),
      action: t(action),
      late,
      ...note,
    };
  };
  const entries = data?.todos.map(entry);
  return (
    <Card
      entries={entries?.filter(({ key }, at) => entries.findIndex((one) => one.key === key) === at)}
      count={data?.counts.reduce((sum, { count }) => sum + count, 0) ?? 0}
    />
  );
}

function OfDesk() {
  const t = useTranslate();
  const { data } = useQuery({
    queryKey: ["resource", "work_order_desk_screen", "figures"],
    queryFn: ({ signal }) => call(deskFigures, { signal, quiet: true }),
    refetchInterval: renewMs,
  });
  if (!data) return null;
  const queue = (name: string, word: string, count: number, late = false): Entry[] =>
    count === 0
      ? []
      : [
          {
            key: name,
            to: `/customer/workOrder?queue=${name}`,
            title: "",
            word: t(word, { count }),
            action: t("去处理"),
            late,
          },
        ];
  return (
    <Card
      entries={[
        ...queue("overdue", "{count} 张工单超时", data.overdue, true),
        ...queue("unassigned", "{count} 张没人接手", data.unassigned),
        ...queue("mine", "{count} 张在我手上", data.mine),
      ]}
      all="/customer/workOrder"
      count={0}
    />
  );
}

/** What waits for this person: of a customer everything that is to be done, of the desk its queues. */
export function TodoCard() {
  const { permissions, user } = useAccess();
  if (user.tenant_type !== "group") return <OfCustomer />;
  return permissions.has("work_order_desk") ? <OfDesk /> : null;
}
