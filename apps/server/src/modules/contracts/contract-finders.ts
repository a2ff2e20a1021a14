import { contractDetail, contractPage, deskContractDetail, deskContractPage } from "@herdwise/contract";
import { type Finder, numberedRow } from "../../finder.ts";
import type { ContractRepository } from "./contract.repository.ts";

const shared = { kind: "contract", name: "合同", icon: "sheet" } as const;

/** Find contracts, as the group's desk and as customers have them. */
export const contractFinders = (contracts: Pick<ContractRepository, "page" | "deskPage">): Finder[] => [
  {
    ...shared,
    page: deskContractPage,
    detail: deskContractDetail,
    of: "group",
    read: async (scope, ids) =>
      (await contracts.deskPage(scope, { queue: "all", ids }, { offset: 0, limit: ids.length })).rows.map((row) => ({
        ...numberedRow(row, "/customer/contract/detail"),
        within: [row.customer],
      })),
  },
  {
    ...shared,
    page: contractPage,
    detail: contractDetail,
    of: "customers",
    read: async (scope, ids) =>
      (await contracts.page(scope, { list: "all", ids }, { offset: 0, limit: ids.length })).rows.map((row) =>
        numberedRow(row, "/selfCenter/contractManage/detail"),
      ),
  },
];
