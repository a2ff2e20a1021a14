import type { DeviceKindId } from "@herdwise/contract";
import { tokenHashOf } from "../../apps/server/src/modules/devices/index.ts";
import type { TestDatabase } from "../harness/database.ts";

export interface InsertedDevice {
  id: string;
  tenantId: string;
  kind: DeviceKindId;
  serialNumber: string;
  token: string;
}

let lastId = 7_000_000_000_000_000_000n;

/** Devices of one tenant, without farms. Tokens are `token-<id>`. */
export async function insertDevices(
  { database }: TestDatabase,
  count: number,
  kind: DeviceKindId = "environment",
): Promise<InsertedDevice[]> {
  await database.pool.query(
    "insert into tenants (tenant_id, name, type) values ('900001', 'test', 'enterprise') on conflict do nothing",
  );
  const devices = Array.from({ length: count }, () => {
    lastId += 1n;
    const id = String(lastId);
    return { id, tenantId: "900001", kind, serialNumber: `T-${id}`, token: `token-${id}` };
  });
  await database.pool.query(
    `insert into devices (id, tenant_id, kind, name, serial_number, token_hash)
     select d.id, '900001', $2, d.serial_number, d.serial_number, d.token_hash
       from unnest($1::bigint[], $3::text[], $4::bytea[]) as d (id, serial_number, token_hash)`,
    [
      devices.map(({ id }) => id),
      kind,
      devices.map(({ serialNumber }) => serialNumber),
      devices.map(({ token }) => tokenHashOf(token)),
    ],
  );
  return devices;
}
