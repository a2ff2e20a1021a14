import {
  type ContractDetail,
  contractDetail,
  contractDocument,
  contractSee,
  contractVersion,
  priceTerms,
} from "@herdwise/contract";
import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { Link } from "react-router";
import { call } from "../../shared/api/call.ts";
import { ContractView } from "../../shared/contracts/contract-view.tsx";
import { TermUse } from "../../shared/contracts/term-use.tsx";
import { contractPaths } from "../../shared/contracts/words.ts";
import { useTranslate } from "../../shared/language/use-language.ts";
import { Crumbs } from "../../shared/lists/crumbs.tsx";
import { ProcessPage } from "../../shared/process/process-page.tsx";
import { contractKey } from "./contract-key.ts";
import { SignPanel } from "./sign-panel.tsx";

function View({ contract, reload }: { contract: ContractDetail; reload: () => void }) {
  const t = useTranslate();
  const client = useQueryClient();
  const [read, setRead] = useState(false);
  const { id } = contract;
  const unseen = contract.may.includes("see");
  useEffect(() => {
    if (!unseen) return;
    // That it was opened is written down once; without an answer the next visit says it.
    call(contractSee, { body: { id }, quiet: true })
      .then(() => client.invalidateQueries({ queryKey: contractKey }))
      .catch(() => undefined);
  }, [unseen, id, client]);
  return (
    <>
      <Crumbs more={[{ name: t("合同"), to: contractPaths.list }, { name: contract.number }]} />
      <ContractView
        contract={contract}
        ofCustomer
        queryKey={contractKey}
        loadVersion={(version, signal) => call(contractVersion, { query: { id, version }, signal, quiet: true })}
        makeFile={() => call(contractDocument, { body: { id }, quiet: true })}
        actions={
          <Link className="btn" to={`${contractPaths.history}?id=${id}`}>
            {t("这份合同的记录")}
          </Link>
        }
        aside={<SignPanel contract={contract} read={read} onDone={reload} />}
        onRead={() => setRead(true)}
      >
        <TermUse terms={contract.termUse} path={priceTerms.customerMenu.path} />
      </ContractView>
    </>
  );
}

/** One contract of the customer's: read, signed or sent back. */
export const ContractPage = () => (
  <ProcessPage
    queryKey={contractKey}
    load={(id, signal) => call(contractDetail, { query: { id }, signal, quiet: true })}
    title="合同详情"
    what="合同"
    unchosen={["先选一份合同", "从列表点开一份，这里显示它的正文。"]}
    list={contractPaths.list}
  >
    {(contract, reload) => <View key={`${contract.id} ${contract.version}`} contract={contract} reload={reload} />}
  </ProcessPage>
);
