import { maintenance, maintenancePhotoAdd, maintenancePhotoList, maintenancePhotoRemove } from "@herdwise/contract";
import type { ServerModule } from "../../module.ts";
import { type ResourceContext, resourceModule } from "../../resources/index.ts";
import { systemScope } from "../../tenant-scope.ts";
import { auditRepository } from "../audit/index.ts";
import { messageRepository } from "../messages/index.ts";
import { type MaintenanceRepository, maintenanceRepository } from "./maintenance.repository.ts";
import { createPhotos, createReminders, maintenanceHooks } from "./maintenance.service.ts";
import { reminderRepository } from "./reminder.repository.ts";

/** The maintenance log of devices and units: what was done, with photos, and what is due again. */
export function createMaintenanceModules(context: ResourceContext): ServerModule[] {
  const { kysely, inTransaction, nextId, now } = context.platform;
  const byTheClock = systemScope("members are reminded of maintenance that is due, whosever it is");
  const photos = createPhotos({
    repository: maintenanceRepository(kysely),
    inTransaction: inTransaction((db) => ({ entries: maintenanceRepository(db), audit: auditRepository(db) })),
    nextId,
  });
  const reminders = createReminders({
    inTransaction: inTransaction((db) => ({
      due: reminderRepository(db, byTheClock),
      messages: messageRepository(db),
    })),
    scope: byTheClock,
    now,
    nextId,
  });
  return [
    resourceModule<MaintenanceRepository>(context, maintenance, {
      extra: maintenanceRepository,
      hooks: maintenanceHooks,
    }),
    {
      routes(router) {
        router.on(maintenancePhotoList, ({ scope, query }) => photos.list(scope, query.entryId));
        router.on(maintenancePhotoAdd, async ({ scope, body }) => {
          await photos.add(scope, body.entryId, body.name);
          return {};
        });
        router.on(maintenancePhotoRemove, async ({ scope, body }) => {
          await photos.remove(scope, body.entryId, body.name);
          return {};
        });
      },
      jobs: [
        {
          name: "maintenance.remind",
          schedule: "0 8 * * *",
          retries: 3,
          timeoutS: 300,
          run: () => reminders.run(),
        },
      ],
    },
  ];
}
