import { type ClockParts, type Due, eachDue } from "../../processes/index.ts";
import { contractDue } from "./contract.repository.ts";
import type { ContractParts, ContractProcess } from "./contract-process.ts";
import { contentOf, customerLink, deskLink } from "./tell.ts";

export interface ClockDependencies extends ClockParts<ContractParts> {
  process: ContractProcess;
  signersOf: (tenantId: string) => Promise<readonly string[]>;
  nextId: () => string;
  now: () => number;
}

/** What time does to contracts: reminders, once each, expiry and the end of their term. */
export function createClockService({ process, signersOf, nextId, now, ...clock }: ClockDependencies) {
  const { scope } = clock;
  const byClock = { by: scope, party: "clock" } as const;
  return {
    /** Ends what nobody signed in time, and what has run its term. */
    async pass(signal: AbortSignal): Promise<void> {
      const { expiry, end } = contractDue(new Date(now()));
      await eachDue(clock, expiry, (parts, id) => process.act(parts, { ...byClock, row: id, event: "expire" }), signal);
      const take = () => ({ said: { title: "合同到期结束了" } });
      await eachDue(clock, end, (parts, id) => process.act(parts, { ...byClock, row: id, event: "end", take }), signal);
    },

    /** Tells of contracts that have few days left, for signing or at all. */
    async remind(signal: AbortSignal): Promise<void> {
      const each = (due: Due, title: string) =>
        eachDue(
          clock,
          due,
          async ({ contracts, tell }, id) => {
            const row = await contracts.find(scope, id);
            if (row === undefined) return;
            const { version, tenantId, createdBy } = row;
            const line = { id: nextId(), what: "remind", side: "clock", accountId: null, version } as const;
            await contracts.addEvent(scope, id, line);
            const said = { title, content: contentOf(row) };
            await tell({ to: await signersOf(tenantId), ...said, link: customerLink(row) });
            await tell({ to: [createdBy], ...said, link: deskLink(row) });
          },
          signal,
        );
      const { signing, week, month } = contractDue(new Date(now()));
      await each(signing, "合同快过签署期了");
      // The nearest first: who is told of a week is not told of a month, too.
      await each(week, "合同 7 天内到期");
      await each(month, "合同 30 天内到期");
    },
  };
}
