import { afterSalesPage } from "@herdwise/contract";
import { useQuery } from "@tanstack/react-query";
import { useId } from "react";
import { Link } from "react-router";
import { call } from "../../shared/api/call.ts";
import { Icon } from "../../shared/icons/icon.tsx";
import { Translated } from "../../shared/language/translated.tsx";
import { useTranslate } from "../../shared/language/use-language.ts";
import processStyles from "../../shared/process/process.module.css";
import { useAccess } from "../../shared/session/access-context.ts";
import { OrderState } from "../../shared/work-orders/order-state.tsx";
import { typePaths } from "../../shared/work-orders/words.ts";
import styles from "../../shared/work-orders/work-orders.module.css";
import { orderKey } from "./order-type.ts";

const shown = 3;
const { list, add } = typePaths.after_sales;

/** After-sales orders about a device, and the way to raise one with its last 24 hours. */
export function OrderHere({ deviceId }: { deviceId: string }) {
  const t = useTranslate();
  const id = useId();
  const { permissions, user } = useAccess();
  const mayView = permissions.has("work_order_view") && user.tenant_type !== "group";
  const { data: page } = useQuery({
    queryKey: [...orderKey, "after_sales", "device", deviceId],
    queryFn: ({ signal }) =>
      call(afterSalesPage, { query: { deviceId, current: 1, size: shown }, signal, quiet: true }),
    enabled: mayView,
  });
  if (!mayView) return null;
  return (
    <section className="card" aria-labelledby={id}>
      <header>
        <h2 id={id}>{t("售后")}</h2>
        <span className="spacer" />
        {permissions.has("work_order_submit") && (
          <Link className="btn small" to={`${add}?device=${deviceId}`}>
            <Icon name="wrench" small />
            {t("提交工单")}
          </Link>
        )}
      </header>
      {page?.records.length === 0 && <p className="calm mut">{t("这台设备没有售后工单")}</p>}
      {page && page.records.length > 0 && (
        <div className={processStyles.side}>
          <ul className={styles.links}>
            {page.records.map((order) => (
              <li key={order.id}>
                <Link className="link" to={`${list}/detail?id=${order.id}`}>
                  <Translated text={order.title} />
                </Link>
                <span>
                  <OrderState order={order} ofCustomer />
                </span>
              </li>
            ))}
          </ul>
        </div>
      )}
    </section>
  );
}
