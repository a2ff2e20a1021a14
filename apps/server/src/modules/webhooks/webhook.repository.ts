import type { webhookDeliveryStates } from "@herdwise/contract";
import { type Kysely, sql } from "kysely";
import { inScope } from "../../database/conditions.ts";
import type { DB } from "../../database/generated/database.ts";
import { type PageRange, readQuery } from "../../database/pages.ts";
import { requireSystemScope, type SystemScope, type TenantScope } from "../../tenant-scope.ts";

type DeliveryState = (typeof webhookDeliveryStates)[number];

export interface DeliveryRow {
  id: string;
  event: string;
  body: object;
  state: DeliveryState;
  attempts: number;
  createdAt: Date;
  nextAt: Date;
  triedAt: Date | null;
  status: number;
  tookMs: number;
  answer: string;
}

/** A message that is to be sent now. */
export interface DueDelivery {
  id: string;
  body: object;
  /** Tries with this one. */
  attempts: number;
  webhookId: string;
  tenantId: string;
  address: string;
  sealedSecret: Buffer;
}

/** How a try went. */
export interface Outcome {
  delivered: boolean;
  status: number;
  tookMs: number;
  answer: string;
  /** Seconds until the next try; undefined for none. */
  retryS: number | undefined;
}

/** Days for which deliveries are kept, and for which one that waits is tried. */
const keptDays = 30;
const waitingDays = 3;

