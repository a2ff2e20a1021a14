import { faultsIn, type Mutant, type Tests } from "./mutant.ts";

const suite: Tests = { files: ["tests/api/contracts.test.ts"] };
const module = "apps/server/src/modules/contracts";

export const contractMutants: Mutant[] = [
  ...faultsIn(`${module}/act.ts`, suite, [
    ["contracts: anything may happen in any state", "if (state === undefined) throw", "if (state === null) throw"],
    [
      "contracts: what somebody else changed is changed again",
      "(what.revision !== undefined && what.revision !== row.revision)",
      "what.revision === -1",
    ],
    [
      "contracts: nothing is written to the trail",
      "await parts.audit.append(row.tenantId, scope, [auditOf(row, event, row.state, state)], nextId);",
      "",
    ],
    ["contracts: drafts are the customer's", '(row.sentTime === null || row.state === "draft")', "false"],
  ]),
  ...faultsIn(`${module}/clock.service.ts`, suite, [
    [
      "contracts: what time does is not in the trail",
      "await parts.audit.append(due.tenantId, scope, [auditOf(due, event, due.state, state)], nextId);",
      "",
    ],
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
  ]),
  ...faultsIn(`${module}/contract.routes.ts`, suite, [
    [
      "contracts: signed without the own password",
      "await requireConfirmed(session);\n    return contracts.sign",
      "return contracts.sign",
    ],
  ]),
  ...faultsIn(`${module}/contract.repository.ts`, suite, [
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
    [
      "contracts: what nobody signed verifies",
      "where d.sha256 between ${from} and ${to} and c.state in ('signed', 'ended')",
      "where d.sha256 between ${from} and ${to}",
    ],
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
  ...faultsIn(`${module}/verify-upload.ts`, suite, [
    ["contracts: a file of any size is hashed", 'truncated ? "problem=size" :', ""],
  ]),
];
