import { personalFieldPattern, translate } from "@herdwise/contract";
import { Refusal } from "../../http/errors.ts";
import type { AnsweredCall } from "../../http/router.ts";
import { describeError } from "../../log.ts";

export type LogKind = "usual" | "api" | "error";

/** An entry of a log by the columns of its table. */
export type LogEntry = Readonly<Record<string, string | number | null>>;

/** Names of values that nobody may find in a log. */
const secret =
  /pass|secret|token|code|captcha|card|sign|nonce|key|value|answer|content|text|body|name|address|remark|ext$/i;
/** Names of values that say which rows a call was about, and how. */
const telling =
  /(^|[a-z])(Ids?|ids?)$|^(state|status|event|type|category|parentId|version|current|size|sort|isCovered)$/;
const plain = /^[\w,:.-]{0,200}$/;
const longest = 2000;

/** What was sent, with the values alone that tell which rows a call was about. */
function kept(value: unknown, name: string, depth: number): unknown {
  if (value === null || value === undefined) return value;
  if (depth > 4) return "…";
  if (Array.isArray(value)) return value.slice(0, 50).map((item) => kept(item, name, depth + 1));
  if (typeof value === "object")
    return Object.fromEntries(
      Object.entries(value)
        .slice(0, 50)
        .map(([field, inner]) => [field.slice(0, 60), kept(inner, field, depth + 1)]),
    );
  const hidden = personalFieldPattern.test(name) || (secret.test(name) && !telling.test(name));
  if (!hidden && (typeof value === "boolean" || typeof value === "number")) return value;
  return !hidden && telling.test(name) && plain.test(String(value)) ? value : "***";
}

/** Calls whose parameters prove who somebody is leave none. */
const provesIdentity = ({ owner, rate, access }: AnsweredCall["endpoint"]): boolean =>
  access.level === "public" || owner === "proof" || owner === "named" || rate === "entry" || rate === "guarded";

function paramsOf({ endpoint, query, body }: AnsweredCall): string {
  if (provesIdentity(endpoint)) return "";
  return JSON.stringify({ query: kept(query, "", 0), body: kept(body, "", 0) }).slice(0, longest);
}

/** Place of the first line of a stack that is the server's own. */
function placeOf(stack: string): { file: string; line: number } {
  const [, file = "", line = "0"] = /\/([\w.-]+\.ts):(\d+):\d+/.exec(stack) ?? [];
  return { file, line: Number(line) };
}

/**
 * Which logs a call belongs to, and what they hold of it.
 * @param operations names of operations by method and path
 */
export function entriesOf(
  call: AnsweredCall,
  { id, at, host, operations }: { id: () => string; at: Date; host: string; operations: ReadonlyMap<string, string> },
): { kind: LogKind; entry: LogEntry }[] {
  const { endpoint, session, status, failure, ms } = call;
  const common = () => ({
    id: id(),
    created_at: at.toISOString(),
    tenant_id: session?.tenantId ?? "",
    account_id: session?.accountId ?? null,
    service_id: /^\/api\/muyuan-([a-z0-9-]+)\//.exec(endpoint.path)?.[1] ?? "portal",
    server_host: host,
    remote_address: call.remoteAddress,
    user_agent: call.userAgent.slice(0, 300),
    request_id: call.requestId,
    request_uri: endpoint.path,
    method: endpoint.method,
    operation: operations.get(`${endpoint.method} ${endpoint.path}`) ?? "",
    params: paramsOf(call),
  });
  const entries: { kind: LogKind; entry: LogEntry }[] = [];
  // Thousands a second are refused to bidders in the last seconds of a lot, each of which the page explains.
  if (endpoint.admittedByKeptSession === true && failure instanceof Refusal && failure.status < 500) return entries;
  // What strangers try is in the server's own log, where it fills no table.
  if (failure instanceof Refusal && failure.status < 500 && session !== undefined)
    entries.push({
      kind: "usual",
      entry: {
        ...common(),
        log_level: failure.status === 403 ? "warn" : "info",
        log_id: failure.reason,
        log_data: `${failure.status} ${failure.reason}`,
      },
    });
  // Some calls that only read are no GET: each open page counts its messages by one of them, and has its texts translated by another.
  const reads = endpoint.method === "GET" || endpoint.rate === "read" || endpoint.path === translate.path;
  if (!reads && session !== undefined)
    entries.push({
      kind: "api",
      entry: { ...common(), title: endpoint.summary.slice(0, 300), time_ms: Math.round(ms), status },
    });
  if (status >= 500 && failure !== undefined) {
    const described = describeError(failure) as { type?: string; message?: string; stack?: string };
    const stack = String(described.stack ?? "").slice(0, 8000);
    const place = placeOf(stack);
    entries.push({
      kind: "error",
      entry: {
        ...common(),
        stack_trace: stack,
        exception_name: described.type ?? failure.name,
        message: String(described.message ?? "").slice(0, 1000),
        file_name: place.file,
        line_number: place.line,
      },
    });
  }
  return entries;
}
