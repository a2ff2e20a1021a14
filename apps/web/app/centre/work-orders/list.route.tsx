import { workOrderMonths } from "@herdwise/contract";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { Link } from "react-router";
import { asApiError } from "../../shared/api/api-error.ts";
import { call } from "../../shared/api/call.ts";
import { Icon } from "../../shared/icons/icon.tsx";
import { TableSkeleton } from "../../shared/kit/table-skeleton.tsx";
import { useTranslate } from "../../shared/language/use-language.ts";
import { Crumbs } from "../../shared/lists/crumbs.tsx";
import { WordField } from "../../shared/lists/filters.tsx";
import { known, knownId, readPaging, useListAddress } from "../../shared/lists/list-address.ts";
import { Paging } from "../../shared/lists/paging.tsx";
import { useAccess } from "../../shared/session/access-context.ts";
import { ExceptionView } from "../../shared/states/exception-view.tsx";
import { LoadingProblem } from "../../shared/states/loading-problem.tsx";
import { OrderList } from "../../shared/work-orders/order-list.tsx";
import { typePaths, typeWords } from "../../shared/work-orders/words.ts";
import styles from "../../shared/work-orders/work-orders.module.css";
import { operations, orderKey, useOrderType } from "./order-type.ts";

const states = ["open", "waiting_customer", "completed"] as const;
const stateNames = { open: "没办完的", waiting_customer: "等您答复", completed: "办完的" } as const;
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
  const [search, change] = useListAddress("row");
  const state = known(search.get("state"), states);
  const shownStates = type === "suggestion" ? states.filter((one) => one !== "waiting_customer") : states;
  const keyword = search.get("q") ?? "";
  const deviceId = knownId(search.get("device"));
  const { current, size } = readPaging(search);
  const query = {
    current,
    size,
    ...(state && { state }),
    ...(keyword && { keyword }),
    ...(deviceId && { deviceId }),
  };
  const loaded = useQuery({
    queryKey: [...orderKey, type, query],
    queryFn: ({ signal }) => call(operations[type].page, { query, signal, quiet: true }),
    placeholderData: keepPreviousData,
    refetchInterval: renewMs,
  });
  const page = loaded.data;
  const filtered = state !== undefined || keyword !== "" || deviceId !== undefined;
  const [emptyTitle, emptyText] = emptyWords[type];
  const add = permissions.has("work_order_submit") && (
    <Link className="btn primary" to={typePaths[type].add}>
      <Icon name="plus" small />
      {t(addWords[type])}
    </Link>
  );
  return (
    <>
      <Crumbs />
      <div className="page-head">
        <h1>{t(typeWords[type])}</h1>
        <span className="mut">{t("近 {count} 个月和没办完的；更早的用查找", { count: workOrderMonths })}</span>
        <span className="spacer" />
        {add}
      </div>
      {loaded.error && (
        <LoadingProblem
          error={asApiError(loaded.error)}
          onRetry={() => void loaded.refetch()}
          what={t(typeWords[type])}
          kept={page !== undefined}
        />
      )}
      <section className={`card ${styles.list}`} aria-label={t(typeWords[type])}>
        <search className="filters">
          <fieldset className={styles.queues} aria-label={t("状态")}>
            <button
              type="button"
              className="chip"
              aria-pressed={state === undefined}
              onClick={() => change({ state: undefined })}
            >
              {t("全部")}
            </button>
            {shownStates.map((one) => (
              <button
                key={one}
                type="button"
                className="chip"
                aria-pressed={state === one}
                onClick={() => change({ state: state === one ? undefined : one })}
              >
                {t(stateNames[one])}
              </button>
            ))}
          </fieldset>
          <WordField label={t("单号、标题、设备")} value={keyword} onChange={(q) => change({ q })} />
        </search>
        {!page && !loaded.error && <TableSkeleton rows={5} />}
        {page && page.records.length > 0 && (
          <OrderList orders={page.records} ofCustomer linkOf={({ id }) => `${typePaths[type].list}/detail?id=${id}`} />
        )}
        {page && page.records.length === 0 && (
          <ExceptionView
            type="empty"
            title={t(filtered ? "没有符合条件的" : emptyTitle)}
            text={t(filtered ? "放宽条件再看，或清除全部条件。" : emptyText)}
          >
            {!filtered && add}
          </ExceptionView>
        )}
        {page && page.total > 0 && (
          <Paging page={page} change={change} words={(range) => t("第 {from}–{to} 条，共 {total} 条", range)} />
        )}
      </section>
    </>
  );
}
