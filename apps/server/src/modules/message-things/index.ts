import { messageStandings } from "@herdwise/contract";
import type { Platform, ServerModule } from "../../module.ts";
import type { AlarmStandings } from "../alarms/index.ts";
import { messageRepository } from "../messages/index.ts";
import type { TodosModule } from "../todos/index.ts";
import { rowStateRepository } from "./row-state.repository.ts";
import { createThingService } from "./thing.service.ts";

/** Where what messages are about stands now. */
export function createMessageThingsModule(
  { kysely, now }: Platform,
  { alarms, todosOn }: { alarms: AlarmStandings; todosOn: TodosModule["on"] },
): ServerModule {
  const things = createThingService({
    messages: messageRepository(kysely),
    rows: rowStateRepository(kysely),
    alarms,
    todosOn,
    now,
  });
  return {
    routes(router) {
      router.on(messageStandings, ({ scope, session, query }) =>
        things.standings(scope, session.permissions, query.ids),
      );
    },
  };
}
