import { faultsIn, type Mutant, type Tests } from "./mutant.ts";

const stolen: Tests = { files: ["tests/threats/tokens.test.ts"], names: "^T24" };
const streams: Tests = { files: ["tests/api/accounts-sessions.test.ts"], names: "the end of its life" };

const keeping: Tests = { files: ["apps/server/src/modules/identity/session-keeping.test.ts"] };
const ends: Tests = {
  files: ["tests/api/accounts-sessions.test.ts"],
  names: "what another server|a change on this server",
};

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
    ["sessions: a switch to another tenant begins a new life", "        continues: session.id,\n", ""],
  ]),
  ...faultsIn("apps/server/src/modules/identity/identity.repository.ts", stolen, [
    [
      "sessions: what an exchange gave is never forgotten",
      ".set({ successor: null })",
      ".set({ successor: sql<Buffer>`successor` })",
    ],
    [
      "sessions: streams go on after the end of a session's life",
      '.where("s.authenticatedAt", ">", sql<Date>`now() - make_interval(secs => ${lifetimeS})`)',
      "",
      streams,
    ],
  ]),
];
