import { createHash } from "node:crypto";
import { expect, vi } from "vitest";
import type { TestApp } from "./app.ts";

const token = (serialNumber: string): string => `token-of-${serialNumber}`;
let made = 0;

/** Binds a weighbridge to a farm of a tenant, which is added where it has none of that code. @returns its serial number */
export async function weighbridgeOf(app: TestApp, tenantId: string, farmCode: string): Promise<string> {
  made += 1;
  const serialNumber = `WBR-TEST-${made}`;
  const { pool } = app.test.database;
  await pool.query(
    `insert into farms (id, tenant_id, code, name, type) select 1781000000000000000 + $3::bigint, $1, $2, $2, 'commercial'
      where not exists (select from farms where tenant_id = $1 and code = $2)`,
    [tenantId, farmCode, made],
  );
  await pool.query(
    `insert into devices (id, tenant_id, kind, name, serial_number, token_hash, farm_id, bound_at, activated_at)
     select 1782000000000000000 + $5::bigint, $1, 'weighbridge', $2, $2, $3, f.id, now(), now()
       from farms f where f.tenant_id = $1 and f.code = $4`,
    [tenantId, serialNumber, createHash("sha256").update(token(serialNumber)).digest(), farmCode, made],
  );
  return serialNumber;
}

let tickets = 0;
/** What a weighbridge in order tells of a lorry. */
export function ticketOf(plate: string, phase: "in" | "out", weightG: number, more: object = {}) {
  tickets += 1;
  return {
    type: "weighed",
    id: `event-${tickets}`,
    ts: Date.now() - 60_000 + tickets,
    ticket: `T-${tickets}`,
    plate,
    phase,
    weight_g: weightG,
    zero_kg: 2.5,
    stability: "stable",
    calibrated_until: new Date(Date.now() + 86_400_000).toISOString(),
    ...more,
  };
}

/** Sends events of a weighbridge and waits until they are read. */
export async function weigh(app: TestApp, serialNumber: string, ...events: object[]): Promise<void> {
  const answer = await app.http.inject({
    method: "POST",
    url: `/api/v1/${token(serialNumber)}/events`,
    payload: JSON.stringify(events),
    headers: { "content-type": "application/json" },
  });
  expect(answer.statusCode).toBe(200);
  await vi.waitFor(
    async () => {
      const { rows } = await app.test.database.pool.query("select from scale_messages");
      expect(rows).toHaveLength(0);
    },
    { timeout: 10_000 },
  );
}
