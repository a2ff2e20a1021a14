/**
 * Writes what an update test opens: the structure of a release's database and a few rows of each of its tables.
 *
 * node scripts/release-fixture.ts <DATABASE_URL of an installation of the release that nothing runs on> <tests/releases/NAME.sql.gz>
 *
 * The database is trimmed in place, so it has to be one that was made for this. Needs psql and pg_dump of its PostgreSQL (15, so that
 * every supported version reads what they write).
 */
import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { gzipSync } from "node:zlib";

const [url = "", target = ""] = process.argv.slice(2);
if (url === "" || target === "")
  throw new Error("usage: node scripts/release-fixture.ts DATABASE_URL tests/releases/NAME.sql.gz");

/** Rows that are kept of a table, beside those that kept rows refer to. */
const keptRows = 40;
/** Characters of a table's rows: of files in the database one is enough. */
const keptCharacters = 40_000;
const trim = `
  set session_replication_role = replica;
  do $$ declare t record; referred text; begin
    -- What refers to others comes first: then it shows which of theirs are still needed.
    for t in select c.oid, c.oid::regclass as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
              where c.relkind = 'r' and n.nspname = 'public' and c.relname not in ('schema_migrations', 'menus')
              order by (select count(*) from pg_constraint f where f.contype = 'f' and f.confrelid = c.oid)
    loop
      select coalesce(string_agg(format(' and not exists (select from %s r where (%s) = (%s))', f.conrelid::regclass,
               (select string_agg('r.' || quote_ident(a.attname), ', ' order by k.place)
                  from unnest(f.conkey) with ordinality k (number, place) join pg_attribute a on a.attrelid = f.conrelid and a.attnum = k.number),
               (select string_agg('o.' || quote_ident(a.attname), ', ' order by k.place)
                  from unnest(f.confkey) with ordinality k (number, place) join pg_attribute a on a.attrelid = f.confrelid and a.attnum = k.number)), ''), '')
        into referred from pg_constraint f where f.contype = 'f' and f.confrelid = t.oid and f.conparentid = 0;
      execute format('delete from %s o where ctid not in (
                        select ctid from (select ctid, row_number() over (order by ctid) as place,
                                                 sum(length(x::text)) over (order by ctid) as size from %s x) y
                         where place = 1 or (place <= ${keptRows} and size < ${keptCharacters}))%s', t.name, t.name, referred);
    end loop;
    for t in select c.oid::regclass as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
              where c.relkind = 'r' and n.nspname = 'jobs' and c.relname in ('job', 'job_common', 'archive')
    loop execute format('delete from %s', t.name); end loop;
  end $$;`;
execFileSync("psql", ["-q", "-v", "ON_ERROR_STOP=1", "-d", url, "-c", trim]);
const dump = execFileSync(
  "pg_dump",
  ["--no-owner", "--no-privileges", "--no-comments", "--inserts", "--rows-per-insert=100", "-d", url],
  { encoding: "utf8", maxBuffer: 256 * 1024 * 1024 },
);
// What psql alone understands, and the version of the tool, which differs from run to run.
const sql = dump
  .split("\n")
  .filter((line) => !/^(\\|-- Dumped|--$|$)/.test(line))
  .join("\n");
writeFileSync(target, gzipSync(sql, { level: 9 }));
