import { invoices, orders } from "@herdwise/contract";
import { yuanText } from "@herdwise/contract/money";
import { permissionOf, type ResourceDeclaration } from "@herdwise/contract/resource";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { Link } from "react-router";
import { Button } from "../kit/button.tsx";
import { useTranslate } from "../language/use-language.ts";
import { callPage, keysOf } from "../resource/resource-api.ts";
import { ResourceScreen } from "../resource/resource-screen.tsx";
import { useAccess } from "../session/access-context.ts";
import styles from "./invoice-screen.module.css";
import { invoiceCells } from "./trade-cells.tsx";
import { useGivenOrder } from "./use-given-order.ts";

/** Most completed orders that are looked at, and most that are offered. */
const looked = 50;
const mostOffered = 6;

/** Completed orders without an invoice, each with the way to apply for it. */
function Offered() {
  const t = useTranslate();
  const { user, permissions } = useAccess();
  const { data } = useQuery({
    queryKey: [...keysOf(invoices), "offered"],
    queryFn: ({ signal }) => callPage(orders, { state: "completed", current: 1, size: looked }, signal),
    enabled:
      user.tenant_type !== "group" &&
      permissions.has(permissionOf(invoices, "edit")) &&
      permissions.has(permissionOf(orders, "view")),
  });
  const { data: returned } = useQuery({
    queryKey: [...keysOf(invoices), "returned"],
    queryFn: ({ signal }) => callPage(invoices, { state: "returned", current: 1, size: looked }, signal),
    enabled: data !== undefined,
  });
  const [all, setAll] = useState(false);
  const without = (data?.records ?? []).filter(({ next }) => next === "invoice");
  if (without.length === 0) return null;
  const returnedOf = new Set(returned?.records.map(({ order }) => String(order)));
  // Those that were applied for before go first.
  const sorted = without.toSorted((a, b) => Number(returnedOf.has(b.id)) - Number(returnedOf.has(a.id)));
  const again = without.filter(({ id }) => returnedOf.has(id)).length;
  return (
    <section className={`card ${styles.offered}`} aria-labelledby="without-invoice">
      <h2 id="without-invoice">
        {t("{count} 个完成的订单还没有开票", { count: without.length })}
        {again > 0 && <small>{t("其中 {count} 个的申请退回了，改好后再申请", { count: again })}</small>}
      </h2>
      <ul>
        {sorted.slice(0, all ? undefined : mostOffered).map((order) => (
          <li key={order.id}>
            <span>
              <span className="num">{String(order.number)}</span>
              <small className="num">
                {String(order.day)} · {yuanText(Number(order.finalFen ?? order.paidFen))} {t("元")}
              </small>
            </span>
            <Link
              className="link"
              to={`${invoices.customerMenu?.path}?row=new&order=${order.id}`}
              aria-label={t(returnedOf.has(order.id) ? "给 {number} 再申请" : "给 {number} 申请开票", {
                number: String(order.number),
              })}
            >
              {t(returnedOf.has(order.id) ? "再申请" : "申请开票")}
            </Link>
          </li>
        ))}
      </ul>
      {!all && without.length > mostOffered && (
        <Button kind="link" onPress={() => setAll(true)}>
          {t("还有 {count} 个", { count: without.length - mostOffered })}
        </Button>
      )}
    </section>
  );
}

/** Invoices; a customer's begin with the orders that have none, and a new one is for the order that the address names. */
export function InvoiceScreen({ of }: { of: ResourceDeclaration }) {
  const given = useGivenOrder();
  return <ResourceScreen of={of} cells={invoiceCells} above={<Offered />} given={given} />;
}
