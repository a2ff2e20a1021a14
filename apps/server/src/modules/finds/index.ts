import { findKept, findList } from "@herdwise/contract";
import type { Finder } from "../../finder.ts";
import { blockedAt, scopeOfCall } from "../../http/access.ts";
import type { Session } from "../../http/session.ts";
import type { Platform, ServerModule } from "../../module.ts";
import { resourceFinders } from "../../resources/index.ts";
import { systemScope } from "../../tenant-scope.ts";
import { termsWith } from "../languages/index.ts";
import { findRepository } from "./find.repository.ts";
import { createFindService, type OpenFinder } from "./find.service.ts";
import { catchUpFinds } from "./finds-waiting.repository.ts";

const byTheClock = systemScope("what imports of any tenant wrote is put into the index of names");

/** Finders whose lists a session may call, each with the scope of its list. */
function openTo(session: Session, finders: readonly Finder[], remoteAddress: string): OpenFinder[] {
  const taken = new Set<string>();
  return finders.flatMap((finder) => {
    const isOther = finder.of !== undefined && (finder.of === "group") !== (session.tenantType === "group");
    const isBlocked = [finder.page, finder.detail].some((endpoint) => blockedAt(endpoint, session).length > 0);
    const scope = scopeOfCall(finder.page, session, remoteAddress);
    if (isOther || isBlocked || scope === undefined || taken.has(finder.kind)) return [];
    taken.add(finder.kind);
    return [{ finder, scope }];
  });
}

/**
 * Finds things of every kind for the palette.
 * @param written finders of lists that are no resources; of several of a kind the first that is open is asked
 */
export function createFindsModule({ kysely }: Platform, written: readonly Finder[]): ServerModule {
  const finders = [...written, ...resourceFinders(kysely)];
  const finds = createFindService(findRepository(kysely), { termsWith });
  return {
    routes(router) {
      router.on(findList, ({ scope, session, query, remoteAddress }) =>
        finds.find(scope, openTo(session, finders, remoteAddress), query.q),
      );
      router.on(findKept, ({ session, query, remoteAddress }) =>
        finds.kept(openTo(session, finders, remoteAddress), query.things),
      );
    },
    jobs: [
      {
        name: "finds.catch-up",
        schedule: "* * * * *",
        retries: 1,
        timeoutS: 900,
        run: async () => {
          await catchUpFinds(kysely, byTheClock);
        },
      },
    ],
  };
}
