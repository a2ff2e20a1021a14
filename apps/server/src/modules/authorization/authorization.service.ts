import { randomBytes } from "node:crypto";
import { type AuthorizeInfo, type EndSessionInfo, oauth2Paths } from "@herdwise/contract";
import type Provider from "oidc-provider";
import { refuse } from "../../http/errors.ts";
import { pageOfRows, pageRequest } from "../../http/paging.ts";
import type { Session } from "../../http/session.ts";
import { readSomeIds } from "../../ids.ts";
import { loopbackHosts } from "../../providers/address.ts";
import { accountScope, type SystemScope } from "../../tenant-scope.ts";
import type { EventCaller, RecordEvent } from "../account-log/index.ts";
import type { AuthorizationRepository, ClientRow } from "./authorization.repository.ts";
import { clientSecretHash, scopeWords } from "./authorization-server.ts";

export interface AuthorizationDependencies {
  repository: AuthorizationRepository;
  /** For the accounts behind codes and tokens. */
  issued: SystemScope;
  /** The authorization server; made when it is first needed. */
  server: () => Promise<Provider>;
  /** The person's name and tenant for the consent page. */
  personOf: (session: Session) => Promise<{ account: string; nickName: string; tenantName: string }>;
  nextId: () => string;
  record: RecordEvent;
}

/** A request that waits for the person's answer, as the authorization server keeps it. */
interface Interaction {
  params: Record<string, unknown>;
  /** Address at the authorization server that goes on with the request. */
  returnTo: string;
  /** End of its life in seconds since 1970. */
  exp: number;
  result?: unknown;
  save(lifetimeS: number): Promise<unknown>;
}

const listOf = (text: string) => text.split(",").filter((part) => part !== "");

/** Parameters of a log-out that an application asks for. */
export interface LogOutRequest {
  idTokenHint?: string | undefined;
  clientId?: string | undefined;
  postLogoutRedirectUri?: string | undefined;
  state?: string | undefined;
}

/** Addresses that an application may be answered at: https, or http on the own machine for development, or an app's scheme. */
function checkRedirectUri(uri: string, field: "redirectUris" | "postLogoutRedirectUris"): string {
  if (!URL.canParse(uri)) throw refuse("client.redirect_uri_unreadable", { field, values: { address: uri } });
  const { protocol, hostname, hash } = new URL(uri);
  const allowed =
    protocol === "https:" ||
    (protocol === "http:" && loopbackHosts.has(hostname)) ||
    /^[a-z][a-z0-9+-]*(\.[a-z0-9+-]+)+:$/.test(protocol);
  if (!allowed || hash !== "" || uri.includes("*")) {
    throw refuse("client.redirect_uri_insecure", { field, values: { address: uri } });
  }
  return uri;
}

/** For which application an ID token says it is; "" for what is no ID token. */
function audienceOf(idToken: string): string {
  try {
    const { aud } = JSON.parse(Buffer.from(idToken.split(".")[1] ?? "", "base64url").toString()) as { aud?: unknown };
    return typeof aud === "string" ? aud : "";
  } catch {
    return "";
  }
}

