import { positionDays, type TransitFlag, transitTrack } from "@herdwise/contract";
import { refuse } from "../../http/errors.ts";
import type { Platform, ServerModule } from "../../module.ts";
import { scoped } from "../../resources/index.ts";
import { tradeSystem } from "./context.ts";
import { type FlagRow, positionRepository } from "./position.repository.ts";
import { renewFlags } from "./positions.ts";
import { wayOf } from "./route.ts";

/** A flag as it leaves the server. */
export const flagView = ({ kind, fromMs, toMs, latitude, longitude, farm, metres }: FlagRow): TransitFlag => ({
  kind,
  fromMs: Math.round(fromMs),
  toMs: Math.round(toMs),
  ...(latitude !== null && longitude !== null && { latitude, longitude }),
  farm,
  ...(metres !== null && { metres }),
});

/** Ways of vehicles by the positions of their drivers' phones. */
export function trackModule({ kysely, warn }: Platform): ServerModule {
  const rows = positionRepository(kysely);
  return {
    routes(router) {
      router.on(transitTrack, async ({ scope, query }) => {
        const shown = await rows.shown(scoped(scope), query.id);
        if (shown === undefined) throw refuse("process.not_found");
        const flags = await rows.flagsOf(scoped(scope), [query.id]);
        const points = wayOf(shown.positions).map(({ atMs, metres }) => ({ atMs: Math.round(atMs), metres }));
        return { points, rejected: shown.rejected, flags: flags.map(flagView) };
      });
    },
    jobs: [
      {
        name: "transit.flags",
        schedule: "*/5 * * * *",
        retries: 0,
        timeoutS: 300,
        async run(_payload: unknown, { signal }: { signal: AbortSignal }) {
          const onFault = warn("the way of a vehicle was not looked at");
          for (const id of await rows.onWay(tradeSystem)) {
            if (signal.aborted) return;
            await renewFlags(kysely, id).catch(onFault);
          }
        },
      },
      {
        name: "transit.positions-sweep",
        schedule: "40 3 * * *",
        retries: 0,
        timeoutS: 300,
        run: () => rows.sweep(tradeSystem, positionDays),
      },
    ],
  };
}
