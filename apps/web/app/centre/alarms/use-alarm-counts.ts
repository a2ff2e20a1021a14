import { alarmCounts } from "@herdwise/contract";
import { useQuery } from "@tanstack/react-query";
import { screens } from "../../screens.ts";
import { call } from "../../shared/api/call.ts";
import { nodeOfScreen } from "../../shared/session/access.ts";
import { useAccess } from "../../shared/session/access-context.ts";

/** Alarms are counted anew this often while the console is in sight. */
const renewMs = 15_000;

/** How many alarms are open, and where; not asked for who has no alarm centre. */
export function useAlarmCounts() {
  const { menu } = useAccess();
  const screen = screens.find(({ menuCode }) => menuCode === "alarm");
  const granted = screen !== undefined && nodeOfScreen(menu, screen) !== undefined;
  const query = useQuery({
    queryKey: ["alarm counts"],
    queryFn: ({ signal }) => call(alarmCounts, { signal, quiet: true }),
    refetchInterval: renewMs,
    enabled: granted,
  });
  return { ...query, granted };
}
