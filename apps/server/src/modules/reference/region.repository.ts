import { type Kysely, type RawBuilder, type SqlBool, sql } from "kysely";
import { likeWord } from "../../database/conditions.ts";
import type { DB } from "../../database/generated/database.ts";
import { type PageRange, readList } from "../../database/pages.ts";
import { requireSystemScope, type SystemScope, type TenantScope } from "../../tenant-scope.ts";

/** A division with those that it lies in. */
export interface RegionRow {
  code: string;
  parentCode: string;
  name: string;
  sort: number;
  remark: string;
  disabled: boolean;
  /** Divisions directly below it. */
  childCount: number;
  /** Comes with the product, which adds it again at each start. */
  builtIn: boolean;
  /** Names by code of the divisions that it lies in, and its own. */
  names: Record<string, string>;
}

/** What is kept of a division. */
export interface KeptRegion {
  code: string;
  parentCode: string;
  name: string;
  sort: number;
  remark: string;
  disabled: boolean;
}

/** A division before a change, null for one that was added, and after it. */
export interface RegionChange {
  before: KeptRegion | null;
  after: KeptRegion;
}

export interface RegionFilter {
  /** Beginning of the code. */
  code?: string | undefined;
  /** Part of the name, of its pinyin without spaces, or of its first letters. */
  name?: string | undefined;
  parentCode?: string | undefined;
  /** Digits of the code. */
  length?: number | undefined;
  /** Only those that are offered: neither they nor what they lie in is disabled. */
  offered?: boolean | undefined;
}

const columns = sql`
  r.code, r.parent_code, r.name, r.sort, r.remark, r.disabled, r.seeded_name is not null as built_in,
  (select count(*)::int from regions c where c.parent_code = r.code) as child_count,
  (select jsonb_object_agg(u.code, u.name) from regions u
    where u.code in (r.code, left(r.code, 2), left(r.code, 4), left(r.code, 6), left(r.code, 9))) as names`;

/** Tables with the code of a division. */
const namingTables = [
  "addresses",
  "customer_profiles",
  "farms",
  "sale_fields",
  "service_departments",
  "site_forms",
  "slaughterhouses",
] as const;

/** @param db a pool or an open transaction */
export function regionRepository(db: Kysely<DB>) {
  const conditions = ({ code, name, parentCode, length, offered }: RegionFilter): RawBuilder<SqlBool>[] => {
    const found: RawBuilder<SqlBool>[] = [sql<SqlBool>`true`];
    if (code) found.push(sql<SqlBool>`starts_with(r.code, ${code})`);
    if (parentCode !== undefined) found.push(sql<SqlBool>`r.parent_code = ${parentCode}`);
    if (offered)
      found.push(sql<SqlBool>`not exists (select from regions d where d.disabled
        and d.code in (r.code, left(r.code, 2), left(r.code, 4), left(r.code, 6), left(r.code, 9)))`);
    if (length !== undefined) found.push(sql<SqlBool>`length(r.code) = ${length}`);
    if (name) {
      const word = name.toLowerCase().replaceAll(" ", "");
      found.push(sql<SqlBool>`(r.name ilike ${likeWord(name)} or replace(r.english, ' ', '') like ${likeWord(word)}
        or r.initials like ${likeWord(word).slice(1)})`);
    }
    return found;
  };
  const order = [{ by: sql`r.sort` }, { by: sql`r.code` }];

  return {
    /** Divisions that conditions select, in order. */
    async list(filter: RegionFilter): Promise<RegionRow[]> {
      const { rows } = await sql<RegionRow>`
        select ${columns} from regions r where ${sql.join(conditions(filter), sql` and `)}
         order by r.sort, r.code limit 20000`.execute(db);
      return rows;
    },

    page: (filter: RegionFilter, request: PageRange): Promise<{ rows: RegionRow[]; total: number }> =>
      readList<RegionRow>(
        db,
        { table: sql`regions r`, where: conditions(filter), order, columns, key: "r.code" },
        request,
      ),

    /** @param lock holds it until the transaction ends */
    async find(code: string, lock = false): Promise<RegionRow | undefined> {
      if (lock) await sql`select from regions r where r.code = ${code} for update`.execute(db);
      return (await sql<RegionRow>`select ${columns} from regions r where r.code = ${code}`.execute(db)).rows[0];
    },

    /** Adds a division, or changes the one with the code. */
    async save(row: KeptRegion): Promise<void> {
      await db
        .insertInto("regions")
        .values(row)
        .onConflict((conflict) =>
          conflict
            .column("code")
            .doUpdateSet({ name: row.name, sort: row.sort, remark: row.remark, disabled: row.disabled }),
        )
        .execute();
    },

    async addImport({ accountId }: TenantScope, id: string, changes: readonly RegionChange[]): Promise<void> {
      await db
        .insertInto("regionImports")
        .values({ id, changes: JSON.stringify(changes), createdBy: accountId })
        .execute();
    },

    /** What an import changed and nobody took back, held until the transaction ends. */
    async takeImport(id: string): Promise<readonly RegionChange[] | undefined> {
      const { rows } = await sql<{ changes: RegionChange[] }>`
        update region_imports set undone_at = now() where id = ${id} and undone_at is null returning changes`.execute(
        db,
      );
      return rows[0]?.changes;
    },

    async remove(code: string): Promise<void> {
      await db.deleteFrom("regions").where("code", "=", code).execute();
    },

    /** Whether a record of anybody names the division. */
    async isUsed(scope: SystemScope, code: string): Promise<boolean> {
      requireSystemScope(scope);
      for (const table of namingTables) {
        const { rows } = await sql`select from ${sql.table(table)} u where u.region_code = ${code} limit 1`.execute(db);
        if (rows.length > 0) return true;
      }
      return false;
    },

    /** Names of divisions by their codes. */
    named: async (codes: readonly string[]): Promise<ReadonlyMap<string, string>> => {
      if (codes.length === 0) return new Map();
      const rows = await db
        .selectFrom("regions")
        .select(["code", "name"])
        .where("code", "in", [...codes])
        .execute();
      return new Map(rows.map(({ code, name }) => [code, name]));
    },
  };
}
export type RegionRepository = ReturnType<typeof regionRepository>;
