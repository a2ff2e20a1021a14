import {
  type Contract,
  type ContractFigures,
  type ContractQueue,
  contractQueues,
  deskContractFigures,
  deskContractPage,
} from "@herdwise/contract";
import { list, text } from "@herdwise/contract/resource";
import { useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { useNavigate } from "react-router";
import { useAddressValues } from "../../shared/address/use-address.ts";
import { call } from "../../shared/api/call.ts";
import { amountText, ContractList } from "../../shared/contracts/contract-parts.tsx";
import { contractPaths } from "../../shared/contracts/words.ts";
import { Icon } from "../../shared/icons/icon.tsx";
import { type Fact, Facts } from "../../shared/kit/facts.tsx";
import { useFormats, useTranslate } from "../../shared/language/use-language.ts";
import { knownId } from "../../shared/lists/list-address.ts";
import { ListScreen } from "../../shared/resource/list-screen.tsx";
import { useList } from "../../shared/resource/use-list.ts";
import { deskKey, deskListName } from "./desk-key.ts";

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

const deskList = list({
  name: deskListName,
  path: "/api/muyuan-contract/desk",
  page: deskContractPage.path,
  bounded: true,
  renewMs,
  given: { queue: "waiting" },
  words: { one: "合同", many: "合同管理" },
  title: "title",
  views: contractQueues.map((queue) => ({ id: queue, name: queueWords[queue], where: { queue } })),
  fields: {
    number: text("编号", { max: 20, search: true }),
    title: text("名称", { max: 60, search: true }),
    customer: text("客户", { max: 60, search: true }),
  },
});

function Figures({ figures }: { figures: ContractFigures | undefined }) {
  const t = useTranslate();
  const { number } = useFormats();
  const overdue = figures?.overdue ?? 0;
  const facts: readonly Fact[] = [
    // How many stand in each queue is told by the tabs.
    {
      name: t("快过签署期"),
      value: figures ? number(overdue) : "--",
      note: overdue > 0 ? t("不到两天，催客户签") : t("都还有时间"),
      bad: overdue > 0,
    },
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
  ];
  return <Facts label={t("合同概况")} facts={facts} />;
}

/** The group's contracts: what waits for whom, and how fast customers sign. */
export function ContractDesk() {
  const t = useTranslate();
  const navigate = useNavigate();
  const [search, change] = useAddressValues();
  const batchId = knownId(search.get("batch"));
  const of = useMemo(() => (batchId ? { ...deskList, given: { ...deskList.given, batchId } } : deskList), [batchId]);
  const { data: figures } = useQuery({
    queryKey: [...deskKey, "figures"],
    queryFn: ({ signal }) => call(deskContractFigures, { signal, quiet: true }),
    refetchInterval: renewMs,
  });
  return (
    <ListScreen
      list={useList(of)}
      actionsOnAll={[
        {
          id: "batch",
          icon: "upload",
          name: t("批量起草"),
          onAction: () => void navigate(contractPaths.batch),
        },
      ]}
      main={{ icon: "plus", name: t("起草合同"), onAction: () => void navigate(contractPaths.draft) }}
      counts={figures ?? {}}
      tools={
        batchId && (
          <button
            type="button"
            className="chip"
            aria-pressed="true"
            onClick={() => change({ batch: undefined, page: undefined })}
          >
            {t("只看这一批")}
            <Icon name="close" small />
          </button>
        )
      }
      rows={(rows) => (
        <ContractList
          contracts={rows as readonly unknown[] as readonly Contract[]}
          ofCustomer={false}
          linkOf={({ id }) => `${contractPaths.deskDetail}?id=${id}`}
        />
      )}
    >
      <Figures figures={figures} />
    </ListScreen>
  );
}
