import { faultsIn, type Mutant, type Tests } from "./mutant.ts";

const module = "apps/server/src/modules/real-name";
const steps: Tests = { files: ["tests/api/proof-states.test.ts"] };

export const realNameMutants: Mutant[] = [
  ...faultsIn(`${module}/states.ts`, steps, [
    [
      "real name: an application takes any step",
      'if (next === undefined) throw refuse("real_name.state");\n  return next;\n}\n\n/** @throws {Refusal} unless a remittance',
      "if (next === undefined) return state;\n  return next;\n}\n\n/** @throws {Refusal} unless a remittance",
    ],
    [
      "real name: another remittance is ordered while one is under way",
      'if (next === undefined) throw refuse("real_name.state");\n  return next;\n}\n\ninterface Change',
      "if (next === undefined) return state;\n  return next;\n}\n\ninterface Change",
    ],
  ]),
  ...faultsIn(`${module}/real-name.service.ts`, steps, [
    ["real name: tries are not counted", "const tries = remittance.tries + (isRight ? 0 : 1);", "const tries = 0;"],
    [
      "real name: what a reviewer has in hand is taken back",
      "if (row.claimedBy !== null) throw",
      "if (row.claimedBy === '') throw",
      { files: ["tests/api/real-name.test.ts"] },
    ],
  ]),
  ...faultsIn(`${module}/remittance.service.ts`, steps, [
    [
      "real name: what the bank does is not in the trail",
      "await parts.audit.append(application.tenantId, scope, [entry], nextId);",
      "",
    ],
    [
      "real name: a suspension is not in the trail",
      "await parts.audit.append(row.tenantId, scope, [entry], nextId);",
      "",
    ],
  ]),
  ...faultsIn(`${module}/real-name.repository.ts`, { files: ["tests/api/real-name.test.ts"] }, [
    [
      "real name: a licence is suspended on its last day",
      "a.state = 'passed' and a.licence_until < ${today}::date",
      "a.state = 'passed' and a.licence_until <= ${today}::date",
    ],
  ]),
  ...faultsIn(`${module}/review.service.ts`, steps, [
    [
      "real name: somebody else decides what one has in hand",
      'if (row.claimedBy !== scope.accountId) throw refuse("real_name.not_claimed");\n        if (row.version',
      "if (row.version",
      { files: ["tests/api/real-name.test.ts"] },
    ],
    ["real name: a decision is not in the trail", "await parts.audit.append(row.tenantId, scope, trail, nextId);", ""],
  ]),
];
