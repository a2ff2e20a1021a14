import { contractHistory } from "@herdwise/contract";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { asApiError } from "../../shared/api/api-error.ts";
import { call } from "../../shared/api/call.ts";
import { Happenings, contractStyles as styles } from "../../shared/contracts/contract-parts.tsx";
import { contractPaths } from "../../shared/contracts/words.ts";
import { Button } from "../../shared/kit/button.tsx";
import { TableSkeleton } from "../../shared/kit/table-skeleton.tsx";
import { useTranslate } from "../../shared/language/use-language.ts";
import { Crumbs } from "../../shared/lists/crumbs.tsx";
import { knownId, readPaging, useListAddress } from "../../shared/lists/list-address.ts";
import { Paging } from "../../shared/lists/paging.tsx";
import { ExceptionView } from "../../shared/states/exception-view.tsx";
import { LoadingProblem } from "../../shared/states/loading-problem.tsx";
import { contractKey } from "./contract-key.ts";

/** Who did what with the customer's contracts, and when; or with one of them. */
export function ContractRecord() {
  const t = useTranslate();
  const [search, change] = useListAddress("row");
  const id = knownId(search.get("id"));
  const query = { ...readPaging(search), ...(id && { id }) };
  const loaded = useQuery({
    queryKey: [...contractKey, "history", query],
    queryFn: ({ signal }) => call(contractHistory, { query, signal, quiet: true }),
    placeholderData: keepPreviousData,
  });
  const page = loaded.data;
  const [first] = page?.records ?? [];
  return (
    <>
      <Crumbs />
      <div className="page-head">
        <h1>{t("合同记录")}</h1>
        {id && first && <span className="mut num">{first.number}</span>}
        <span className="spacer" />
        {id && <Button onPress={() => change({ id: undefined })}>{t("看全部合同的记录")}</Button>}
      </div>
      {loaded.error && (
        <LoadingProblem
          error={asApiError(loaded.error)}
          onRetry={() => void loaded.refetch()}
          what={t("合同记录")}
          kept={page !== undefined}
        />
      )}
      <section className={`card ${styles.list}`} aria-label={t("合同记录")}>
        {!page && !loaded.error && <TableSkeleton rows={6} />}
        {page && page.records.length > 0 && (
          <Happenings
            happenings={page.records}
            linkOf={({ contractId }) => `${contractPaths.detail}?id=${contractId}`}
          />
        )}
        {page && page.records.length === 0 && (
          <ExceptionView
            type="empty"
            title={t("还没有记录")}
            text={t("发出、打开、签署、退回，谁在什么时候做的，都记在这里。")}
          />
        )}
        {page && page.total > 0 && (
          <Paging page={page} change={change} words={(range) => t("第 {from}–{to} 条，共 {total} 条", range)} />
        )}
      </section>
    </>
  );
}
