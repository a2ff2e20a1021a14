import { faultsIn, type Mutant, type Tests } from "./mutant.ts";

const modules = "apps/server/src/modules";
const takeOvers: Tests = { files: ["tests/threats/take-overs.test.ts"] };
const codes: Tests = { files: [`${modules}/verification/verification.test.ts`] };

export const takeOverMutants: Mutant[] = [
  ...faultsIn("apps/server/src/http/router.ts", takeOvers, [
    [
      "take-overs: a bare token is enough",
      'if (endpoint.confirmation === "always") await requireConfirmed(session);',
      "",
    ],
  ]),
  ...faultsIn(`${modules}/users/user.service.ts`, takeOvers, [
    [
      "take-overs: the own phone is changed in the list of members",
      "if (typed !== undefined && id === scope.accountId) throw",
      "if (typed === null) throw",
    ],
    [
      "take-overs: a colleague's number needs no password",
      "if (needsConfirmation(await memberOf(repository, scope, id, input.tenantId), input)) await confirmed();",
      "",
    ],
    [
      "take-overs: somebody is let in with a bare token",
      "    await confirmed();\n    const within",
      "    const within",
    ],
  ]),
  ...faultsIn(`${modules}/profile/contact.service.ts`, takeOvers, [
    [
      "take-overs: staff replace a proven number at once",
      'const waits = given.phone !== undefined && old !== "";',
      'const waits = given.phone === "never" && old !== "";',
    ],
    [
      "take-overs: what staff typed is proven",
      'await apply(to, owner, phone, change.provenBy !== "staff");',
      "await apply(to, owner, phone, true);",
    ],
    [
      "take-overs: the password leads past a proven number",
      'if (provenPhone(await accountOf(session)) !== "") throw refuse("profile.phone_proven");',
      "",
    ],
  ]),
  ...faultsIn("apps/server/src/database/conditions.ts", takeOvers, [
    [
      "take-overs: a typed number finds its account",
      'where("phoneVerifiedAt", "is not", null)]);',
      'where("phoneIndex", "is not", null)]);',
    ],
  ]),
  ...faultsIn(`${modules}/verification/verification.service.ts`, codes, [
    ["take-overs: a number that nobody proved gets a code", "(await isProven(phone));", "true;"],
  ]),
  ...faultsIn(`${modules}/bank-cards/card-process.ts`, takeOvers, [
    [
      "take-overs: the default card goes while its successor waits",
      "row.isDefault && (await look.cards.hasWaiting(by, row.tenantId))",
      "row.isDefault && row.version < 0",
    ],
  ]),
  ...faultsIn(`${modules}/bank-cards/bank-card.repository.ts`, takeOvers, [
    [
      "take-overs: without a default the next one holds at once",
      "(b.is_default or b.default_ended_at > now() - make_interval(hours => ${withinHours}))",
      "(b.is_default or ${withinHours} < 0)",
    ],
  ]),
];
