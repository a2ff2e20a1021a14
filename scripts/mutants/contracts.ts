import { faultsIn, type Mutant, type Tests } from "./mutant.ts";

const suite: Tests = { files: ["tests/api/contracts.test.ts"] };
const pages: Tests = { files: ["apps/server/src/modules/contracts/desk-pages.test.ts"] };
const module = "apps/server/src/modules/contracts";

export const contractMutants: Mutant[] = [
  ...faultsIn("apps/server/src/processes/process.service.ts", suite, [
    ["contracts: a step leaves no line", "await hooks.note?.(parts, step, hooks.nextId(), change);", ""],
    ["contracts: nobody is told", "await tell(parts, step, said);", ""],
  ]),
  ...faultsIn(`${module}/contract-process.ts`, suite, [
    ["contracts: drafts are the customer's", '(row.sentTime !== null && row.state !== "draft")', "true"],
  ]),
  ...faultsIn(`${module}/contract.service.ts`, suite, [
    [
      "contracts: signed without an authentication",
      "if (!(await isProven(scope))) throw",
      "if ((await isProven(scope)) === undefined) throw",
    ],
    [
      "contracts: a code for one contract signs another",
      "if ((await store.get(codeKey(codeId))) !== boundTo(scope, id, version))",
      "if ((await store.get(codeKey(codeId))) === undefined)",
    ],
    ["contracts: signed after its time", "row.signBy.getTime() < now()", "row.signBy.getTime() < 0"],
    [
      "contracts: a damaged file is handed out",
      'if (bytes === undefined) throw refuse("contract.damaged");\n      const fileName',
      "const fileName",
    ],
    [
      "contracts: a damaged file is signed",
      'if (words.bytesOf(held) === undefined) throw refuse("contract.damaged");',
      "",
    ],
    ["contracts: a refusal uses the code up", "await proof.giveBack();", ""],
    [
      "contracts: customers read words that were not sent",
      "(await documents.versions(scope, id, true)).find((one)",
      "(await documents.versions(scope, id, false)).find((one)",
    ],
    ["contracts: a rejection says nothing", 'if (said === "") throw', 'if (said === "-") throw'],
    ["contracts: nobody knows who fetched the file", 'what: "download",', 'what: "see",'],
    [
      "contracts: whoever may not sign is offered it",
      'contractEventsFor(row.state, maySign ? "signer" : "reader")',
      'contractEventsFor(row.state, "signer")',
    ],
  ]),
  {
    name: "contracts: what nobody signed verifies",
    edits: [
      {
        file: `${module}/document.repository.ts`,
        find: "join contract_signatures s on s.contract_id = d.contract_id and s.version = d.version and s.side = 'customer'",
        replace: "",
      },
      {
        file: `${module}/document.repository.ts`,
        find: "where d.sha256 between ${from} and ${to} and c.state in ('signed', 'ended')",
        replace: "where d.sha256 between ${from} and ${to}",
      },
    ],
    tests: suite,
  },
  {
    name: "contracts: words that were not shown are signed",
    edits: [
      {
        file: `${module}/contract.service.ts`,
        find: "contractSign>) {\n      const row = await found(scope, id);\n      if (row.version !== version) throw",
        replace: "contractSign>) {\n      const row = await found(scope, id);\n      if (row.version < 0) throw",
      },
      {
        file: `${module}/contract-process.ts`,
        find: 'party === "desk" ? row.revision : row.version',
        replace: 'party === "desk" ? row.revision : 1',
      },
    ],
    tests: suite,
  },
  ...faultsIn(`${module}/contract.repository.ts`, suite, [
    [
      "contracts: the customer reads how a contract was drafted",
      "c.sent_at is not null and e.what not in ('draft', 'revise')",
      "true",
    ],
    [
      "contracts: people are told again that the time for signing ends",
      "${isWaiting} and not c.told_signing`",
      "${isWaiting}`",
    ],
    [
      "contracts: who is told of a week is told of a month, too",
      "sql`told_7 = true, told_30 = true`",
      "sql`told_7 = true`",
    ],
    ["contracts: two may change one at once", 'and ${inScope(scope, "c")} for update`', 'and ${inScope(scope, "c")}`'],
    [
      "contracts: contracts of other customers are found",
      'where c.id = ${id} and ${inOneTenant(scope, "c")} and ${wasSent}',
      "where c.id = ${id} and ${wasSent}",
    ],
    [
      "contracts: the same form makes two",
      "on conflict (created_by, request_key) do nothing returning id",
      "returning id",
    ],
  ]),
  ...faultsIn(`${module}/words.service.ts`, suite, [
    [
      "contracts: other bytes pass for the signed ones",
      "return sha256Of(bytes).equals(sha256) ? bytes : undefined;",
      "return bytes;",
    ],
    [
      "contracts: places without a field are drafted",
      "if (unknown !== undefined) throw",
      "if (unknown === null) throw",
    ],
  ]),
  ...faultsIn(`${module}/document.repository.ts`, suite, [
    ["contracts: what was sent is written over", "where v.sent_at is null", "where true"],
  ]),
  ...faultsIn(`${module}/verify.service.ts`, suite, [
    ["contracts: a few digits find a contract", "hash.length < leastHashDigits", "hash.length < 1"],
    ["contracts: verification is asked without end", "if (!(await spend(store,", "if (false && !(await spend(store,"],
    [
      "contracts: parties are named in full to strangers",
      "party: maskedParty(words.openSigner(signerEncrypted).party)",
      "party: words.openSigner(signerEncrypted).party",
    ],
  ]),
  ...faultsIn(`${module}/batch.service.ts`, suite, [
    ["contracts: half a batch is drafted", "if (problems.length > 0) {", "if (problems.length > 100) {"],
  ]),
  ...faultsIn("apps/server/src/database/migrations/0210_contract_words.sql", pages, [
    ["contracts: the desk finds a customer by an old name", "where c.name <> b.name and", "where false and"],
  ]),
  ...faultsIn(`${module}/contract.repository.ts`, pages, [
    ["contracts: a whole number finds longer ones, too", "if (id === undefined)", "if (id !== null)"],
  ]),
  ...faultsIn("apps/server/src/database/pages.ts", pages, [
    ["lists: a page behind the last that is counted", "if (offset >= total) return { rows: [], total };", ""],
  ]),
  ...faultsIn(`${module}/verify-upload.ts`, suite, [
    ["contracts: a file of any size is hashed", 'truncated ? "problem=size" :', ""],
  ]),
];
