import { type RealNameStep, realNameProcess } from "@herdwise/contract";
import { refuse } from "../../http/errors.ts";
import { createProcess, type DueRepository, type StepParts } from "../../processes/index.ts";
import { accountOf, type SystemScope, type TenantScope } from "../../tenant-scope.ts";
import {
  type ApplicationChange,
  type ApplicationRow,
  type EventWhat,
  openApplicationStates,
  type RealNameRepository,
} from "./real-name.repository.ts";
import type { RemittanceRepository } from "./remittance.repository.ts";

/** What one transaction of an application works with. */
export interface RealNameParts extends StepParts {
  due: DueRepository;
  applications: RealNameRepository;
  remittances: RemittanceRepository;
}

/** What a step changes beside the state, and which items its line of the history names. */
export interface ApplicationStep extends Partial<Omit<ApplicationChange, "state">> {
  items?: readonly { field: string; reason: string }[];
}

/** What the history calls a step, by what came of it; what it does not name leaves no line. */
const lines: Readonly<Partial<Record<RealNameStep, EventWhat>>> = {
  resubmit: "resubmitted",
  resubmit_account: "resubmitted",
  confirm: "confirmed",
  spend_tries: "remittance_failed",
  withdraw: "withdrawn",
  accept: "passed",
  return: "rejected",
  suspend: "suspended",
  replace: "replaced",
};

/** Nobody decides what another one has in hand. */
const inHand = (row: ApplicationRow, _look: object, by: TenantScope | SystemScope) =>
  row.claimedBy === accountOf(by) ? undefined : refuse("real_name.not_claimed");

/** The steps of applications. */
export const createRealNameProcess = (nextId: () => string) =>
  createProcess(realNameProcess, {
    find: (parts: RealNameParts, by: TenantScope | SystemScope, id: string) => parts.applications.find(by, id, true),
    // What is decided, its owner asks for nothing of any more.
    visible: (row: ApplicationRow, party) => party !== "owner" || openApplicationStates.includes(row.state),
    kindOf: (row) => row.kind,
    title: (row) => row.title,
    guards: {
      withdraw: (row) => (row.claimedBy === null ? undefined : refuse("real_name.in_hand")),
      accept: inHand,
      return: inHand,
    },
    async move(parts, { by, row, state }, change: ApplicationStep | undefined) {
      // A wrong amount, or the same once more, leaves the application as it was shown.
      if (state === row.state && change === undefined) return;
      const { items: _items, ...columns } = change ?? {};
      await parts.applications.move(by, row.id, { state, ...columns });
    },
    async note(parts, { by, row, event, state }, id, { items }: ApplicationStep = {}) {
      const what = state === "second_look" ? "first_look" : lines[event];
      const accountId = event === "accept" || event === "return" ? accountOf(by) : null;
      if (what !== undefined) await parts.applications.addEvent(by, row.id, { id, what, accountId, items });
    },
    receivers: { sender: { of: ({ submittedBy }) => [submittedBy], link: () => realNameScreen } },
    nextId,
  });
export type RealNameProcess = ReturnType<typeof createRealNameProcess>;

/** Where messages about an application lead. */
export const realNameScreen = "/selfCenter/realName";
