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
  form: ReplyForm;
  query: Query;
  body: Body;
  /** The schema of `data` (envelope), of the whole answer (bare) or of one event (stream). Fields outside it never leave the server. */
  reply: Reply;
  /** `msg` of a success where the family's is another than 操作成功. */
  message?: string;
  /** Also for a person who must choose a new password first; all other signed-in operations answer 412 until then. */
  beforePasswordChange?: true;
}

export type QueryOf<E> = E extends Endpoint<infer Q, TSchema, TSchema> ? Static<Q> : never;
export type BodyOf<E> = E extends Endpoint<TObject, infer B, TSchema> ? Static<B> : never;
export type ReplyOf<E> = E extends Endpoint<TObject, TSchema, infer R> ? Static<R> : never;
