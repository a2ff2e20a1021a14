import type { DeviceKindId, DeviceStatus, Readings } from "@herdwise/contract";
import { type Kysely, sql } from "kysely";
import { likeWord } from "../../database/conditions.ts";
import type { DB } from "../../database/generated/database.ts";

export interface DeviceFilter {
  kind?: DeviceKindId | undefined;
  status?: DeviceStatus | undefined;
  bound?: boolean | undefined;
  farmId?: string | undefined;
  unitId?: string | undefined;
  /** Part of the name or serial number. */
  word?: string | undefined;
}

export interface PageRequest {
  offset: number;
  limit: number;
  orders: readonly { column: DeviceSort; direction: "asc" | "desc" }[];
}

/** Columns that a page may be sorted by, as the wire names them. */
export const deviceSorts = ["name", "serial_number", "kind", "firmware_version", "report_at", "create_time"] as const;
export type DeviceSort = (typeof deviceSorts)[number];

export interface DeviceRow {
  id: string;
  name: string;
  serialNumber: string;
  kind: DeviceKindId;
  status: DeviceStatus;
  connected: boolean;
  bound: boolean;
  farmId: string | null;
  farmName: string | null;
  houseId: string | null;
  houseName: string | null;
  unitId: string | null;
  unitName: string | null;
  firmwareVersion: string;
  reportAt: Date | null;
  createTime: Date;
}

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
}

/** online = reporting: the newest telemetry is no older than the kind allows. */
const statusColumn = sql<DeviceStatus>`case
  when d.activated_at is null then 'unactivated'
  when s.online_until > now() then 'online'
  else 'offline' end`;

const sortColumns = {
  name: sql`d.name`,
  serial_number: sql`d.serial_number`,
  kind: sql`d.kind`,
  firmware_version: sql`d.firmware_version`,
  report_at: sql`s.reported_at`,
  create_time: sql`d.created_at`,
} as const;

