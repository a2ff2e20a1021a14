import {
  type DeskContractDetail,
  deskContractDetail,
  deskContractDocument,
  deskContractEnd,
  deskContractSend,
  deskContractVersion,
  deskContractWithdraw,
} from "@herdwise/contract";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { Link, useSearchParams } from "react-router";
import { asApiError } from "../../shared/api/api-error.ts";
import { call } from "../../shared/api/call.ts";
import {
  amountText,
  Facts,
  Happenings,
  Need,
  contractStyles as styles,
} from "../../shared/contracts/contract-parts.tsx";
import { ContractView } from "../../shared/contracts/contract-view.tsx";
import { contractPaths, kindWords } from "../../shared/contracts/words.ts";
import { Refusal } from "../../shared/forms/refusal.tsx";
import { useSubmission } from "../../shared/forms/use-submission.ts";
import { Icon } from "../../shared/icons/icon.tsx";
import { Button } from "../../shared/kit/button.tsx";
import { Dialog } from "../../shared/kit/dialog.tsx";
import { TableSkeleton } from "../../shared/kit/table-skeleton.tsx";
import { parseWireDateTime } from "../../shared/language/format.ts";
import { tellIn } from "../../shared/language/tell.ts";
import { Translated } from "../../shared/language/translated.tsx";
import { useFormats, useTranslate } from "../../shared/language/use-language.ts";
import { Crumbs } from "../../shared/lists/crumbs.tsx";
import { knownId } from "../../shared/lists/list-address.ts";
import { useDraft } from "../../shared/resource/use-draft.ts";
import { useAccess } from "../../shared/session/access-context.ts";
import { ExceptionView } from "../../shared/states/exception-view.tsx";
import { LoadingProblem } from "../../shared/states/loading-problem.tsx";
import { showToast } from "../../shared/states/toast-store.ts";
import { deskKey } from "./desk-key.ts";

const asked = {
  withdraw: {
    title: "撤回合同",
    label: "为什么撤回，客户会看到",
    action: "撤回",
    operation: deskContractWithdraw,
    done: "已撤回",
  },
  end: {
    title: "提前终止合同",
    label: "双方为什么终止，客户会看到",
    action: "终止",
    operation: deskContractEnd,
    done: "已写明终止",
  },
} as const;

/** Takes a contract back or ends it, with the reason. */
function ReasonDialog({
  contract,
  what,
  onClose,
}: {
  contract: DeskContractDetail;
  what: keyof typeof asked;
  onClose: (changed: boolean) => void;
}) {
  const t = useTranslate();
  const { user } = useAccess();
  const [{ reason }, set, forget] = useDraft(`${user.user_id}_contract-${what}_${contract.id}`, { reason: "" });
  const { busy, refused, submit } = useSubmission();
  const { title, label, action, operation, done } = asked[what];
  const send = async (): Promise<void> => {
    const body = { id: contract.id, revision: contract.revision, reason };
    if (!(await submit(() => call(operation, { body, quiet: true })))) return;
    forget();
    showToast({ kind: "ok", text: done });
    onClose(true);
  };
  return (
    <Dialog
      title={t(title)}
      onClose={() => onClose(false)}
      footer={
        <>
          <Refusal text={refused} />
          <Button onPress={() => onClose(false)}>{t("取消")}</Button>
          <Button kind="danger" isDisabled={busy || reason.trim() === ""} onPress={() => void send()}>
            {t(action)}
          </Button>
        </>
      }
    >
      <div className={styles.two}>
        <label htmlFor="desk-reason">{t(label)}</label>
        <textarea
          id="desk-reason"
          className="input"
          style={{ height: "auto" }}
          rows={3}
          maxLength={500}
          value={reason}
          onChange={(event) => set({ reason: event.target.value })}
        />
      </div>
    </Dialog>
  );
}

