import { faultsIn, type Mutant, type Tests } from "./mutant.ts";

const module = "apps/server/src/modules/real-name";
const steps: Tests = { files: ["tests/api/proof-states.test.ts"] };

export const realNameMutants: Mutant[] = [
  ...faultsIn("apps/server/src/processes/process.service.ts", steps, [
    ["real name: an application takes any step", "if (state === undefined) throw", "if (state === null) throw"],
    [
      "real name: a decision is not in the trail",
      "await audit(parts, by, { ...row, title: hooks.title(row) }, what);",
      "",
    ],
  ]),
  ...faultsIn(`${module}/real-name.service.ts`, steps, [
    ["real name: tries are not counted", "const tries = remittance.tries + (isRight ? 0 : 1);", "const tries = 0;"],
    [
      "real name: another remittance is ordered while one is under way",
      'if (remittance !== undefined && nextState(remittanceProcess, remittance, "follow", "owner") === undefined)',
      'if (remittance?.id === "")',
    ],
  ]),
  ...faultsIn(`${module}/real-name-process.ts`, { files: ["tests/api/real-name.test.ts"] }, [
    [
      "real name: what a reviewer has in hand is taken back",
      "(row.claimedBy === null ? undefined : refuse",
      "(row.claimedBy !== '' ? undefined : refuse",
    ],
    [
      "real name: somebody else decides what one has in hand",
      "row.claimedBy === accountOf(by) ? undefined : refuse",
      "row.claimedBy !== '' ? undefined : refuse",
    ],
  ]),
  ...faultsIn(`${module}/remittance.service.ts`, steps, [
    [
      "real name: what the bank does is not in the trail",
      "await process.audit(parts, scope, application,",
      "await Promise.resolve(",
    ],
  ]),
  ...faultsIn(`${module}/real-name.repository.ts`, { files: ["tests/api/real-name.test.ts"] }, [
    [
      "real name: a licence is suspended on its last day",
      "before: sql`${today}::date`",
      "before: sql`${today}::date + 1`",
    ],
  ]),
];
