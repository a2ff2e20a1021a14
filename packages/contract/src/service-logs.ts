import { type Static, Type } from "typebox";
import { type Endpoint, permission } from "./endpoint.ts";
import { DateTime, Empty, Id, pageOf, pageQuery } from "./scalars.ts";

const base = "/api/muyuan-log";

/** A call that takes as long as this is slow, ms. */
export const slowCallMs = 1000;

/** What every entry of a log has (wire.md 3.13). */
const common = {
  id: Id,
  tenantId: Type.String(),
  serviceId: Type.String({ description: "the service of the path: system, iot, trade, ..." }),
  serverHost: Type.String(),
  serverIp: Type.String(),
  env: Type.String(),
  remoteIp: Type.String({ description: "masked" }),
  userAgent: Type.String(),
  requestUri: Type.String({ description: "pattern of the route" }),
  method: Type.String(),
  methodClass: Type.String(),
  methodName: Type.String({ description: "name of the operation" }),
  operationZh: Type.String({ description: 'what the operation does, in Chinese; "" for one that there is no more' }),
  operationEn: Type.String({ description: "the same in English" }),
  params: Type.String({ description: "JSON of what was sent, without personal data and secrets; only in the detail" }),
  createBy: Type.String({ description: "login name" }),
  createTime: DateTime,
  /** Number that the answer's X-Request-Id had. */
  requestId: Type.String(),
};

const UsualLog = Type.Object({
  ...common,
  logLevel: Type.String(),
  logId: Type.String({ description: "reason of the refusal" }),
  logData: Type.String(),
});
const ApiLog = Type.Object({
  ...common,
  type: Type.String(),
  title: Type.String({ description: "what the operation does" }),
  time: Type.String({ description: "milliseconds" }),
  status: Type.Integer({ description: "HTTP status" }),
});
const ErrorLog = Type.Object({
  ...common,
  stackTrace: Type.String(),
  exceptionName: Type.String(),
  message: Type.String(),
  fileName: Type.String(),
  lineNumber: Type.Integer(),
});
export type UsualLog = Static<typeof UsualLog>;
export type ApiLog = Static<typeof ApiLog>;
export type ErrorLog = Static<typeof ErrorLog>;

const reading = {
  method: "GET",
  access: permission("log_view"),
  owner: "group",
  rate: "read",
  personal: { remoteIp: "mask-address", serverIp: "granted" },
  form: "envelope",
  body: Empty,
} as const;

const word = Type.Optional(Type.String({ maxLength: 200 }));
const filters = {
  ...pageQuery,
  requestId: Type.Optional(Type.String({ maxLength: 60, description: "the number that an error message shows" })),
  serviceId: word,
  requestUri: Type.Optional(Type.String({ maxLength: 200, description: "part of it" })),
  methodName: word,
  createBy: word,
  method: word,
  createTime_datege: Type.Optional(Type.String({ maxLength: 19 })),
  createTime_datele: Type.Optional(Type.String({ maxLength: 19 })),
};
const named = Type.Object({ id: Id });

export const usualLogPage = {
  ...reading,
  path: `${base}/usual/list`,
  summary: "What the service noted about calls of business: refusals with their reason, newest first.",
  query: Type.Object({ ...filters, logId: word, logLevel: word }),
  reply: pageOf(UsualLog),
} satisfies Endpoint;
export const usualLogDetail = {
  ...reading,
  path: `${base}/usual/detail`,
  summary: "One entry of the log of business calls.",
  query: named,
  reply: UsualLog,
} satisfies Endpoint;
export const apiLogPage = {
  ...reading,
  path: `${base}/api/list`,
  summary: "Calls that change something, with how long they took, newest first.",
  query: Type.Object({
    ...filters,
    title: word,
    outcome: Type.Optional(
      Type.Enum(["failed", "slow"] as const, { description: `refused or broken; or ${slowCallMs} ms and longer` }),
    ),
  }),
  reply: pageOf(ApiLog),
} satisfies Endpoint;
export const apiLogDetail = {
  ...reading,
  path: `${base}/api/detail`,
  summary: "One call that changed something.",
  query: named,
  reply: ApiLog,
} satisfies Endpoint;
export const errorLogPage = {
  ...reading,
  path: `${base}/error/list`,
  summary: "Calls that failed in the server, with the number that the person was shown, newest first.",
  query: Type.Object({ ...filters, exceptionName: word, message: word }),
  reply: pageOf(ErrorLog),
} satisfies Endpoint;
export const errorLogDetail = {
  ...reading,
  path: `${base}/error/detail`,
  summary: "One failure with its stack.",
  query: named,
  reply: ErrorLog,
} satisfies Endpoint;

export const serviceLogKinds = ["error", "usual", "api"] as const;
export type ServiceLogKind = (typeof serviceLogKinds)[number];

/** An entry of any of the logs, as far as it tells of its call. */
const RequestEntry = Type.Object({
  kind: Type.Enum(serviceLogKinds),
  id: Id,
  methodName: Type.String({ description: "name of the operation" }),
  told: Type.String({ description: "the fault's message, the refusal's reason, or what the operation does" }),
  createTime: DateTime,
});
export type RequestEntry = Static<typeof RequestEntry>;

export const requestLogs = {
  ...reading,
  path: `${base}/request/list`,
  summary: "The entries of all logs of one request, by the number that an error message shows; failures first.",
  query: Type.Object({ requestId: Type.String({ minLength: 1, maxLength: 60 }) }),
  personal: {},
  reply: Type.Array(RequestEntry),
} satisfies Endpoint;

export const logRetention = {
  ...reading,
  path: `${base}/request/retention`,
  summary: "Days for which entries of each log are kept.",
  query: Empty,
  personal: {},
  reply: Type.Object({ usual: Type.Integer(), api: Type.Integer(), error: Type.Integer() }),
} satisfies Endpoint;
