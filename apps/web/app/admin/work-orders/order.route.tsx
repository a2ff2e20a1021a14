import { type DeskOrderDetail, deskClaim, deskOrderDetail, deskPublish } from "@herdwise/contract";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { Fragment, type ReactNode, useState } from "react";
import { Link, useSearchParams } from "react-router";
import { asApiError } from "../../shared/api/api-error.ts";
import { call } from "../../shared/api/call.ts";
import type { IconName } from "../../shared/icons/icon.tsx";
import { Button } from "../../shared/kit/button.tsx";
import { MenuButton } from "../../shared/kit/menu.tsx";
import { TableSkeleton } from "../../shared/kit/table-skeleton.tsx";
import { parseWireDateTime } from "../../shared/language/format.ts";
import { Translated, TranslatedLine } from "../../shared/language/translated.tsx";
import { useFormats, useTranslate } from "../../shared/language/use-language.ts";
import { useNames } from "../../shared/language/use-names.ts";
import { Crumbs } from "../../shared/lists/crumbs.tsx";
import { knownId } from "../../shared/lists/list-address.ts";
import { StateTag } from "../../shared/process/state-tag.tsx";
import { ExceptionView } from "../../shared/states/exception-view.tsx";
import { LoadingProblem } from "../../shared/states/loading-problem.tsx";
import { showToast } from "../../shared/states/toast-store.ts";
import { DueLine } from "../../shared/work-orders/due-line.tsx";
import { LateTag, OrderState, Stars } from "../../shared/work-orders/order-state.tsx";
import { Snapshot } from "../../shared/work-orders/snapshot.tsx";
import { Timeline } from "../../shared/work-orders/timeline.tsx";
import { categoryWord, oneOfType, repairWord } from "../../shared/work-orders/words.ts";
import styles from "../../shared/work-orders/work-orders.module.css";
import { ActionDialog, type DeskAction } from "./desk-dialogs.tsx";
import { deskKey } from "./desk-key.ts";
import { DeskWrite } from "./write.tsx";

const renewMs = 15_000;
const moreActions: readonly { action: DeskAction; icon: IconName; word: string }[] = [
  { action: "ship", icon: "box", word: "登记寄出" },
  { action: "remote", icon: "phone", word: "登记远程指导" },
  { action: "arrive", icon: "factory", word: "登记工厂收到设备" },
  { action: "redirect", icon: "swap", word: "改维修方式" },
  { action: "merge", icon: "tree", word: "并入另一张" },
];

function Facts({ title, rows }: { title: string; rows: readonly (readonly [string, ReactNode])[] }) {
  const shown = rows.filter(([, value]) => value !== "");
  return (
    <section className={`card ${styles.side}`} aria-label={title}>
      <h2>{title}</h2>
      <dl>
        {shown.map(([name, value]) => (
          <Fragment key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </Fragment>
        ))}
      </dl>
    </section>
  );
}

function Side({ order }: { order: DeskOrderDetail }) {
  const t = useTranslate();
  const nameOf = useNames();
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
            [t("位置"), <TranslatedLine key="place" text={order.place} />],
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
        <section className={`card ${styles.side}`} aria-labelledby="related-title">
          <h2 id="related-title">{t("同一客户的其他单子")}</h2>
          <ul>
            {order.related.map((one) => (
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
  const [action, setAction] = useState<DeskAction>();
  const [talk, setTalk] = useState(false);
  const { id, version, may } = order;
  const act = async (work: () => Promise<unknown>, text: string): Promise<void> => {
    await work().then(
      () => showToast({ kind: "ok", text }),
      // A refusal, with who was first, shows as a toast.
      () => undefined,
    );
    reload();
  };
  const kind = order.type === "after_sales" ? repairWord(order.repairMode) : categoryWord(order.category);
  const more = moreActions.filter((one) => may.includes(one.action));
  return (
    <>
      <Crumbs more={[{ name: t("工单服务台"), to: "/customer/workOrder" }, { name: order.number }]} />
      <div className={styles.head}>
        <div>
          <h1>
            <Translated text={order.title} />
          </h1>
          <p className={styles.meta}>
            <OrderState order={order} ofCustomer={false} />
            <LateTag order={order} />
            <span>{t(oneOfType[order.type])}</span>
            <span>{t(kind)}</span>
            <span className="num">{order.number}</span>
            <span className="num">{t("{time} 提交", { time: dayTime(parseWireDateTime(order.createTime)) })}</span>
            {order.urges > 0 && <StateTag plain mark="minor" word="催过 {count} 次" values={{ count: order.urges }} />}
          </p>
        </div>
        <div className={styles.actions}>
          {may.includes("claim") && (
            <Button
              kind="primary"
              icon="person"
              onPress={() => void act(() => call(deskClaim, { body: { id, version } }), "已接手")}
            >
              {t("接手")}
            </Button>
          )}
          {may.includes("assign") && (
            <Button icon="people" onPress={() => setAction("assign")}>
              {t("转给同事")}
            </Button>
          )}
          {more.length > 0 && (
            <MenuButton
              button={<Button icon="more">{t("更多")}</Button>}
              label={t("更多")}
              actions={more.map((one) => ({
                id: one.action,
                icon: one.icon,
                name: t(one.word),
                onAction: () => setAction(one.action),
              }))}
            />
          )}
          {may.includes("publish") && (
            <Button
              icon={order.published ? "eye-off" : "eye"}
              onPress={() =>
                void act(() => call(deskPublish, { body: { id, version, published: !order.published } }), "已登记")
              }
            >
              {t(order.published ? "从网站撤下" : "在网站公开")}
            </Button>
          )}
          {may.includes("complete") && (
            <Button
              kind={may.includes("claim") ? "plain" : "primary"}
              icon="check"
              onPress={() => setAction("complete")}
            >
              {t("完成")}
            </Button>
          )}
        </div>
      </div>
      <div className={styles.page}>
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
          {order.snapshot && <Snapshot snapshot={order.snapshot} />}
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
        </div>
        <Side order={order} />
      </div>
      {action && <ActionDialog action={action} order={order} onDone={reload} onClose={() => setAction(undefined)} />}
    </>
  );
}

/** One order at the desk: time, device, talk, and what can be done. */
export default function DeskOrderPage() {
  const t = useTranslate();
  const client = useQueryClient();
  const [search] = useSearchParams();
  const id = knownId(search.get("id")) ?? "";
  const loaded = useQuery({
    queryKey: [...deskKey, "detail", id],
    queryFn: ({ signal }) => call(deskOrderDetail, { query: { id }, signal, quiet: true }),
    enabled: id !== "",
    staleTime: 0,
    refetchInterval: renewMs,
  });
  if (loaded.data)
    return (
      <OrderView key={id} order={loaded.data} reload={() => void client.invalidateQueries({ queryKey: deskKey })} />
    );
  return (
    <>
      <Crumbs />
      {(id === "" || loaded.error) && <h1 className="visually-hidden">{t("处理工单")}</h1>}
      {id === "" ? (
        <ExceptionView type="noSearchData" title={t("先选一张")} text={t("从列表点开一张，这里显示它的往来。")}>
          <Link className="btn primary" to="/customer/workOrder">
            {t("去列表")}
          </Link>
        </ExceptionView>
      ) : loaded.error ? (
        <LoadingProblem error={asApiError(loaded.error)} onRetry={() => void loaded.refetch()} what={t("详情")} />
      ) : (
        <TableSkeleton rows={8} />
      )}
    </>
  );
}
