import { orders, planBoard, plans } from "@herdwise/contract";
import { yuanText } from "@herdwise/contract/money";
import { permissionOf } from "@herdwise/contract/resource";
import { shanghaiDay } from "@herdwise/contract/shanghai";
import { useQuery } from "@tanstack/react-query";
import { Link } from "react-router";
import { call } from "../api/call.ts";
import { Facts } from "../kit/facts.tsx";
import { useFormats, useTranslate } from "../language/use-language.ts";
import { StateTag } from "../process/state-tag.tsx";
import type { Row } from "../resource/form-values.ts";
import { callPage, keysOf } from "../resource/resource-api.ts";
import { useAccess } from "../session/access-context.ts";
import styles from "./order-detail.module.css";
import { mondayOf } from "./week.ts";

/** Earlier orders that are told one by one. */
const mostTold = 5;

/** What the desk decides by: heads left of the plan, room of the loading day, and earlier orders of the customer. */
export function DeclarationGrounds({ row }: { row: Row }) {
  const t = useTranslate();
  const { number } = useFormats();
  const { user, permissions } = useAccess();
  const isStaff = user.tenant_type === "group";
  const day = String(row.day ?? "").slice(0, 10);
  const monday = mondayOf(day, shanghaiDay(Date.now()));
  const board = useQuery({
    queryKey: [...keysOf(plans), "board", monday, ""],
    queryFn: ({ signal }) => call(planBoard, { query: { from: monday }, signal, quiet: true }),
    enabled: isStaff && permissions.has(permissionOf(plans, "view")),
  });
  const earlier = useQuery({
    queryKey: [...keysOf(orders), "of", row.tenantId],
    queryFn: ({ signal }) => callPage(orders, { tenantId: row.tenantId, current: 1, size: mostTold }, signal),
    enabled: isStaff && permissions.has(permissionOf(orders, "view")),
  });
  if (!isStaff) return null;
  const at = board.data?.fields.find(({ id }) => id === String(row.field))?.days.find((one) => one.day === day);
  const plan = at?.plans.find(({ id }) => id === String(row.plan));
  const left = plan === undefined ? undefined : plan.heads - plan.taken;
  const free = at === undefined ? undefined : at.capacity - at.vehicles;
  return (
    <div className={styles.detail}>
      <Facts
        label={t("受理前看什么")}
        facts={[
          {
            name: t("计划还剩"),
            value: left === undefined ? "--" : number(left),
            note: t("申报 {count} 头", { count: number(Number(row.heads)) }),
            bad: left !== undefined && row.state === "submitted" && left < Number(row.heads),
          },
          {
            name: t("那天的车位"),
            value: at === undefined ? "--" : `${at.vehicles} / ${at.capacity}`,
            note:
              at === undefined || at.slots.length === 0
                ? t("那天不装车")
                : at.slots.map(({ from, to }) => `${from}–${to}`).join("  "),
            bad: free !== undefined && free < 0,
          },
        ]}
      />
      {earlier.data && (
        <div className={styles.part}>
          <h3>
            {t("这位客户的订单")} <span className="num mut">{number(earlier.data.total)}</span>
          </h3>
          {earlier.data.records.length === 0 && <p className="mut">{t("第一次买")}</p>}
          <ul className={styles.choice}>
            {earlier.data.records.map((order) => {
              const face = orders.process.states[String(order.state) as keyof typeof orders.process.states];
              return (
                <li key={order.id} className={styles.plan}>
                  <Link className="link num" to={`${orders.menu.path}?row=${order.id}`}>
                    {String(order.number)}
                  </Link>
                  <span className="num">{t("{count} 头", { count: number(Number(order.heads)) })}</span>
                  <span className="num">
                    {yuanText(Number(order.pricePerKg))} {t("元/kg")}
                  </span>
                  {face && <StateTag {...face} plain />}
                </li>
              );
            })}
          </ul>
        </div>
      )}
    </div>
  );
}
