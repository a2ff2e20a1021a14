import { type BodyOf, type Endpoint, publicClient, type QueryOf, type ReplyOf, tokenHeader } from "@herdwise/contract";
import { expireSession } from "../session/expire.ts";
import { readSession } from "../session/storage.ts";
import { showToast } from "../states/toast-store.ts";
import { ApiError, isToldByCaller, refusal } from "./api-error.ts";

/** product.md 9. */
const requestTimeoutMs = 99_999;

export interface CallOptions<E> {
  query?: QueryOf<E>;
  body?: BodyOf<E>;
  headers?: Record<string, string>;
  signal?: AbortSignal;
  /** The caller shows a refusal in its own place, so no toast. */
  quiet?: boolean;
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

const forbiddenText = "没有访问权限，请联系管理员开通资源权限；开通后请退出并重新登录";

/** A body as its operation reads it: JSON, and form fields where tokens are given (wire.md 2). */
function encodedBody(form: Endpoint["form"], body: unknown): { type: string; text: string } | undefined {
  if (typeof body !== "object" || body === null) return undefined;
  if (form !== "bare") return { type: "application/json", text: JSON.stringify(body) };
  const fields = Object.entries(body).map(([name, value]): [string, string] => [name, String(value)]);
  return { type: "application/x-www-form-urlencoded", text: new URLSearchParams(fields).toString() };
}

/**
 * Calls an operation of the contract.
 * @returns the envelope's payload, or the whole answer of a bare operation
 * @throws ApiError when it is refused or no answer comes
 */
export async function call<E extends Pick<Endpoint, "method" | "path" | "form">>(
  endpoint: E,
  options: CallOptions<E> = {},
): Promise<ReplyOf<E>> {
  const tokenSent = readSession()?.token;
  const timeout = AbortSignal.timeout(requestTimeoutMs);
  const body = encodedBody(endpoint.form, options.body);
  let error: ApiError;
  try {
    const answer = await fetch(addressOf(endpoint, options.query), {
      method: endpoint.method,
      credentials: "include",
      signal: options.signal ? AbortSignal.any([options.signal, timeout]) : timeout,
      headers: {
        ...authorizationHeaders(),
        ...(body === undefined ? {} : { "Content-Type": body.type }),
        ...options.headers,
      },
      ...(body === undefined ? {} : { body: body.text }),
    });
    const reply: unknown = await answer.json().catch(() => undefined);
    const refused = refusal(answer.status, reply);
    // The contract's reply schema is enforced by the server; this is the one place where its type is taken on trust.
    if (!refused) return (endpoint.form === "envelope" ? (reply as { data: unknown }).data : reply) as ReplyOf<E>;
    error = refused;
  } catch (reason) {
    if (options.signal?.aborted) throw reason;
    error = new ApiError(0, timeout.aborted ? "请求超时，请稍后再试" : "网络连接失败，请检查网络后重试");
  }
  if (error.code === 401) {
    // Another tab may have renewed the token while this request was under way; then the session is fine.
    if (tokenSent && readSession()?.token === tokenSent) expireSession();
  } else if (!options.quiet && !isToldByCaller(error)) {
    showToast({ kind: "error", text: error.code === 403 ? forbiddenText : error.message });
  }
  throw error;
}
