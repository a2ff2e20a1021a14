import { type Contract, contractPage, contractSummary } from "@herdwise/contract";
import { list, text } from "@herdwise/contract/resource";
import { useQuery } from "@tanstack/react-query";
import { Link } from "react-router";
import { call } from "../../shared/api/call.ts";
import { ContractList } from "../../shared/contracts/contract-parts.tsx";
import { contractPaths } from "../../shared/contracts/words.ts";
import { Icon } from "../../shared/icons/icon.tsx";
import { useTranslate } from "../../shared/language/use-language.ts";
import { StateTag } from "../../shared/process/state-tag.tsx";
import { ListScreen } from "../../shared/resource/list-screen.tsx";
import { useList } from "../../shared/resource/use-list.ts";
import { contractKey, contractListName } from "./contract-key.ts";

const renewMs = 60_000;

const contractList = list({
  name: contractListName,
  path: "/api/muyuan-contract/contract",
  page: contractPage.path,
  renewMs,
  words: { one: "合同", many: "合同" },
  title: "title",
  views: [
    { id: "waiting", name: "等您签", where: { list: "waiting" } },
    { id: "inForce", name: "生效中", where: { list: "inForce" } },
    { id: "over", name: "已了结", where: { list: "over" } },
  ],
  fields: {
    number: text("编号", { max: 20, search: true }),
    title: text("名称", { max: 60, search: true }),
  },
});

/** The customer's contracts, what waits for an answer first. */
export function Contracts() {
  const t = useTranslate();
  const { data: summary } = useQuery({
    queryKey: [...contractKey, "summary"],
    queryFn: ({ signal }) => call(contractSummary, { signal, quiet: true }),
    refetchInterval: renewMs,
  });
  return (
    <ListScreen
      list={useList(contractList)}
      counts={summary ?? {}}
      note={
        summary !== undefined &&
        summary.ending > 0 && (
          <StateTag plain mark="minor" word="{count} 份 30 天内到期" values={{ count: summary.ending }} />
        )
      }
      head={
        <Link className="btn" to={contractPaths.history}>
          <Icon name="history" small />
          {t("合同记录")}
        </Link>
      }
      nothing="集团发来的合同会出现在这里，并给能签的人发消息。"
      rows={(rows) => (
        <ContractList
          contracts={rows as readonly unknown[] as readonly Contract[]}
          ofCustomer
          linkOf={({ id }) => `${contractPaths.detail}?id=${id}`}
        />
      )}
    />
  );
}
