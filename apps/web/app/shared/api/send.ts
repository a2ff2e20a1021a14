import {
  type BodyOf,
  type Endpoint,
  publicClient,
  type QueryOf,
  type ReplyOf,
  requestIdHeader,
  tokenHeader,
} from "@herdwise/contract";
import { takeAhead } from "../session/asked-ahead.ts";
import { readSession } from "../session/storage.ts";
import { ApiError, refusal } from "./api-error.ts";
import { fetchNoted } from "./reach.ts";

/** product.md 9. */
const requestTimeoutMs = 99_999;

export interface SendOptions<E> {
  query?: QueryOf<E>;
  body?: BodyOf<E>;
  headers?: Record<string, string>;
  signal?: AbortSignal;
  /** A body code that is a success for this operation beside 200 and 1: setSelfInfo answers 0. */
  successCode?: number;
  /** The request outlives the page. */
  keepalive?: boolean;
}

/** Path of an endpoint with its query; fields that are undefined or "" are not sent. */
export function addressOf(endpoint: Pick<Endpoint, "path">, query: object | undefined): string {
  const pairs = Object.entries(query ?? {})
    .filter(([, value]) => value !== undefined && value !== "")
    .map(([name, value]): [string, string] => [name, String(value)]);
  return pairs.length === 0 ? endpoint.path : `${endpoint.path}?${new URLSearchParams(pairs)}`;
}

/** Headers of every request: the public client, and the session's token when there is one. */
export function authorizationHeaders(): Record<string, string> {
  const token = readSession()?.token;
  return {
    Authorization: `Basic ${btoa(`${publicClient.id}:${publicClient.secret}`)}`,
    ...(token ? { [tokenHeader]: `bearer ${token}` } : {}),
  };
}

/** A body as its operation reads it: JSON, and form fields where tokens are given (wire.md 2). */
function encodedBody(path: string, body: unknown): { type: string; text: string } | undefined {
  if (typeof body !== "object" || body === null) return undefined;
  if (!path.endsWith("/oauth/token")) return { type: "application/json", text: JSON.stringify(body) };
  const fields = Object.entries(body).map(([name, value]): [string, string] => [name, String(value)]);
  return { type: "application/x-www-form-urlencoded", text: new URLSearchParams(fields).toString() };
}

/**
 * Sends one request of the contract: no toast, no renewal, no second try. Screens use `call`.
 * @returns the envelope's payload, or the whole answer of a bare operation
 * @throws ApiError when it is refused or no answer comes; the signal's reason when the caller gave up
 */
export async function send<E extends Pick<Endpoint, "method" | "path" | "form">>(
  endpoint: E,
  options: SendOptions<E> = {},
): Promise<ReplyOf<E>> {
  const timeout = AbortSignal.timeout(requestTimeoutMs);
  const body = encodedBody(endpoint.path, options.body);
  try {
    const address = addressOf(endpoint, options.query);
    const init: RequestInit = {
      method: endpoint.method,
      credentials: "include",
      keepalive: options.keepalive ?? false,
      signal: options.signal ? AbortSignal.any([options.signal, timeout]) : timeout,
      headers: {
        ...authorizationHeaders(),
        ...(body === undefined ? {} : { "Content-Type": body.type }),
        ...options.headers,
      },
      ...(body === undefined ? {} : { body: body.text }),
    };
    const ahead = endpoint.method === "GET" ? takeAhead(address, readSession()?.token) : undefined;
    const answer = await fetchNoted(address, init, ahead);
    const reply: unknown = await answer.json().catch(() => undefined);
    const refused = refusal(answer.status, reply);
    if (refused && refused.code !== options.successCode) {
      refused.requestId = answer.headers.get(requestIdHeader) ?? "";
      throw refused;
    }
    // The contract's reply schema is enforced by the server; this is the one place where its type is taken on trust.
    return (endpoint.form === "envelope" ? (reply as { data: unknown }).data : reply) as ReplyOf<E>;
  } catch (reason) {
    if (reason instanceof ApiError || options.signal?.aborted) throw reason;
    throw new ApiError(0, timeout.aborted ? "请求超时，请稍后再试" : "网络连接失败，请检查网络后重试");
  }
}
