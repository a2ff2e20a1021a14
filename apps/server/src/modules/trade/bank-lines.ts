import { type BankLineProposal, bankLineMatch, bankLineProposals, bankLines } from "@herdwise/contract";
import { refuse } from "../../http/errors.ts";
import type { ServerModule } from "../../module.ts";
import { type DatabaseHandle, type ResourceContext, resourceModule } from "../../resources/index.ts";
import type { TenantScope } from "../../tenant-scope.ts";
import { bankLineRepository, type Due, type LineRow } from "./bank-line.repository.ts";
import { tradeSystem } from "./context.ts";
import type { DepositModule } from "./deposits.ts";
import type { PaymentModule } from "./payments.ts";

/** Most proposals for a line. */
const mostProposals = 20;

/** Numbers of documents that a remark names, also typed without hyphens or in wide letters: `SK-261127-001`. */
export const numbersIn = (remark: string): string[] =>
  [
    ...remark
      .normalize("NFKC")
      .toUpperCase()
      .matchAll(/(SK|BZ|DD|JJ)[-\s]*(\d{6})[-\s]*(\d{3,6})/g),
  ].map(([, letters, day, last]) => [letters, day, last].join("-"));

/** A name as banks and people write it differently: without spaces, brackets of one kind. */
const plainName = (name: string): string => name.normalize("NFKC").replace(/\s/g, "").toLowerCase();

const order = ["number", "account", "name", "amount"] as const satisfies readonly BankLineProposal["by"][];

/** What a line may pay, the likeliest first. */
function proposalsOf(
  line: Pick<LineRow, "amountFen"> & { name: string },
  named: readonly string[],
  due: readonly Due[],
): BankLineProposal[] {
  const from = plainName(line.name);
  const reasonOf = ({ number, of, names, ownCard }: Due): BankLineProposal["by"] => {
    if (named.includes(number) || named.includes(of)) return "number";
    if (ownCard) return "account";
    return from !== "" && names.some((name) => plainName(name) === from) ? "name" : "amount";
  };
  return due
    .map(({ target, id, number, what, customer, of, amountFen, ...row }) => ({
      target,
      id,
      number,
      what,
      customer,
      of,
      amountFen,
      differenceFen: line.amountFen - amountFen,
      by: reasonOf({ target, id, number, what, customer, of, amountFen, ...row }),
    }))
    .toSorted(
      (a, b) =>
        Number(a.differenceFen !== 0) - Number(b.differenceFen !== 0) || order.indexOf(a.by) - order.indexOf(b.by),
    )
    .slice(0, mostProposals);
}

/** Lines of the bank's statement: imported by sheet, matched by one person, confirmed by a second one at the payment or deposit. */
export function bankLineModule(
  context: ResourceContext,
  { payments, deposits }: { payments: PaymentModule; deposits: DepositModule },
): ServerModule {
  const { kysely, personalCipher } = context.platform;
  /** @throws {Refusal} for a line that pays something already, or is no money of trade */
  const free = async (db: DatabaseHandle, id: string, hold: boolean): Promise<LineRow> => {
    const lines = bankLineRepository(db);
    const line = await lines.line(tradeSystem, id, hold);
    if (line === undefined) throw refuse("process.not_found");
    const number = await lines.paidBy(tradeSystem, line.bankReference);
    if (number !== undefined) throw refuse("bank_line.matched", { values: { number } });
    if (line.aside) throw refuse("bank_line.aside");
    return line;
  };
  const proposals = async (id: string): Promise<BankLineProposal[]> => {
    const line = await free(kysely, id, false);
    const named = numbersIn(line.summary);
    const name = line.counterpartyNameEncrypted === "" ? "" : personalCipher.decrypt(line.counterpartyNameEncrypted);
    return proposalsOf({ ...line, name }, named, await bankLineRepository(kysely).due(tradeSystem, line, named));
  };
  const match = (scope: TenantScope, { id, target, row }: { id: string; target: string; row: string }) =>
    kysely.transaction().execute(async (db) => {
      const { bankReference, bookedOn, amountFen, direction } = await free(db, id, true);
      const asks = { amountFen, bankReference, receivedOn: bookedOn };
      const { state } =
        target === "payment"
          ? await payments.service.on(db).act(scope, { id: row, event: "record", asks })
          : direction === "in"
            ? await deposits.service.on(db).act(scope, { id: row, event: "record", asks })
            : await deposits.service
                .on(db)
                .act(scope, { id: row, event: "release", asks: { refundReference: bankReference } });
      return { id: row, state };
    });
  const { routes, ...list } = resourceModule(context, bankLines, {
    extra: bankLineRepository,
    hooks: {
      async beforeSave({ held, values, extra }) {
        if (held === undefined || values.aside !== true || held.aside === true) return;
        const number = await extra.paidBy(tradeSystem, String(held.bankReference));
        if (number !== undefined) throw refuse("bank_line.matched", { values: { number } });
      },
      // What pays something stays, also when the sheet that it came with is taken back.
      async beforeRemove({ rows, extra }) {
        for (const { bankReference } of rows) {
          const number = await extra.paidBy(tradeSystem, String(bankReference));
          if (number !== undefined) throw refuse("bank_line.matched", { values: { number } });
        }
      },
    },
  });
  return {
    ...list,
    routes(router, http) {
      routes?.(router, http);
      router.on(bankLineProposals, ({ query }) => proposals(query.id));
      router.on(bankLineMatch, ({ scope, body }) => match(scope, body));
    },
  };
}
