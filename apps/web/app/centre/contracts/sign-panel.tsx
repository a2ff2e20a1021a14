import { type ContractDetail, contractCode, contractReject, contractSign } from "@herdwise/contract";
import { useState } from "react";
import { Link } from "react-router";
import { call } from "../../shared/api/call.ts";
import { amountText, isWaiting, Need, contractStyles as styles } from "../../shared/contracts/contract-parts.tsx";
import { kindWords } from "../../shared/contracts/words.ts";
import { Refusal } from "../../shared/forms/refusal.tsx";
import { useSubmission } from "../../shared/forms/use-submission.ts";
import { Button } from "../../shared/kit/button.tsx";
import { parseWireDateTime } from "../../shared/language/format.ts";
import { useFormats, useTranslate } from "../../shared/language/use-language.ts";
import { ActionBar } from "../../shared/process/action-bar.tsx";
import { asks } from "../../shared/process/event-dialog.tsx";
import processStyles from "../../shared/process/process.module.css";
import { RowFacts } from "../../shared/process/process-page.tsx";
import { NotConfirmed } from "../../shared/session/confirmation.ts";
import { showToast } from "../../shared/states/toast-store.ts";
import { CodeField, type SentCode } from "../security/code-field.tsx";

/** What the contract is about, what a signature needs, and the signature itself. */
export function SignPanel({ contract, read, onDone }: { contract: ContractDetail; read: boolean; onDone: () => void }) {
  const t = useTranslate();
  const { dayTime } = useFormats();
  const { form, busy, refused, problems, mend, submit } = useSubmission<HTMLElement>();
  const [sent, setSent] = useState<SentCode>();
  const [digits, setDigits] = useState("");
  const { id, version, needs, may } = contract;
  const maySign = may.includes("sign");
  const ready = needs.proven && needs.right && needs.phoneBound && read;
  const sign = async (): Promise<void> => {
    let closed = false;
    const done = await submit(() =>
      call(contractSign, { body: { id, version, codeId: sent?.id ?? "", code: digits }, quiet: true }).catch(
        (error: unknown) => {
          closed = error instanceof NotConfirmed;
          throw error;
        },
      ),
    );
    // The code that was typed is still good.
    if (closed) return;
    if (done) showToast({ kind: "ok", text: "合同签好了，双方各有一份" });
    setDigits("");
    onDone();
  };
  return (
    <section ref={form} className={`card ${processStyles.side}`} aria-labelledby="sign-title">
      <h2 id="sign-title">{t(maySign ? "签这份合同" : "这份合同")}</h2>
      {contract.amountFen !== undefined && <p className={styles.sum}>{amountText(contract.amountFen)}</p>}
      <RowFacts
        rows={[
          [t("类型"), t(kindWords[contract.kind] ?? "")],
          [
            t("期限"),
            contract.endDay === "" ? "" : t("{from} 至 {until}", { from: contract.startDay, until: contract.endDay }),
          ],
          [t("签署期"), isWaiting(contract) ? dayTime(parseWireDateTime(contract.signBy)) : ""],
          [t("签署时间"), contract.signedTime === "" ? "" : dayTime(parseWireDateTime(contract.signedTime))],
        ]}
      />
      {(maySign || may.includes("reject")) && (
        <>
          <ul className={styles.needs}>
            <Need met={needs.proven}>
              {needs.proven ? (
                t("实名认证已通过")
              ) : (
                <Link className="link" to="/selfCenter/realName">
                  {t("先通过实名认证")}
                </Link>
              )}
            </Need>
            <Need met={needs.right}>
              {t(needs.right ? "您有“签合同”的权限" : "您没有“签合同”的权限，请企业主来签")}
            </Need>
            <Need met={needs.phoneBound}>
              {needs.phoneBound ? (
                t("验证码发到 {phone}", { phone: contract.signerPhone })
              ) : (
                <Link className="link" to="/selfCenter/safeManage">
                  {t("先绑定手机号")}
                </Link>
              )}
            </Need>
            <Need met={read}>{t(read ? "正文看到了末尾" : "请先把正文看到末尾")}</Need>
          </ul>
          <form
            className={styles.sign}
            onSubmit={(event) => {
              event.preventDefault();
              if (ready && digits.length === 6) void sign();
            }}
          >
            <CodeField
              id="contract-code"
              label={t("短信验证码")}
              sent={sent}
              digits={digits}
              problem={problems.code}
              disabled={!ready || !maySign}
              send={async () => {
                const { codeId, signerPhone } = await call(contractCode, { body: { id, version }, quiet: true });
                return { id: codeId, to: signerPhone };
              }}
              onSent={setSent}
              onDigits={(value) => {
                mend("code");
                setDigits(value);
              }}
            />
            <Refusal text={refused} />
            <div className={styles.two}>
              <Button
                kind="primary"
                type="submit"
                isDisabled={busy || !ready || !maySign || sent === undefined || digits.length !== 6}
              >
                {t(busy ? "正在签署" : "签署第 {version} 版", { version })}
              </Button>
              <ActionBar
                row={contract}
                prefix="reject"
                reload={onDone}
                actions={[
                  {
                    event: "reject",
                    word: "退回并写明原因",
                    title: "退回合同",
                    isDisabled: busy,
                    done: "已退回，对方收到了您的原因",
                    ask: asks({
                      action: t("退回"),
                      fields: { reason: { label: t("写明哪里要改，对方改好会再发一版"), rows: 4 } },
                      send: (typed) => call(contractReject, { body: { id, version, ...typed }, quiet: true }),
                    }),
                  },
                ]}
              />
            </div>
            <p className={styles.hint}>{t("签署后 PDF 末尾加一页签名页，写明时间、账号和哈希。任何人都能核验。")}</p>
          </form>
        </>
      )}
      {isWaiting(contract) && !needs.right && (
        <p className={styles.hint}>{t("您可以看，不能签。请有“签合同”权限的成员来签。")}</p>
      )}
    </section>
  );
}
