import { faultsIn, type Mutant, type Tests } from "./mutant.ts";

const buckets: Tests = { files: ["tests/threats/buckets.test.ts"], names: "one network of IPv6 is one caller" };
const translation: Tests = { files: ["tests/api/languages.test.ts"], names: "characters of a day" };

export const budgetMutants: Mutant[] = [
  ...faultsIn("apps/server/src/modules/languages/language.service.ts", translation, [
    [
      "budgets: translation counts each address of a network apart",
      "`translate:${addressBucket(address)}`",
      "`translate:${address}`",
      buckets,
    ],
    ["budgets: the machine has no limit a day", "> charactersPerDay()) {", "> Number.POSITIVE_INFINITY) {"],
    [
      "budgets: a request counts as one character",
      '"translate-all", dayS, characters)',
      '"translate-all", dayS, Math.min(characters, 1))',
    ],
  ]),
  ...faultsIn("apps/server/src/modules/visits/visit.service.ts", buckets, [
    [
      "budgets: visits count each address of a network apart",
      "`visits:${addressBucket(address)}`",
      "`visits:${address}`",
    ],
  ]),
  ...faultsIn("apps/server/src/http/router.ts", buckets, [
    [
      "budgets: calls count each address of a network apart",
      "await requireRate(endpoint, addressBucket(request.ip), max.address, request);",
      "await requireRate(endpoint, request.ip, max.address, request);",
    ],
  ]),
  ...faultsIn("apps/server/src/modules/captchas/captcha.service.ts", buckets, [
    [
      "budgets: captchas count each address of a network apart",
      "`captcha-${what}:${addressBucket(client.remoteAddress)}`",
      "`captcha-${what}:${client.remoteAddress}`",
    ],
  ]),
  ...faultsIn(
    "apps/server/src/modules/verification/verification.service.ts",
    { files: ["apps/server/src/modules/verification/verification.test.ts"], names: "T17" },
    [
      [
        "budgets: SMS have no limit a day",
        "{ max: smsPerDay(), windowS: dayS }",
        "{ max: Number.POSITIVE_INFINITY, windowS: dayS }",
      ],
      [
        "budgets: SMS count each address of a network apart",
        "`sms-from:${addressBucket(remoteAddress)}`",
        "`sms-from:${remoteAddress}`",
        buckets,
      ],
    ],
  ),
  ...faultsIn("apps/server/src/modules/identity/log-in.service.ts", buckets, [
    [
      "budgets: wrong passwords count each address of a network apart",
      "sha256(`address:${addressBucket(caller.remoteAddress)}`)",
      "sha256(`address:${caller.remoteAddress}`)",
    ],
  ]),
];
