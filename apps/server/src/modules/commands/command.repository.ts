import type { CommandState } from "@herdwise/contract";
import { type Kysely, type RawBuilder, type SqlBool, sql } from "kysely";
import { deviceInReach, deviceNameFor, inScope } from "../../database/conditions.ts";
import type { DB } from "../../database/generated/database.ts";
import { type PageRange, readQuery } from "../../database/pages.ts";
import type { TenantScope } from "../../tenant-scope.ts";

export interface NewCommand {
  id: string;
  deviceId: string;
  method: string;
  params: Record<string, unknown>;
  oneWay: boolean;
  timeoutS: number;
  expiresInS: number;
  requestKey: string | undefined;
}

/** Commands as people give and see them. @param db a pool or an open transaction */
export function commandRepository(db: Kysely<DB>) {
  /** Commands that the member gave, and those of devices that the data scope reaches. */
  const commandInRowScope = (scope: TenantScope): RawBuilder<SqlBool> =>
    scope.rows.all
      ? sql<SqlBool>`true`
      : sql<SqlBool>`(c.created_by = ${scope.accountId} or ${deviceInReach(scope, "d")})`;

  const commandsOf = (scope: TenantScope) =>
    db
      .selectFrom("deviceCommands as c")
      .innerJoin("devices as d", "d.id", "c.deviceId")
      .where(inScope(scope, "c"))
      .where(commandInRowScope(scope));

  const shown = (scope: TenantScope) =>
    commandsOf(scope)
      .select(["c.id", "c.deviceId", "c.requestId", "c.method", "c.oneWay", "c.attempts"])
      .select(["c.error", "c.actorName", "c.createdAt as createTime", "c.sentAt as sentTime"])
      .select(["c.deliveredAt as deliveredTime", "c.finishedAt as finishTime", "c.expiresAt as expireTime"])
      .select([
        deviceNameFor("c").as("deviceName"),
        sql<CommandState>`c.state`.as("state"),
        sql<Record<string, unknown>>`c.params`.as("params"),
        sql<unknown>`c.response`.as("response"),
      ]);

  return {
    detail: (scope: TenantScope, id: string) => shown(scope).where("c.id", "=", id).executeTakeFirst(),

    /** The command of a caller's key in the scope's own tenant. */
    byKey: (scope: TenantScope, requestKey: string) =>
      shown(scope).where("c.tenantId", "=", scope.tenantId).where("c.requestKey", "=", requestKey).executeTakeFirst(),

    page(
      scope: TenantScope,
      { deviceId, state }: { deviceId?: string | undefined; state?: CommandState | undefined },
      request: PageRange,
    ) {
      let matching = shown(scope);
      if (deviceId !== undefined) matching = matching.where("c.deviceId", "=", deviceId);
      if (state !== undefined) matching = matching.where("c.state", "=", state);
      return readQuery(matching, [{ by: sql`c.id`, descending: true }], request);
    },

    /** Commands of a device that are not over. */
    async open(scope: TenantScope, deviceId: string): Promise<number> {
      const row = await db
        .selectFrom("deviceCommands as c")
        .select(sql<number>`count(*)::int`.as("open"))
        .where(inScope(scope, "c"))
        .where("c.deviceId", "=", deviceId)
        .where("c.finishedAt", "is", null)
        .executeTakeFirstOrThrow();
      return row.open;
    },

    /**
     * Queues a command under the next number of its device. Those who give a device commands at once wait for each other.
     * @returns false when the caller's key is taken, or the scope does not reach the device
     */
    async insert(scope: TenantScope, command: NewCommand): Promise<boolean> {
      const { rows } = await sql`
        with numbered as (
          update devices d set last_request_id = last_request_id + 1
           where d.id = ${command.deviceId} and ${deviceInReach(scope, "d")}
           returning d.id, d.tenant_id, d.last_request_id)
        insert into device_commands (id, tenant_id, device_id, request_id, request_key, method, params, one_way, timeout_s,
                                     expires_at, created_by, actor_name)
        select ${command.id}, n.tenant_id, n.id, n.last_request_id, ${command.requestKey ?? null}, ${command.method},
               ${JSON.stringify(command.params)}::jsonb, ${command.oneWay}, ${command.timeoutS},
               now() + make_interval(secs => ${command.expiresInS}), ${scope.accountId},
               coalesce((select coalesce(nullif(a.real_name, ''), a.account) from accounts a where a.id = ${scope.accountId}), '')
          from numbered n
        on conflict (tenant_id, request_key) do nothing
        returning id`.execute(db);
      return rows.length > 0;
    },

    /** @returns whether it was still queued */
    async cancel(scope: TenantScope, id: string): Promise<boolean> {
      const { numUpdatedRows } = await db
        .updateTable("deviceCommands as c")
        .set({ state: "cancelled", finishedAt: sql<Date>`now()` })
        .where("c.id", "=", id)
        .where(inScope(scope, "c"))
        .where("c.state", "=", "queued")
        .where("c.attempts", "=", 0)
        .executeTakeFirst();
      return numUpdatedRows > 0n;
    },
  };
}
export type CommandRepository = ReturnType<typeof commandRepository>;
