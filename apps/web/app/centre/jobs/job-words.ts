import { type Job, ticketIssue } from "@herdwise/contract";
import { call } from "../../shared/api/call.ts";
import type { MarkName } from "../../shared/icons/mark.tsx";

export const stateWords: Readonly<Record<Job["state"], string>> = {
  queued: "排队中",
  running: "进行中",
  succeeded: "已完成",
  failed: "没有完成",
  cancelled: "已取消",
};

export const stateMarks: Readonly<Partial<Record<Job["state"], MarkName>>> = {
  succeeded: "ok",
  failed: "critical",
  cancelled: "off",
};

export const isFinal = ({ state }: Job): boolean => state !== "queued" && state !== "running";

/** How much of it is done, 0 to 1; 0 while the total is not known. */
export const shareOf = ({ done, total }: Job): number => (total > 0 ? Math.min(1, done / total) : 0);

/** Id of the file that came out of it, if one did. */
export const fileOf = ({ result }: Job): string | undefined => result.attachmentId;

/** Opens a file of a job: a link can't carry the session, so it gets a ticket for once. */
export async function openFile(id: string): Promise<void> {
  const { url } = await call(ticketIssue, { body: { id } });
  location.assign(url);
}

/** A list that was read before an event and came after it: what ended has ended. */
export const withoutSteppingBack = (held: readonly Job[], read: readonly Job[]): Job[] =>
  read.map((job) => held.find((known) => known.id === job.id && isFinal(known)) ?? job);
