import { type Static, Type } from "typebox";
import { type Endpoint, signedIn } from "./endpoint.ts";
import { DateTime, Empty, Id, idList, pageOf, pageQuery } from "./scalars.ts";

/** States of a job; the last three are final. */
export const jobStates = ["queued", "running", "succeeded", "failed", "cancelled"] as const;
export type JobState = (typeof jobStates)[number];

/** Long work that a person requested: an import or an export. */
export const Job = Type.Object({
  id: Id,
  kind: Type.String({ description: "what it does, such as user.export" }),
  title: Type.String({ description: "Chinese, a key of the translations" }),
  state: Type.Enum(jobStates),
  done: Type.Integer({ minimum: 0, description: "steps done so far, mostly rows" }),
  total: Type.Integer({ minimum: 0, description: "steps in all; 0 while that is not known" }),
  /** Results by name: ids of files as `...Id`, counts as decimal text. */
  result: Type.Record(Type.String(), Type.String()),
  /** Reason of the failure; "" otherwise. */
  reason: Type.String(),
  /** The reason in Chinese with placeholders, a key of the translations; "" while it has not failed. */
  text: Type.String(),
  /** Values of the text's placeholders. */
  values: Type.Record(Type.String(), Type.String()),
  createTime: DateTime,
  startTime: DateTime,
  finishTime: DateTime,
});
export type Job = Static<typeof Job>;

/** Page of a job, which the message at its end links to. */
export const jobLink = (id: string): string => `/selfCenter/jobs?id=${id}`;

const base = "/api/muyuan-system/job";

export const jobPage = {
  method: "GET",
  path: `${base}/page`,
  summary: "The own jobs, newest first.",
  access: signedIn,
  owner: "self",
  rate: "read",
  personal: {},
  form: "envelope",
  query: Type.Object({ ...pageQuery, state: Type.Optional(Type.Enum(jobStates)) }),
  body: Empty,
  reply: pageOf(Job),
} satisfies Endpoint;

export const jobDetail = {
  method: "GET",
  path: `${base}/detail`,
  summary: "One of the own jobs.",
  access: signedIn,
  owner: "self",
  rate: "read",
  personal: {},
  form: "envelope",
  query: Type.Object({ id: Id }),
  body: Empty,
  reply: Job,
} satisfies Endpoint;

export const jobCancel = {
  method: "POST",
  path: `${base}/cancel`,
  summary: "Cancels own jobs: they stop at their next step and leave nothing behind. A finished job stays as it is.",
  access: signedIn,
  owner: "self",
  rate: "write",
  personal: {},
  form: "envelope",
  query: Type.Object({ ids: idList }),
  body: Type.Object({ ids: idList }),
  reply: Empty,
} satisfies Endpoint;

export const jobLive = {
  method: "GET",
  path: `${base}/live`,
  summary: "Server-sent events `job`: first the own unfinished jobs, then each change. Ends with the session.",
  access: signedIn,
  owner: "self",
  rate: "stream",
  personal: {},
  form: "stream",
  query: Empty,
  body: Empty,
  reply: Job,
} satisfies Endpoint;
