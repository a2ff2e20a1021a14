import { type Problem, wireMessage } from "@herdwise/contract";
import { type Reason, reasons } from "./reasons.ts";

/** Details of a refusal in addition to its reason. */
export interface RefusalDetails {
  /** Values of the text's placeholders. */
  values?: Readonly<Record<string, string | number>>;
  /** The field that the refusal is about; a form shows the text there. */
  field?: string | undefined;
  /** Problems by field, where there are several. */
  problems?: readonly Problem[];
  /** Additional properties of `data` for programs. */
  more?: Readonly<Record<string, unknown>>;
}

/** A refusal that the caller can act on; its reason decides status and text, on the wire and in the log. */
export class Refusal extends Error {
  readonly reason: Reason;
  readonly status: number;
  /** `data` of the envelope: reason, text with placeholders, their values, and problems of fields. */
  readonly answer: Readonly<Record<string, unknown>>;
  readonly more: Readonly<Record<string, unknown>>;
  readonly values: Readonly<Record<string, string | number>>;
  constructor(reason: Reason, { values = {}, field, problems, more = {} }: RefusalDetails = {}) {
    const entry: { status?: number; zh: string } = reasons[reason];
    super(filled(entry.zh, values));
    this.name = "Refusal";
    this.reason = reason;
    this.status = entry.status ?? 400;
    this.more = more;
    this.values = values;
    const own = field === undefined ? [] : [{ field, reason, text: entry.zh, values }];
    this.answer = { reason, text: entry.zh, values, problems: problems ?? own, ...more };
  }
}

/** A text with its placeholders filled. */
export const filled = (text: string, values: Readonly<Record<string, string | number>>): string =>
  text.replace(/\{(\w+)\}/g, (whole, name: string) => String(values[name] ?? whole));

/** Why requests were not answered as they were meant to be, until their answer is written. */
const failures = new WeakMap<object, Error>();
/** Notes why a request failed, for the log of calls. */
export const noteFailure = (request: object, error: unknown): void => {
  if (error instanceof Error) failures.set(request, error);
};
/** Why a request failed; undefined where it did not. */
export const failureOf = (request: object): Error | undefined => failures.get(request);

/** Makes a refusal by its reason; a reason without text in both languages does not compile. */
export const refuse = (reason: Reason, details?: RefusalDetails): Refusal => new Refusal(reason, details);

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

/**
 * PostgreSQL's error codes for a text with NUL, a number beyond its column's range, or a text that is no number, day or id.
 * The caller caused them, because the server itself generates no such values.
 */
const unreadableInput = /^22(021|003|007|008|P02|P05)$/;
/** Whether the database rejected a value that the caller sent. */
export const isUnreadableInput = (error: unknown): boolean =>
  error instanceof Error && unreadableInput.test(String((error as { code?: unknown }).code));
