import type { DeviceKindId, ProvisionStrategy } from "@herdwise/contract";
import { type Kysely, sql } from "kysely";
import type { DB } from "../../database/generated/database.ts";
import { type PageRange, readQuery } from "../../database/pages.ts";
import { requireSystemScope, type SystemScope } from "../../tenant-scope.ts";

export interface ProvisionProfileRow {
  id: string;
  name: string;
  kind: DeviceKindId;
  strategy: ProvisionStrategy;
  provisionKey: string;
  gateways: boolean;
  enabled: boolean;
  createTime: Date;
}

/** What devices are given when they register. */
export interface NewCredentials {
  tokenHash: Buffer;
  /** With a user name, the token is nobody's. */
  basic?: { clientId: string; userName: string; passwordHash: Buffer } | undefined;
}

/** Profiles are the installation's own. @param db a pool or an open transaction */
export function provisionRepository(db: Kysely<DB>) {
  return {
    page: (request: PageRange) =>
      readQuery(
        db
          .selectFrom("provisionProfiles")
          .select(["id", "name", "provisionKey", "gateways", "enabled", "createdAt as createTime"])
          .select([sql<DeviceKindId>`kind`.as("kind"), sql<ProvisionStrategy>`strategy`.as("strategy")]),
        [{ by: sql`id`, descending: true }],
        request,
      ),

    async insert(
      profile: Omit<ProvisionProfileRow, "createTime" | "enabled"> & { secretHash: Buffer; createdBy: string },
    ): Promise<void> {
      await db.insertInto("provisionProfiles").values(profile).execute();
    },

    /** @returns the name; undefined when there is none */
    async remove(id: string): Promise<string | undefined> {
      const removed = await db
        .deleteFrom("provisionProfiles")
        .where("id", "=", id)
        .returning("name")
        .executeTakeFirst();
      return removed?.name;
    },

    byKey: (provisionKey: string) =>
      db
        .selectFrom("provisionProfiles")
        .select(["id", "name", "gateways", "secretHash"])
        .select([sql<DeviceKindId>`kind`.as("kind"), sql<ProvisionStrategy>`strategy`.as("strategy")])
        .where("provisionKey", "=", provisionKey)
        .where("enabled", "=", true)
        .executeTakeFirst(),
  };
}
export type ProvisionRepository = ReturnType<typeof provisionRepository>;

/** The devices that register. @param db a pool or an open transaction */
export function provisionedDeviceRepository(db: Kysely<DB>, scope: SystemScope) {
  requireSystemScope(scope);
  const setBasic = async (deviceId: string, { basic }: NewCredentials): Promise<void> => {
    await db.deleteFrom("deviceCredentials").where("deviceId", "=", deviceId).execute();
    if (basic !== undefined)
      await db
        .insertInto("deviceCredentials")
        .values({ deviceId, ...basic })
        .execute();
  };
  return {
    setBasic,

    /** Registers a device for the group, until a customer binds it. @returns whether its serial number was free */
    async create(
      device: { id: string; serialNumber: string; kind: DeviceKindId; isGateway: boolean },
      credentials: NewCredentials,
    ): Promise<boolean> {
      const { numInsertedOrUpdatedRows } = await db
        .insertInto("devices")
        .values({
          ...device,
          name: device.serialNumber,
          tenantId: "000000",
          tokenHash: credentials.tokenHash,
          provisionedAt: sql<Date>`now()`,
        })
        .onConflict((conflict) => conflict.column("serialNumber").doNothing())
        .executeTakeFirst();
      if (numInsertedOrUpdatedRows === 0n) return false;
      await setBasic(device.id, credentials);
      return true;
    },

    /** Gives a registered device its credentials, once. @returns its id; undefined when there is none that waits for them */
    async equip(serialNumber: string, kind: DeviceKindId, credentials: NewCredentials): Promise<string | undefined> {
      const row = await db
        .updateTable("devices")
        .set({ tokenHash: credentials.tokenHash, provisionedAt: sql<Date>`now()`, updatedAt: sql<Date>`now()` })
        .where("serialNumber", "=", serialNumber)
        .where("kind", "=", kind)
        .where("provisionedAt", "is", null)
        .where("activatedAt", "is", null)
        .where("blockedAt", "is", null)
        .returning("id")
        .executeTakeFirst();
      if (row !== undefined) await setBasic(row.id, credentials);
      return row?.id;
    },
  };
}
export type ProvisionedDeviceRepository = ReturnType<typeof provisionedDeviceRepository>;
