import { wireMessage } from "@herdwise/contract";

/**
 * A refusal that a caller can act on. `status` is the HTTP status and the envelope's code; `message` (Chinese, a key of
 * the translations) says what to change; `name` of the reason goes to logs and tests.
 */
export class Refusal extends Error {
  readonly status: number;
  readonly reason: string;
  /** `data` of the answer, for refusals that a program tells apart. */
  readonly more: Readonly<Record<string, unknown>>;
  constructor(status: number, reason: string, message: string, more: Readonly<Record<string, unknown>> = {}) {
    super(message);
    this.name = "Refusal";
    this.status = status;
    this.reason = reason;
    this.more = more;
  }
}

/** A broken business rule: HTTP 400 with the rule in words (wire.md 1.1). */
export const rejected = (reason: string, message: string) => new Refusal(400, reason, message);
/** Missing, or another tenant's: both look the same. */
export const notFound = (reason = "not_found") => new Refusal(404, reason, wireMessage.notFound);
export const forbidden = (reason: string) => new Refusal(403, reason, wireMessage.forbidden);
/** The system can't do it now and the caller may try again. */
export const unavailable = (reason: string) => new Refusal(503, reason, wireMessage.busy);

/** A budget is spent; waiting helps. */
export const tooMany = (reason: string, message: string = wireMessage.tooManyRequests) =>
  new Refusal(429, reason, message);

/** The gateway's refusal: HTTP 401 without `success` (wire.md 1.1). */
export class Unauthenticated extends Error {
  constructor(message: string = wireMessage.unauthorized) {
    super(message);
    this.name = "Unauthenticated";
  }
}

/** A refusal of oauth/token in its bare form (wire.md 2). */
export class OAuthRefusal extends Error {
  readonly status: number;
  readonly error: string;
  /** Fields beside error and error_description, such as the tenants to choose from. */
  readonly more: Readonly<Record<string, unknown>>;
  constructor(status: number, error: string, description: string, more: Readonly<Record<string, unknown>> = {}) {
    super(description);
    this.name = "OAuthRefusal";
    this.status = status;
    this.error = error;
    this.more = more;
  }
}
