import { mkdir, readFile, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import { fileURLToPath } from "node:url";
import { Kysely, PostgresDialect as KyselyDialect } from "kysely";
import { generate, PostgresDialect } from "kysely-codegen";
import pg from "pg";

/** The committed file that `generateTypes` writes for this server. */
const generatedTypesFile = fileURLToPath(new URL("./generated/database.ts", import.meta.url));

/**
 * TypeScript types of a migrated database, in the form that `openDatabase` returns: camelCase names, bigint and date as text.
 * Partitions, which are created and dropped daily, the migrations' own tables and the views of Citus are left out.
 */
async function typesOf(url: string): Promise<string> {
  const pool = new pg.Pool({ connectionString: url, max: 1 });
  // The database may be stopped right afterwards, and a connection that is closing then must not end the process.
  pool.on("error", () => undefined);
  const kysely = new Kysely<Record<string, never>>({ dialect: new KyselyDialect({ pool }) });
  try {
    return await generate({
      db: kysely,
      dialect: new PostgresDialect({ dateParser: "string", partitions: false }),
      camelCase: true,
      excludePattern: "(*.)?(schema_migrations|citus_*)",
      outFile: null,
    });
  } finally {
    await kysely.destroy();
  }
}

/**
 * Writes the types of the migrated database at `url`.
 * @throws Error when the database can't be reached or the file can't be written
 */
export async function generateTypes(url: string, outFile = generatedTypesFile): Promise<void> {
  const text = await typesOf(url);
  await mkdir(dirname(outFile), { recursive: true });
  await writeFile(outFile, text);
}

/** Whether the file is missing or differs from what `generateTypes` would write; nothing is written. */
export async function generatedTypesDiffer(url: string, outFile = generatedTypesFile): Promise<boolean> {
  const text = await typesOf(url);
  const present = await readFile(outFile, "utf8").catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return undefined;
    throw error;
  });
  return present?.replaceAll("\r\n", "\n") !== text;
}
