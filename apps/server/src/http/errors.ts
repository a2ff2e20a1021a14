import { type Problem, wireMessage } from "@herdwise/contract";
import { type Reason, reasons } from "./reasons.ts";

/** What a refusal says beside its reason. */
export interface RefusalDetails {
  /** Values of the text's placeholders. */
  values?: Readonly<Record<string, string | number>>;
  /** The field that it is about; the form shows it there. */
  field?: string;
  /** What is wrong with each field, where it is more than one. */
  problems?: readonly Problem[];
  /** More of `data`, for programs that act on it. */
  more?: Readonly<Record<string, unknown>>;
}

/** A refusal that a caller can act on: its reason decides status and text, on the wire and in the log. */
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

/** Makes the refusal of a reason. A reason without text in both languages does not compile. */
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
 * What PostgreSQL says of a text with NUL, a number beyond its column, or a text that is no number, day or id: the caller's, as
 * nothing that the server makes up is like that.
 */
const unreadableInput = /^22(021|003|007|008|P02|P05)$/;
/** Whether the database could not read what a caller sent. */
export const isUnreadableInput = (error: unknown): boolean =>
  error instanceof Error && unreadableInput.test(String((error as { code?: unknown }).code));
