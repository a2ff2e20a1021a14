import { type ContractDetail, contractCode, contractReject, contractSign } from "@herdwise/contract";
import { useState } from "react";
import { Link } from "react-router";
import { call } from "../../shared/api/call.ts";
import { amountText, Facts, Need, contractStyles as styles } from "../../shared/contracts/contract-parts.tsx";
import { kindWords } from "../../shared/contracts/words.ts";
import { Refusal } from "../../shared/forms/refusal.tsx";
import { useSubmission } from "../../shared/forms/use-submission.ts";
import { Button } from "../../shared/kit/button.tsx";
import { Dialog } from "../../shared/kit/dialog.tsx";
import { parseWireDateTime } from "../../shared/language/format.ts";
import { useFormats, useTranslate } from "../../shared/language/use-language.ts";
import { useDraft } from "../../shared/resource/use-draft.ts";
import { useAccess } from "../../shared/session/access-context.ts";
import { NotConfirmed } from "../../shared/session/confirmation.ts";
import { showToast } from "../../shared/states/toast-store.ts";
import { CodeField, type SentCode } from "../security/code-field.tsx";

/** Why it goes back: the group reads it and may write another version. */
function RejectDialog({
  contract,
  onClose,
  onDone,
}: {
  contract: ContractDetail;
  onClose: () => void;
  onDone: () => void;
}) {
  const t = useTranslate();
  const { user } = useAccess();
  const [{ reason }, set, forget] = useDraft(`${user.user_id}_reject_${contract.id}`, { reason: "" });
  const { form, busy, refused, submit } = useSubmission();
  const send = async (): Promise<void> => {
    const body = { id: contract.id, version: contract.version, reason };
    if (!(await submit(() => call(contractReject, { body, quiet: true })))) return;
    showToast({ kind: "ok", text: "已退回，对方收到了您的原因" });
    forget();
    onClose();
    onDone();
  };
  return (
    <Dialog
      title={t("退回合同")}
      onClose={onClose}
      footer={
        <>
          <Refusal text={refused} />
          <Button onPress={onClose}>{t("取消")}</Button>
          <Button kind="primary" isDisabled={busy || reason.trim() === ""} onPress={() => void send()}>
            {t("退回")}
          </Button>
        </>
      }
    >
      <form
        ref={form}
        className={styles.two}
        onSubmit={(event) => {
          event.preventDefault();
          if (reason.trim() !== "") void send();
        }}
      >
        <label htmlFor="reject-reason">{t("写明哪里要改，对方改好会再发一版")}</label>
        <textarea
          id="reject-reason"
          className="input"
          style={{ height: "auto" }}
          rows={4}
          maxLength={500}
          value={reason}
          onChange={(event) => set({ reason: event.target.value })}
        />
      </form>
    </Dialog>
  );
}

/** What the contract is about, what a signature needs, and the signature itself. */
export function SignPanel({ contract, read, onDone }: { contract: ContractDetail; read: boolean; onDone: () => void }) {
  const t = useTranslate();
  const { dayTime } = useFormats();
  const { form, busy, refused, problems, mend, submit } = useSubmission<HTMLElement>();
  const [sent, setSent] = useState<SentCode>();
  const [digits, setDigits] = useState("");
  const [rejecting, setRejecting] = useState(false);
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
    <section ref={form} className={`card ${styles.side}`} aria-labelledby="sign-title">
      <h2 id="sign-title">{t(maySign ? "签这份合同" : "这份合同")}</h2>
      {contract.amountFen !== undefined && <p className={styles.sum}>{amountText(contract.amountFen)}</p>}
      <Facts
        rows={[
          [t("类型"), t(kindWords[contract.kind] ?? "")],
          [
            t("期限"),
            contract.endDay === "" ? "" : t("{from} 至 {until}", { from: contract.startDay, until: contract.endDay }),
          ],
          [
            t("签署期"),
            contract.state === "sent" || contract.state === "seen" ? dayTime(parseWireDateTime(contract.signBy)) : "",
          ],
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
              <Button onPress={() => setRejecting(true)} isDisabled={busy}>
                {t("退回并写明原因")}
              </Button>
            </div>
            <p className={styles.hint}>{t("签署后 PDF 末尾加一页签名页，写明时间、账号和哈希。任何人都能核验。")}</p>
          </form>
        </>
      )}
      {(contract.state === "sent" || contract.state === "seen") && !needs.right && (
        <p className={styles.hint}>{t("您可以看，不能签。请有“签合同”权限的成员来签。")}</p>
      )}
      {rejecting && <RejectDialog contract={contract} onClose={() => setRejecting(false)} onDone={onDone} />}
    </section>
  );
}
