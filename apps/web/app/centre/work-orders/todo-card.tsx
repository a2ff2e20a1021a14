import { deskFigures, type WorkOrder, workOrderSummary } from "@herdwise/contract";
import { useQuery } from "@tanstack/react-query";
import { Link } from "react-router";
import { call } from "../../shared/api/call.ts";
import { Mark } from "../../shared/icons/mark.tsx";
import { Translated } from "../../shared/language/translated.tsx";
import { useTranslate } from "../../shared/language/use-language.ts";
import processStyles from "../../shared/process/process.module.css";
import { useAccess } from "../../shared/session/access-context.ts";
import { typePaths, typeWords } from "../../shared/work-orders/words.ts";
import styles from "../../shared/work-orders/work-orders.module.css";
import { orderKey } from "./order-type.ts";

const renewMs = 60_000;

interface Todo {
  key: string;
  to: string;
  title: string;
  note: string;
  word: string;
  late?: boolean;
}

function Card({ todos, all, count }: { todos: readonly Todo[]; all: string; count: number }) {
  const t = useTranslate();
  return (
    <section className="card" aria-labelledby="todo-title">
      <header>
        <h2 id="todo-title">{t("待办")}</h2>
        <span className="spacer" />
        <Link className="link" to={all}>
          {t("全部工单")}
        </Link>
      </header>
      <div className={processStyles.side}>
        {todos.length === 0 && (
          <p className="mut">
            {count > 0
              ? t("没有等您做的，{count} 张工单正在处理", { count })
              : t("没有等您做的。设备有问题时从设备页提交工单。")}
          </p>
        )}
        <ul className={styles.links}>
          {todos.map(({ key, to, title, note, word, late }) => (
            <li key={key}>
              <Link className="link" to={to}>
                <Translated text={title} />
              </Link>
              <span className={late ? "state major" : "mut"}>
                {late && <Mark name="major" />}
                {t(word)}
                {note !== "" && ` · ${note}`}
              </span>
            </li>
          ))}
        </ul>
      </div>
    </section>
  );
}

function OfCustomer() {
  const { data } = useQuery({
    queryKey: [...orderKey, "summary"],
    queryFn: ({ signal }) => call(workOrderSummary, { signal, quiet: true }),
    refetchInterval: renewMs,
  });
  if (!data) return null;
  const todo = (order: WorkOrder, word: string, late = false): Todo => ({
    key: order.id,
    to: `${typePaths[order.type].list}/detail?id=${order.id}`,
    title: order.title,
    note: order.number,
    word,
    late,
  });
  const todos = [
    ...data.waiting.map((order) => todo(order, "服务台在等您答复")),
    ...data.late.map((order) => todo(order, "已超时，可以催一下", true)),
    ...data.toRate.map((order) => todo(order, "处理完成，请评价")),
  ];
  return <Card todos={todos.slice(0, 5)} all={typePaths.after_sales.list} count={data.open} />;
}

function OfDesk() {
  const t = useTranslate();
  const { data } = useQuery({
    queryKey: ["resource", "work_order_desk_screen", "figures"],
    queryFn: ({ signal }) => call(deskFigures, { signal, quiet: true }),
    refetchInterval: renewMs,
  });
  if (!data) return null;
  const queue = (name: string, title: string, count: number, word: string, late = false): Todo[] =>
    count === 0
      ? []
      : [
          {
            key: name,
            to: `/customer/workOrder?queue=${name}`,
            title: t(title, { count }),
            note: "",
            word,
            late,
          },
        ];
  const todos = [
    ...queue("overdue", "{count} 张工单超时", data.overdue, "先办这些", true),
    ...queue("unassigned", "{count} 张没人接手", data.unassigned, typeWords.after_sales),
    ...queue("mine", "{count} 张在我手上", data.mine, typeWords.after_sales),
  ];
  return <Card todos={todos} all="/customer/workOrder" count={data.open} />;
}

/** What waits for this person among the orders: answers and ratings of a customer, queues of the desk. */
export function TodoCard() {
  const { permissions, user } = useAccess();
  if (user.tenant_type === "group") return permissions.has("work_order_desk") ? <OfDesk /> : null;
  return permissions.has("work_order_view") ? <OfCustomer /> : null;
}
