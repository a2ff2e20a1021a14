import type { DeviceKindId, Readings } from "@herdwise/contract";
import { type Kysely, sql } from "kysely";
import type { DB } from "../../database/generated/database.ts";
import { requireSystemScope, type SystemScope } from "../../tenant-scope.ts";

/** Characters of JSON of all client attributes of a device. */
const largestAttributes = 64 * 1024;

/** What ingest must know of a device before it can take its messages. */
export interface DeviceIdentity {
  id: string;
  tenantId: string;
  kind: DeviceKindId;
  serialNumber: string;
}

/** A device that has shown its access token. */
export interface KnownDevice extends DeviceIdentity {
  /** SHA-256 of the token that it showed. */
  tokenHash: Buffer;
  isGateway: boolean;
  /** A gateway that may register devices, and take over those of its tenant that stand behind no other. */
  mayCreateChildren: boolean;
}

/** What makes a row a `KnownDevice`. */
export const knownColumns = sql<never>`d.id, d.tenant_id, d.kind, d.serial_number, d.token_hash, d.is_gateway, d.may_create_children`;

/**
 * Devices as they come in by themselves, whatever their tenant: who shows the token of a device is that device.
 * @param db a pool or an open transaction
 */
export function deviceProtocolRepository(db: Kysely<DB>, scope: SystemScope) {
  requireSystemScope(scope);
  return {
    /** The device of an access token's hash. */
    async byTokenHash(hash: Buffer): Promise<KnownDevice | undefined> {
      const { rows } =
        await sql<KnownDevice>`select ${knownColumns} from devices d where d.token_hash = ${hash} and d.blocked_at is null`.execute(
          db,
        );
      return rows[0];
    },

    /** Devices that log in by this user name: with this client id, and with any. */
    async byUserName(userName: string, clientId: string): Promise<(KnownDevice & { passwordHash: Buffer })[]> {
      const { rows } = await sql<KnownDevice & { passwordHash: Buffer }>`
        select ${knownColumns}, c.password_hash from device_credentials c join devices d on d.id = c.device_id
         where c.user_name = ${userName} and c.client_id in ('', ${clientId}) and d.blocked_at is null
         order by c.client_id desc`.execute(db);
      return rows;
    },

    /** Which of these devices are not any more what they were when they showed their token: removed, moved, kept out, or with another one. */
    async changedSince(known: readonly KnownDevice[]): Promise<string[]> {
      if (known.length === 0) return [];
      const { rows } = await sql<{ id: string }>`
        select k.id::text as id
          from unnest(${known.map(({ id }) => id)}::bigint[], ${known.map(({ tokenHash }) => tokenHash)}::bytea[],
                      ${known.map(({ tenantId }) => tenantId)}::text[], ${known.map(({ kind }) => kind)}::text[])
               as k (id, token_hash, tenant_id, kind)
          left join devices d on d.id = k.id and d.token_hash = k.token_hash and d.tenant_id = k.tenant_id and d.kind = k.kind
                            and d.blocked_at is null
         where d.id is null`.execute(db);
      return rows.map(({ id }) => id);
    },

    /** @returns the device's id; undefined when there is none of this serial number */
    async setTokenHash(serialNumber: string, hash: Buffer): Promise<string | undefined> {
      const row = await db
        .updateTable("devices")
        .set({ tokenHash: hash, updatedAt: sql<Date>`now()` })
        .where("serialNumber", "=", serialNumber)
        .returning("id")
        .executeTakeFirst();
      return row?.id;
    },

    async activate(id: string): Promise<void> {
      await db
        .updateTable("devices")
        .set({ activatedAt: sql<Date>`now()` })
        .where("id", "=", id)
        .where("activatedAt", "is", null)
        .execute();
    },

    /**
     * Merges what the device says of itself; a firmware version also shows in the registry.
     * @returns false when all its attributes together would be too large; nothing is changed then
     */
    async mergeAttributes(id: string, attributes: Record<string, unknown>): Promise<boolean> {
      const text = JSON.stringify(attributes);
      if (text.length > largestAttributes) return false;
      const { rows } = await sql`insert into device_states as s (device_id, attributes) values (${id}, ${text}::jsonb)
        on conflict (device_id) do update set attributes = s.attributes || excluded.attributes
          where length((s.attributes || excluded.attributes)::text) <= ${largestAttributes}
        returning device_id`.execute(db);
      if (rows.length === 0) return false;
      const { firmwareVersion } = attributes;
      if (typeof firmwareVersion === "string") {
        await db
          .updateTable("devices")
          .set({ firmwareVersion: firmwareVersion.slice(0, 64) })
          .where("id", "=", id)
          .where("firmwareVersion", "<>", firmwareVersion.slice(0, 64))
          .execute();
      }
      return true;
    },

    async attributes(id: string): Promise<{ client: Record<string, unknown>; shared: Record<string, unknown> }> {
      const row = await db
        .selectFrom("devices as d")
        .leftJoin("deviceStates as s", "s.deviceId", "d.id")
        .select([
          sql<Record<string, unknown>>`coalesce(s.attributes, '{}')`.as("client"),
          sql<Record<string, unknown>>`d.shared_attributes`.as("shared"),
        ])
        .where("d.id", "=", id)
        .executeTakeFirstOrThrow();
      return row;
    },

    async counts(): Promise<{ devices: number; devicesOnline: number }> {
      return db
        .selectFrom("devices as d")
        .leftJoin("deviceStates as s", "s.deviceId", "d.id")
        .select([
          sql<number>`count(*)::int`.as("devices"),
          sql<number>`(count(*) filter (where d.activated_at is not null and s.online_until > now()))::int`.as(
            "devicesOnline",
          ),
        ])
        .executeTakeFirstOrThrow();
    },

    /** A unit that its tenant lets visitors see. */
    showcase: () =>
      db
        .selectFrom("devices as d")
        .innerJoin("tenants as t", "t.tenantId", "d.tenantId")
        .innerJoin("units as u", "u.id", "d.unitId")
        .innerJoin("pigHouses as h", "h.id", "d.houseId")
        .innerJoin("deviceStates as s", "s.deviceId", "d.id")
        .innerJoin("deviceReadings as n", "n.deviceId", "d.id")
        .select(["h.name as houseName", "u.name as unitName", "u.headCount"])
        .select([sql<string>`u.pigsty_type`.as("pigstyType"), sql<Readings>`n.readings`.as("readings")])
        .where("t.showcase", "=", true)
        .where("d.kind", "=", "environment")
        .where("u.mode", "=", "normal")
        .where("u.pigstyType", "=", "fattening")
        .where(sql<boolean>`s.online_until > now()`)
        .orderBy("d.sort")
        .orderBy("d.id")
        .executeTakeFirst(),

    /** Newest readings of a device of a kind that its tenant lets visitors see. */
    showcaseOf: (kind: DeviceKindId) =>
      db
        .selectFrom("devices as d")
        .innerJoin("tenants as t", "t.tenantId", "d.tenantId")
        .innerJoin("deviceStates as s", "s.deviceId", "d.id")
        .innerJoin("deviceReadings as n", "n.deviceId", "d.id")
        .select(["d.id", "d.ownedSince", sql<Readings>`n.readings`.as("readings")])
        .where("t.showcase", "=", true)
        .where("d.kind", "=", kind)
        .where(sql<boolean>`s.online_until > now()`)
        .orderBy("d.sort")
        .orderBy("d.id")
        .executeTakeFirst(),

    /** Means of the hours of a device that its tenant lets visitors see, ascending. @param from nothing before it is read */
    hoursOf: (id: string, keys: readonly string[], from: Date) =>
      db
        .selectFrom("telemetryHours as h")
        .select([
          "h.key",
          sql<number>`(extract(epoch from h.hour) * 1000)::float8`.as("atMs"),
          sql<number>`h.sum / h.count`.as("mean"),
        ])
        .where("h.deviceId", "=", id)
        .where("h.key", "in", [...keys])
        .where("h.hour", ">=", from)
        .where("h.count", ">", 0)
        .orderBy("h.hour")
        .execute(),
  };
}
export type DeviceProtocolRepository = ReturnType<typeof deviceProtocolRepository>;
