import { endReminderDays, signReminderDays } from "@herdwise/contract";
import { wireDate } from "../../http/present.ts";
import type { SystemScope } from "../../tenant-scope.ts";
import type { DueContract } from "./contract.repository.ts";
import type { ContractParts, ContractProcess } from "./contract-process.ts";
import { contentOf, customerLink, deskLink } from "./tell.ts";

/** Contracts that one run ends at most, of each kind. */
const mostTaken = 1000;
const dayMs = 86_400_000;

export interface ClockDependencies {
  process: ContractProcess;
  inOne: <T>(work: (parts: ContractParts) => Promise<T>) => Promise<T>;
  scope: SystemScope;
  signersOf: (tenantId: string) => Promise<readonly string[]>;
  nextId: () => string;
  now: () => number;
}

const endWords = { 30: "合同 30 天内到期", 7: "合同 7 天内到期" } as const;

/** What time does to contracts: reminders, once each, expiry and the end of their term. */
export function createClockService({ process, inOne, scope, signersOf, nextId, now }: ClockDependencies) {
  const tellBoth = async ({ tell }: ContractParts, due: DueContract, title: string): Promise<void> => {
    const content = contentOf(due);
    await tell({ to: await signersOf(due.tenantId), title, content, link: customerLink(due) });
    await tell({ to: [due.createdBy], title, content, link: deskLink(due) });
  };
  /**
   * Takes the steps that time asks for, one at a time, for each writes into the trail of another customer.
   * @param next the one that is due, locked
   */
  const happen = async (
    event: "expire" | "end",
    next: (contracts: ContractParts["contracts"]) => Promise<DueContract | undefined>,
  ): Promise<void> => {
    const one = (): Promise<boolean> =>
      inOne(async (parts) => {
        const due = await next(parts.contracts);
        if (due === undefined) return false;
        const take = () => ({ ...(event === "end" && { said: { title: "合同到期结束了" } }) });
        await process.act(parts, { by: scope, party: "clock", row: due.id, event, take });
        return true;
      });
    for (let taken = 0; taken < mostTaken; taken += 1) if (!(await one())) return;
  };
  const remind = async (parts: ContractParts, due: readonly DueContract[], title: string): Promise<void> => {
    for (const one of due) {
      await parts.contracts.addEvent(scope, one.id, {
        id: nextId(),
        what: "remind",
        side: "clock",
        accountId: null,
        version: one.version,
      });
      await tellBoth(parts, one, title);
    }
  };

  return {
    /** Ends what nobody signed in time, and what has run its term. */
    async pass(): Promise<void> {
      await happen("expire", (contracts) => contracts.nextLate(scope, new Date(now())));
      await happen("end", (contracts) => contracts.nextOver(scope, wireDate(new Date(now()))));
    },

    /** Tells of contracts that have few days left, for signing or at all. */
    async remind(): Promise<void> {
      await inOne(async (parts) => {
        const before = new Date(now() + signReminderDays * dayMs);
        await remind(parts, await parts.contracts.takeSigning(scope, before), "合同快过签署期了");
        // The nearest first: who is told of a week is not told of a month, too.
        for (const days of endReminderDays.toReversed())
          await remind(parts, await parts.contracts.takeEnding(scope, days, wireDate(new Date(now()))), endWords[days]);
      });
    },
  };
}
