/** An answer that is not a success, with the code of product.md 8. */
export class ApiError extends Error {
  /** Body code or HTTP status; 0 when no answer came. */
  readonly code: number;
  /** The `error` field of bare answers, for example `multi_tenant`. */
  readonly error: string | undefined;
  /** The whole answer, for callers that know more fields of it. */
  readonly body: unknown;

  constructor(code: number, message: string, error?: string, body?: unknown) {
    super(message);
    this.name = "ApiError";
    this.code = code;
    this.error = error;
    this.body = body;
  }
}

const field = (body: unknown, name: string): unknown =>
  typeof body === "object" && body !== null && name in body ? Reflect.get(body, name) : undefined;

const text = (value: unknown): string | undefined => (typeof value === "string" && value !== "" ? value : undefined);

/**
 * Reads an answer as product.md 8 says: the code is the body's or the HTTP status, the message is msg,
 * error_description or message. Returns undefined when the answer is a success (200 or 1).
 */
export function refusal(status: number, body: unknown): ApiError | undefined {
  const bodyCode = field(body, "code");
  const code = typeof bodyCode === "number" ? bodyCode : status;
  if (code === 200 || code === 1) return undefined;
  const message =
    text(field(body, "msg")) ?? text(field(body, "error_description")) ?? text(field(body, "message")) ?? "未知错误";
  return new ApiError(code, message, text(field(body, "error")), body);
}

/** Refusals that the caller shows in its own way. */
export const isToldByCaller = (error: ApiError): boolean =>
  error.error === "multi_tenant" || error.code === 412 || error.code === 11_099;
