import type { Static, TObject, TSchema } from "typebox";

/**
 * Who may call an operation.
 * - `public`: anyone; a token that is sent is still read.
 * - `signed-in`: any valid session.
 * - `permission`: a session whose roles grant the button code `code`.
 */
export type Access = { level: "public" } | { level: "signed-in" } | { level: "permission"; code: string };

export const publicAccess: Access = { level: "public" };
export const signedIn: Access = { level: "signed-in" };
/** @param code a button code of the menu table, for example `device_bind` */
export const permission = (code: string): Access => ({ level: "permission", code });

/**
 * Whose rows an operation reads or changes. The server's start fails when it does not fit the access.
 * - `nobody`: no row of a person or a tenant.
 * - `named`: what everybody may know of a login name or number that is given without a proof. Unknown ones are answered in
 *   the same shape after the same time (T15).
 * - `proof`: rows of whoever the call proves itself to be, by password, code, ticket or cookie.
 * - `self`: rows of the session's account.
 * - `tenant`: rows of the session's tenant; the id of another tenant's row is answered like one that never was.
 * - `tenants`: as `tenant`; sessions in the group's tenant reach the rows of every tenant.
 * - `group`: rows of the whole installation; only sessions in the group's tenant get through, whatever their roles grant.
 */
export type Owner = "nobody" | "named" | "proof" | "self" | "tenant" | "tenants" | "group";

/**
 * Calls per minute and operation, from one session and from one address (an IPv4 address, or the /64 of an IPv6 one; a farm
 * with many people may sit behind it). They hold floods off; what can be guessed has tighter budgets where it is compared.
 */
export const rateClasses = {
  /** Reads rows. */
  read: { session: 1200, address: 12_000 },
  /** Changes rows. */
  write: { session: 300, address: 6000 },
  /** Where people come in, and what pages call before that: log-in, renewal, captcha, QR polling. */
  entry: { session: 600, address: 6000 },
  /** Sends messages or tries codes. */
  guarded: { session: 120, address: 600 },
  /** Opens a live stream. */
  stream: { session: 60, address: 1200 },
} as const;
export type RateClass = keyof typeof rateClasses;

/**
 * How a personal field leaves the server.
 * - `mask-phone`, `mask-email`, `mask-address`, `mask-name`: shortened by the server when the answer is written, whatever the service gave.
 * - `own`: in full, to the person or tenant it belongs to (owner `self`, `proof` or `tenant`).
 * - `granted`: in full, because the access is a permission for just that.
 * - `invented`: belongs to nobody (demo accounts).
 */
export type PersonalRule = "mask-phone" | "mask-email" | "mask-address" | "mask-name" | "own" | "granted" | "invented";

/**
 * Fields of a reply that by their name hold personal data. Each must be in `Endpoint.personal`, or the server does not
 * start; a field with another name that does is declared there just the same.
 */
export const personalFieldPattern =
  /^(accounts?|user_?name|(real|nick)_?name|linkman|principal|(mobile|contact)?_?phone|contact_?number|e_?mail|(remote_?)?(ip|address)|birthday|(id|bank)_?(card|number).*)$/i;

/**
 * How an answer leaves the server.
 * - `envelope`: `{code, success, data, msg}` of wire.md 1.1.
 * - `bare`: the value itself (oauth/token and its relatives).
 * - `stream`: server-sent events; `reply` describes the payload of one event.
 */
export type ReplyForm = "envelope" | "bare" | "stream";

export type Method = "GET" | "POST" | "PUT" | "DELETE";

/** One operation of the API: the server routes by it, the web calls by it, OpenAPI and docs/operations.md are made from it. */
export interface Endpoint<
  Query extends TObject = TObject,
  Body extends TSchema = TSchema,
  Reply extends TSchema = TSchema,
> {
  method: Method;
  /** Full path, for example `/api/muyuan-iot/device/page`. */
  path: string;
  /** Other paths that clients of the family use for the same operation. */
  aliases?: readonly string[];
  /** One sentence that says what the operation does. */
  summary: string;
  access: Access;
  /** Whose rows it reads or changes. */
  owner: Owner;
  /** How often one caller may use it; the router answers 429 beyond that. */
  rate: RateClass;
  /** Personal fields of the reply by name, at any depth, and how they leave; see `personalFieldPattern`. */
  personal: Readonly<Record<string, PersonalRule>>;
  form: ReplyForm;
  query: Query;
  body: Body;
  /** The schema of `data` (envelope), of the whole answer (bare) or of one event (stream). Fields outside it never leave the server. */
  reply: Reply;
  /** Takes a file in the multipart field `file` instead of a JSON body. */
  upload?: true;
  /** `msg` of a success where the family's is another than 操作成功. */
  message?: string;
  /**
   * Needs the caller's own password, or a log-in, of the last five minutes: it leads codes, links or money elsewhere, changes who may do
   * what, or shows personal data in full. `always`: the router refuses any other call with `identity.confirm_first`. `depends`: the service
   * decides by what the call changes.
   */
  confirmation?: "always" | "depends";
  /** Also for a person who must choose a new password first; all other signed-in operations answer 412 until then. */
  beforePasswordChange?: true;
}

export type QueryOf<E> = E extends Endpoint<infer Q, TSchema, TSchema> ? Static<Q> : never;
export type BodyOf<E> = E extends Endpoint<TObject, infer B, TSchema> ? Static<B> : never;
export type ReplyOf<E> = E extends Endpoint<TObject, TSchema, infer R> ? Static<R> : never;
