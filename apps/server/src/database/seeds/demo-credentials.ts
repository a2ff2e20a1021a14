import { createHash, randomBytes } from "node:crypto";
import { type Kysely, sql } from "kysely";
import type { Passwords } from "../../modules/identity/index.ts";
import { emptiedAccount } from "../emptied-account.ts";
import type { DB } from "../generated/database.ts";
import { demoPassword, demoTenants, demoTokenPrefix } from "./demo.ts";
import { newcomers } from "./demo-real-name.ts";

const md5 = (text: string) => createHash("md5").update(text).digest("hex");
/** Devices whose token is derived from their serial number, as in the demo. */
const hasDemoToken = sql<boolean>`token_hash = sha256(convert_to(${demoTokenPrefix} || serial_number, 'UTF8'))`;

/** Names of accounts with the demo's password and of devices with a demo token, which are published in the manual. */
export async function knownCredentials(db: Kysely<DB>, passwords: Pick<Passwords, "verify">): Promise<string[]> {
  const accounts = await db
    .selectFrom("accounts")
    .select(["account", "passwordHash"])
    .where("demoNote", "is not", null)
    .orderBy("id")
    .execute();
  const open: string[] = [];
  for (const { account, passwordHash } of accounts)
    if (await passwords.verify(md5(demoPassword), passwordHash)) open.push(account);
  const devices = await db.selectFrom("devices").select("serialNumber").where(hasDemoToken).orderBy("id").execute();
  return [...open, ...devices.map(({ serialNumber }) => serialNumber)];
}

/**
 * Removes the access that the demo published: accounts lose all personal data and sessions, devices get tokens that nobody
 * knows, and tenants without members are suspended. Measured data stay.
 */
export async function purgeDemo(db: Kysely<DB>): Promise<{ accounts: number; devices: number; tenants: number }> {
  return db.transaction().execute(async (to) => {
    const accounts = await to
      .updateTable("accounts")
      .set(emptiedAccount)
      .where("demoNote", "is not", null)
      .returning("id")
      .execute();
    const ids = accounts.map(({ id }) => id);
    // Sessions, tokens and roles are removed with the memberships.
    await sql`delete from memberships where account_id = any(${ids}::bigint[])`.execute(to);
    await sql`delete from messages where account_id = any(${ids}::bigint[])`.execute(to);
    const devices = await to.selectFrom("devices").select("id").where(hasDemoToken).execute();
    for (const { id } of devices)
      await to
        .updateTable("devices")
        .set({ tokenHash: randomBytes(32) })
        .where("id", "=", id)
        .execute();
    const { numAffectedRows: tenants } = await sql`
      update tenants t set status = 0, showcase = false, updated_at = now()
       where t.tenant_id = any(${[...demoTenants, ...newcomers].map(({ tenantId }) => tenantId)}) and t.status = 1
         and not exists (select from memberships m where m.tenant_id = t.tenant_id)`.execute(to);
    return { accounts: ids.length, devices: devices.length, tenants: Number(tenants ?? 0) };
  });
}
