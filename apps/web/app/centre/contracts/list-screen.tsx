import { contractPage, contractSummary } from "@herdwise/contract";
import { useQuery } from "@tanstack/react-query";
import { Link } from "react-router";
import { call } from "../../shared/api/call.ts";
import { ContractList } from "../../shared/contracts/contract-parts.tsx";
import { contractPaths } from "../../shared/contracts/words.ts";
import { Icon } from "../../shared/icons/icon.tsx";
import { useTranslate } from "../../shared/language/use-language.ts";
import { known } from "../../shared/lists/list-address.ts";
import { keywordOf, QueueScreen, useQueue } from "../../shared/process/queue-screen.tsx";
import { StateTag } from "../../shared/process/state-tag.tsx";
import { contractKey } from "./contract-key.ts";

const listNames = { over: "已了结", inForce: "生效中", waiting: "等您签" } as const;
const renewMs = 60_000;

/** The customer's contracts, what waits for an answer first. */
export function Contracts() {
  const t = useTranslate();
  const queue = useQueue({
    key: contractKey,
    renewMs,
    read: (search) => ({
      list: known(search.get("list"), ["over", "inForce", "waiting"]),
      keyword: keywordOf(search),
    }),
    load: (query, signal) => call(contractPage, { query, signal, quiet: true }),
  });
  const { data: summary } = useQuery({
    queryKey: [...contractKey, "summary"],
    queryFn: ({ signal }) => call(contractSummary, { signal, quiet: true }),
    refetchInterval: renewMs,
  });
  return (
    <QueueScreen
      queue={queue}
      title={t("合同")}
      head={
        <>
          {summary !== undefined && summary.ending > 0 && (
            <StateTag plain mark="minor" word="{count} 份 30 天内到期" values={{ count: summary.ending }} />
          )}
          <span className="spacer" />
          <Link className="btn" to={contractPaths.history}>
            <Icon name="history" small />
            {t("合同记录")}
          </Link>
        </>
      }
      chips={{
        parameter: "list",
        label: t("状态"),
        words: listNames,
        chosen: queue.values.list,
        all: true,
        counts: summary && { waiting: summary.waiting, inForce: summary.inForce },
      }}
      word={t("编号、名称")}
      empty={[t("还没有合同"), t("集团发来的合同会出现在这里，并给能签的人发消息。")]}
    >
      {(contracts) => (
        <ContractList contracts={contracts} ofCustomer linkOf={({ id }) => `${contractPaths.detail}?id=${id}`} />
      )}
    </QueueScreen>
  );
}