/** @param db a pool or an open transaction */
export function deviceRepository(db: Kysely<DB>) {
  const devicesOf = (tenantId: string) =>
    db
      .selectFrom("devices as d")
      .leftJoin("deviceStates as s", "s.deviceId", "d.id")
      .where("d.tenantId", "=", tenantId);

  const withColumns = (query: ReturnType<typeof devicesOf>) =>
    query
      .leftJoin("farms as f", "f.id", "d.farmId")
      .leftJoin("pigHouses as h", "h.id", "d.houseId")
      .leftJoin("units as u", "u.id", "d.unitId")
      .select([
        "d.id",
        "d.name",
        "d.serialNumber",
        "d.farmId",
        "f.name as farmName",
        "d.houseId",
        "h.name as houseName",
        "d.unitId",
        "u.name as unitName",
        "d.firmwareVersion",
        "s.reportedAt as reportAt",
        "d.createdAt as createTime",
      ])
      .select([
        sql<DeviceKindId>`d.kind`.as("kind"),
        statusColumn.as("status"),
        sql<boolean>`coalesce(s.connected, false)`.as("connected"),
        sql<boolean>`d.bound_at is not null`.as("bound"),
      ]);

  const filtered = (tenantId: string, filter: DeviceFilter) => {
    let query = devicesOf(tenantId);
    if (filter.kind !== undefined) query = query.where("d.kind", "=", filter.kind);
    if (filter.status !== undefined) query = query.where(statusColumn, "=", filter.status);
    if (filter.bound !== undefined) query = query.where("d.boundAt", filter.bound ? "is not" : "is", null);
    if (filter.farmId !== undefined) query = query.where("d.farmId", "=", filter.farmId);
    if (filter.unitId !== undefined) query = query.where("d.unitId", "=", filter.unitId);
    const { word } = filter;
    if (word !== undefined && word !== "") {
      query = query.where((either) =>
        either.or([either("d.name", "ilike", likeWord(word)), either("d.serialNumber", "ilike", likeWord(word))]),
      );
    }
    return query;
  };

  return {
    async page(tenantId: string, filter: DeviceFilter, { offset, limit, orders }: PageRequest) {
      let rows = withColumns(filtered(tenantId, filter));
      for (const { column, direction } of orders) {
        rows = rows.orderBy(sortColumns[column], (order) =>
          (direction === "asc" ? order.asc() : order.desc()).nullsLast(),
        );
      }
      const [{ total }, records] = await Promise.all([
        filtered(tenantId, filter).select(sql<number>`count(*)::int`.as("total")).executeTakeFirstOrThrow(),
        rows.orderBy("d.sort").orderBy("d.id").offset(offset).limit(limit).execute(),
      ]);
      return { total, records: records as DeviceRow[] };
    },

    detail: (
      tenantId: string,
      id: string,
    ): Promise<(DeviceRow & { attributes: Record<string, unknown> }) | undefined> =>
      withColumns(devicesOf(tenantId))
        .select(sql<Record<string, unknown>>`coalesce(s.attributes, '{}')`.as("attributes"))
        .where("d.id", "=", id)
        .executeTakeFirst(),

    dropped: (deviceId: string) =>
      db
        .selectFrom("deviceDroppedMessages")
        .select(["reason", "lastAt"])
        .select(sql<number>`messages::float8`.as("count"))
        .where("deviceId", "=", deviceId)
        .orderBy("lastAt", "desc")
        .execute(),

    /** Newest readings of one device; undefined when it is not the tenant's. */
    async readings(tenantId: string, id: string): Promise<Readings | undefined> {
      const row = await devicesOf(tenantId)
        .select(sql<Readings>`coalesce(s.readings, '{}')`.as("readings"))
        .where("d.id", "=", id)
        .executeTakeFirst();
      return row?.readings;
    },

    /** Newest readings of several devices of the tenant. */
    async readingsOf(tenantId: string, ids: readonly string[]): Promise<Map<string, Readings>> {
      const rows = await devicesOf(tenantId)
        .select("d.id")
        .select(sql<Readings>`coalesce(s.readings, '{}')`.as("readings"))
        .where("d.id", "in", [...ids])
        .execute();
      return new Map(rows.map(({ id, readings }) => [id, readings]));
    },

    /** Which of the ids are devices of the tenant. */
    async owned(tenantId: string, ids: readonly string[]): Promise<string[]> {
      if (ids.length === 0) return [];
      const rows = await db
        .selectFrom("devices")
        .select("id")
        .where("tenantId", "=", tenantId)
        .where("id", "in", [...ids])
        .execute();
      return rows.map(({ id }) => id);
    },

    /** The environment controllers of a tenant with their newest readings. */
    environmentControllers: (tenantId: string) =>
      devicesOf(tenantId)
        .where("d.kind", "=", "environment")
        .where("d.unitId", "is not", null)
        .select(["d.id as deviceId", "d.name as deviceName", "d.unitId", "s.reportedAt"])
        .select([statusColumn.as("status"), sql<Readings>`coalesce(s.readings, '{}')`.as("readings")])
        .orderBy("d.id")
        .execute(),

    /** The device of an access token's hash, whatever its tenant: for the device protocol only. */
    byTokenHash: (hash: Buffer): Promise<KnownDevice | undefined> =>
      db
        .selectFrom("devices")
        .select(["id", "tenantId", "serialNumber", "tokenHash"])
        .select(sql<DeviceKindId>`kind`.as("kind"))
        .where("tokenHash", "=", hash)
        .executeTakeFirst(),

    /** Which of these devices are not any more what they were when they showed their token: removed, moved, or with another one. */
    async changedSince(known: readonly KnownDevice[]): Promise<string[]> {
      if (known.length === 0) return [];
      const { rows } = await sql<{ id: string }>`
        select k.id::text as id
          from unnest(${known.map(({ id }) => id)}::bigint[], ${known.map(({ tokenHash }) => tokenHash)}::bytea[],
                      ${known.map(({ tenantId }) => tenantId)}::text[], ${known.map(({ kind }) => kind)}::text[])
               as k (id, token_hash, tenant_id, kind)
          left join devices d on d.id = k.id and d.token_hash = k.token_hash and d.tenant_id = k.tenant_id and d.kind = k.kind
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

    async knownKeys(id: string): Promise<string[]> {
      const row = await db
        .selectFrom("deviceStates")
        .select(sql<string[]>`array(select jsonb_object_keys(readings))`.as("keys"))
        .where("deviceId", "=", id)
        .executeTakeFirst();
      return row?.keys ?? [];
    },

    async activate(id: string): Promise<void> {
      await db
        .updateTable("devices")
        .set({ activatedAt: sql<Date>`now()` })
        .where("id", "=", id)
        .where("activatedAt", "is", null)
        .execute();
    },

    /** Merges what the device says of itself; a firmware version also shows in the registry. */
    async mergeAttributes(id: string, attributes: Record<string, unknown>): Promise<void> {
      await sql`insert into device_states as s (device_id, attributes) values (${id}, ${JSON.stringify(attributes)}::jsonb)
        on conflict (device_id) do update set attributes = s.attributes || excluded.attributes`.execute(db);
      const { firmwareVersion } = attributes;
      if (typeof firmwareVersion === "string") {
        await db
          .updateTable("devices")
          .set({ firmwareVersion: firmwareVersion.slice(0, 64) })
          .where("id", "=", id)
          .where("firmwareVersion", "<>", firmwareVersion.slice(0, 64))
          .execute();
      }
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
        .select(["h.name as houseName", "u.name as unitName", "u.headCount"])
        .select([sql<string>`u.pigsty_type`.as("pigstyType"), sql<Readings>`s.readings`.as("readings")])
        .where("t.showcase", "=", true)
        .where("d.kind", "=", "environment")
        .where("u.mode", "=", "normal")
        .where("u.pigstyType", "=", "fattening")
        .where(sql<boolean>`s.online_until > now()`)
        .orderBy("d.sort")
        .orderBy("d.id")
        .executeTakeFirst(),
  };
}
export type DeviceRepository = ReturnType<typeof deviceRepository>;
