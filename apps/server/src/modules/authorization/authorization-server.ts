import { createHash, createHmac, generateKeyPairSync, randomUUID, timingSafeEqual } from "node:crypto";
import { oauth2Paths } from "@herdwise/contract";
import Provider, { type Adapter, type AdapterPayload, type Configuration, interactionPolicy } from "oidc-provider";
import { loopbackHosts } from "../../providers/address.ts";
import type { SecretCipher } from "../../secret-cipher.ts";
import { accountScope, type SystemScope } from "../../tenant-scope.ts";
import type { AuthorizationRepository, ClientRow } from "./authorization.repository.ts";

/** Lifetimes in seconds (decisions.md 2). */
const lifetimes = {
  code: 60,
  accessToken: 3600,
  refreshToken: 604_800,
  grant: 365 * 86_400,
  interaction: 600,
} as const;

/** Cookie that binds a consent page to the browser that the application sent. */
export const authorizeCookie = "herdwise_authorize";

/** Scopes that an application may ask for, in words for the consent page. */
export const scopeWords: Readonly<Record<string, string>> = {
  openid: "确认您的身份",
  profile: "读取您的昵称和头像",
  tenant: "读取您所属的企业或农场名称",
  offline_access: "在您离开后继续保持授权",
};

const sha256 = (text: string) => createHash("sha256").update(text).digest("base64url");
export const clientSecretHash = (secret: string): string => sha256(`client:${secret}`);

/** Models whose id is the secret itself: only its hash is stored. */
const secretModels = new Set(["AccessToken", "AuthorizationCode", "RefreshToken"]);
/** Not kept: who is signed in is our session's affair, and each authorization asks anew. */
const forgottenModels = new Set(["Session", "ReplayDetection"]);

/**
 * Whether an application runs on its user's machine (RFC 8252): it has no secret and is answered at a scheme of its own or at a
 * loopback address, whose port it takes when it starts.
 */
function isNative({ secretHash, redirectUris }: ClientRow): boolean {
  return (
    secretHash === null &&
    redirectUris.every((uri) => {
      const { protocol, hostname } = new URL(uri);
      return protocol === "https:" ? !loopbackHosts.has(hostname) : true;
    }) &&
    redirectUris.some((uri) => new URL(uri).protocol !== "https:")
  );
}

function clientMetadata(row: ClientRow): AdapterPayload {
  return {
    application_type: isNative(row) ? "native" : "web",
    client_id: row.clientId,
    client_name: row.name,
    ...(row.logo && { logo_uri: row.logo }),
    ...(row.secretHash !== null && { client_secret: row.secretHash }),
    redirect_uris: row.redirectUris,
    grant_types: row.grantTypes,
    response_types: ["code"],
    scope: row.scopes.join(" "),
    token_endpoint_auth_method: row.secretHash === null ? "none" : "client_secret_basic",
    id_token_signed_response_alg: "RS256",
  } as AdapterPayload;
}

/** The storage of the authorization server on our tables. */
class PostgresAdapter implements Adapter {
  readonly #repository: AuthorizationRepository;
  readonly #model: string;

  constructor(repository: AuthorizationRepository, model: string) {
    this.#repository = repository;
    this.#model = model;
  }

  #key(id: string): string {
    return secretModels.has(this.#model) ? sha256(`${this.#model}:${id}`) : id;
  }

