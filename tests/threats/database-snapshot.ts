import type { Database } from "../../apps/server/src/database/connection.ts";

type Pool = Database["pool"];

/** Names of all tables. */
const tablesOf = async (pool: Pool): Promise<string[]> => {
  const { rows } = await pool.query<{ name: string }>(
    "select tablename as name from pg_tables where schemaname = 'public' order by tablename",
  );
  return rows.map(({ name }) => name);
};

/** Every row of every table as text, for looking for what must not be there. */
export async function dumpOf(pool: Pool): Promise<string> {
  let dump = "";
  for (const table of await tablesOf(pool)) {
    const { rows } = await pool.query<{ text: string }>(
      `select coalesce(string_agg(t::text, E'\\n'), '') as text from "${table}" t`,
    );
    dump += `${table}\n${rows[0]?.text}\n`;
  }
  return dump;
}