export function createAuthorizationService({
  repository,
  issued,
  server,
  personOf,
  nextId,
  record,
}: AuthorizationDependencies) {
  /** The request behind a consent page, if this browser began it. */
  const interactionOf = async (authorizeKey: string, cookie: string | undefined): Promise<Interaction> => {
    // The cookie was set for the browser that the application sent: somebody else's link must not get a consent.
    if (cookie !== authorizeKey) throw refuse("authorization.unknown");
    const provider = await server();
    const interaction = (await provider.Interaction.find(authorizeKey)) as unknown as Interaction | undefined;
    if (interaction === undefined) throw refuse("authorization.unknown");
    return interaction;
  };
  const askedScopes = (interaction: Interaction): string[] =>
    String(interaction.params.scope ?? "")
      .split(" ")
      .filter((scope) => scope in scopeWords);

  const view = (row: ClientRow) => ({
    id: row.id,
    clientId: row.clientId,
    name: row.name,
    logo: row.logo,
    scope: row.scopes.join(","),
    authorizedGrantTypes: row.grantTypes.join(","),
    webServerRedirectUri: row.redirectUris.join(","),
    postLogoutRedirectUri: row.postLogoutRedirectUris.join(","),
    accessTokenValidity: 3600,
    refreshTokenValidity: 604_800,
    publicClient: row.secretHash === null,
    clientSecret: "" as const,
    resourceIds: "" as const,
    authorities: "" as const,
    autoapprove: "" as const,
    additionalInformation: "" as const,
    createTime: row.createdAt,
  });

  /** @throws {Refusal} when the application is none, or the address is not registered for it */
  const logOutTarget = async ({ clientId, postLogoutRedirectUri, state }: LogOutRequest) => {
    const client = clientId ? await repository.client(clientId) : undefined;
    if (clientId && client === undefined) throw refuse("authorization.logout_client");
    if (!postLogoutRedirectUri) return { client, location: undefined };
    if (!client?.postLogoutRedirectUris.includes(postLogoutRedirectUri)) {
      throw refuse("authorization.logout_redirect");
    }
    const location = new URL(postLogoutRedirectUri);
    if (state !== undefined) location.searchParams.set("state", state);
    return { client, location };
  };

  /** Whom an ID token that we signed is about, and for which application. @throws {Refusal} */
  const readHint = async (hint: string): Promise<{ accountId: string; clientId: string }> => {
    const { Client, IdToken } = await server();
    const client = await Client.find(audienceOf(hint));
    // Signature, issuer and audience; it may have run out.
    const held = client && (await IdToken.validate(hint, client).catch(() => undefined));
    if (client === undefined || held === undefined) throw refuse("authorization.logout_hint");
    return { accountId: String(held.payload.sub), clientId: client.clientId };
  };

  return {
    /**
     * An application asks for its person's log-out: with an ID token as proof it loses what it holds of the person at once.
     * Whether the portal's own session ends as well the person says at the page.
     * @returns the page's address
     * @throws {Refusal} for what is not to be trusted; the browser goes nowhere then
     */
    async beginLogOut({ idTokenHint, ...request }: LogOutRequest): Promise<string> {
      const hinted = idTokenHint ? await readHint(idTokenHint) : undefined;
      if (hinted && request.clientId && request.clientId !== hinted.clientId) {
        throw refuse("authorization.logout_hint");
      }
      const clientId = request.clientId || hinted?.clientId;
      const { location } = await logOutTarget({ ...request, clientId });
      if (hinted) await repository.endTokensAt(accountScope(issued, hinted.accountId), hinted.clientId);
      const query = new URLSearchParams({
        ...(clientId && { client_id: clientId }),
        ...(location && { post_logout_redirect_uri: request.postLogoutRedirectUri ?? "" }),
        ...(location && request.state !== undefined && { state: request.state }),
      });
      return `${oauth2Paths.endSessionPage}?${query}`;
    },

    /** For the page that asks. @throws {Refusal} */
    async logOutInfo(request: Omit<LogOutRequest, "idTokenHint">): Promise<EndSessionInfo> {
      const { client, location } = await logOutTarget(request);
      return {
        clientName: client?.name ?? "",
        redirectHost: location?.host ?? "",
        location: location?.href ?? "",
      };
    },

    /** The signed-in person logs out of an application. */
    endTokensAt: (session: Session, clientId: string) => repository.endTokensAt(session, clientId),

    async info(session: Session, authorizeKey: string, cookie: string | undefined): Promise<AuthorizeInfo> {
      const interaction = await interactionOf(authorizeKey, cookie);
      const client = await repository.client(String(interaction.params.client_id));
      if (client === undefined) throw refuse("authorization.client_gone");
      return {
        clientName: client.name,
        logo: client.logo,
        redirectHost: new URL(String(interaction.params.redirect_uri)).host,
        scopes: askedScopes(interaction).map((scope) => ({
          scope,
          words: scopeWords[scope] ?? scope,
          required: scope === "openid",
        })),
        ...(await personOf(session)),
      };
    },

    /** Records the answer and tells where the browser goes next: back to the authorization server, which ends the request. */
    async approve(
      session: Session,
      answer: { authorizeKey: string; approved: boolean; scopes?: string[] | undefined },
      cookie: string | undefined,
      caller: EventCaller,
    ): Promise<{ location: string }> {
      const interaction = await interactionOf(answer.authorizeKey, cookie);
      if (answer.approved) {
        const asked = askedScopes(interaction);
        const granted = asked.filter(
          (scope) => scope === "openid" || answer.scopes === undefined || answer.scopes.includes(scope),
        );
        const provider = await server();
        const grant = new provider.Grant({
          accountId: session.accountId,
          clientId: String(interaction.params.client_id),
        });
        grant.addOIDCScope(granted.join(" "));
        grant.rejectOIDCScope(asked.filter((scope) => !granted.includes(scope)).join(" "));
        interaction.result = {
          login: { accountId: session.accountId, remember: false },
          consent: { grantId: await grant.save() },
        };
        const client = await repository.client(String(interaction.params.client_id));
        await record(session.accountId, "grant_given", { detail: client?.name ?? "", caller });
      } else {
        interaction.result = { error: "access_denied", error_description: "the person refused" };
      }
      await interaction.save(interaction.exp - Math.floor(Date.now() / 1000));
      // At the host that the browser is at: the cookies of the request are kept for it.
      const { pathname, search } = new URL(interaction.returnTo);
      return { location: pathname + search };
    },

    async grants(session: Session) {
      const rows = await repository.grants(session);
      return rows.map(({ payload, ...row }) => ({
        ...row,
        scopes: (payload.openid?.scope ?? "").split(" ").flatMap((scope) => scopeWords[scope] ?? []),
      }));
    },

    async removeGrants(session: Session, ids: string, caller: EventCaller): Promise<void> {
      const names = new Map((await repository.grants(session)).map(({ id, clientName }) => [id, clientName]));
      for (const id of listOf(ids)) {
        if (!(await repository.ownsGrant(session, id))) continue;
        await repository.removeGrant(id);
        await record(session.accountId, "grant_ended", { detail: names.get(id) ?? "", caller });
      }
    },

    /** Ends the codes and tokens of an account at every application. */
    endTokensOf: (accountId: string) => repository.endTokensOf(accountScope(issued, accountId)),

    async clients(query: Parameters<typeof pageRequest>[0]) {
      const request = pageRequest(query, []);
      const { rows, total } = await repository.clients(request);
      return pageOfRows(rows.map(view), total, request);
    },

    async client(id: string) {
      const row = await repository.clientById(id);
      if (row === undefined) throw refuse("row.not_found");
      return view(row);
    },

    /** @returns the secret of a new confidential application, which is stored as a hash and never shown again */
    async submitClient(input: {
      id?: string | undefined;
      name: string;
      logo?: string | undefined;
      webServerRedirectUri: string;
      postLogoutRedirectUri?: string | undefined;
      scope?: string | undefined;
      publicClient?: boolean | undefined;
    }) {
      const redirectUris = listOf(input.webServerRedirectUri).map((uri) =>
        checkRedirectUri(uri.trim(), "redirectUris"),
      );
      const postLogoutRedirectUris =
        input.postLogoutRedirectUri === undefined
          ? undefined
          : listOf(input.postLogoutRedirectUri).map((uri) => checkRedirectUri(uri.trim(), "postLogoutRedirectUris"));
      const scopes = [...new Set(["openid", ...listOf(input.scope ?? "profile")])];
      const unknown = scopes.find((scope) => !(scope in scopeWords));
      if (unknown !== undefined) throw refuse("client.unknown_scope", { field: "scopes", values: { scope: unknown } });
      if (redirectUris.length === 0) throw refuse("client.no_redirect_uri", { field: "redirectUris" });
      const change = {
        name: input.name,
        logo: input.logo ?? "",
        redirectUris,
        scopes,
        ...(postLogoutRedirectUris && { postLogoutRedirectUris }),
      };
      if (input.id !== undefined) {
        const clientId = await repository.updateClient(input.id, change);
        if (clientId === undefined) throw refuse("client.not_found");
        return { id: input.id, clientId, clientSecret: "" };
      }
      const id = nextId();
      const clientId = `app-${randomBytes(9).toString("base64url")}`;
      const secret = input.publicClient ? "" : randomBytes(32).toString("base64url");
      await repository.insertClient({
        id,
        clientId,
        secretHash: secret === "" ? null : clientSecretHash(secret),
        grantTypes: scopes.includes("offline_access")
          ? ["authorization_code", "refresh_token"]
          : ["authorization_code"],
        postLogoutRedirectUris: [],
        ...change,
      });
      return { id, clientId, clientSecret: secret };
    },

    removeClients: (ids: string) => repository.removeClients(readSomeIds(ids)),
    sweep: () => repository.sweep(),
  };
}
export type AuthorizationService = ReturnType<typeof createAuthorizationService>;