  async upsert(id: string, payload: AdapterPayload, expiresIn: number): Promise<void> {
    if (forgottenModels.has(this.#model)) return;
    const { jti, ...rest } = payload;
    const kept = secretModels.has(this.#model) ? rest : { ...rest, jti };
    const { grantId, accountId, clientId, uid } = payload;
    await this.#repository.save(
      this.#model,
      this.#key(id),
      kept,
      { grantId, accountId, clientId, uid },
      expiresIn || undefined,
    );
  }

  async find(id: string): Promise<AdapterPayload | undefined> {
    // PostgreSQL holds no such text, so nothing has that name.
    if (id.includes("\0")) return undefined;
    if (this.#model === "Client") {
      const row = await this.#repository.client(id);
      return row && clientMetadata(row);
    }
    const held = await this.#repository.find(this.#model, this.#key(id));
    return held && ({ ...held.payload, jti: id, ...(held.consumed && { consumed: true }) } as AdapterPayload);
  }

  async findByUid(uid: string): Promise<AdapterPayload | undefined> {
    const held = await this.#repository.findByUid(this.#model, uid);
    return held && (held.payload as AdapterPayload);
  }

  /** Device codes are not offered. */
  async findByUserCode(): Promise<undefined> {
    return undefined;
  }

  async consume(id: string): Promise<void> {
    const key = this.#key(id);
    if (await this.#repository.consume(this.#model, key)) return;
    // Two exchanges at once both found it unused; the slower must not get tokens. A code that is shown twice may have been
    // stolen, so that what the quicker one got ends as well; without the grant a token that is still being saved is worth nothing.
    const grantId = (await this.#repository.find(this.#model, key))?.payload.grantId;
    if (this.#model === "AuthorizationCode" && typeof grantId === "string") await this.#repository.removeGrant(grantId);
    throw new Error("used already");
  }

  async destroy(id: string): Promise<void> {
    await this.#repository.remove(this.#model, this.#key(id));
  }

  async revokeByGrantId(grantId: string): Promise<void> {
    await this.#repository.removeGrant(grantId);
  }
}

/** Signing keys, made once and kept encrypted: ES256 for who can, RS256 because every client must. */
async function signingKeys(repository: AuthorizationRepository, cipher: SecretCipher) {
  const held = await repository.keys();
  if (held.length === 0) {
    const pairs = [
      { alg: "RS256", key: generateKeyPairSync("rsa", { modulusLength: 2048 }).privateKey },
      { alg: "ES256", key: generateKeyPairSync("ec", { namedCurve: "P-256" }).privateKey },
    ];
    await repository.insertFirstKeys(
      pairs.map(({ alg, key }) => {
        const kid = randomUUID();
        return {
          kid,
          privateKeyEncrypted: cipher.encrypt(
            JSON.stringify({ ...key.export({ format: "jwk" }), kid, alg, use: "sig" }),
          ),
        };
      }),
    );
    return (await repository.keys()).map((privateKeyEncrypted) => JSON.parse(cipher.decrypt(privateKeyEncrypted)));
  }
  return held.map((privateKeyEncrypted) => JSON.parse(cipher.decrypt(privateKeyEncrypted)));
}

function policy() {
  const base = interactionPolicy.base();
  const login = base.get("login");
  if (login === undefined) throw new Error("The authorization server has no log-in prompt");
  login.checks.clear();
  // Every authorization passes our consent page, which knows who is signed in.
  login.checks.add(
    new interactionPolicy.Check(
      "always_asked",
      "The person is asked each time",
      "login_required",
      (context) => context.oidc.result?.login === undefined,
    ),
  );
  return base;
}

interface InBothLanguages {
  zh: string;
  en: string;
}

export const errorPagePolicy = "default-src 'none'; style-src 'unsafe-inline'";

/**
 * Shown to a person whose application sent them wrongly; the application never gets them back to an unchecked address.
 * @param code for the application's developers
 */
export function errorPage(title: InBothLanguages, text: InBothLanguages, code: string): string {
  const escapeHtml = (raw: string) => raw.replace(/[&<>"']/g, (character) => `&#${character.codePointAt(0)};`);
  return `<!doctype html><html lang="zh"><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${title.zh} ${title.en}</title>
<body style="font:16px/1.6 system-ui,sans-serif;max-width:40rem;margin:4rem auto;padding:0 1rem"><h1>${title.zh}</h1><p>${text.zh}<br>${text.en}</p><p><code>${escapeHtml(code)}</code></p></body></html>`;
}

export interface AuthorizationServerDependencies {
  repository: AuthorizationRepository;
  /** For the accounts behind codes and tokens. */
  issued: SystemScope;
  cipher: SecretCipher;
  /** Address under which clients know us, without a slash at the end. */
  issuer: string;
  secretKey: string;
  onError: (error: unknown) => void;
}

/** The OAuth 2.1 and OpenID Connect endpoints: authorization code with PKCE (S256), refresh, revocation, introspection, userinfo, discovery. */
export async function createAuthorizationServer(dependencies: AuthorizationServerDependencies): Promise<Provider> {
  const { repository, issued, cipher, issuer, secretKey } = dependencies;
  const configuration: Configuration = {
    adapter: (model: string) => new PostgresAdapter(repository, model),
    jwks: { keys: await signingKeys(repository, cipher) },
    cookies: {
      keys: [createHmac("sha256", secretKey).update("authorization cookies").digest("hex")],
      short: { httpOnly: true, sameSite: "lax", signed: true, path: "/" },
      long: { httpOnly: true, sameSite: "lax", signed: true },
    },
    routes: {
      authorization: oauth2Paths.authorize,
      token: oauth2Paths.token,
      revocation: oauth2Paths.revoke,
      introspection: oauth2Paths.introspect,
      userinfo: oauth2Paths.userinfo,
      jwks: oauth2Paths.jwks,
    },
    features: {
      devInteractions: { enabled: false },
      revocation: {
        enabled: true,
        allowedPolicy: async (_context, client, token) => token.clientId === client.clientId,
      },
      introspection: {
        enabled: true,
        allowedPolicy: async (_context, client, token) =>
          client.clientAuthMethod !== "none" && token.clientId === client.clientId,
      },
      // What no route and no client of ours has does not stand in the metadata either.
      pushedAuthorizationRequests: { enabled: false },
      dPoP: { enabled: false },
      // Served by our own route: this server keeps no session that it could end.
      rpInitiatedLogout: { enabled: false },
      userinfo: { enabled: true },
    },
    discovery: { end_session_endpoint: issuer + oauth2Paths.endSession },
    scopes: Object.keys(scopeWords),
    claims: {
      openid: ["sub"],
      profile: ["name", "nickname", "picture", "preferred_username"],
      tenant: ["tenants"],
    },
    responseTypes: ["code"],
    clientAuthMethods: ["client_secret_basic", "none"],
    // Pages of an application may call where its people are answered.
    clientBasedCORS: (_context, origin, client) =>
      (client.redirectUris ?? []).some((uri) => /^https?:/.test(uri) && new URL(uri).origin === origin),
    pkce: { required: () => true },
    rotateRefreshToken: true,
    expiresWithSession: () => false,
    issueRefreshToken: (_context, client, code) =>
      client.grantTypeAllowed("refresh_token") && code.scopes.has("offline_access"),
    ttl: {
      AuthorizationCode: lifetimes.code,
      AccessToken: lifetimes.accessToken,
      RefreshToken: lifetimes.refreshToken,
      Grant: lifetimes.grant,
      Interaction: lifetimes.interaction,
      IdToken: lifetimes.accessToken,
      Session: lifetimes.interaction,
    },
    findAccount: async (_context, sub) => {
      const person = accountScope(issued, sub);
      const account = await repository.account(person);
      if (account === undefined) return undefined;
      return {
        accountId: sub,
        async claims() {
          return {
            sub,
            name: account.realName,
            nickname: account.nickName,
            picture: account.avatar,
            preferred_username: account.account,
            tenants: await repository.tenantsOf(person),
          };
        },
      };
    },
    interactions: {
      policy: policy(),
      url(context, interaction) {
        context.cookies.set(authorizeCookie, interaction.uid, {
          path: "/api/muyuan-auth/oauth2",
          httpOnly: true,
          sameSite: "lax",
          secure: issuer.startsWith("https:"),
          maxAge: lifetimes.interaction * 1000,
          signed: false,
        });
        return `${oauth2Paths.page}?authorizeKey=${interaction.uid}`;
      },
    },
    renderError: async (context, out) => {
      context.type = "html";
      context.set("Content-Security-Policy", errorPagePolicy);
      context.body = errorPage(
        { zh: "授权失败", en: "Authorization failed" },
        { zh: "应用发来的授权请求不正确，请联系该应用。", en: "The application sent a wrong request." },
        `${out.error} ${out.error_description ?? ""}`,
      );
    },
  };
  const provider = new Provider(issuer, configuration);
  // The routes tell it the issuer's protocol and host, whatever the caller wrote.
  provider.proxy = true;
  // Stored is the hash: what the client sends is hashed before it is compared.
  provider.Client.prototype.compareClientSecret = function compareClientSecret(
    this: { clientSecret?: string | undefined },
    given: string,
  ): boolean {
    const [a, b] = [Buffer.from(clientSecretHash(given)), Buffer.from(this.clientSecret ?? "")];
    return a.length === b.length && timingSafeEqual(a, b);
  } as never;
  provider.on("server_error", (_context, error) => dependencies.onError(error));
  return provider;
}
