import { type Job, jobLive, jobPage } from "@herdwise/contract";
import { useEffect, useState } from "react";
import { call } from "../../shared/api/call.ts";
import { followStream } from "../../shared/api/live-stream.ts";
import { jobBegun } from "../../shared/session/job-begun.ts";
import { isFinal, withoutSteppingBack } from "./job-words.ts";

const mostShown = 8;

/** The newest jobs with one of them renewed. */
const withJob = (jobs: readonly Job[], changed: Job): Job[] =>
  jobs.some(({ id }) => id === changed.id)
    ? jobs.map((job) => (job.id === changed.id ? changed : job))
    : [changed, ...jobs].slice(0, mostShown);

/** The own jobs, newest first. Their progress is followed only while one is under way. */
export function useJobs(): { jobs: readonly Job[]; reload: () => void } {
  const [jobs, setJobs] = useState<readonly Job[]>([]);
  const [round, setRound] = useState(0);
  useEffect(() => {
    const load = (): void => setRound((now) => now + 1);
    window.addEventListener(jobBegun, load);
    return () => window.removeEventListener(jobBegun, load);
  }, []);
  useEffect(() => {
    const cancel = new AbortController();
    call(jobPage, { query: { current: 1, size: mostShown }, signal: cancel.signal, quiet: true }).then(
      ({ records }) => setJobs((now) => withoutSteppingBack(now, records)),
      // Without them the header lacks a button; nothing else depends on it.
      () => undefined,
    );
    return () => cancel.abort();
  }, [round]);
  const running = jobs.some((job) => !isFinal(job));
  useEffect(() => {
    if (!running) return;
    return followStream<Job>(jobLive.path, {
      onEvent: (job) => setJobs((now) => withJob(now, job)),
      // A job that ended after the list was read and before the stream was open is told by neither: the list is read once more.
      onState: (state) => state === "open" && setRound((now) => now + 1),
      onGap: () => undefined,
    });
  }, [running]);
  return { jobs, reload: () => setRound((now) => now + 1) };
}