/** @param db a pool or an open transaction */
export function webhookRepository(db: Kysely<DB>) {
  const dueColumns = sql`d.id, d.body, d.attempts, w.id as webhook_id, w.tenant_id, w.address, w.sealed_secret`;
  return {
    /** Stores a new secret, which ends the one before. @returns false where there is no such webhook */
    async setSecret(scope: TenantScope, id: string, sealed: Buffer): Promise<boolean> {
      const { numAffectedRows = 0n } = await sql`
        update webhooks w set sealed_secret = ${sealed} where w.id = ${id} and ${inScope(scope, "w")}`.execute(db);
      return numAffectedRows > 0n;
    },

    async nameOf(scope: TenantScope, id: string): Promise<{ name: string; hasSecret: boolean } | undefined> {
      const { rows } = await sql<{ name: string; hasSecret: boolean }>`
        select w.name, w.sealed_secret is not null as has_secret from webhooks w where w.id = ${id} and ${inScope(scope, "w")}`.execute(
        db,
      );
      return rows[0];
    },

    page(
      scope: TenantScope,
      { webhookId, state }: { webhookId: string; state?: DeliveryState | undefined },
      request: PageRange,
    ): Promise<{ rows: DeliveryRow[]; total: number }> {
      let query = db
        .selectFrom("webhookDeliveries as d")
        .where(inScope(scope, "d"))
        .where("d.webhookId", "=", webhookId);
      if (state !== undefined) query = query.where("d.state", "=", state);
      const rows = query
        .select([
          "d.id",
          "d.event",
          "d.attempts",
          "d.createdAt",
          "d.nextAt",
          "d.triedAt",
          "d.status",
          "d.tookMs",
          "d.answer",
        ])
        .select([sql<object>`d.body`.as("body"), sql<DeliveryState>`d.state`.as("state")]);
      return readQuery(
        rows,
        [
          { by: sql`d.created_at`, descending: true },
          { by: sql`d.id`, descending: true },
        ],
        request,
      );
    },

    async find(scope: TenantScope, id: string): Promise<DeliveryRow | undefined> {
      const { rows } = await sql<DeliveryRow>`
        select d.id, d.event, d.body, d.state, d.attempts, d.created_at, d.next_at, d.tried_at, d.status, d.took_ms, d.answer
          from webhook_deliveries d where d.id = ${id} and ${inScope(scope, "d")}`.execute(db);
      return rows[0];
    },

    /** Adds a message that nothing but this call sends. @returns its id */
    async addTest(scope: TenantScope, webhookId: string, body: object): Promise<string | undefined> {
      const { rows } = await sql<{ id: string }>`
        insert into webhook_deliveries (webhook_id, tenant_id, event, body, state)
        select w.id, w.tenant_id, 'test', ${JSON.stringify(body)}::jsonb, 'failed'
          from webhooks w where w.id = ${webhookId} and ${inScope(scope, "w")} returning id`.execute(db);
      return rows[0]?.id;
    },

    /** Takes one message for a try at once, whatever its state. */
    async takeOne(scope: TenantScope, id: string, webhookId: string, leaseS: number): Promise<DueDelivery | undefined> {
      const { rows } = await sql<DueDelivery>`
        update webhook_deliveries d
           set attempts = d.attempts + 1, tried_at = clock_timestamp(), next_at = clock_timestamp() + make_interval(secs => ${leaseS})
          from webhooks w
         where w.id = d.webhook_id and d.id = ${id} and w.id = ${webhookId} and w.sealed_secret is not null and ${inScope(scope, "d")}
        returning ${dueColumns}`.execute(db);
      return rows[0];
    },

    /**
     * Takes messages that are due; until the lease is over no other server takes them.
     * @param busy webhooks that have enough under way
     */
    async take(
      scope: SystemScope,
      { leaseS, limit, perHook, busy }: { leaseS: number; limit: number; perHook: number; busy: readonly string[] },
    ): Promise<DueDelivery[]> {
      requireSystemScope(scope);
      const { rows } = await sql<DueDelivery>`
        with hooks as (
          select distinct d.webhook_id as id from webhook_deliveries d
           where d.state = 'waiting' and d.next_at <= clock_timestamp() and d.webhook_id <> all(${[...busy]}::bigint[])),
        chosen as (
          select one.id from hooks h
            join webhooks w on w.id = h.id and w.active and w.sealed_secret is not null
            cross join lateral (
              select d.id from webhook_deliveries d
               where d.webhook_id = w.id and d.state = 'waiting' and d.next_at <= clock_timestamp()
               order by d.next_at limit ${perHook} for update of d skip locked) one
           limit ${limit})
        update webhook_deliveries d
           set attempts = d.attempts + 1, tried_at = clock_timestamp(), next_at = clock_timestamp() + make_interval(secs => ${leaseS})
          from chosen c, webhooks w
         where d.id = c.id and w.id = d.webhook_id
        returning ${dueColumns}`.execute(db);
      return rows;
    },

    async settle(
      scope: SystemScope,
      id: string,
      { delivered, status, tookMs, answer, retryS }: Outcome,
    ): Promise<void> {
      requireSystemScope(scope);
      const state = delivered ? "delivered" : retryS === undefined ? "failed" : "waiting";
      await sql`
        update webhook_deliveries set state = ${state}, status = ${status}, took_ms = ${tookMs}, answer = ${answer},
               next_at = clock_timestamp() + make_interval(secs => ${retryS ?? 0})
         where id = ${id}`.execute(db);
    },

    /** Notes whether a webhook works. */
    async noteHealth(scope: SystemScope, webhookId: string, works: boolean): Promise<void> {
      requireSystemScope(scope);
      await sql`
        update webhooks set failing_since = ${works ? null : sql`clock_timestamp()`}
         where id = ${webhookId} and (failing_since is null) <> ${works}`.execute(db);
    },

    /** Turns a webhook off that has failed for so many days, or is gone. @returns whether it did */
    async stop(
      scope: SystemScope,
      webhookId: string,
      { days, gone }: { days: number; gone: boolean },
    ): Promise<boolean> {
      requireSystemScope(scope);
      const { numAffectedRows = 0n } = await sql`
        update webhooks set active = false, stopped = true, version = version + 1, updated_at = now()
         where id = ${webhookId} and active
           and (${gone}::boolean or failing_since < clock_timestamp() - make_interval(days => ${days}))`.execute(db);
      return numAffectedRows > 0n;
    },

    /** Tells webhooks which of their devices began or stopped reporting since they were told last. */
    async tellPresence(scope: SystemScope): Promise<void> {
      requireSystemScope(scope);
      await sql`
        with asking as (
          select distinct w.tenant_id from webhooks w
           where w.active and w.sealed_secret is not null and w.events && '{device.online,device.offline}'::text[]),
        changed as (
          insert into webhook_devices as h (device_id, tenant_id, online)
          select d.id, d.tenant_id, coalesce(s.online_until > now(), false)
            from asking a
            join devices d on d.tenant_id = a.tenant_id and d.bound_at is not null
            left join device_states s on s.device_id = d.id
            left join webhook_devices told on told.device_id = d.id
           where told.online is distinct from coalesce(s.online_until > now(), false)
          on conflict (device_id) do update set online = excluded.online where h.online <> excluded.online
          returning h.device_id, h.tenant_id, h.online, h.xmax = 0 as first_seen)
        select tell_webhooks(c.tenant_id, case when c.online then 'device.online' else 'device.offline' end, now(),
                 jsonb_build_object('deviceId', d.id::text, 'serialNumber', d.serial_number))
          from changed c join devices d on d.id = c.device_id where not c.first_seen`.execute(db);
    },

    async sweep(scope: SystemScope): Promise<void> {
      requireSystemScope(scope);
      await sql`delete from webhook_deliveries where created_at < now() - make_interval(days => ${keptDays})`.execute(
        db,
      );
      await sql`
        update webhook_deliveries set state = 'failed'
         where state = 'waiting' and created_at < now() - make_interval(days => ${waitingDays})`.execute(db);
    },
  };
}
export type WebhookRepository = ReturnType<typeof webhookRepository>;