function DeskPanel({ contract, onDone }: { contract: DeskContractDetail; onDone: () => void }) {
  const t = useTranslate();
  const { dayTime } = useFormats();
  const [busy, setBusy] = useState(false);
  const [reasoned, setReasoned] = useState<keyof typeof asked>();
  const { id, revision, may, needs } = contract;
  const send = async (): Promise<void> => {
    setBusy(true);
    try {
      await call(deskContractSend, { body: { id, revision }, quiet: true });
      showToast({ kind: "ok", text: "已签署并发出，能签的人收到了消息" });
    } catch (error) {
      showToast({ kind: "error", text: tellIn(t, asApiError(error)) });
    } finally {
      setBusy(false);
      onDone();
    }
  };
  return (
    <section className={`card ${styles.side}`} aria-labelledby="desk-title">
      <h2 id="desk-title">{t("这份合同")}</h2>
      {contract.amountFen !== undefined && <p className={styles.sum}>{amountText(contract.amountFen)}</p>}
      <Facts
        rows={[
          [t("客户"), <Translated key="customer" text={contract.customer} />],
          [t("类型"), t(kindWords[contract.kind] ?? "")],
          [
            t("期限"),
            contract.endDay === "" ? "" : t("{from} 至 {until}", { from: contract.startDay, until: contract.endDay }),
          ],
          [t("模板"), <Translated key="template" text={contract.templateName} />],
          [
            t("签署期"),
            contract.signBy === ""
              ? t("发出后 {count} 天", { count: contract.signDays })
              : dayTime(parseWireDateTime(contract.signBy)),
          ],
        ]}
      />
      {(may.includes("send") || contract.state === "sent" || contract.state === "seen") && (
        <ul className={styles.needs}>
          <Need met={needs.proven}>{t(needs.proven ? "客户已实名" : "客户还没有实名，签之前要先通过")}</Need>
          <Need met={needs.right}>{t(needs.right ? "客户有人能签" : "客户没有人有“签合同”的权限")}</Need>
        </ul>
      )}
      <div className={styles.sign}>
        {may.includes("send") && (
          <Button kind="primary" icon="send" isDisabled={busy || !needs.right} onPress={() => void send()}>
            {t(busy ? "正在生成文件" : "代表集团签署并发出")}
          </Button>
        )}
        {may.includes("revise") && (
          <Link className="btn" to={`${contractPaths.draft}?id=${id}`}>
            <Icon name="edit" small />
            {t(contract.state === "draft" ? "修改草稿" : "改一版")}
          </Link>
        )}
        {may.includes("withdraw") && <Button onPress={() => setReasoned("withdraw")}>{t("撤回")}</Button>}
        {may.includes("end") && <Button onPress={() => setReasoned("end")}>{t("提前终止")}</Button>}
        {may.includes("send") && <p className={styles.hint}>{t("发出时生成 PDF 并封存，之后每个字都不会变。")}</p>}
      </div>
      {reasoned && (
        <ReasonDialog
          contract={contract}
          what={reasoned}
          onClose={(changed) => {
            setReasoned(undefined);
            if (changed) onDone();
          }}
        />
      )}
    </section>
  );
}

/** One contract at the group's desk. */
export function DeskContract() {
  const t = useTranslate();
  const client = useQueryClient();
  const [search] = useSearchParams();
  const id = knownId(search.get("id")) ?? "";
  const loaded = useQuery({
    queryKey: [...deskKey, "detail", id],
    queryFn: ({ signal }) => call(deskContractDetail, { query: { id }, signal, quiet: true }),
    enabled: id !== "",
    staleTime: 0,
  });
  const contract = loaded.data;
  if (contract)
    return (
      <>
        <Crumbs more={[{ name: t("合同管理"), to: contractPaths.desk }, { name: contract.number }]} />
        <ContractView
          key={`${contract.id} ${contract.version}`}
          contract={contract}
          ofCustomer={false}
          queryKey={deskKey}
          loadVersion={(version, signal) => call(deskContractVersion, { query: { id, version }, signal, quiet: true })}
          makeFile={() => call(deskContractDocument, { body: { id }, quiet: true })}
          aside={<DeskPanel contract={contract} onDone={() => void client.invalidateQueries({ queryKey: deskKey })} />}
        >
          <section className="card" aria-labelledby="record-title">
            <header>
              <h2 id="record-title">{t("合同记录")}</h2>
            </header>
            <Happenings happenings={contract.history} />
          </section>
        </ContractView>
      </>
    );
  return (
    <>
      <Crumbs />
      {(id === "" || loaded.error) && <h1 className="visually-hidden">{t("处理合同")}</h1>}
      {id === "" ? (
        <ExceptionView type="noSearchData" title={t("先选一份合同")} text={t("从列表点开一份，这里显示它的正文。")}>
          <Link className="btn primary" to={contractPaths.desk}>
            {t("去列表")}
          </Link>
        </ExceptionView>
      ) : loaded.error ? (
        <LoadingProblem error={asApiError(loaded.error)} onRetry={() => void loaded.refetch()} what={t("合同")} />
      ) : (
        <TableSkeleton rows={8} />
      )}
    </>
  );
}
