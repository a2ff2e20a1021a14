import { type TodoKind, type WorkOrder, type WorkOrderType, workOrderMonths } from "@herdwise/contract";
import { list, text } from "@herdwise/contract/resource";
import { useMemo } from "react";
import { Link, useSearchParams } from "react-router";
import { Icon } from "../../shared/icons/icon.tsx";
import { useJoin } from "../../shared/language/use-join.ts";
import { useTranslate } from "../../shared/language/use-language.ts";
import { knownId } from "../../shared/lists/list-address.ts";
import { ListScreen } from "../../shared/resource/list-screen.tsx";
import { useList } from "../../shared/resource/use-list.ts";
import { useAccess } from "../../shared/session/access-context.ts";
import { OrderList } from "../../shared/work-orders/order-list.tsx";
import { typePaths, typeWords } from "../../shared/work-orders/words.ts";
import styles from "../../shared/work-orders/work-orders.module.css";
import { useTodos } from "../todos/use-todos.ts";
import { operations, orderListName, useOrderType } from "./order-type.ts";

const states = { open: "没办完的", waiting_customer: "等您答复", completed: "办完的" } as const;
const addWords = { after_sales: "提交工单", complaint: "提交投诉", suggestion: "提建议" } as const;
const waitingWords = {
  work_order_answer: "{count} 件要答复",
  work_order_late: "{count} 件超时，可以催办",
  work_order_rate: "{count} 件办完，可以评价",
} as const satisfies Partial<Record<TodoKind, string>>;
const emptyWords = {
  after_sales: "设备有问题时，从这里或从设备页提交；从设备页提交会带上 24 小时读数和告警。",
  complaint: "对产品、服务、物流有不满，写在这里，3 个工作日内有结果。",
  suggestion: "想让产品和服务变成什么样，写下来，10 个工作日内有答复。",
} as const;

/** Orders of one type, or those about one device. */
const listOf = (type: WorkOrderType, deviceId: string | undefined) =>
  list({
    name: orderListName,
    path: "/api/muyuan-work-order",
    page: operations[type].page.path,
    renewMs: 30_000,
    ...(deviceId && { given: { deviceId } }),
    words: {
      one: typeWords[type],
      many: typeWords[type],
      // Only after-sales orders are about a device.
      ...(type !== "after_sales" && { search: "单号、标题" }),
    },
    title: "title",
    views: Object.entries(states)
      // Nobody is asked about a suggestion.
      .filter(([state]) => type !== "suggestion" || state !== "waiting_customer")
      .map(([state, name]) => ({ id: state, name, where: { state } })),
    fields: {
      number: text("单号", { max: 20, search: true }),
      title: text("标题", { max: 60, search: true }),
      deviceName: text("设备", { max: 60, search: true }),
    },
  });

/** What of this list waits for this person, as the menu counts it. */
function Waiting({ type }: { type: WorkOrderType }) {
  const t = useTranslate();
  const join = useJoin("clauses");
  const { data } = useTodos();
  const parts = Object.entries(waitingWords).flatMap(([kind, word]) => {
    const found = data?.counts.find((one) => one.kind === kind && one.variant === type);
    return found ? [t(word, { count: found.count })] : [];
  });
  return parts.length === 0 ? null : (
    <p className={`mut num ${styles.waiting}`}>{t("等您做的：{parts}", { parts: join(parts) })}</p>
  );
}

/** Orders of one type: what the customer brought to the desk, and where each stands. */
export default function Orders() {
  const t = useTranslate();
  const type = useOrderType();
  const { permissions } = useAccess();
  const [search] = useSearchParams();
  const deviceId = knownId(search.get("device"));
  return (
    <ListScreen
      list={useList(useMemo(() => listOf(type, deviceId), [type, deviceId]))}
      note={t("近 {count} 个月和没办完的；更早的用查找", { count: workOrderMonths })}
      head={
        permissions.has("work_order_submit") && (
          <Link className="btn primary" to={typePaths[type].add}>
            <Icon name="plus" small />
            {t(addWords[type])}
          </Link>
        )
      }
      nothing={emptyWords[type]}
      rows={(rows) => (
        <OrderList
          orders={rows as readonly unknown[] as readonly WorkOrder[]}
          ofCustomer
          linkOf={({ id }) => `${typePaths[type].list}/detail?id=${id}`}
        />
      )}
    >
      <Waiting type={type} />
    </ListScreen>
  );
}
