import { faultsIn, type Mutant, type Tests } from "./mutant.ts";

const resets: Tests = { files: ["tests/api/users.test.ts"], names: "lock, reset, removal" };
const sessions: Tests = { files: ["tests/api/qr-login.test.ts"], names: "a session of its own" };

export const resetMutants: Mutant[] = [
  ...faultsIn("apps/server/src/modules/users/user.service.ts", resets, [
    [
      "resets: the agent reads the password of somebody who proved a phone",
      ".filter(({ phoneProven }) => !phoneProven)",
      ".filter(() => true)",
    ],
    [
      "resets: the old password goes on beside a link",
      'await withAudit((to) => storeReset(to, scope, person, hash, "link"));',
      "",
    ],
    ["resets: sessions go on", 'await dependencies.endSessions(id, "password_reset");', ""],
    ["resets: nobody writes them down", "await audit.append(tenantId, scope, [record], nextId);", ""],
  ]),
  ...faultsIn("apps/server/src/modules/identity/identity.service.ts", resets, [
    [
      "resets: a proof of who is calling holds for a day",
      "const confirmationS = 300;",
      "const confirmationS = 86_400;",
    ],
    [
      "resets: a session confirms itself without a password",
      'await logIn.confirmPassword(session.accountId, password, "identity.own_password");',
      "",
    ],
    [
      "resets: a session that another one let in counts as proven",
      "const reply = await openSession(membership, accountId, caller, { confirmed: false });",
      "const reply = await openSession(membership, accountId, caller, { confirmed: true });",
      sessions,
    ],
  ]),
  ...faultsIn("apps/server/src/modules/accounts/account.service.ts", resets, [
    ["resets: a link lasts for a day", "const resetLinkLifetimeS = 1800;", "const resetLinkLifetimeS = 86_400;"],
  ]),
];
