import { contractLists, contractPage, contractSummary } from "@herdwise/contract";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { Link } from "react-router";
import { asApiError } from "../../shared/api/api-error.ts";
import { call } from "../../shared/api/call.ts";
import { ContractList, contractStyles as styles } from "../../shared/contracts/contract-parts.tsx";
import { contractPaths } from "../../shared/contracts/words.ts";
import { Icon } from "../../shared/icons/icon.tsx";
import { Mark } from "../../shared/icons/mark.tsx";
import { TableSkeleton } from "../../shared/kit/table-skeleton.tsx";
import { useTranslate } from "../../shared/language/use-language.ts";
import { Crumbs } from "../../shared/lists/crumbs.tsx";
import { WordField } from "../../shared/lists/filters.tsx";
import { known, readPaging, useListAddress } from "../../shared/lists/list-address.ts";
import { Paging } from "../../shared/lists/paging.tsx";
import { ExceptionView } from "../../shared/states/exception-view.tsx";
import { LoadingProblem } from "../../shared/states/loading-problem.tsx";
import { contractKey } from "./contract-key.ts";

const listNames = { waiting: "等您签", inForce: "生效中", over: "已了结", all: "全部" } as const;
const renewMs = 60_000;

/** The customer's contracts, what waits for an answer first. */
export function Contracts() {
  const t = useTranslate();
  const [search, change] = useListAddress("row");
  const list = known(search.get("list"), contractLists) ?? "all";
  const keyword = search.get("q") ?? "";
  const query = { ...readPaging(search), list, ...(keyword && { keyword }) };
  const loaded = useQuery({
    queryKey: [...contractKey, "page", query],
    queryFn: ({ signal }) => call(contractPage, { query, signal, quiet: true }),
    placeholderData: keepPreviousData,
    refetchInterval: renewMs,
  });
  const { data: summary } = useQuery({
    queryKey: [...contractKey, "summary"],
    queryFn: ({ signal }) => call(contractSummary, { signal, quiet: true }),
    refetchInterval: renewMs,
  });
  const counts = { waiting: summary?.waiting, inForce: summary?.inForce, over: undefined, all: undefined };
  const page = loaded.data;
  const filtered = list !== "all" || keyword !== "";
  return (
    <>
      <Crumbs />
      <div className="page-head">
        <h1>{t("合同")}</h1>
        {summary !== undefined && summary.ending > 0 && (
          <span className="state minor">
            <Mark name="minor" />
            {t("{count} 份 30 天内到期", { count: summary.ending })}
          </span>
        )}
        <span className="spacer" />
        <Link className="btn" to={contractPaths.history}>
          <Icon name="history" small />
          {t("合同记录")}
        </Link>
      </div>
      {loaded.error && (
        <LoadingProblem
          error={asApiError(loaded.error)}
          onRetry={() => void loaded.refetch()}
          what={t("合同")}
          kept={page !== undefined}
        />
      )}
      <section className={`card ${styles.list}`} aria-label={t("合同")}>
        <search className="filters">
          <fieldset className={styles.queues} aria-label={t("状态")}>
            {contractLists.toReversed().map((one) => (
              <button
                key={one}
                type="button"
                className="chip"
                aria-pressed={list === one}
                onClick={() => change({ list: one === "all" ? undefined : one })}
              >
                {t(listNames[one])}
                {counts[one] !== undefined && <em>{counts[one]}</em>}
              </button>
            ))}
          </fieldset>
          <WordField label={t("编号、名称")} value={keyword} onChange={(q) => change({ q })} />
        </search>
        {!page && !loaded.error && <TableSkeleton rows={5} />}
        {page && page.records.length > 0 && (
          <ContractList contracts={page.records} ofCustomer linkOf={({ id }) => `${contractPaths.detail}?id=${id}`} />
        )}
        {page && page.records.length === 0 && (
          <ExceptionView
            type="empty"
            title={t(filtered ? "没有符合条件的" : "还没有合同")}
            text={t(filtered ? "放宽条件再看，或清除全部条件。" : "集团发来的合同会出现在这里，并给能签的人发消息。")}
          />
        )}
        {page && page.total > 0 && (
          <Paging page={page} change={change} words={(range) => t("第 {from}–{to} 条，共 {total} 条", range)} />
        )}
      </section>
    </>
  );
}
