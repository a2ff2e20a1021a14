import { faultsIn, type Mutant, type Tests } from "./mutant.ts";

const declared: Tests = { files: ["packages/contract/src/process/process.test.ts"] };
const steps: Tests = { files: ["apps/server/src/processes/process.service.test.ts"] };

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
    [
      "processes: a page offers what a guard holds off",
      "if ((await hooks.guards?.[event]?.(row, look, by)) === undefined) events.push(event);",
      "events.push(event);",
    ],
    [
      "processes: the trail is locked while people are told",
      "      await tell(parts, row, event, said);\n      await audit(parts, by, { ...row, title: hooks.title(row) }, { event, before: row.state, after: state });\n",
      "      await audit(parts, by, { ...row, title: hooks.title(row) }, { event, before: row.state, after: state });\n      await tell(parts, row, event, said);\n",
    ],
  ]),
  ...faultsIn("apps/server/src/processes/tell.ts", steps, [
    ["processes: somebody is told twice", "of new Set(to))", "of to)"],
  ]),
];
