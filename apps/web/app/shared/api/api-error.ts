import type { Problem } from "@herdwise/contract/rules";
import type { Fillings } from "../language/fill.ts";
import { keepTemplate } from "../language/refusal-texts.ts";

/** An answer that is not a success, with the code of product.md 8. */
export class ApiError extends Error {
  /** Body code or HTTP status; 0 when no answer came. */
  readonly code: number;
  /** The `error` field of bare answers, for example `multi_tenant`. */
  readonly error: string | undefined;
  /** The whole answer, for callers that know more fields of it. */
  readonly body: unknown;
  /** Which rule was broken: programs tell refusals apart by it, never by their text. "" when the answer names none. */
  readonly reason: string;
  /** Chinese with placeholders, the key of its translation; `values` fill it. */
  readonly text: string;
  readonly values: Fillings;
  /** What is wrong with which field. */
  readonly problems: readonly Problem[];
  /** Number under which the server's log holds the request; "" without one. */
  requestId = "";

  constructor(code: number, message: string, error?: string, body?: unknown) {
    super(message);
    this.name = "ApiError";
    this.code = code;
    this.error = error;
    this.body = body;
    const more = field(body, "data") ?? body;
    this.reason = textOf(field(more, "reason")) ?? "";
    this.text = textOf(field(more, "text")) ?? message;
    this.values = (field(more, "values") ?? {}) as Fillings;
    keepTemplate(this.message, this.text, this.values);
    const problems = field(more, "problems");
    this.problems = Array.isArray(problems) ? (problems as Problem[]) : [];
  }

  /** A field of the refusal's own, such as the stored row of a conflict. */
  more(name: string): unknown {
    return field(field(this.body, "data"), name);
  }

  /** What is wrong with each field, as a template with its values. */
  fieldProblems(): Readonly<Record<string, Problem>> {
    return Object.fromEntries(this.problems.map((problem) => [problem.field, problem]));
  }
}

const field = (body: unknown, name: string): unknown =>
  typeof body === "object" && body !== null && name in body ? Reflect.get(body, name) : undefined;

const textOf = (value: unknown): string | undefined => (typeof value === "string" && value !== "" ? value : undefined);

/**
 * Reads an answer as product.md 8 says: the code is the body's or the HTTP status, the message is msg,
 * error_description or message. Returns undefined when the answer is a success (200 or 1).
 */
export function refusal(status: number, body: unknown): ApiError | undefined {
  const bodyCode = field(body, "code");
  const code = typeof bodyCode === "number" ? bodyCode : status;
  if (code === 200 || code === 1) return undefined;
  const message =
    textOf(field(body, "msg")) ??
    textOf(field(body, "error_description")) ??
    textOf(field(body, "message")) ??
    "未知错误";
  return new ApiError(code, message, textOf(field(body, "error")), body);
}

/** Refusals that the caller shows in its own way. */
export const isToldByCaller = (error: ApiError): boolean =>
  error.error === "multi_tenant" || error.code === 412 || error.code === 11_099;

/** Anything that was thrown, as a refusal. */
export const asApiError = (reason: unknown): ApiError =>
  reason instanceof ApiError ? reason : new ApiError(0, "未知错误");
