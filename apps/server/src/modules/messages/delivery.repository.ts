import type { MessageKind } from "@herdwise/contract";
import { type Kysely, sql } from "kysely";
import type { DB } from "../../database/generated/database.ts";
import { requireSystemScope, type SystemScope } from "../../tenant-scope.ts";

/** A message that is to be told by a channel, with to whom and how they want it. */
export interface DueDelivery {
  id: string;
  accountId: string;
  channel: "sms" | "mail" | "wechat";
  attempts: number;
  /** Given by an earlier try; null before the first. */
  bundleId: string | null;
  /** An earlier try was handed over, and nobody knows what became of it. */
  begun: boolean;
  kind: MessageKind;
  title: string;
  content: string;
  link: string;
  urgent: boolean;
  createdAt: Date;
  quietFrom: number;
  quietTo: number;
  digestAt: number | null;
  phoneEncrypted: string;
  emailEncrypted: string;
  openIdEncrypted: string;
}

/**
 * The outbox of messages, whosever they are.
 * @param db a pool or an open transaction
 */
export function deliveryRepository(db: Kysely<DB>, scope: SystemScope) {
  requireSystemScope(scope);
  return {
    /** Takes what is due; nobody else takes it for `leaseS`. */
    async take(now: Date, { leaseS, limit }: { leaseS: number; limit: number }): Promise<DueDelivery[]> {
      const { rows } = await sql<DueDelivery>`
        with due as materialized (
          select d.id, d.begun from message_deliveries d where d.state = 'waiting' and d.due_at <= ${now}::timestamptz
           order by d.due_at, d.id limit ${limit} for update skip locked),
        taken as (
          update message_deliveries d set attempts = d.attempts + 1, due_at = ${now}::timestamptz + make_interval(secs => ${leaseS}::float8)
            from due where d.id = due.id returning d.*)
        select d.id::text as id, d.account_id::text as account_id, d.channel, d.attempts, d.bundle_id::text as bundle_id, d.begun,
               m.kind, m.title, m.content, m.link, m.urgent, m.created_at, coalesce(s.quiet_from, 0) as quiet_from,
               coalesce(s.quiet_to, 0) as quiet_to, s.digest_at,
               case when a.phone_verified_at is null then '' else a.phone_encrypted end as phone_encrypted,
               case when a.email_verified_at is null then '' else a.email_encrypted end as email_encrypted,
               coalesce(w.open_id_encrypted, '') as open_id_encrypted
          from taken d join messages m on m.id = d.message_id join accounts a on a.id = d.account_id
          left join message_settings s on s.account_id = d.account_id
          left join wechat_bindings w on w.account_id = d.account_id and w.left_at is null
         order by m.created_at, m.id`.execute(db);
      return rows;
    },

    /** Notes, before it is handed over, what goes in one and under which number. */
    async begin(ids: readonly string[], bundleId: string): Promise<void> {
      await sql`update message_deliveries d set bundle_id = ${bundleId}, begun = true where d.id = any(${[...ids]}::bigint[])`.execute(
        db,
      );
    },

    async sent(ids: readonly string[], now: Date): Promise<void> {
      await sql`update message_deliveries d set state = 'sent', sent_at = ${now}, begun = false, fault = '' where d.id = any(${[...ids]}::bigint[])`.execute(
        db,
      );
    },

    /** @param dueAt of the next try; null when there is none */
    async failed(ids: readonly string[], fault: string, dueAt: Date | null): Promise<void> {
      await sql`update message_deliveries d set fault = ${fault}, begun = false, due_at = coalesce(${dueAt}::timestamptz, d.due_at),
                       state = ${dueAt === null ? "failed" : "waiting"}
        where d.id = any(${[...ids]}::bigint[])`.execute(db);
    },

    /** There is nobody to tell any more. */
    async drop(ids: readonly string[]): Promise<void> {
      await sql`update message_deliveries d set state = 'dropped', begun = false where d.id = any(${[...ids]}::bigint[])`.execute(
        db,
      );
    },

    /** Told later, without counting as a try. */
    async postpone(ids: readonly string[], until: Date): Promise<void> {
      await sql`update message_deliveries d set due_at = ${until}, attempts = d.attempts - 1 where d.id = any(${[...ids]}::bigint[])`.execute(
        db,
      );
    },

    /** What was settled long ago says nothing to anybody. */
    async sweep(before: Date): Promise<void> {
      await sql`delete from message_deliveries d where d.state <> 'waiting' and d.due_at < ${before}`.execute(db);
    },
  };
}
export type DeliveryRepository = ReturnType<typeof deliveryRepository>;
