import {
  type BankLineProposal,
  bankLineMatch,
  bankLineProposals,
  bankLines,
  deposits,
  payments,
} from "@herdwise/contract";
import { yuanText } from "@herdwise/contract/money";
import { permissionOf } from "@herdwise/contract/resource";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { Link } from "react-router";
import { asApiError } from "../api/api-error.ts";
import { call } from "../api/call.ts";
import { Refusal } from "../forms/refusal.tsx";
import { useSubmission } from "../forms/use-submission.ts";
import { Mark, type MarkName } from "../icons/mark.tsx";
import { Button } from "../kit/button.tsx";
import { TableSkeleton } from "../kit/table-skeleton.tsx";
import { Translated } from "../language/translated.tsx";
import { useTranslate } from "../language/use-language.ts";
import { StateTag } from "../process/state-tag.tsx";
import type { Row } from "../resource/form-values.ts";
import { keysOf } from "../resource/resource-api.ts";
import { useAccess } from "../session/access-context.ts";
import { LoadingProblem } from "../states/loading-problem.tsx";
import { showToast } from "../states/toast-store.ts";
import styles from "./bank-line-match.module.css";

/** What a line may pay, as people call it. */
const whats: Readonly<Record<string, string>> = {
  prepayment: "预付款",
  balance: "尾款",
  refund: "退款",
  deposit: "保证金",
  release: "退还保证金",
};
const grounds: Readonly<Record<BankLineProposal["by"], readonly [word: string, mark: MarkName]>> = {
  number: ["附言里有单号", "ok"],
  account: ["客户自己的银行卡", "ok"],
  name: ["金额和户名都对得上", "ok"],
  amount: ["只有金额相同，请核对户名", "minor"],
};

/** Why a line whose amount is another one can't pay this, and what to do. */
function Difference({ fen }: { fen: number }) {
  const t = useTranslate();
  const amount = yuanText(Math.abs(fen));
  return (
    <span className="state major">
      <Mark name="major" />
      {fen > 0
        ? t("多 {amount} 元：退回转账，让客户按应付金额重付", { amount })
        : t("少 {amount} 元：请客户补足，或者退回转账", { amount })}
    </span>
  );
}

/** What an unmatched line of the bank's statement may pay, each with a press that says so. */
export function BankLineMatch({ row }: { row: Row }) {
  const t = useTranslate();
  const client = useQueryClient();
  const mayMatch = useAccess().permissions.has(permissionOf(bankLines, "edit"));
  const { busy, refused, submit } = useSubmission<HTMLElement>();
  const waits = row.matching === "unmatched";
  const { data, error, refetch } = useQuery({
    queryKey: [...keysOf(bankLines), "proposals", row.id],
    queryFn: ({ signal }) => call(bankLineProposals, { query: { id: row.id }, signal, quiet: true }),
    enabled: waits,
    staleTime: 0,
  });
  if (!waits) return <Matched row={row} />;
  const match = async ({ target, id }: BankLineProposal): Promise<void> => {
    const done = await submit(() => call(bankLineMatch, { body: { id: row.id, target, row: id }, quiet: true }));
    if (done) showToast({ kind: "ok", text: "匹配好了，等别人复核" });
    // After a refusal, too: somebody else may have been quicker.
    for (const of of [bankLines, payments, deposits]) void client.invalidateQueries({ queryKey: keysOf(of) });
  };
  return (
    <section className={styles.part} aria-labelledby="bank-line-match">
      <h3 id="bank-line-match">{t("这笔钱是付哪一单的")}</h3>
      {error && !data && (
        <LoadingProblem error={asApiError(error)} onRetry={() => void refetch()} what={t("可能的单据")} />
      )}
      {!data && !error && <TableSkeleton rows={2} />}
      {data?.length === 0 && (
        <p className="mut">{t("没有金额相同、也没有附言点到的待收付款。核对附言，或者标为“不是货款”。")}</p>
      )}
      {data && data.length > 1 && <p className="mut">{t("有几单对得上，选对的那一单。")}</p>}
      <ul>
        {data?.map((proposal) => {
          const { target, id, number, what, customer, of, amountFen, differenceFen, by } = proposal;
          const [word, mark] = grounds[by];
          return (
            <li key={id}>
              <div>
                <p>
                  <b>
                    <Translated text={customer} />
                  </b>
                  <span>{t(whats[what] ?? what)}</span>
                  <b className="num">{t("{amount} 元", { amount: yuanText(amountFen) })}</b>
                </p>
                <p className="num mut">{[number, of].join(" · ")}</p>
                <p>
                  {differenceFen === 0 ? (
                    <StateTag word={word} mark={mark} plain />
                  ) : (
                    <Difference fen={differenceFen} />
                  )}
                </p>
              </div>
              {mayMatch && differenceFen === 0 && (
                <Button
                  kind="primary"
                  small
                  isDisabled={busy}
                  aria-label={t("就是这单：{number}", { number })}
                  onPress={() => void match({ ...proposal, target })}
                >
                  {t("就是这单")}
                </Button>
              )}
            </li>
          );
        })}
      </ul>
      <Refusal text={refused} />
    </section>
  );
}

/** What a line pays, and where that is confirmed or sent back. */
function Matched({ row }: { row: Row }) {
  const t = useTranslate();
  const number = String(row.matchedTo ?? "");
  if (number === "") return null;
  const path = number.startsWith("BZ") ? deposits.menu.path : payments.menu.path;
  return (
    <section className={styles.part} aria-labelledby="bank-line-match">
      <h3 id="bank-line-match">{t("匹配的单据")}</h3>
      <p>
        <Link className="link num" to={`${path}?q=${encodeURIComponent(number)}`}>
          {number}
        </Link>{" "}
        {row.matching === "recorded" && t("等别人复核；匹配错了，在那里退回，这条流水就空出来。")}
      </p>
    </section>
  );
}
