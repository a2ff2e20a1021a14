import { type LoggerOptions, stdSerializers } from "pino";
import { currentSpan } from "./tracing/span.ts";

interface DatabaseFault extends Error {
  code: string;
  severity: string;
  constraint?: string;
  table?: string;
  column?: string;
}
const isDatabaseFault = (error: Error): error is DatabaseFault =>
  "severity" in error && "code" in error && typeof error.code === "string";

/**
 * An error as the log holds it. What PostgreSQL quotes of a row or a parameter (`Failing row contains (...)`, `invalid input
 * syntax for type bigint: "..."`) is left out: it may be somebody's phone.
 */
export function describeError(error: Error): object {
  if (!(error instanceof Error) || !isDatabaseFault(error)) return stdSerializers.err(error);
  const { code, constraint, table, column, stack = "" } = error;
  const dataException = code.startsWith("22");
  const message = dataException ? error.message.replace(/".*"/s, '"…"') : error.message;
  const frames = stack.slice(Math.max(0, stack.indexOf("\n    at ")));
  return { type: error.constructor.name, code, message, constraint, table, column, stack: `${message}${frames}` };
}

/** Names the trace that a line belongs to. */
function traceOfLine(): object {
  const span = currentSpan();
  return span === undefined ? {} : { trace_id: span.traceId, span_id: span.spanId };
}

/** How the server's log is written; nothing that a caller sent gets into it. */
export const logOptions = (level: string): LoggerOptions => ({
  level,
  redact: { paths: ["*.password", "*.token", "req.headers"], remove: true },
  serializers: { err: describeError },
  mixin: traceOfLine,
});
