import { workOrderMonths } from "@herdwise/contract";
import { Link } from "react-router";
import { call } from "../../shared/api/call.ts";
import { Icon } from "../../shared/icons/icon.tsx";
import { useTranslate } from "../../shared/language/use-language.ts";
import { known, knownId } from "../../shared/lists/list-address.ts";
import { keywordOf, QueueScreen, useQueue } from "../../shared/process/queue-screen.tsx";
import { useAccess } from "../../shared/session/access-context.ts";
import { OrderList } from "../../shared/work-orders/order-list.tsx";
import { typePaths, typeWords } from "../../shared/work-orders/words.ts";
import { operations, orderKey, useOrderType } from "./order-type.ts";

const states = ["open", "waiting_customer", "completed"] as const;
const stateNames = { open: "没办完的", waiting_customer: "等您答复", completed: "办完的" } as const;
const { waiting_customer: _none, ...statesOfSuggestions } = stateNames;
const addWords = { after_sales: "提交工单", complaint: "提交投诉", suggestion: "提建议" } as const;
const emptyWords = {
  after_sales: ["还没有售后工单", "设备有问题时，从这里或从设备页提交；从设备页提交会带上 24 小时读数和告警。"],
  complaint: ["还没有投诉", "对产品、服务、物流有不满，写在这里，3 个工作日内有结果。"],
  suggestion: ["还没有建议", "想让产品和服务变成什么样，写下来，10 个工作日内有答复。"],
} as const;
const renewMs = 30_000;

/** Orders of one type: what the customer brought to the desk, and where each stands. */
export default function Orders() {
  const t = useTranslate();
  const type = useOrderType();
  const { permissions } = useAccess();
  const queue = useQueue({
    key: [...orderKey, type],
    renewMs,
    read: (search) => ({
      state: known(search.get("state"), states),
      keyword: keywordOf(search),
      deviceId: knownId(search.get("device")),
    }),
    load: (query, signal) => call(operations[type].page, { query, signal, quiet: true }),
  });
  const [emptyTitle, emptyText] = emptyWords[type];
  const add = permissions.has("work_order_submit") && (
    <Link className="btn primary" to={typePaths[type].add}>
      <Icon name="plus" small />
      {t(addWords[type])}
    </Link>
  );
  return (
    <QueueScreen
      queue={queue}
      title={t(typeWords[type])}
      head={
        <>
          <span className="mut">{t("近 {count} 个月和没办完的；更早的用查找", { count: workOrderMonths })}</span>
          <span className="spacer" />
          {add}
        </>
      }
      chips={{
        parameter: "state",
        label: t("状态"),
        words: type === "suggestion" ? statesOfSuggestions : stateNames,
        chosen: queue.values.state,
        all: true,
      }}
      word={t("单号、标题、设备")}
      empty={[t(emptyTitle), t(emptyText)]}
      start={add}
    >
      {(orders) => (
        <OrderList orders={orders} ofCustomer linkOf={({ id }) => `${typePaths[type].list}/detail?id=${id}`} />
      )}
    </QueueScreen>
  );
}
