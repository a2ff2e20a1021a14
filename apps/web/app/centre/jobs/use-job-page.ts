import { type Job, jobDetail, jobLive, type Page } from "@herdwise/contract";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import { call } from "../../shared/api/call.ts";
import { followStream } from "../../shared/api/live-stream.ts";
import { keysOf } from "../../shared/resource/resource-api.ts";
import { useList } from "../../shared/resource/use-list.ts";
import { jobBegun } from "../../shared/session/job-begun.ts";
import { jobList } from "./job-list.ts";
import { isFinal } from "./job-words.ts";

const key = keysOf(jobList);
const detailKey = (id: string | undefined) => [...key, "detail", id] as const;

/** The list of the own jobs and the one that is open; both follow their progress while one of them is under way. */
export function useJobPage(id: string | undefined) {
  const client = useQueryClient();
  const list = useList(jobList);
  const opened = useQuery({
    queryKey: detailKey(id),
    queryFn: ({ signal }) => call(jobDetail, { query: { id: id ?? "" }, signal, quiet: true }),
    enabled: id !== undefined,
    staleTime: 0,
  });
  useEffect(() => {
    const renew = (): void => void client.invalidateQueries({ queryKey: key });
    window.addEventListener(jobBegun, renew);
    return () => window.removeEventListener(jobBegun, renew);
  }, [client]);
  const running = [...((list.rows ?? []) as readonly unknown[] as Job[]), ...(opened.data ? [opened.data] : [])].some(
    (job) => !isFinal(job),
  );
  useEffect(() => {
    if (!running) return;
    return followStream<Job>(jobLive.path, {
      onEvent: (job) => {
        client.setQueriesData<Page<Job>>(
          { queryKey: [...key, "page"] },
          (now) => now && { ...now, records: now.records.map((held) => (held.id === job.id ? job : held)) },
        );
        client.setQueryData<Job>(detailKey(job.id), (now) => now && job);
        // A list of one state gains or loses it, and an answer on its way may be of before the end.
        if (isFinal(job)) void client.invalidateQueries({ queryKey: key });
      },
      // A job that ended after the list was read and before the stream was open is told by neither.
      onState: (state) => state === "open" && void client.invalidateQueries({ queryKey: key }),
      onGap: () => undefined,
    });
  }, [running, client]);
  return { list, opened, reload: () => client.invalidateQueries({ queryKey: key }) };
}
