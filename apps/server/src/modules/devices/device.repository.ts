import type { DeviceKindId, DeviceStatus, Readings, RejectReasonCode } from "@herdwise/contract";
import { deviceKinds, judgedParameters } from "@herdwise/device-kinds";
import { type Kysely, type SqlBool, sql } from "kysely";
import { deviceInReach, deviceStatus, likeWord, placedInReach, placeName } from "../../database/conditions.ts";
import type { DB } from "../../database/generated/database.ts";
import { type PageRange, readList } from "../../database/pages.ts";
import type { TenantScope } from "../../tenant-scope.ts";

export interface DeviceFilter {
  kind?: DeviceKindId | undefined;
  status?: DeviceStatus | undefined;
  bound?: boolean | undefined;
  farmId?: string | undefined;
  unitId?: string | undefined;
  /** Part of the name or serial number. */
  word?: string | undefined;
  ids?: readonly string[] | undefined;
}

/** What a device logs in with: SHA-256 of its token, and the user name that takes the token's place. */
export interface DeviceAccess {
  tokenHash: Buffer;
  login: { userName: string; clientId: string; passwordHash: Buffer } | undefined;
}

/** A farm or a house, by which devices are chosen. */
export interface Place {
  farmId?: string | undefined;
  /** null: those that stand in no house. */
  houseId?: string | null | undefined;
  unitId?: string | undefined;
  deviceId?: string | undefined;
}

/** Devices of a kind in one house, or of one farm as a whole. */
export interface KindCount {
  farmId: string;
  /** null: they serve the farm as a whole. */
  houseId: string | null;
  devices: number;
  online: number;
  fault: number;
  /** They reported before, and do not now. */
  offline: number;
  /** They never reported. */
  silent: number;
  /** Units in use that have one of them. */
  equipped: number;
  /** Open alarms by severity, from the least to the worst. */
  alarms: [warn: number, minor: number, major: number, critical: number];
}

export interface PageRequest extends PageRange {
  orders: readonly { column: DeviceSort; direction: "asc" | "desc" }[];
}

/** Columns that a page may be sorted by, as the wire names them. */
export const deviceSorts = ["name", "serial_number", "kind", "firmware_version", "report_at", "create_time"] as const;
type DeviceSort = (typeof deviceSorts)[number];

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

/** What only a device's own page tells. */
export interface DevicePlacement {
  boundTime: Date | null;
  isGateway: boolean;
  positionX: number | null;
  positionY: number | null;
  heightCm: number | null;
}

/** online = reporting: the newest telemetry is no older than the kind allows. */
const statusColumn = deviceStatus();

interface WithParameters {
  tenantId: string;
  /** Settings that limits refer to. */
  parameters: Record<string, unknown>;
}

