import { faultsIn, type Mutant, type Tests } from "./mutant.ts";

const closing: Tests = { files: ["tests/api/cancellations.test.ts"] };
const cards: Tests = { files: ["tests/api/bank-cards.test.ts"] };
const exported: Tests = { files: ["tests/api/my-data.test.ts"] };
const personal: Tests = { files: ["tests/threats/personal-data.test.ts"] };

export const closingMutants: Mutant[] = [
  ...faultsIn("apps/server/src/processes/process.service.ts", closing, [
    ["closing: anything may happen in any state", "if (state === undefined) throw", "if (state === null) throw"],
    [
      "closing: what was not shown is answered",
      "if (version !== undefined && version !==",
      "if (version === -1 && version !==",
    ],
    [
      "closing: nothing is written to the trail",
      "await audit(parts, by, { ...row, title: hooks.title(row) }, what);",
      "",
    ],
    ["closing: nobody is told", "await tell(parts, step, said);", ""],
  ]),
  ...faultsIn("apps/server/src/modules/cancellations/cancellation.service.ts", closing, [
    [
      "closing: what came in the way since is run over",
      "if (touches.some(({ blocks }) => blocks)) {\n        const dueAt",
      "if (touches.length < 0) {\n        const dueAt",
    ],
    ["closing: people answer for themselves", "row.accountId === by.accountId) throw", 'row.accountId === "") throw'],
    ["closing: law keeps nothing", "await keepByLaw(parts, held.id, closing);", ""],
    [
      "closing: the group's people close their accounts",
      "if (await rows.isStaff(by)) throw",
      "if (by === undefined) throw",
    ],
    ["closing: it is asked for while something is in the way", "requireFree(await touchesOf(of));", ""],
    [
      "closing: it is accepted while something is in the way",
      "(await touchesOf(row, look.rows)).some(({ blocks }) => blocks) ? refuse",
      "row.id === undefined ? refuse",
    ],
    [
      "closing: no code of the own phone is asked for",
      'await verification.prove({ phone, id: given.codeId, code: given.code }, "close-account")',
      "{ giveBack: async () => undefined }",
    ],
    ["closing: a refusal uses the code up", "await code.giveBack();", ""],
    [
      "closing: the trail keeps names",
      "await parts.audit.redact(system, { cancellationId: held.id, ...closing }, nextId)",
      "0",
    ],
    [
      "closing: nobody knows who looked at what law kept",
      'if (row === undefined) throw refuse("cancellation.not_found");\n        await parts.audit.append(',
      'if (row === undefined) throw refuse("cancellation.not_found");\n        ((..._: unknown[]) => undefined)(',
    ],
    [
      "closing: the desk reads login names",
      'kind === "tenant" || title.startsWith("removed-") ? title',
      "kind !== undefined ? title",
    ],
    [
      "closing: an erasure that is held up logs people out",
      "if (!(await touchesOf(row, rows, before)).some(({ blocks }) => blocks))",
      "if (before !== undefined)",
    ],
    [
      "closing: open pages go on after the erasure",
      'await dependencies.endSessions(accountId, "cancelled");',
      "void accountId;",
    ],
  ]),
  ...faultsIn("apps/server/src/processes/due.service.ts", closing, [
    ["closing: one that fails stops the others", "if (!(error instanceof Refusal)) onFault(error);", "throw error;"],
  ]),
  {
    name: "closing: it is erased before its time",
    edits: [
      {
        file: "apps/server/src/modules/cancellations/cancellation.service.ts",
        find: " || held.eraseAt.getTime() > now()) return;",
        replace: ") return;",
      },
      {
        file: "apps/server/src/modules/cancellations/cancellation.repository.ts",
        find: "at: sql`c.erase_at`, where",
        replace: "at: sql`'-infinity'::timestamptz`, where",
      },
    ],
    tests: closing,
  },
  ...faultsIn("apps/server/src/modules/cancellations/cancellation.repository.ts", closing, [
    [
      "closing: somebody else takes it back",
      'kind === "account" ? ofAccount(by, "c")',
      'kind === "account" ? sql`true`',
    ],
    ["closing: another customer's is taken back", ': inOneTenant(by, "c");', ": sql`true`;"],
    [
      "closing: the desk is told of what is late again and again",
      "c.state = 'waiting' and not c.told_late",
      "c.state = 'waiting'",
    ],
    [
      "closing: what law kept stays for ever",
      "where keep_until < ${today}::date and",
      "where keep_until < '-infinity'::date and",
    ],
    [
      "closing: a phone that nobody proved gets the code",
      "case when a.phone_verified_at is null then '' else a.phone_encrypted end",
      "a.phone_encrypted",
    ],
  ]),
  ...faultsIn("apps/server/src/processes/process.service.ts", cards, [
    ["cards: anything may happen in any state", "if (state === undefined) throw", "if (state === null) throw"],
    ["cards: a step is taken against its guard", "if (held !== undefined) throw held;", ""],
  ]),
  ...faultsIn("apps/server/src/modules/bank-cards/bank-card.service.ts", cards, [
    ["cards: tries are not counted", "{ tries: card.tries + 1, ", "{ tries: 1, "],
    ["cards: another default card waits for nothing", "if (!waits) return", "return"],
    [
      "cards: the same one is bound twice",
      "if (await parts.cards.isBound(scope, cipher.indexes(number)))",
      "if (number === '')",
    ],
  ]),
  ...faultsIn("apps/server/src/modules/personal-data/my-data.service.ts", exported, [
    [
      "my data: any browser fetches an export",
      "if (given.length !== expected.length || !timingSafeEqual(given, expected)) return undefined;",
      "if (given.length < 0 || !timingSafeEqual(expected, expected)) return undefined;",
    ],
  ]),
  ...faultsIn("apps/server/src/database/encrypted-columns.ts", personal, [
    ["keys: an index stays as the old key made it", "sql`, ${sql.ref(index)} = ${cipher.index(value)}`", "sql``"],
    [
      "keys: addresses keep the old key",
      '  { table: "addresses", column: "address_encrypted", key: ["account_id"], ends: "person" },\n',
      "",
    ],
  ]),
];
