import { type DeskOrderDetail, deskOrderDetail } from "@herdwise/contract";
import { isWorkOrderOver } from "@herdwise/contract/work-order-states";
import { useState } from "react";
import { Link } from "react-router";
import { call } from "../../shared/api/call.ts";
import { parseWireDateTime } from "../../shared/language/format.ts";
import { Translated, TranslatedLine } from "../../shared/language/translated.tsx";
import { useFormats, useTranslate } from "../../shared/language/use-language.ts";
import { useNames } from "../../shared/language/use-names.ts";
import { Crumbs } from "../../shared/lists/crumbs.tsx";
import processStyles from "../../shared/process/process.module.css";
import { ProcessHead, ProcessPage, RowFacts } from "../../shared/process/process-page.tsx";
import { StateTag } from "../../shared/process/state-tag.tsx";
import { DueLine } from "../../shared/work-orders/due-line.tsx";
import { LateTag, OrderState, Stars } from "../../shared/work-orders/order-state.tsx";
import { Snapshot } from "../../shared/work-orders/snapshot.tsx";
import { Timeline } from "../../shared/work-orders/timeline.tsx";
import { untoldPlace } from "../../shared/work-orders/untold-place.ts";
import { categoryWord, oneOfType, repairWord } from "../../shared/work-orders/words.ts";
import styles from "../../shared/work-orders/work-orders.module.css";
import { deskKey } from "./desk-key.ts";
import { OrderActions } from "./order-actions.tsx";
import { DeskWrite } from "./write.tsx";

const renewMs = 15_000;
function Facts({ title, rows }: { title: string; rows: Parameters<typeof RowFacts>[0]["rows"] }) {
  return (
    <section className={`card ${processStyles.side}`} aria-label={title}>
      <h2>{title}</h2>
      <RowFacts rows={rows} />
    </section>
  );
}

function Side({ order }: { order: DeskOrderDetail }) {
  const t = useTranslate();
  const nameOf = useNames();
  // What is still open comes first.
  const related = order.related.toSorted((a, b) => Number(isWorkOrderOver(a.state)) - Number(isWorkOrderOver(b.state)));
  return (
    <aside aria-label={t("客户与设备")}>
      <Facts
        title={t("客户")}
        rows={[
          [t("单位"), <Translated key="customer" text={order.customer} />],
          [t("提交人"), nameOf(order.raiser)],
          [t("订单号"), order.orderNumber],
        ]}
      />
      {order.deviceName !== "" && (
        <Facts
          title={t("这台设备")}
          rows={[
            [t("名称"), <Translated key="device" text={order.deviceName} />],
            [t("位置"), untoldPlace(order) && <TranslatedLine key="place" text={order.place} />],
          ]}
        />
      )}
      <Facts
        title={t("负责")}
        rows={[
          [t("谁在办"), order.assignee === "" ? t("还没有人接手") : nameOf(order.assignee)],
          [t("评价"), order.rating > 0 ? <Stars key="rating" rating={order.rating} /> : ""],
        ]}
      />
      {order.related.length > 0 && (
        <section className={`card ${processStyles.side}`} aria-labelledby="related-title">
          <h2 id="related-title">{t("同一客户的其他单子")}</h2>
          <ul className={styles.links}>
            {related.map((one) => (
              <li key={one.id}>
                <Link className="link" to={`/customer/workOrder/detail?id=${one.id}`}>
                  <Translated text={one.title} />
                </Link>
                <span className="mut num">{one.number}</span>
                <span>
                  <OrderState order={one} ofCustomer={false} />
                </span>
              </li>
            ))}
          </ul>
        </section>
      )}
    </aside>
  );
}

function OrderView({ order, reload }: { order: DeskOrderDetail; reload: () => void }) {
  const t = useTranslate();
  const { dayTime } = useFormats();
  const [talk, setTalk] = useState(false);
  const kind = order.type === "after_sales" ? repairWord(order.repairMode) : categoryWord(order.category);
  return (
    <>
      <Crumbs more={[{ name: t("工单服务台"), to: "/customer/workOrder" }, { name: order.number }]} />
      <ProcessHead
        title={<Translated text={order.title} />}
        meta={
          <>
            <OrderState order={order} ofCustomer={false} />
            <LateTag order={order} />
            <span>{t(oneOfType[order.type])}</span>
            <span>{t(kind)}</span>
            <span className="num">{order.number}</span>
            <span className="num">{t("{time} 提交", { time: dayTime(parseWireDateTime(order.createTime)) })}</span>
            {order.urges > 0 && <StateTag plain mark="minor" word="催过 {count} 次" values={{ count: order.urges }} />}
          </>
        }
        actions={<OrderActions order={order} reload={reload} />}
      />
      <div className={processStyles.page}>
        <div>
          {order.type !== "suggestion" && order.state !== "cancelled" && order.state !== "merged" && (
            <DueLine order={order} ofCustomer={false} />
          )}
          {order.mergedInto !== "" && (
            <p className={styles.attached}>
              <Link className="link" to={`/customer/workOrder/detail?id=${order.mergedInto}`}>
                {t("这张单子并入了另一张，去那里接着看")}
              </Link>
            </p>
          )}
          <section className="card" aria-labelledby="talk-title">
            <header>
              <h2 id="talk-title">{t("往来")}</h2>
              <span className="spacer" />
              <fieldset className="seg" aria-label={t("看什么")}>
                <button type="button" aria-pressed={!talk} onClick={() => setTalk(false)}>
                  {t("全部")}
                </button>
                <button type="button" aria-pressed={talk} onClick={() => setTalk(true)}>
                  {t("只看对话")}
                </button>
              </fieldset>
            </header>
            <Timeline entries={order.entries} snapshot={order.snapshot} talk={talk} />
            <DeskWrite order={order} onDone={reload} />
          </section>
          {order.snapshot && <Snapshot snapshot={order.snapshot} />}
        </div>
        <Side order={order} />
      </div>
    </>
  );
}

/** One order at the desk: time, device, talk, and what can be done. */
export default function DeskOrderPage() {
  return (
    <ProcessPage
      queryKey={deskKey}
      load={(id, signal) => call(deskOrderDetail, { query: { id }, signal, quiet: true })}
      renewMs={renewMs}
      title="处理工单"
      what="详情"
      unchosen={["先选一张", "从列表点开一张，这里显示它的往来。"]}
      list="/customer/workOrder"
    >
      {(order, reload) => <OrderView key={order.id} order={order} reload={reload} />}
    </ProcessPage>
  );
}
