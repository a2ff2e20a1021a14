import { contractDetail, contractDocument, contractSee, contractVersion } from "@herdwise/contract";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { Link, useSearchParams } from "react-router";
import { asApiError } from "../../shared/api/api-error.ts";
import { call } from "../../shared/api/call.ts";
import { contractStyles as styles } from "../../shared/contracts/contract-parts.tsx";
import { ContractView } from "../../shared/contracts/contract-view.tsx";
import { contractPaths } from "../../shared/contracts/words.ts";
import { TableSkeleton } from "../../shared/kit/table-skeleton.tsx";
import { useTranslate } from "../../shared/language/use-language.ts";
import { Crumbs } from "../../shared/lists/crumbs.tsx";
import { knownId } from "../../shared/lists/list-address.ts";
import { ExceptionView } from "../../shared/states/exception-view.tsx";
import { LoadingProblem } from "../../shared/states/loading-problem.tsx";
import { contractKey } from "./contract-key.ts";
import { SignPanel } from "./sign-panel.tsx";

/** One contract of the customer's: read, signed or sent back. */
export function ContractPage() {
  const t = useTranslate();
  const client = useQueryClient();
  const [search] = useSearchParams();
  const id = knownId(search.get("id")) ?? "";
  const [read, setRead] = useState("");
  const loaded = useQuery({
    queryKey: [...contractKey, "detail", id],
    queryFn: ({ signal }) => call(contractDetail, { query: { id }, signal, quiet: true }),
    enabled: id !== "",
    staleTime: 0,
  });
  const contract = loaded.data;
  const reload = (): void => void client.invalidateQueries({ queryKey: contractKey });
  const unseen = contract?.may.includes("see") === true;
  useEffect(() => {
    if (!unseen) return;
    // That it was opened is written down once; without an answer the next visit says it.
    call(contractSee, { body: { id }, quiet: true })
      .then(() => client.invalidateQueries({ queryKey: contractKey }))
      .catch(() => undefined);
  }, [unseen, id, client]);
  if (contract) {
    const place = `${contract.id} ${contract.version}`;
    return (
      <>
        <Crumbs more={[{ name: t("合同"), to: contractPaths.list }, { name: contract.number }]} />
        <ContractView
          key={place}
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
          aside={<SignPanel contract={contract} read={read === place} onDone={reload} />}
          onRead={() => setRead(place)}
        />
      </>
    );
  }
  return (
    <>
      <Crumbs />
      {(id === "" || loaded.error) && <h1 className="visually-hidden">{t("合同详情")}</h1>}
      {id === "" ? (
        <ExceptionView type="noSearchData" title={t("先选一份合同")} text={t("从列表点开一份，这里显示它的正文。")}>
          <Link className="btn primary" to={contractPaths.list}>
            {t("去列表")}
          </Link>
        </ExceptionView>
      ) : loaded.error ? (
        <LoadingProblem error={asApiError(loaded.error)} onRetry={() => void loaded.refetch()} what={t("合同")} />
      ) : (
        <section className={`card ${styles.list}`}>
          <TableSkeleton rows={8} />
        </section>
      )}
    </>
  );
}
