import { faultsIn, type Mutant, type Tests } from "./mutant.ts";

const stolen: Tests = { files: ["tests/threats/tokens.test.ts"], names: "^T24" };
const streams: Tests = { files: ["tests/api/accounts-sessions.test.ts"], names: "the end of its life" };

const keeping: Tests = { files: ["apps/server/src/modules/identity/session-keeping.test.ts"] };
const ends: Tests = {
  files: ["tests/api/accounts-sessions.test.ts"],
  names: "what another server|a change on this server",
};

const previews: Tests = { files: ["tests/threats/role-preview.test.ts"] };
const narrowedStreams: Tests = { files: ["apps/server/src/http/session-streams.test.ts"] };

export const sessionMutants: Mutant[] = [
  ...faultsIn("apps/server/src/modules/identity/session-reader.ts", keeping, [
    [
      "sessions: what was read is kept for good",
      "if (atMs - askedMs < keptMs && kept.size < mostSessions) return;",
      "return;",
    ],
    ["sessions: nobody is kept", "session === undefined && drop()", "session"],
    [
      "sessions: whoever asks gets what is kept",
      "if (!mayBeKept || keptMs === 0) return",
      "if (mayBeKept === undefined || keptMs === 0) return",
    ],
  ]),
  ...faultsIn("apps/server/src/http/router.ts", ends, [
    [
      "sessions: a writing request is let in by what is kept",
      'const mayBeKept = endpoint.method === "GET" || endpoint.admittedByKeptSession === true;',
      "const mayBeKept = true;",
    ],
    [
      "sessions: a change is not known to the next request",
      "if (sessions.get(request) !== undefined) forgetSessions();",
      "",
    ],
  ]),
  ...faultsIn("apps/server/src/modules/identity/identity.service.ts", stolen, [
    [
      "sessions: a refresh token gives another pair each time within its grace",
      "if (usedSecondsAgo !== undefined) {",
      "if (usedSecondsAgo === -1) {",
    ],
    [
      "sessions: a refresh token used again after its grace ends nothing",
      'await to.endSession(sessionId, "refresh_token_reused");',
      "",
    ],
    [
      "sessions: what an exchange gave is kept in the open",
      'createSecretCipher(refreshToken, "tokens of a refresh")',
      "({ encrypt: (text: string) => Buffer.from(text + refreshToken.slice(0, 0)), decrypt: String })",
    ],
    [
      "sessions: an access token outlives its session",
      "const lifetimeS = Math.min(accessTokenLifetimeS, secondsLeft);",
      "const lifetimeS = accessTokenLifetimeS;",
    ],
    [
      "sessions: a refresh token outlives its session",
      "lifetimeS: Math.min(refreshTokenLifetimeS, secondsLeft) },",
      "lifetimeS: refreshTokenLifetimeS },",
    ],
    [
      "sessions: one whose life is over is renewed",
      "const secondsLeft = sessionLifetimeS() - held.authenticatedSecondsAgo;",
      "const secondsLeft = Math.max(600, sessionLifetimeS() - held.authenticatedSecondsAgo);",
    ],
    [
      "sessions: a switch to another tenant begins a new life",
      "confirmed: false,\n        continues: session.id,\n",
      "confirmed: false,\n",
    ],
  ]),
  ...faultsIn("apps/server/src/modules/identity/identity.repository.ts", stolen, [
    [
      "sessions: what an exchange gave is never forgotten",
      ".set({ successor: null })",
      ".set({ successor: sql<Buffer>`successor` })",
    ],
  ]),
  ...faultsIn("apps/server/src/http/session-streams.ts", narrowedStreams, [
    ["streams: one goes on with rows that its session has lost", "of.version === version;", "version !== undefined;"],
  ]),
  ...faultsIn("apps/server/src/http/access.ts", previews, [
    ["previews: something is changed in one", "session.preview !== undefined && !readsOnly(endpoint)", "false"],
  ]),
  ...faultsIn("apps/server/src/modules/identity/session-reader.ts", previews, [
    [
      "previews: a role gives buttons that the person has not",
      "new Set([...person.permissions].filter((code) => asRole.permissions.has(code)))",
      "asRole.permissions",
    ],
    [
      "previews: a role reaches rows that the person does not",
      "rows: bothReach(person.rows, asRole.rows)",
      "rows: asRole.rows",
    ],
  ]),
  ...faultsIn("apps/server/src/modules/access/access.service.ts", previews, [
    ["previews: a role shows menus that the person has not", "rows.filter(({ id }) => ids.has(id))", "rows"],
  ]),
  ...faultsIn("apps/server/src/modules/access/access.routes.ts", previews, [
    ["previews: the menu that is kept for a role is shown", "session?.preview?.ownGrants, ", ""],
  ]),
  ...faultsIn("apps/server/src/modules/identity/session.repository.ts", streams, [
    [
      "sessions: streams go on after the end of a session's life",
      'where s.id = any($1::bigint[]) and ${goesOn} and s.authenticated_at > now() - make_interval(secs => $2)\n       and ${Object.values(standing).join(" and ")}`,\n} as const;\n\n/**',
      'where s.id = any($1::bigint[]) and ${goesOn} and $2::float8 > 0\n       and ${Object.values(standing).join(" and ")}`,\n} as const;\n\n/**',
    ],
  ]),
];
