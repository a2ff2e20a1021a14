import { faultsIn, type Mutant, type Tests } from "./mutant.ts";

const closing: Tests = { files: ["tests/api/cancellations.test.ts"] };
const cards: Tests = { files: ["tests/api/bank-cards.test.ts"] };
const exported: Tests = { files: ["tests/api/my-data.test.ts"] };
const personal: Tests = { files: ["tests/threats/personal-data.test.ts"] };

export const closingMutants: Mutant[] = [
  ...faultsIn("apps/server/src/modules/cancellations/cancellation.service.ts", closing, [
    ["closing: anything may happen in any state", "if (state === undefined) throw", "if (state === null) throw"],
    [
      "closing: no fresh password is asked for",
      "await dependencies.requireConfirmed(session);\n    if (await",
      "if (await",
    ],
    [
      "closing: what came in the way since is run over",
      "if (touches.some(({ blocks }) => blocks)) {\n        const dueAt",
      "if (touches.length < 0) {\n        const dueAt",
    ],
    ["closing: people answer for themselves", "if (row.version !== version) throw", "if (row.version < 0) throw"],
    ["closing: law keeps nothing", "await keepByLaw(parts, held.id, closing);", ""],
  ]),
  ...faultsIn("apps/server/src/modules/bank-cards/bank-card.service.ts", cards, [
    ["cards: anything may happen in any state", "if (state === undefined) throw", "if (state === null) throw"],
    ["cards: tries are not counted", "const tries = row.tries + 1;", "const tries = 1;"],
    [
      "cards: another default card waits for nothing",
      "waits ? { defaultAt } : { isDefault: true }",
      "{ isDefault: true }",
    ],
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
