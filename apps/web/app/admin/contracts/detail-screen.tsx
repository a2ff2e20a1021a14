import {
  type DeskContractDetail,
  deskContractDetail,
  deskContractDocument,
  deskContractEnd,
  deskContractSend,
  deskContractVersion,
  deskContractWithdraw,
  priceTerms,
} from "@herdwise/contract";
import { call } from "../../shared/api/call.ts";
import {
  amountText,
  Happenings,
  isWaiting,
  Need,
  contractStyles as styles,
} from "../../shared/contracts/contract-parts.tsx";
import { ContractView } from "../../shared/contracts/contract-view.tsx";
import { TermUse } from "../../shared/contracts/term-use.tsx";
import { contractPaths, kindWords } from "../../shared/contracts/words.ts";
import { Translated } from "../../shared/language/translated.tsx";
import { useTranslate } from "../../shared/language/use-language.ts";
import { Crumbs } from "../../shared/lists/crumbs.tsx";
import { ActionBar } from "../../shared/process/action-bar.tsx";
import { asks } from "../../shared/process/event-dialog.tsx";
import processStyles from "../../shared/process/process.module.css";
import { ProcessPage, RowFacts } from "../../shared/process/process-page.tsx";
import { deskKey } from "./desk-key.ts";

function DeskPanel({ contract, onDone }: { contract: DeskContractDetail; onDone: () => void }) {
  const t = useTranslate();
  const { id, revision, may, needs } = contract;
  return (
    <section className={`card ${processStyles.side}`} aria-labelledby="desk-title">
      <h2 id="desk-title">{t("这份合同")}</h2>
      {contract.amountFen !== undefined && <p className={styles.sum}>{amountText(contract.amountFen)}</p>}
      <RowFacts
        rows={[
          [t("客户"), <Translated key="customer" text={contract.customer} />],
          [t("类型"), t(kindWords[contract.kind] ?? "")],
          [
            t("期限"),
            contract.endDay === "" ? "" : t("{from} 至 {until}", { from: contract.startDay, until: contract.endDay }),
          ],
          [t("模板"), <Translated key="template" text={contract.templateName} />],
          // The head tells by when it is signed.
          [t("签署期"), contract.signBy === "" ? t("发出后 {count} 天", { count: contract.signDays }) : ""],
        ]}
      />
      {(may.includes("send") || isWaiting(contract)) && (
        <ul className={styles.needs}>
          <Need met={needs.proven}>{t(needs.proven ? "客户已实名" : "客户还没有实名，签之前要先通过")}</Need>
          <Need met={needs.right}>{t(needs.right ? "客户有人能签" : "客户没有人有“签合同”的权限")}</Need>
        </ul>
      )}
      <div className={styles.sign}>
        <ActionBar
          row={contract}
          prefix="desk"
          reload={onDone}
          actions={[
            {
              event: "send",
              word: "代表集团签署并发出",
              busyWord: "正在生成文件",
              kind: "primary",
              icon: "send",
              isDisabled: !needs.right,
              act: () => call(deskContractSend, { body: { id, revision } }),
              done: "已签署并发出，能签的人收到了消息",
            },
            {
              event: "revise",
              word: contract.state === "draft" ? "修改草稿" : "改一版",
              icon: "edit",
              to: `${contractPaths.draft}?id=${id}`,
            },
            {
              event: "withdraw",
              word: "撤回",
              title: "撤回合同",
              done: "已撤回",
              ask: asks({
                action: t("撤回"),
                kind: "danger",
                fields: { reason: { label: t("为什么撤回，客户会看到"), rows: 3 } },
                send: (typed) => call(deskContractWithdraw, { body: { id, revision, ...typed }, quiet: true }),
              }),
            },
            {
              event: "end",
              word: "提前终止",
              title: "提前终止合同",
              done: "已写明终止",
              ask: asks({
                action: t("终止"),
                kind: "danger",
                fields: { reason: { label: t("双方为什么终止，客户会看到"), rows: 3 } },
                send: (typed) => call(deskContractEnd, { body: { id, revision, ...typed }, quiet: true }),
              }),
            },
          ]}
        />
        {may.includes("send") && <p className={styles.hint}>{t("发出时生成 PDF 并封存，之后每个字都不会变。")}</p>}
      </div>
    </section>
  );
}

/** One contract at the group's desk. */
export function DeskContract() {
  const t = useTranslate();
  return (
    <ProcessPage
      queryKey={deskKey}
      load={(id, signal) => call(deskContractDetail, { query: { id }, signal, quiet: true })}
      title="处理合同"
      what="合同"
      unchosen={["先选一份合同", "从列表点开一份，这里显示它的正文。"]}
      list={contractPaths.desk}
    >
      {(contract, reload) => (
        <>
          <Crumbs more={[{ name: t("合同管理"), to: contractPaths.desk }, { name: contract.number }]} />
          <ContractView
            key={`${contract.id} ${contract.version}`}
            contract={contract}
            ofCustomer={false}
            queryKey={deskKey}
            loadVersion={(version, signal) =>
              call(deskContractVersion, { query: { id: contract.id, version }, signal, quiet: true })
            }
            makeFile={() => call(deskContractDocument, { body: { id: contract.id }, quiet: true })}
            aside={<DeskPanel contract={contract} onDone={reload} />}
          >
            <TermUse terms={contract.termUse} path={priceTerms.menu.path} />
            <section className="card" aria-labelledby="record-title">
              <header>
                <h2 id="record-title">{t("合同记录")}</h2>
              </header>
              <Happenings happenings={contract.history} />
            </section>
          </ContractView>
        </>
      )}
    </ProcessPage>
  );
}
