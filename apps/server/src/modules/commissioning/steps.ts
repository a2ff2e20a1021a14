import { commissioningProcess } from "@herdwise/contract";
import { refuse } from "../../http/errors.ts";
import { createProcess, type StepParts } from "../../processes/index.ts";
import type { SystemScope, TenantScope } from "../../tenant-scope.ts";
import type { CommissioningRepository, CommissioningRow, ItemChange } from "./commissioning.repository.ts";

/** What one transaction of a list works with. */
export interface CommissioningParts extends StepParts {
  lists: CommissioningRepository;
}

/** What a step writes beside the state. */
export interface CommissioningStep {
  item?: ItemChange;
  signed?: { body: string; hash: Buffer; accountId: string; name: string };
}

/** The steps of commissioning lists. */
export const createCommissioningProcess = (nextId: () => string) =>
  createProcess(commissioningProcess, {
    find: (parts: CommissioningParts, by: TenantScope | SystemScope, id: string) => parts.lists.find(by, id, true),
    title: ({ houseName, unitName }: CommissioningRow) => `${houseName} ${unitName}`,
    changed: () => refuse("commissioning.changed"),
    async move({ lists }, { by, row, state }, { item, signed }: CommissioningStep = {}) {
      if (item !== undefined && !(await lists.change(by, item)))
        throw refuse("commissioning.photo", { field: "photo" });
      await lists.move(by, row.id, state, signed);
    },
    receivers: {},
    nextId,
  });
export type CommissioningProcess = ReturnType<typeof createCommissioningProcess>;
