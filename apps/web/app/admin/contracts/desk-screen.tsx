import {
  type ContractFigures,
  type ContractQueue,
  contractQueues,
  deskContractFigures,
  deskContractPage,
} from "@herdwise/contract";
import { useQuery } from "@tanstack/react-query";
import { Link } from "react-router";
import { call } from "../../shared/api/call.ts";
import { amountText, ContractList } from "../../shared/contracts/contract-parts.tsx";
import { contractPaths } from "../../shared/contracts/words.ts";
import { Icon } from "../../shared/icons/icon.tsx";
import { type Fact, Facts } from "../../shared/kit/facts.tsx";
import { useFormats, useTranslate } from "../../shared/language/use-language.ts";
import { known, knownId } from "../../shared/lists/list-address.ts";
import { keywordOf, QueueScreen, useQueue } from "../../shared/process/queue-screen.tsx";
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
  const queue = useQueue({
    key: deskKey,
    renewMs,
    read: (search) => ({
      queue: known(search.get("queue"), contractQueues) ?? "waiting",
      batchId: knownId(search.get("batch")),
      keyword: keywordOf(search),
    }),
    load: (query, signal) => call(deskContractPage, { query, signal, quiet: true }),
  });
  const { data: figures } = useQuery({
    queryKey: [...deskKey, "figures"],
    queryFn: ({ signal }) => call(deskContractFigures, { signal, quiet: true }),
    refetchInterval: renewMs,
  });
  return (
    <QueueScreen
      queue={queue}
      title={t("合同管理")}
      what={t("合同")}
      head={
        <>
          <span className="spacer" />
          <Link className="btn" to={contractPaths.batch}>
            <Icon name="upload" small />
            {t("批量起草")}
          </Link>
          <Link className="btn primary" to={contractPaths.draft}>
            <Icon name="plus" small />
            {t("起草合同")}
          </Link>
        </>
      }
      facts={<Figures figures={figures} />}
      chips={{
        parameter: "queue",
        label: t("队列"),
        words: queueWords,
        chosen: queue.values.queue,
        counts: figures && { ...figures, all: undefined },
      }}
      moreChips={
        queue.values.batchId && (
          <button type="button" className="chip" aria-pressed="true" onClick={() => queue.change({ batch: undefined })}>
            {t("只看这一批")}
            <Icon name="close" small />
          </button>
        )
      }
      word={t("编号、名称、客户")}
    >
      {(contracts) => (
        <ContractList
          contracts={contracts}
          ofCustomer={false}
          linkOf={({ id }) => `${contractPaths.deskDetail}?id=${id}`}
        />
      )}
    </QueueScreen>
  );
}
