import type { DeviceKindId } from "@herdwise/contract";
import { type Kysely, sql } from "kysely";
import type { DB } from "../../database/generated/database.ts";
import { requireSystemScope, type SystemScope } from "../../tenant-scope.ts";
import { type KnownDevice, knownColumns } from "./device-protocol.repository.ts";

export interface Child extends KnownDevice {
  gatewayName: string;
}

/**
 * Devices behind gateways. A gateway reaches rows of its own tenant alone, whatever it names; one of the group also those that
 * stand behind it and that a customer has claimed.
 * @param db a pool or an open transaction
 */
export function gatewayRepository(db: Kysely<DB>, scope: SystemScope) {
  requireSystemScope(scope);
  return {
    /** Those of the names that stand behind the gateway. */
    async children(gateway: KnownDevice, names: readonly string[]): Promise<Child[]> {
      const { rows } = await sql<Child>`
        select ${knownColumns}, d.gateway_name from devices d
         where d.gateway_id = ${gateway.id} and ${gateway.tenantId} in (d.tenant_id, '000000') and d.gateway_name = any(${[...names]}::text[])
           and d.blocked_at is null`.execute(db);
      return rows;
    },

    /** Takes over devices that are registered under these serial numbers in the gateway's tenant and stand behind no gateway. */
    async adopt(gateway: KnownDevice, serialNumbers: readonly string[]): Promise<void> {
      await sql`
        update devices d set gateway_id = ${gateway.id}, gateway_name = d.serial_number, updated_at = now()
         where d.tenant_id = ${gateway.tenantId} and d.gateway_id is null and not d.is_gateway and d.activated_at is null and d.blocked_at is null
           and d.serial_number = any(${[...serialNumbers]}::text[])`.execute(db);
    },

    /** How many devices stand behind the gateway. */
    async count(gateway: KnownDevice): Promise<number> {
      const { rows } = await sql<{ children: number }>`
        select count(*)::int as children from devices where gateway_id = ${gateway.id}`.execute(db);
      return rows[0]?.children ?? 0;
    },

    /**
     * Registers devices where the gateway stands. Their serial numbers begin with the gateway's, so that none can take the place
     * of another device. What is there already stays.
     */
    async create(
      gateway: KnownDevice,
      devices: readonly { id: string; name: string; tokenHash: Buffer }[],
      kind: DeviceKindId,
    ): Promise<void> {
      await sql`
        insert into devices (id, tenant_id, kind, name, serial_number, token_hash, farm_id, bound_at, gateway_id, gateway_name)
        select n.id, g.tenant_id, ${kind}, n.name, g.serial_number || '/' || n.name, n.token_hash, g.farm_id, g.bound_at, g.id, n.name
          from devices g
         cross join unnest(${devices.map(({ id }) => id)}::bigint[], ${devices.map(({ name }) => name)}::text[],
                           ${devices.map(({ tokenHash }) => tokenHash)}::bytea[]) as n (id, name, token_hash)
         where g.id = ${gateway.id}
        on conflict do nothing`.execute(db);
    },

    async activate(ids: readonly string[]): Promise<void> {
      await sql`update devices set activated_at = now()
         where activated_at is null and id = any(${[...ids]}::bigint[])`.execute(db);
    },
  };
}
export type GatewayRepository = ReturnType<typeof gatewayRepository>;
