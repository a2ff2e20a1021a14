import { maintenance, mostMaintenancePhotos, permissionOf } from "@herdwise/contract";
import { shanghaiDay } from "@herdwise/contract/shanghai";
import { refuse } from "../../http/errors.ts";
import type { ResourceHooks } from "../../resources/index.ts";
import { type AccountScope, accountScope, type SystemScope, type TenantScope } from "../../tenant-scope.ts";
import type { AuditRepository } from "../audit/index.ts";
import type { MessageRepository } from "../messages/index.ts";
import type { MaintenanceRepository } from "./maintenance.repository.ts";
import type { ReminderRepository } from "./reminder.repository.ts";

/** How many days before it is due members are reminded. */
const reminderDays = 3;
/** Entries that one transaction tells of. */
const takenTogether = 200;
const dayMs = 86_400_000;

/** Rules of the log beyond its fields. */
export const maintenanceHooks: ResourceHooks<MaintenanceRepository> = {
  async beforeSave({ values, scope, extra }) {
    const { deviceId, unitId } = values;
    // Work at a device is work in its unit.
    if (typeof deviceId === "string" && deviceId !== "" && !unitId)
      values.unitId = (await extra.unitOf(scope, deviceId)) ?? unitId ?? null;
  },
};

export interface PhotoDependencies {
  repository: Pick<MaintenanceRepository, "photos">;
  inTransaction<T>(
    work: (transaction: { entries: MaintenanceRepository; audit: Pick<AuditRepository, "append"> }) => Promise<T>,
  ): Promise<T>;
  nextId: () => string;
}

/** Photos of entries. */
export function createPhotos({ repository, inTransaction, nextId }: PhotoDependencies) {
  const change = (
    scope: TenantScope,
    entryId: string,
    work: (entries: MaintenanceRepository) => Promise<{ before: string; after: string }>,
  ): Promise<void> =>
    inTransaction(async ({ entries, audit }) => {
      const title = await entries.held(scope, entryId);
      if (title === undefined) throw refuse("row.not_found");
      const changes = [{ field: "photos", ...(await work(entries)) }];
      const record = {
        resource: maintenance.name,
        rowId: entryId,
        rowTitle: title,
        action: "update",
        changes,
      } as const;
      await audit.append(scope.tenantId, scope, [record], nextId);
    });
  return {
    list: async (scope: TenantScope, entryId: string) =>
      (await repository.photos(scope, entryId)).map((name) => ({ name })),

    add: (scope: TenantScope, entryId: string, name: string): Promise<void> =>
      change(scope, entryId, async (entries) => {
        const held = await entries.photos(scope, entryId);
        if (held.length >= mostMaintenancePhotos)
          throw refuse("maintenance.photos_full", { values: { most: mostMaintenancePhotos } });
        if (!held.includes(name) && !(await entries.add(scope, entryId, name)))
          throw refuse("maintenance.photo", { field: "name" });
        return { before: "", after: name };
      }),

    remove: (scope: TenantScope, entryId: string, name: string): Promise<void> =>
      change(scope, entryId, async (entries) => {
        if (!(await entries.remove(scope, entryId, name))) throw refuse("row.not_found");
        return { before: name, after: "" };
      }),
  };
}

export interface ReminderDependencies {
  inTransaction<T>(
    work: (transaction: { due: ReminderRepository; messages: Pick<MessageRepository, "insert"> }) => Promise<T>,
  ): Promise<T>;
  scope: SystemScope;
  now: () => number;
  nextId: () => string;
}

/** Tells who may write the log what is due soon, once for each due day. */
export function createReminders({ inTransaction, scope, now, nextId }: ReminderDependencies) {
  const tell = (): Promise<number> =>
    inTransaction(async ({ due, messages }) => {
      const untilDay = shanghaiDay(now() + reminderDays * dayMs);
      const entries = await due.take(untilDay, takenTogether);
      for (const [tenantId, of] of Map.groupBy(entries, (entry) => entry.tenantId)) {
        for (const accountId of await due.holders(tenantId, permissionOf(maintenance, "edit"))) {
          const to: AccountScope = accountScope(scope, accountId);
          for (const { id, work, place, dueOn } of of) {
            await messages.insert(to, {
              id: nextId(),
              kind: "system",
              title: "维护快到期了",
              content: [work.replaceAll(/\s+/g, " "), place, dueOn].filter((part) => part !== "").join(" · "),
              link: `${maintenance.menu.path}?row=${id}`,
            });
          }
        }
      }
      return entries.length;
    });
  return {
    /** Tells of all that is due. */
    async run(): Promise<void> {
      while ((await tell()) === takenTogether);
    },
  };
}
