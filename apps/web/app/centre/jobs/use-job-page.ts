import { type Job, jobDetail, jobLive, jobPage, type Page } from "@herdwise/contract";
import { keepPreviousData, useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import { call } from "../../shared/api/call.ts";
import { followStream } from "../../shared/api/live-stream.ts";
import { jobBegun } from "../../shared/session/job-begun.ts";
import { isFinal } from "./job-words.ts";

const pagesKey = ["jobs", "page"] as const;
const detailKey = (id: string | undefined) => ["jobs", "detail", id] as const;

/** A page of the own jobs and the one that is open; both follow their progress while one of them is under way. */
export function useJobPage(query: { current: number; size: number; state?: Job["state"] }, id: string | undefined) {
  const client = useQueryClient();
  const page = useQuery({
    queryKey: [...pagesKey, query],
    queryFn: ({ signal }) => call(jobPage, { query, signal, quiet: true }),
    placeholderData: keepPreviousData,
    staleTime: 0,
  });
  const opened = useQuery({
    queryKey: detailKey(id),
    queryFn: ({ signal }) => call(jobDetail, { query: { id: id ?? "" }, signal, quiet: true }),
    enabled: id !== undefined,
    staleTime: 0,
  });
  useEffect(() => {
    const renew = (): void => void client.invalidateQueries({ queryKey: ["jobs"] });
    window.addEventListener(jobBegun, renew);
    return () => window.removeEventListener(jobBegun, renew);
  }, [client]);
  const running = [...(page.data?.records ?? []), ...(opened.data ? [opened.data] : [])].some((job) => !isFinal(job));
  useEffect(() => {
    if (!running) return;
    return followStream<Job>(jobLive.path, {
      onEvent: (job) => {
        client.setQueriesData<Page<Job>>(
          { queryKey: pagesKey },
          (now) => now && { ...now, records: now.records.map((held) => (held.id === job.id ? job : held)) },
        );
        client.setQueryData<Job>(detailKey(job.id), (now) => now && job);
        // A list of one state gains or loses it, and an answer on its way may be of before the end.
        if (isFinal(job)) void client.invalidateQueries({ queryKey: ["jobs"] });
      },
      // A job that ended after the list was read and before the stream was open is told by neither.
      onState: (state) => state === "open" && void client.invalidateQueries({ queryKey: ["jobs"] }),
      onGap: () => undefined,
    });
  }, [running, client]);
  return { page, opened, reload: () => client.invalidateQueries({ queryKey: ["jobs"] }) };
}
