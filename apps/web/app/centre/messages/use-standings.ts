import { type MessageStanding, messageStandings } from "@herdwise/contract";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { call } from "../../shared/api/call.ts";

const renewMs = 20_000;
/** What everything that an action inside a message changes is read by. */
const standingsKey = ["messages", "standings"] as const;

/** Where the things of messages stand now, by the id of the message. */
export function useStandings(ids: readonly string[]): ReadonlyMap<string, MessageStanding> | undefined {
  const { data } = useQuery({
    queryKey: [...standingsKey, ids.join()],
    queryFn: ({ signal }) => call(messageStandings, { query: { ids: ids.join() }, signal, quiet: true }),
    refetchInterval: renewMs,
    enabled: ids.length > 0,
    placeholderData: keepPreviousData,
    select: (standings) => new Map(standings.map((one) => [one.id, one])),
  });
  return data;
}
