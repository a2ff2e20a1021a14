import { createHash } from "node:crypto";
import type { DeviceKindId } from "@herdwise/contract";
import { type Kysely, sql } from "kysely";
import type { PersonalCipher } from "../../personal-cipher.ts";
import type { DB } from "../generated/database.ts";
import { demoTokenPrefix, seedTranslations } from "./demo.ts";
import { groupTenantId } from "./foundation.ts";

interface StockDevice {
  readonly serialNumber: string;
  /** On its label; as public as the demo's password. */
  readonly code: string;
  readonly kind: DeviceKindId;
  readonly name: string;
  readonly nameEn: string;
}

/** Devices of the demo that nobody has bound, so that binding can be tried. */
export const demoStock: readonly StockDevice[] = [
  {
    serialNumber: "ENV-KC-01",
    code: "260801",
    kind: "environment",
    name: "新环控器",
    nameEn: "New environment controller",
  },
  { serialNumber: "COU-KC-01", code: "260802", kind: "cough", name: "新咳嗽监测仪", nameEn: "New cough monitor" },
  {
    serialNumber: "BAT-KC-01",
    code: "260803",
    kind: "bathroom",
    name: "新洗澡间控制器",
    nameEn: "New shower controller",
  },
];

/** Registers them with their labels; what is there stays as it is. */
export async function seedDemoStock(
  db: Kysely<DB>,
  { cipher, nextId }: { cipher: PersonalCipher; nextId: () => string },
): Promise<void> {
  await db.transaction().execute(async (to) => {
    await sql`select pg_advisory_xact_lock(hashtext('seeds'))`.execute(to);
    await seedTranslations(to, Object.fromEntries(demoStock.map(({ name, nameEn }) => [name, nameEn])));
    for (const [sort, { serialNumber, code, kind, name }] of demoStock.entries())
      await sql`
        insert into devices (id, tenant_id, kind, name, serial_number, token_hash, code_encrypted, firmware_version, sort)
        values (${nextId()}, ${groupTenantId}, ${kind}, ${name}, ${serialNumber},
                ${createHash("sha256").update(`${demoTokenPrefix}${serialNumber}`).digest()}, ${cipher.encrypt(code)}, '1.4.2', ${sort})
        on conflict do nothing`.execute(to);
  });
}
