import { faultsIn, type Mutant, type Tests } from "./mutant.ts";

const stored: Tests = { files: ["apps/server/src/modules/identity/password.test.ts"] };
const guesses: Tests = { files: ["apps/server/src/modules/identity/log-in.test.ts"], names: "^T13" };
const protocol: Tests = { files: ["tests/api/authorization.test.ts"], names: "^T23" };

const logOut: Tests = { files: ["tests/api/authorization.test.ts"], names: "log-out that an application asks for" };

export const passwordMutants: Mutant[] = [
  ...faultsIn("apps/server/src/modules/identity/password.ts", stored, [
    ["passwords: there is no pepper", "      secret: pepper,\n", ""],
    [
      "passwords: an HMAC takes the place of argon2id",
      "const derive = promisify(argon2);",
      'const derive = async (_kind: string, { secret, nonce, message }: Record<"secret" | "nonce" | "message", Buffer>) =>\n  createHmac("sha256", secret).update(nonce).update(message).digest();',
    ],
    ["passwords: a hash costs a tenth", "memoryKiB: 19_456", "memoryKiB: 1_945"],
    [
      "passwords: all have one salt",
      "const salt = randomBytes(16);\n      const made",
      "const salt = Buffer.alloc(16);\n      const made",
    ],
  ]),
  ...faultsIn("apps/server/src/modules/identity/identity.repository.ts", guesses, [
    ["passwords: tries are counted and not refused", "and (f.failures < ${budget} or", "and (true or"],
    [
      "passwords: a try is counted after the comparison",
      "failures = case when f.window_started_at < now() - make_interval(mins => ${windowMinutes}) then 1 else f.failures + 1 end,",
      "failures = case when f.window_started_at < now() - make_interval(mins => ${windowMinutes}) then 1 else f.failures end,",
    ],
    [
      "passwords: wrong tries ask for no captcha",
      "set wrong = f.wrong + 1,",
      "set wrong = f.wrong,",
      { ...guesses, names: "still compared" },
    ],
    [
      "passwords: a lock is for a minute",
      "const until = sql`now() + make_interval(mins => ${windowMinutes})`;",
      "const until = sql`now() + make_interval(mins => least(1, ${windowMinutes}::int))`;",
    ],
  ]),
  ...faultsIn("apps/server/src/modules/authorization/authorization-server.ts", protocol, [
    ["authorization: PKCE is not required", "pkce: { required: () => true },", "pkce: { required: () => false },"],
  ]),
  ...faultsIn("apps/server/src/modules/authorization/authorization.service.ts", logOut, [
    [
      "authorization: a log-out goes on to any address",
      "if (!client?.postLogoutRedirectUris.includes(postLogoutRedirectUri)) {",
      "if (client === undefined) {",
    ],
    [
      "authorization: nobody checks whether an ID token is ours",
      "const held = client && (await IdToken.validate(hint, client).catch(() => undefined));",
      'const held = client && { payload: JSON.parse(Buffer.from(hint.split(".")[1] ?? "", "base64url").toString()) };',
    ],
    [
      "authorization: an ID token of one application logs out of another",
      "if (hinted && request.clientId && request.clientId !== hinted.clientId) {",
      "if (hinted && request.clientId === hinted.accountId) {",
    ],
    [
      "authorization: a log-out ends nothing",
      "if (hinted) await repository.endTokensAt(accountScope(issued, hinted.accountId), hinted.clientId);",
      "",
    ],
  ]),
  ...faultsIn("apps/server/src/modules/authorization/authorization.repository.ts", logOut, [
    [
      "authorization: a log-out of one application ends them all",
      '        .where("clientId", "=", clientId)\n        .where("model", "!=", "Grant")\n',
      '        .where("model", "!=", "Grant")\n',
    ],
  ]),
];
