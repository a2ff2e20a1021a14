import { invoiceProcess, invoices } from "@herdwise/contract";
import { bankAccountFault, creditCodeFault } from "@herdwise/contract/real-name-checks";
import { shanghaiDay } from "@herdwise/contract/shanghai";
import { type Refusal, refuse } from "../../http/errors.ts";
import { processModule, type RowOf } from "../../processes/index.ts";
import type { DatabaseHandle } from "../../resources/index.ts";
import { accountOf } from "../../tenant-scope.ts";
import { byAnother, customerLink, type TradeContext, tradeSystem } from "./context.ts";
import { tradeRepository } from "./trade.repository.ts";

type InvoiceRow = RowOf<
  typeof invoiceProcess,
  { number: string; title: string; order: string; issuedBy: string | null }
>;

/** What is wrong with what an invoice is to say; undefined where it can be issued so. */
function headingFault(asks: Readonly<Record<string, unknown>>): Refusal | undefined {
  const said = (field: string) => String(asks[field] ?? "");
  const special = asks.kind === "special";
  for (const field of special ? (["taxNumber", "address", "bank", "bankAccount"] as const) : [])
    if (said(field) === "") return refuse("invoice.special", { field });
  if (said("taxNumber") !== "" && creditCodeFault(said("taxNumber")) !== undefined)
    return refuse("invoice.tax_number", { field: "taxNumber" });
  return said("bankAccount") !== "" && bankAccountFault(said("bankAccount")) !== undefined
    ? refuse("invoice.bank_account", { field: "bankAccount" })
    : undefined;
}

/** Invoices: a customer applies for one for a settled order, the desk records what was issued, and a second person reverses it. */
export function invoiceModule(context: TradeContext) {
  const today = () => shanghaiDay(context.platform.now());
  return processModule(context, invoiceProcess, invoices, {
    parts: (db: DatabaseHandle) => ({ db, trade: tradeRepository(db) }),
    partyOf: (row: InvoiceRow, by) => (by.tenantId === row.tenantId ? "customer" : "desk"),
    async begin({ asks, parts: { trade } }) {
      const fault = headingFault(asks);
      if (fault) throw fault;
      const id = String(asks.order);
      // The held order lets one application after the other look for an earlier one.
      await trade.orderAt(tradeSystem, id);
      const settled = await trade.settledOf(tradeSystem, id);
      if (settled === undefined) throw refuse("invoice.not_settled", { field: "order" });
      if (settled.totalFen <= 0) throw refuse("invoice.nothing", { field: "order" });
      if (settled.invoiced) throw refuse("invoice.exists", { field: "order" });
      return { settlement: settled.id, amountFen: settled.totalFen };
    },
    guards: {
      reverse: ({ issuedBy }, _parts, by) => byAnother([issuedBy], by, "invoice.own"),
    },
    on: {
      issue({ columns, asks, by }) {
        if (String(asks.issuedOn) > today()) throw refuse("invoice.future", { field: "issuedOn" });
        return { ...columns, issuedBy: accountOf(by) };
      },
      reverse: ({ asks }) => ({ redNumber: asks.redNumber }),
    },
    receivers: {
      customer: { of: ({ createdBy }) => [createdBy], link: customerLink(invoices.customerMenu?.path) },
      desk: { of: (_row, { db }) => context.deskOf("invoice_edit", db) },
    },
    begun: { to: "desk", title: "有一张发票要开", content: ({ number, title }) => `${number}：${title}` },
    links: ({ order }) => [["sale_order", order]],
    messages: "trade",
  });
}
