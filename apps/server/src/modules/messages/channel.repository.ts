import type { MessageChannel, MessageKind } from "@herdwise/contract";
import { type Kysely, sql } from "kysely";
import { ofAccount } from "../../database/conditions.ts";
import type { DB } from "../../database/generated/database.ts";
import { type AccountScope, requireSystemScope, type SystemScope } from "../../tenant-scope.ts";

export interface ChoiceRow {
  kind: MessageKind;
  channel: MessageChannel;
  enabled: boolean;
  locked: boolean;
}

export interface ContactRow {
  /** "" unless its owner proved it. */
  phoneEncrypted: string;
  emailEncrypted: string;
  /** "" while no WeChat user that follows is bound. */
  openIdEncrypted: string;
}

export interface MessageSettingsRow {
  quietFrom: number;
  quietTo: number;
  digestAt: number | null;
}

/** How a person is told. @param db a pool or an open transaction */
export function channelRepository(db: Kysely<DB>) {
  return {
    /** What the person gets by which way: what they chose, else what the kind begins with. */
    async choices({ accountId }: AccountScope): Promise<ChoiceRow[]> {
      const { rows } = await sql<ChoiceRow>`
        select d.kind, d.channel, d.locked, d.locked or coalesce(c.enabled, d.enabled) as enabled
          from message_defaults d
          left join message_choices c on c.kind = d.kind and c.channel = d.channel and c.account_id = ${accountId}`.execute(
        db,
      );
      return rows;
    },

    async choose({ accountId }: AccountScope, kind: MessageKind, channel: MessageChannel, enabled: boolean) {
      await sql`insert into message_choices (account_id, kind, channel, enabled) values (${accountId}, ${kind}, ${channel}, ${enabled})
        on conflict (account_id, kind, channel) do update set enabled = excluded.enabled`.execute(db);
    },

    async settings(owner: AccountScope): Promise<MessageSettingsRow> {
      const row = await db
        .selectFrom("messageSettings as s")
        .select(["s.quietFrom", "s.quietTo", "s.digestAt"])
        .where(ofAccount(owner, "s"))
        .executeTakeFirst();
      return row ?? { quietFrom: 0, quietTo: 0, digestAt: null };
    },

    async saveSettings({ accountId }: AccountScope, { quietFrom, quietTo, digestAt }: MessageSettingsRow) {
      await sql`insert into message_settings (account_id, quiet_from, quiet_to, digest_at)
        values (${accountId}, ${quietFrom}, ${quietTo}, ${digestAt}::smallint)
        on conflict (account_id) do update set quiet_from = excluded.quiet_from, quiet_to = excluded.quiet_to,
          digest_at = excluded.digest_at, updated_at = now()`.execute(db);
    },

    /** What waits is looked at anew, by what the person chose now. */
    async hurry(owner: AccountScope): Promise<void> {
      await sql`update message_deliveries d set due_at = now() where d.state = 'waiting' and not d.begun and ${ofAccount(owner, "d")}`.execute(
        db,
      );
    },

    async contacts({ accountId }: AccountScope): Promise<ContactRow> {
      const { rows } = await sql<ContactRow>`
        select case when a.phone_verified_at is null then '' else a.phone_encrypted end as phone_encrypted,
               case when a.email_verified_at is null then '' else a.email_encrypted end as email_encrypted,
               coalesce(w.open_id_encrypted, '') as open_id_encrypted
          from accounts a left join wechat_bindings w on w.account_id = a.id and w.left_at is null where a.id = ${accountId}`.execute(
        db,
      );
      return rows[0] ?? { phoneEncrypted: "", emailEncrypted: "", openIdEncrypted: "" };
    },

    /** The last try of each channel. */
    async lastTries(owner: AccountScope) {
      const { rows } = await sql<{ channel: MessageChannel; lastTime: Date | null; failed: boolean }>`
        select distinct on (d.channel) d.channel, d.sent_at as last_time, d.state = 'failed' as failed
          from message_deliveries d where ${ofAccount(owner, "d")} and d.state in ('sent', 'failed')
         order by d.channel, coalesce(d.sent_at, d.due_at) desc`.execute(db);
      return rows;
    },

    async bindWechat({ accountId }: AccountScope, openIdEncrypted: string, openIdIndex: Buffer): Promise<void> {
      await sql`insert into wechat_bindings (account_id, open_id_encrypted, open_id_index) values (${accountId}, ${openIdEncrypted}, ${openIdIndex})
        on conflict (account_id) do update set open_id_encrypted = excluded.open_id_encrypted, open_id_index = excluded.open_id_index,
          left_at = null, created_at = now()`.execute(db);
    },

    async unbindWechat(owner: AccountScope): Promise<void> {
      await sql`delete from wechat_bindings w where ${ofAccount(owner, "w")}`.execute(db);
    },

    /** A WeChat user follows the official account again, or no more. @param indexes of the user, by every key */
    async setFollowing(scope: SystemScope, indexes: readonly Buffer[], following: boolean): Promise<void> {
      requireSystemScope(scope);
      await sql`update wechat_bindings w set left_at = ${following ? null : sql`now()`}
        where w.open_id_index = any(${[...indexes]}::bytea[])`.execute(db);
    },
  };
}
export type ChannelRepository = ReturnType<typeof channelRepository>;