/** Of the settings that a device should run with those that limits of its kind refer to. */
const judgedParametersOf = (kind: DeviceKindId) => {
  const keys = judgedParameters(deviceKinds[kind]);
  return keys.length === 0
    ? sql<Record<string, unknown>>`'{}'::jsonb`.as("parameters")
    : sql<
        Record<string, unknown>
      >`coalesce((select jsonb_object_agg(key, value) from jsonb_each(d.shared_attributes) where key = any(${keys})), '{}')`.as(
        "parameters",
      );
};

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
  const devicesOf = (scope: TenantScope) =>
    db.selectFrom("devices as d").leftJoin("deviceStates as s", "s.deviceId", "d.id").where(deviceInReach(scope, "d"));

  const states = sql`left join device_states s on s.device_id = d.id`;
  const columns = sql`
    d.id, d.name, d.serial_number, d.kind, d.farm_id, d.house_id, d.unit_id, d.firmware_version, s.reported_at as report_at,
    d.created_at as create_time, ${placeName("farms", "d.farmId")} as farm_name, ${placeName("pigHouses", "d.houseId")} as house_name,
    ${placeName("units", "d.unitId")} as unit_name, ${statusColumn} as status, coalesce(s.connected, false) as connected,
    d.bound_at is not null as bound`;

  return {
    page(
      scope: TenantScope,
      { kind, status, bound, farmId, unitId, word, ids }: DeviceFilter,
      { orders, ...request }: PageRequest,
    ): Promise<{ rows: DeviceRow[]; total: number }> {
      const where = [deviceInReach(scope, "d")];
      if (kind !== undefined) where.push(sql<SqlBool>`d.kind = ${kind}`);
      if (status !== undefined) where.push(sql<SqlBool>`${statusColumn} = ${status}`);
      if (bound !== undefined) where.push(sql<SqlBool>`(d.bound_at is not null) = ${bound}`);
      if (farmId !== undefined) where.push(sql<SqlBool>`d.farm_id = ${farmId}`);
      if (unitId !== undefined) where.push(sql<SqlBool>`d.unit_id = ${unitId}`);
      if (ids !== undefined) where.push(sql<SqlBool>`d.id = any(${[...ids]}::bigint[])`);
      const part = likeWord(word ?? "");
      if (word) where.push(sql<SqlBool>`(d.name ilike ${part} or d.serial_number ilike ${part})`);
      const list = {
        table: sql`devices d`,
        found: states,
        where,
        order: [
          ...orders.map(({ column, direction }) => ({
            by: sortColumns[column],
            descending: direction === "desc",
            nullsLast: true,
          })),
          { by: sql`d.sort` },
          { by: sql`d.id` },
        ],
        columns,
        key: "d.id",
        joins: states,
      };
      return readList(db, list, request);
    },

    /** How many devices there are in each state. */
    async countsByStatus(scope: TenantScope): Promise<Partial<Record<DeviceStatus, number>>> {
      const rows = await devicesOf(scope)
        .select([statusColumn.as("status"), sql<number>`count(*)::int`.as("count")])
        .groupBy(sql`1`)
        .execute();
      return Object.fromEntries(rows.map(({ status, count }) => [status, count]));
    },

    async detail(
      scope: TenantScope,
      id: string,
    ): Promise<(DeviceRow & DevicePlacement & WithParameters & { attributes: Record<string, unknown> }) | undefined> {
      const { rows } = await sql<
        DeviceRow & DevicePlacement & WithParameters & { attributes: Record<string, unknown> }
      >`
        select ${columns}, d.tenant_id, d.shared_attributes as parameters, d.bound_at as bound_time, d.is_gateway, d.position_x, d.position_y, d.height_cm,
               coalesce(s.attributes, '{}') as attributes
          from devices d ${states} where d.id = ${id} and ${deviceInReach(scope, "d")}`.execute(db);
      return rows[0];
    },

    dropped: (scope: TenantScope, deviceId: string) =>
      db
        .selectFrom("deviceDroppedMessages as m")
        .innerJoin("devices as d", "d.id", "m.deviceId")
        .select(["m.reason", "m.lastAt"])
        .select(sql<number>`m.messages::float8`.as("count"))
        .where("d.id", "=", deviceId)
        .where(deviceInReach(scope, "d"))
        .orderBy("m.lastAt", "desc")
        .execute(),

    /** Rejected readings of a device by channel and reason, the newest first. */
    rejected: (scope: TenantScope, deviceId: string) =>
      db
        .selectFrom("deviceRejectedReadings as r")
        .innerJoin("devices as d", "d.id", "r.deviceId")
        .select(["r.key", "r.lastText", "r.lastAt"])
        .select([sql<RejectReasonCode>`r.reason`.as("reason"), sql<number>`r.readings::float8`.as("count")])
        .where("d.id", "=", deviceId)
        .where(deviceInReach(scope, "d"))
        .orderBy("r.lastAt", "desc")
        .orderBy("r.key")
        .execute(),

    /** Newest readings of one device; undefined when the scope does not reach it. */
    async readings(scope: TenantScope, id: string): Promise<Readings | undefined> {
      const row = await devicesOf(scope)
        .leftJoin("deviceReadings as n", "n.deviceId", "d.id")
        .select(sql<Readings>`coalesce(n.readings, '{}')`.as("readings"))
        .where("d.id", "=", id)
        .executeTakeFirst();
      return row?.readings;
    },

    /** Which of the ids are devices that the scope reaches. */
    async owned(scope: TenantScope, ids: readonly string[]): Promise<string[]> {
      if (ids.length === 0) return [];
      const rows = await db
        .selectFrom("devices")
        .select("id")
        .where(deviceInReach(scope, "devices"))
        .where("id", "in", [...ids])
        .execute();
      return rows.map(({ id }) => id);
    },

    /** The devices of a kind that have a place, with their newest readings, the oldest first. */
    placedOfKind: (scope: TenantScope, kind: DeviceKindId, { farmId, houseId, unitId, deviceId }: Place = {}) =>
      devicesOf(scope)
        .leftJoin("deviceReadings as n", "n.deviceId", "d.id")
        .where("d.kind", "=", kind)
        .where("d.farmId", "is not", null)
        .$if(farmId !== undefined, (query) => query.where("d.farmId", "=", farmId ?? ""))
        .$if(houseId === null, (query) => query.where("d.houseId", "is", null))
        .$if(typeof houseId === "string", (query) => query.where("d.houseId", "=", houseId ?? ""))
        .$if(unitId !== undefined, (query) => query.where("d.unitId", "=", unitId ?? ""))
        .$if(deviceId !== undefined, (query) => query.where("d.id", "=", deviceId ?? ""))
        .select([
          "d.id as deviceId",
          "d.name as deviceName",
          "d.tenantId",
          "d.farmId",
          "d.houseId",
          "d.unitId",
          "s.reportedAt",
        ])
        .select(judgedParametersOf(kind))
        .select([statusColumn.as("status"), sql<Readings>`coalesce(n.readings, '{}')`.as("readings")])
        .orderBy("d.id")
        .execute(),

    /** How many devices of a kind have a place. */
    async countOfKind(scope: TenantScope, kind: DeviceKindId): Promise<number> {
      const { count } = await db
        .selectFrom("devices as d")
        .where(deviceInReach(scope, "d"))
        .where("d.kind", "=", kind)
        .where("d.farmId", "is not", null)
        .select(sql<number>`count(*)::int`.as("count"))
        .executeTakeFirstOrThrow();
      return count;
    },

    /** The devices of a kind that have a place in figures: by house, and for what serves a farm as a whole. */
    async countsOfKind(scope: TenantScope, kind: DeviceKindId): Promise<KindCount[]> {
      const { rows } = await sql<KindCount>`
        with by_unit as (
          select d.farm_id, d.house_id, d.unit_id, count(*) as devices,
                 count(*) filter (where of.status = 'online') as online,
                 count(*) filter (where of.status = 'fault') as fault,
                 count(*) filter (where of.status not in ('online', 'fault') and s.reported_at is not null) as offline,
                 count(*) filter (where of.status not in ('online', 'fault') and s.reported_at is null) as silent
            from devices d
            left join device_states s on s.device_id = d.id
           cross join lateral (select ${statusColumn} as status) of
           where ${deviceInReach(scope, "d")} and d.kind = ${kind} and d.farm_id is not null
           group by 1, 2, 3),
        told as (
          select b.farm_id, b.house_id, sum(b.devices)::int as devices, sum(b.online)::int as online, sum(b.fault)::int as fault,
                 sum(b.offline)::int as offline, sum(b.silent)::int as silent, (count(*) filter (where u.status = '1'))::int as equipped
            from by_unit b left join units u on u.id = b.unit_id
           group by 1, 2),
        open as (
          select d.farm_id, d.house_id, (count(*) filter (where a.severity = 1))::int as warn, (count(*) filter (where a.severity = 2))::int as minor,
                 (count(*) filter (where a.severity = 3))::int as major, (count(*) filter (where a.severity = 4))::int as critical
            from alarms a join devices d on d.id = a.device_id
           where a.ended_at is null and not a.suppressed and not a.late and a.kind = ${kind} and ${placedInReach(scope, "a")} and ${placedInReach(scope, "d")}
           group by 1, 2)
        select t.farm_id::text, t.house_id::text, t.devices, t.online, t.fault, t.offline, t.silent, t.equipped,
               array[coalesce(o.warn, 0), coalesce(o.minor, 0), coalesce(o.major, 0), coalesce(o.critical, 0)] as alarms
          from told t left join open o on o.farm_id = t.farm_id and o.house_id is not distinct from t.house_id`.execute(
        db,
      );
      return rows;
    },

    /** Replaces what a device logs in with. @returns the device; undefined when the scope does not reach it */
    async setAccess(
      scope: TenantScope,
      id: string,
      { tokenHash, login }: DeviceAccess,
    ): Promise<{ name: string; tenantId: string } | undefined> {
      const device = await db
        .updateTable("devices as d")
        .set({ tokenHash, updatedAt: sql<Date>`now()` })
        .where("d.id", "=", id)
        .where(deviceInReach(scope, "d"))
        .returning(["d.name", "d.tenantId"])
        .executeTakeFirst();
      if (device === undefined) return undefined;
      await db.deleteFrom("deviceCredentials").where("deviceId", "=", id).execute();
      if (login !== undefined)
        await db
          .insertInto("deviceCredentials")
          .values({ deviceId: id, ...login })
          .execute();
      return device;
    },

    setGateway: (
      scope: TenantScope,
      id: string,
      flags: { isGateway: boolean; mayCreateChildren: boolean },
    ): Promise<{ name: string; tenantId: string } | undefined> =>
      db
        .updateTable("devices as d")
        .set({ ...flags, updatedAt: sql<Date>`now()` })
        .where("d.id", "=", id)
        .where(deviceInReach(scope, "d"))
        .returning(["d.name", "d.tenantId"])
        .executeTakeFirst(),

    /** What the server wants the device to run with, and what it says it does. */
    parameters: (scope: TenantScope, id: string) =>
      devicesOf(scope)
        .select([
          sql<Record<string, unknown>>`d.shared_attributes`.as("desired"),
          sql<Record<string, unknown>>`coalesce(s.attributes, '{}')`.as("reported"),
        ])
        .where("d.id", "=", id)
        .executeTakeFirst(),
  };
}
export type DeviceRepository = ReturnType<typeof deviceRepository>;
