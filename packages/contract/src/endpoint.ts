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
 * Whose rows an operation reads or changes; the server does not start when the owner contradicts the access.
 * - `nobody`: no row of a person or a tenant.
 * - `named`: public facts about a login name or number that is given without a proof; an unknown one gets an answer of the same
 *   shape after the same time (T15).
 * - `proof`: rows of the person who proves their identity in the call by password, code, ticket or cookie.
 * - `self`: rows of the session's account.
 * - `tenant`: rows of the session's tenant; the id of another tenant's row is answered like one that does not exist.
 * - `tenants`: as `tenant`; sessions in the group's tenant reach the rows of every tenant.
 * - `group`: rows of the whole installation; only for sessions in the group's tenant, whatever roles grant.
 */
export type Owner = "nobody" | "named" | "proof" | "self" | "tenant" | "tenants" | "group";

/**
 * Calls per minute and operation that one session and one address may make. An address is an IPv4 address or the /64 of an IPv6
 * address; a whole farm may share one.
 * These limits stop floods; values that can be guessed have tighter limits where they are compared.
 */
export const rateClasses = {
  /** Reads rows. */
  read: { session: 1200, address: 12_000 },
  /** Changes rows. */
  write: { session: 300, address: 6000 },
  /** Log-in, and the calls before it: renewal, captcha, QR polling. */
  entry: { session: 600, address: 6000 },
  /** Sends messages or tries codes. */
  guarded: { session: 120, address: 600 },
  /** Opens a live stream. */
  stream: { session: 60, address: 1200 },
} as const;
export type RateClass = keyof typeof rateClasses;

/**
 * How a personal field leaves the server.
 * - `mask-phone`, `mask-email`, `mask-address`, `mask-name`: the server shortens it when the answer is written, whatever the
 *   service returned.
 * - `own`: in full, to the person or tenant it belongs to (owner `self`, `proof` or `tenant`).
 * - `granted`: in full, because the access is a permission to see exactly this.
 * - `invented`: belongs to nobody (demo accounts).
 */
export type PersonalRule = "mask-phone" | "mask-email" | "mask-address" | "mask-name" | "own" | "granted" | "invented";

/**
 * Matches names of reply fields that hold personal data.
 * Each such field must be declared in `Endpoint.personal`, or the server does not start; personal fields with other names are
 * declared there, too.
 */
export const personalFieldPattern =
  /^(accounts?|user_?name|(real|nick)_?name|linkman|principal|(mobile|contact)?_?phone|contact_?number|e_?mail|(remote_?)?(ip|address)|birthday|(id|bank)_?(card|number).*)$/i;

/**
 * How an answer leaves the server.
 * - `envelope`: `{code, success, data, msg}` of wire.md 1.1.
 * - `bare`: the value itself (oauth/token and its relatives).
 * - `stream`: server-sent events; `reply` describes the payload of one event.
 * - `file`: the bytes of a file to be saved; refusals are envelopes.
 * - `download`: as `file`, sent while it is made; `mediaTypes` lists its types. A failure after the first bytes breaks the transfer.
 */
export type ReplyForm = "envelope" | "bare" | "stream" | "file" | "download";

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
  /** Rate limit of the operation; the router answers 429 beyond it. */
  rate: RateClass;
  /** Personal fields of the reply by name, at any depth, and how they leave; see `personalFieldPattern`. */
  personal: Readonly<Record<string, PersonalRule>>;
  form: ReplyForm;
  query: Query;
  body: Body;
  /**
   * The schema of `data` (envelope), of the whole answer (bare) or of one event (stream); fields outside it never leave the
   * server.
   */
  reply: Reply;
  /** Media types of a download. */
  mediaTypes?: readonly string[];
  /** Header that names the row and proves the right to it, where an address or a body would stand in logs. */
  secretHeader?: string;
  /** Takes a file in the multipart field `file` instead of a JSON body. */
  upload?: true;
  /** `msg` of a success where the specification has another text than 操作成功. */
  message?: string;
  /**
   * Requires the caller's password, or a log-in, within the last five minutes; for operations that redirect codes, links or
   * money, change permissions, or show personal data in full.
   * `always`: the router refuses any other call with `identity.confirm_first`. `depends`: the service decides by what the call
   * changes.
   */
  confirmation?: "always" | "depends";
  /**
   * Called in masses, mostly to be refused, and changes nothing that a session consists of: a session read less than a second
   * ago admits it, and the service calls `requireSession` of the call before it changes anything.
   */
  admittedByKeptSession?: true;
  /** Not a read, and still allowed to a session that previews a role. */
  allowedInPreview?: true;
  /** Allowed for a person who must first choose a new password; all other signed-in operations answer 412 until then. */
  beforePasswordChange?: true;
}

export type QueryOf<E> = E extends Endpoint<infer Q, TSchema, TSchema> ? Static<Q> : never;
export type BodyOf<E> = E extends Endpoint<TObject, infer B, TSchema> ? Static<B> : never;
export type ReplyOf<E> = E extends Endpoint<TObject, TSchema, infer R> ? Static<R> : never;
