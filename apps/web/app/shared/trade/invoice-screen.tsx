import { invoices, orders } from "@herdwise/contract";
import { yuanText } from "@herdwise/contract/money";
import { permissionOf, type ResourceDeclaration } from "@herdwise/contract/resource";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { Link } from "react-router";
import { Button } from "../kit/button.tsx";
import { useMedia } from "../kit/use-media.ts";
import { useTranslate } from "../language/use-language.ts";
import type { Cells } from "../resource/cells.ts";
import type { Row } from "../resource/form-values.ts";
import { callPage, keysOf } from "../resource/resource-api.ts";
import { ResourceScreen } from "../resource/resource-screen.tsx";
import { useAccess } from "../session/access-context.ts";
import styles from "./invoice-screen.module.css";
import { invoiceCells } from "./trade-cells.tsx";
import { useGivenOrder } from "./use-given-order.ts";

/** Most completed orders that are looked at, and most that are offered on a wide screen and on a phone. */
const looked = 50;
const mostOffered = { wide: 4, phone: 2 } as const;

/** Whether the reader applies for invoices. */
function useMayApply(): boolean {
  const { user, permissions } = useAccess();
  const may = permissions.has(permissionOf(invoices, "edit")) && permissions.has(permissionOf(orders, "view"));
  return may && user.tenant_type !== "group";
}

/** Completed orders without an invoice that the reader may apply for. @param next whether one was never applied for, or was sent back */
function useWithout(next: "invoice" | "reinvoice"): readonly Row[] {
  const enabled = useMayApply();
  const { data } = useQuery({
    queryKey: [...keysOf(invoices), "offered"],
    queryFn: ({ signal }) => callPage(orders, { state: "completed", current: 1, size: looked }, signal),
    enabled,
  });
  return (data?.records ?? []).filter((order) => order.next === next);
}

const applyAt = (order: string): string => `${invoices.customerMenu?.path}?row=new&order=${order}`;

/** The way to apply again for what was sent back, until somebody did. */
function Again({ row }: { row: Row }) {
  const t = useTranslate();
  const again = useWithout("reinvoice");
  if (row.state !== "returned" || !again.some(({ id }) => id === String(row.order))) return null;
  return (
    <Link
      className="btn small"
      to={applyAt(String(row.order))}
      aria-label={t("给 {number} 再申请", { number: String(row.orderName ?? row.number) })}
      onClick={(event) => event.stopPropagation()}
    >
      {t("再申请")}
    </Link>
  );
}
const Steps = invoiceCells.acts;
const cells: Cells = {
  ...invoiceCells,
  acts: ({ row, value }) => (
    <>
      {Steps && <Steps row={row} value={value} />}
      <Again row={row} />
    </>
  ),
};

/** Completed orders that nobody applied for, each with the way to do it. */
function Offered() {
  const t = useTranslate();
  const without = useWithout("invoice");
  const [all, setAll] = useState(false);
  const most = mostOffered[useMedia("(max-width: 560px)") ? "phone" : "wide"];
  if (without.length === 0) return null;
  return (
    <section className={`card ${styles.offered}`} aria-labelledby="without-invoice">
      <h2 id="without-invoice">{t("{count} 个完成的订单还没有申请开票", { count: without.length })}</h2>
      <ul>
        {without.slice(0, all ? undefined : most).map((order) => (
          <li key={order.id}>
            <span>
              <span className="num">{String(order.number)}</span>
              <small className="num">
                {String(order.day)} · {yuanText(Number(order.finalFen ?? order.paidFen))} {t("元")}
              </small>
            </span>
            <Link
              className="link"
              to={applyAt(order.id)}
              aria-label={t("给 {number} 申请开票", { number: String(order.number) })}
            >
              {t("申请开票")}
            </Link>
          </li>
        ))}
      </ul>
      {!all && without.length > most && (
        <Button kind="link" onPress={() => setAll(true)}>
          {t("还有 {count} 个", { count: without.length - most })}
        </Button>
      )}
    </section>
  );
}

/** Invoices; a customer's begin with the orders that have none, and a new one is for the order that the address names. */
export function InvoiceScreen({ of }: { of: ResourceDeclaration }) {
  const given = useGivenOrder();
  return <ResourceScreen of={of} cells={cells} above={<Offered />} given={given} />;
}
