import { type Kysely, sql } from "kysely";
import { readRegions } from "../../regions.ts";
import type { DB } from "../generated/database.ts";

/** Code of the country, which is the parent of provinces and has no row. */
const countryCode = "00";

/** First letters of the words of a name: "Nei Mongol" has "nm", "Dongcheng District" has "dd". */
const initialsOf = (english: string): string =>
  english
    .toLowerCase()
    .split(/[^a-z]+/)
    .map((word) => word.charAt(0))
    .join("");

/**
 * Updates the table to the file: adds rows and changes names that the group did not; rows that the file no longer has stay, because other rows may
 * refer to them.
 */
export async function seedRegions(db: Kysely<DB>): Promise<void> {
  const rows = readRegions().map(({ code, name, english }) => ({
    code,
    name,
    english: english.toLowerCase(),
    initials: initialsOf(english),
    parentCode: code.length === 2 ? countryCode : code.slice(0, -2),
  }));
  await sql`
    insert into regions (code, parent_code, name, english, initials, seeded_name)
    select code, parent_code, name, english, initials, name
      from unnest(${rows.map(({ code }) => code)}::text[], ${rows.map(({ parentCode }) => parentCode)}::text[],
                  ${rows.map(({ name }) => name)}::text[], ${rows.map(({ english }) => english)}::text[],
                  ${rows.map(({ initials }) => initials)}::text[]) as file(code, parent_code, name, english, initials)
    on conflict (code) do update
       set name = case when regions.name = regions.seeded_name then excluded.name else regions.name end,
           english = excluded.english, initials = excluded.initials, seeded_name = excluded.seeded_name
     where (regions.seeded_name, regions.english, regions.initials)
           is distinct from (excluded.seeded_name, excluded.english, excluded.initials)`.execute(db);
}
