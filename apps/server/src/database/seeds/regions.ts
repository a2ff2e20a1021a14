import { type Kysely, sql } from "kysely";
import { readRegions } from "../../regions.ts";
import type { DB } from "../generated/database.ts";

/** Code of the country, which is the parent of provinces and has no row. */
const countryCode = "00";

/**
 * Updates the table to the file: adds rows and changes names; rows that the file no longer has stay, because other rows may
 * refer to them.
 */
export async function seedRegions(db: Kysely<DB>): Promise<void> {
  const rows = readRegions().map(({ code, name }) => ({
    code,
    name,
    parentCode: code.length === 2 ? countryCode : code.slice(0, -2),
  }));
  await sql`
    insert into regions (code, parent_code, name)
    select * from unnest(${rows.map(({ code }) => code)}::text[], ${rows.map(({ parentCode }) => parentCode)}::text[],
                         ${rows.map(({ name }) => name)}::text[])
    on conflict (code) do update set name = excluded.name, parent_code = excluded.parent_code
     where regions.name <> excluded.name or regions.parent_code <> excluded.parent_code`.execute(db);
}
