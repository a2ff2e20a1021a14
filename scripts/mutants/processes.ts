import { faultsIn, type Mutant, type Tests } from "./mutant.ts";

const declared: Tests = { files: ["packages/contract/src/process/process.test.ts"] };
const steps: Tests = { files: ["apps/server/src/processes/process.service.test.ts"] };
const clock: Tests = { files: ["apps/server/src/processes/due.service.test.ts"] };
const requests: Tests = { files: ["tests/api/access-request.test.ts"] };
const effects: Tests = { files: ["apps/server/src/processes/effect.test.ts"] };
const bank: Tests = { files: ["apps/server/src/processes/remittance.service.test.ts"] };

export const processMutants: Mutant[] = [
  ...faultsIn("packages/contract/src/process/declaration.ts", declared, [
    ["processes: anybody may do anything", "if (!listOf(declared.by).includes(party)) return undefined;", ""],
    ["processes: a move of one kind is every kind's", "(kinds === undefined || fits(kinds))", "fits !== undefined"],
  ]),
  ...faultsIn("packages/contract/src/process/process.ts", declared, [
    ["processes: a declaration with faults is taken", "if (faults.length > 0) throw", "if (faults.length < 0) throw"],
    ["processes: a name that is not declared is taken", "if (!list.includes(name)) faults", 'if (name === "") faults'],
    ["processes: a state is out of reach", "if (!reached.has(state)) faults", 'if (state === "") faults'],
    ["processes: an open state is a dead end", '=== "open" && !leaves', '=== "open" && leaves === undefined'],
    ["processes: two moves fit one row", "if (taken.has(place)) faults", 'if (place === "") faults'],
  ]),
  ...faultsIn("apps/server/src/processes/process.service.ts", steps, [
    ["processes: any event may happen in any state", "if (state === undefined) throw", "if (state === null) throw"],
    [
      "processes: what changed since it was shown is changed again",
      "if (version !== undefined && version !==",
      "if (version === -1 && version !==",
    ],
    ["processes: parties act on what is not there for them", "hooks.visible?.(row, party) === false", "false"],
    [
      "processes: a page offers what a guard holds off",
      "events.push({ event, held: await hooks.guards?.[event]?.(row, look, by) });",
      "events.push({ event, held: undefined });",
    ],
    [
      "processes: the trail is locked while people are told",
      "      await tell(parts, step, said);\n      const what = { event, before: row.state, after: state, audited };\n      await audit(parts, by, { ...row, title: hooks.title(row) }, what);\n",
      "      const what = { event, before: row.state, after: state, audited };\n      await audit(parts, by, { ...row, title: hooks.title(row) }, what);\n      await tell(parts, step, said);\n",
    ],
  ]),
  ...faultsIn("packages/contract/src/process/process.ts", declared, [
    [
      "processes: a deadline that the clock may not keep",
      'by.includes("clock") && from.includes(state)',
      "by.length > 0",
    ],
  ]),
  ...faultsIn("packages/contract/src/process/process-resource.ts", declared, [
    ["processes: an event without a button has no words", "!(event in events) && !(event in lines)", 'event === ""'],
  ]),
  ...faultsIn("apps/server/src/processes/process-module.ts", requests, [
    ["processes: a call acts on what was shown long ago", "      event,\n      version,\n", "      event,\n"],
    [
      "processes: what an event asks is not looked at",
      "if (problems.length > 0) throw invalid(problems);\n    return asks;",
      "return asks;",
    ],
    ["processes: a module has no guards", "guard(row, own, by)", "undefined"],
  ]),
  ...faultsIn("apps/server/src/processes/entry.repository.ts", requests, [
    [
      "processes: rows of other tenants are reached",
      'isSystemScope(scope) ? inScope(scope, "t") : sql`${inScope(scope, "t")} and ${inRowScope(scope, "t")}`',
      'isSystemScope(scope) ? inScope(scope, "t") : sql`${inRowScope(scope, "t")}`',
    ],
  ]),
  ...faultsIn("apps/server/src/modules/access/requests.ts", requests, [
    ["processes: people answer their own requests", "row.createdBy === by.accountId ?", 'row.createdBy === "" ?'],
  ]),
  ...faultsIn("apps/server/src/processes/effect.ts", effects, [
    ["processes: an effect does not wait for the commit", "payload, transactionRunner(transaction)", "payload"],
  ]),
  ...faultsIn("apps/server/src/processes/due.service.ts", clock, [
    ["processes: one row stops the clock", "if (!(error instanceof Refusal)) onFault(error);", "throw error;"],
    ["processes: a run of the clock takes one batch", "places.length < dueTogether", "places.length > 0"],
    [
      "processes: what somebody has in hand is taken twice",
      "if (await parts.due.take(clock.scope, of, id)) await",
      "await",
    ],
  ]),
  ...faultsIn("apps/server/src/processes/remittance.service.ts", bank, [
    [
      "processes: what waits for its owner holds up what is new",
      '["ordered", "sent", "arrived"] as const',
      '["arrived", "sent", "ordered"] as const',
    ],
    ["processes: a run asks for one batch of amounts", "if (rows.length < remittancesTogether) break;", "break;"],
    [
      "processes: what is known of an amount is a step",
      'standing.state === "sent" && row.state === "ordered"',
      'standing.state === "sent"',
    ],
  ]),
  ...faultsIn("apps/server/src/processes/tell.ts", steps, [
    ["processes: somebody is told twice", "of new Set(to))", "of to)"],
  ]),
];
