import { noteProcess, notes } from "@herdwise/contract";
import { exactSum, yuanText } from "@herdwise/contract/money";
import { refuse } from "../../http/errors.ts";
import { processModule, type RowOf } from "../../processes/index.ts";
import type { DatabaseHandle } from "../../resources/index.ts";
import { byAnother, customerLink, type TradeContext, tradeSystem } from "./context.ts";
import { noteRepository } from "./note.repository.ts";
import type { PaymentModule } from "./payments.ts";

type NoteRow = RowOf<
  typeof noteProcess,
  {
    number: string;
    settlement: string;
    order: string;
    kind: "credit" | "debit";
    amountFen: string;
    reasons: string;
    buyer: string;
  }
>;

/** Fields of the form that are kept as lines. */
const noColumns = Object.fromEntries([1, 2, 3].flatMap((at) => [[`fen${at}`], [`reason${at}`]]));

/** Lines of the form: each amount with its reason. @throws {Refusal} for one without the other */
function linesOf(asks: Readonly<Record<string, unknown>>): { fen: number; reason: string }[] {
  return [1, 2, 3].flatMap((at) => {
    const [fen, reason] = [Number(asks[`fen${at}`] ?? 0), String(asks[`reason${at}`] ?? "")];
    if (fen > 0 !== (reason !== "")) throw refuse("note.line", { field: fen > 0 ? `reason${at}` : `fen${at}` });
    return fen > 0 ? [{ fen, reason }] : [];
  });
}

/**
 * Credit and debit notes: a settled line is never changed, what was wrong of it is a note of its own. A confirmed one is set off against what
 * is still to be paid of the order; what is left is one payment or one refund.
 */
export function noteModule(context: TradeContext, payments: PaymentModule) {
  return processModule(context, noteProcess, notes, {
    parts: (db: DatabaseHandle) => ({ db, noted: noteRepository(db), pay: payments.service.on(db) }),
    async holds(id, { noted }) {
      await noted.settlement(tradeSystem, await noted.settlementOf(tradeSystem, id));
    },
    partyOf: (row: NoteRow, by) => (by.tenantId === row.tenantId ? undefined : "desk"),
    async begin({ asks, parts: { noted } }) {
      const lines = linesOf(asks);
      const amountFen = exactSum(lines.map(({ fen }) => fen));
      const settled = await noted.settlement(tradeSystem, String(asks.settlement));
      if (settled?.state !== "confirmed") throw refuse("note.not_settled", { field: "settlement" });
      const leftFen = settled.totalFen - settled.creditsFen;
      if (asks.kind === "credit" && amountFen > leftFen)
        throw refuse("note.too_much", { field: "fen1", values: { left: yuanText(Math.max(0, leftFen)) } });
      return {
        ...noColumns,
        tenantId: settled.tenantId,
        settlement: settled.id,
        order: settled.order,
        kind: asks.kind,
        amountFen,
        lines: JSON.stringify(lines),
        // One reason is for the whole amount, which stands beside it.
        reasons: lines
          .map(({ fen, reason }) => (lines.length === 1 ? reason : `${reason} ${yuanText(fen)}`))
          .join("；"),
      };
    },
    guards: {
      async confirm({ createdBy, order }, { noted }, by) {
        const own = byAnother([createdBy], by, "note.own");
        if (own) return own;
        const open = await noted.open(tradeSystem, order);
        return open.some(({ state }) => state === "recorded") ? refuse("sale_order.payment_recorded") : undefined;
      },
    },
    on: {
      async confirm({ row, parts: { noted, pay }, by }) {
        const { id, order, tenantId, kind } = row;
        const open = await noted.open(tradeSystem, order);
        for (const one of open) await pay.act(by, { id: one.id, event: "set_off", party: "note" });
        const leftFen = exactSum([
          ...open.map((one) => (one.kind === "refund" ? -1 : 1) * one.amountFen),
          (kind === "credit" ? -1 : 1) * Number(row.amountFen),
        ]);
        const of = { tenantId, createdBy: row.buyer, order, note: id, party: "note" } as const;
        if (leftFen !== 0)
          await pay.begin(by, { ...of, kind: leftFen > 0 ? "balance" : "refund", amountFen: Math.abs(leftFen) });
        return {};
      },
    },
    receivers: {
      customer: { of: ({ buyer }) => [buyer], link: customerLink(notes.customerMenu?.path) },
      desk: { of: (_row, { db }) => context.deskOf("note_edit", db) },
    },
    links: ({ settlement }) => [["settlement", settlement]],
    content: ({ number, reasons }) => `${number}：${reasons}`,
    messages: "trade",
  });
}
