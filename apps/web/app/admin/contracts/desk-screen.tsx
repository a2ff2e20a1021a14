import {
  type ContractFigures,
  type ContractQueue,
  contractQueues,
  deskContractFigures,
  deskContractPage,
} from "@herdwise/contract";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { Link } from "react-router";
import { asApiError } from "../../shared/api/api-error.ts";
import { call } from "../../shared/api/call.ts";
import { amountText, ContractList, contractStyles as styles } from "../../shared/contracts/contract-parts.tsx";
import { contractPaths } from "../../shared/contracts/words.ts";
import { Icon } from "../../shared/icons/icon.tsx";
import { type Fact, Facts } from "../../shared/kit/facts.tsx";
import { TableSkeleton } from "../../shared/kit/table-skeleton.tsx";
import { useFormats, useTranslate } from "../../shared/language/use-language.ts";
import { Crumbs } from "../../shared/lists/crumbs.tsx";
import { WordField } from "../../shared/lists/filters.tsx";
import { known, knownId, readPaging, useListAddress } from "../../shared/lists/list-address.ts";
import { Paging } from "../../shared/lists/paging.tsx";
import { ExceptionView } from "../../shared/states/exception-view.tsx";
import { LoadingProblem } from "../../shared/states/loading-problem.tsx";
import { deskKey } from "./desk-key.ts";

const queueWords: Readonly<Record<ContractQueue, string>> = {
  waiting: "等客户签",
  overdue: "快过签署期",
  draft: "草稿",
  returned: "退回和过期",
  inForce: "生效中",
  ending: "30 天内到期",
  all: "全部",
};
const renewMs = 30_000;

function Figures({ figures }: { figures: ContractFigures | undefined }) {
  const t = useTranslate();
  const { number } = useFormats();
  const overdue = figures?.overdue ?? 0;
  const facts: readonly Fact[] = [
    {
      name: t("等客户签"),
      value: figures ? number(figures.waiting) : "--",
      note: overdue > 0 ? t("{count} 份快过签署期", { count: overdue }) : t("都还有时间"),
      bad: overdue > 0,
    },
    { name: t("退回和过期"), value: figures ? number(figures.returned) : "--", note: t("改好再发，或撤回") },
    {
      name: t("30 天签下"),
      value: figures ? number(figures.signed) : "--",
      note: figures ? amountText(figures.signedFen) : "",
    },
    {
      name: t("一半签得比这快"),
      value: figures?.hours === undefined ? "--" : t("{count} 小时", { count: number(figures.hours, 1) }),
      note: t("从发出到签署，近 30 天"),
    },
    {
      name: t("生效中"),
      value: figures ? number(figures.inForce) : "--",
      note: t("{count} 份 30 天内到期", { count: figures?.ending ?? 0 }),
    },
  ];
  return <Facts label={t("合同概况")} facts={facts} />;
}

/** The group's contracts: what waits for whom, and how fast customers sign. */
export function ContractDesk() {
  const t = useTranslate();
  const [search, change] = useListAddress("row");
  const queue = known(search.get("queue"), contractQueues) ?? "waiting";
  const batchId = knownId(search.get("batch"));
  const keyword = search.get("q") ?? "";
  const query = { ...readPaging(search), queue, ...(batchId && { batchId }), ...(keyword && { keyword }) };
  const loaded = useQuery({
    queryKey: [...deskKey, "page", query],
    queryFn: ({ signal }) => call(deskContractPage, { query, signal, quiet: true }),
    placeholderData: keepPreviousData,
    refetchInterval: renewMs,
  });
  const { data: figures } = useQuery({
    queryKey: [...deskKey, "figures"],
    queryFn: ({ signal }) => call(deskContractFigures, { signal, quiet: true }),
    refetchInterval: renewMs,
  });
  const page = loaded.data;
  return (
    <>
      <Crumbs />
      <div className="page-head">
        <h1>{t("合同管理")}</h1>
        <span className="spacer" />
        <Link className="btn" to={contractPaths.batch}>
          <Icon name="upload" small />
          {t("批量起草")}
        </Link>
        <Link className="btn primary" to={contractPaths.draft}>
          <Icon name="plus" small />
          {t("起草合同")}
        </Link>
      </div>
      <Figures figures={figures} />
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
          <fieldset className={styles.queues} aria-label={t("队列")}>
            {contractQueues.map((name) => (
              <button
                key={name}
                type="button"
                className="chip"
                aria-pressed={name === queue}
                onClick={() => change({ queue: name })}
              >
                {t(queueWords[name])}
                {figures && name !== "all" && <em>{figures[name]}</em>}
              </button>
            ))}
            {batchId && (
              <button type="button" className="chip" aria-pressed="true" onClick={() => change({ batch: undefined })}>
                {t("只看这一批")}
                <Icon name="close" small />
              </button>
            )}
          </fieldset>
          <WordField label={t("编号、名称、客户")} value={keyword} onChange={(q) => change({ q })} />
        </search>
        {!page && !loaded.error && <TableSkeleton rows={6} />}
        {page && page.records.length > 0 && (
          <ContractList
            contracts={page.records}
            ofCustomer={false}
            linkOf={({ id }) => `${contractPaths.deskDetail}?id=${id}`}
          />
        )}
        {page && page.records.length === 0 && (
          <ExceptionView
            type="empty"
            title={t(keyword ? "没有符合条件的" : "这个队列空了")}
            text={t(keyword ? "放宽条件再看，或清除全部条件。" : "新的来了会自己出现。")}
          />
        )}
        {page && page.total > 0 && (
          <Paging
            page={page}
            change={change}
            bounded={Boolean(keyword)}
            words={(range) => t("第 {from}–{to} 条，共 {total} 条", range)}
          />
        )}
      </section>
    </>
  );
}
