import type { PublicOutlet } from "@herdwise/contract";
import { type Kysely, sql } from "kysely";
import { likeWord } from "../../database/conditions.ts";
import type { DB } from "../../database/generated/database.ts";

/** Outlets that a page shows at most. */
const mostOutlets = 1000;

type OutletRow = Omit<PublicOutlet, "latitude" | "longitude"> & { latitude: number | null; longitude: number | null };

/** Service departments as the public site shows them: those in use and not hidden. @param db a pool */
export function outletRepository(db: Kysely<DB>) {
  return {
    /** @param word a part of a name, an address, or the name of a province, city or county in either language */
    async shown(word: string): Promise<PublicOutlet[]> {
      const like = likeWord(word);
      const { rows } = await sql<OutletRow>`
        select d.id::text as id, d.department_name as name, d.department_name_en as name_en, d.region_code,
               array_remove(array[p.name, c.name, x.name], null) as places,
               d.address as street, d.address_en as street_en,
               d.latitude / 1e6::float8 as latitude, d.longitude / 1e6::float8 as longitude, d.phone as line, d.weekday_hours, d.weekend_hours, d.services, d.example
          from service_departments d
          left join regions p on p.code = left(d.region_code, 2)
          left join regions c on c.code = left(d.region_code, 4) and length(d.region_code) > 2
            -- A municipality, and a county that belongs to the province itself, has no city between.
            and left(d.region_code, 2) not in ('11', '12', '31', '50') and right(c.code, 2) <> '90'
          left join regions x on x.code = d.region_code and length(d.region_code) > 4
         where d.shown and d.status = '1'
           and (${word} = '' or concat_ws('', p.name, c.name, x.name) ilike ${like} or d.department_name ilike ${like}
                or d.department_name_en ilike ${like} or d.address ilike ${like} or d.address_en ilike ${like})
         order by d.region_code, d.id limit ${mostOutlets}`.execute(db);
      return rows.map(({ latitude, longitude, ...outlet }) => ({
        ...outlet,
        ...(latitude !== null && longitude !== null && { latitude, longitude }),
      }));
    },
  };
}
export type OutletRepository = ReturnType<typeof outletRepository>;
