import { type Kysely, sql } from "kysely";
import { type FindSource, findSources } from "../find-sources.ts";
import type { DB } from "../generated/database.ts";

const triggerOf = ({ kind }: Pick<FindSource, "kind">): string => `finds_${kind}`;
/** Arguments of the trigger of a kind, as `write_find` takes them. */
export const findArguments = ({ kind, key, tenant, title, by, places }: FindSource): string[] => [
  kind,
  key,
  tenant,
  title,
  by.join(),
  places.join(),
];

/**
 * Brings the triggers that keep the index of names to what is declared, and notes what is there already of a kind that is new or
 * declared differently. A start that finds all as declared reads the catalogue and no more.
 */
export async function seedFinds(db: Kysely<DB>): Promise<void> {
  const { rows: held } = await sql<{ name: string; table: string; declared: string | null }>`
    select t.tgname as name, c.relname as "table", obj_description(t.oid, 'pg_trigger') as declared
      from pg_trigger t join pg_class c on c.oid = t.tgrelid join pg_namespace n on n.oid = c.relnamespace
     where n.nspname = 'public' and t.tgname like 'finds\_%' and not t.tgisinternal`.execute(db);
  const wanted = new Map(findSources.map((source) => [triggerOf(source), source]));
  const declaredOf = (source: FindSource): string => JSON.stringify([source.table, ...findArguments(source)]);
  const isKept = ({ name, declared }: { name: string; declared: string | null }): boolean => {
    const source = wanted.get(name);
    return source !== undefined && declared === declaredOf(source);
  };
  for (const one of held) {
    if (isKept(one)) continue;
    await sql`drop trigger ${sql.id(one.name)} on ${sql.table(one.table)}`.execute(db);
    await sql`delete from finds where kind = ${one.name.replace("finds_", "")}`.execute(db);
  }
  // Sorted at once, an index of millions of names is there in a fraction of the time.
  const { rows: index } = await sql<{ definition: string }>`
    select indexdef as definition from pg_indexes
     where indexname = 'finds_pieces_idx' and not exists (select from finds)`.execute(db);
  if (index.length > 0) await sql`drop index finds_pieces_idx`.execute(db);
  for (const [name, source] of wanted) {
    if (held.some((one) => one.name === name && isKept(one))) continue;
    const { table, key, tenant, title, by, places } = source;
    const columns = [...new Set([tenant, title, ...by, ...places])].filter((column) => column !== "" && column !== key);
    const given = sql.join(findArguments(source).map((one) => sql.lit(one)));
    await sql`create trigger ${sql.id(name)} after insert or delete or update of ${sql.join(columns.map((column) => sql.id(column)))}
      on ${sql.table(table)} for each row execute function note_find(${given})`.execute(db);
    await sql`comment on trigger ${sql.id(name)} on ${sql.table(table)} is ${sql.lit(declaredOf(source))}`.execute(db);
    await sql`select write_find(array[${given}], to_jsonb(t)) from ${sql.table(table)} t`.execute(db);
  }
  for (const { definition } of index) await sql`${sql.raw(definition)}`.execute(db);
}
