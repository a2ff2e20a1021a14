import { randomBytes } from "node:crypto";
import { chown, mkdtemp, readFile, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type pg from "pg";
import { keptText } from "../kept-file.ts";
import type { PostgresRunner } from "./postgres-runner.ts";

/** PostgreSQL's superuser: sets the cluster up, takes backups. No query of the server runs as it. */
export const superuser = "herdwise";
/** The role that the server and its commands connect as: it owns the application's database and nothing else. */
const applicationRole = "herdwise_app";

const superuserPasswordName = "postgres-password";
const applicationPasswordName = "postgres-application-password";

/** Files of a data directory with the passwords of the embedded PostgreSQL; a restore makes new ones. */
export const postgresPasswordNames: readonly string[] = [superuserPasswordName, applicationPasswordName];

/** A role of the embedded PostgreSQL with its password. */
export interface Credentials {
  readonly role: string;
  /** Absent while the cluster has none: before its first start with this version. */
  readonly password: string | undefined;
}

const newPassword = () => randomBytes(24).toString("base64url");

/** Where a data directory keeps the superuser's password. */
export const superuserPasswordPath = (directory: string): string => join(directory, superuserPasswordName);

async function readPassword(directory: string, name: string): Promise<string | undefined> {
  const text = await readFile(join(directory, name), "utf8").catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return "";
    throw error;
  });
  return text.trim() === "" ? undefined : text.trim();
}

/** The superuser of a data directory's cluster. */
export async function superuserOf(directory: string): Promise<Credentials> {
  return { role: superuser, password: await readPassword(directory, superuserPasswordName) };
}

/** The application's role of a data directory's cluster. */
export async function applicationOf(directory: string): Promise<Credentials> {
  return { role: applicationRole, password: await readPassword(directory, applicationPasswordName) };
}

/** Forgets the superuser's password, which belongs to a cluster that is gone. */
export async function forgetSuperuserPassword(directory: string): Promise<void> {
  await rm(superuserPasswordPath(directory), { force: true });
}

/** Makes the superuser's password before the cluster, for an initdb that takes it. @returns path of its file */
export async function writeSuperuserPassword(directory: string): Promise<string> {
  const path = superuserPasswordPath(directory);
  await writeFile(path, newPassword(), { mode: 0o600 });
  return path;
}

const accessMarker = "# Who may connect is decided by Herdwise.";
const accessRules = `${accessMarker} Lines may be added below; the server does not write this file again.
local all all scram-sha-256
host all all 127.0.0.1/32 scram-sha-256
host all all ::1/128 scram-sha-256
`;

/**
 * Makes a stopped cluster ask for passwords. One that let everybody of its user in, as initdb makes it and earlier versions
 * left it, gets a password and rules that ask for it; one that has both is left as it is.
 */
export async function requirePasswords(runner: PostgresRunner, directory: string): Promise<void> {
  if ((await superuserOf(directory)).password === undefined) await setSuperuserPassword(runner, directory);
  const path = join(runner.cluster, "pg_hba.conf");
  if ((await readFile(path, "utf8")).startsWith(accessMarker)) return;
  await replaceFile(path, accessRules, runner.owner);
}

/** Without the password nobody may connect, so it is set by a PostgreSQL that only reads its standard input. */
async function setSuperuserPassword(runner: PostgresRunner, directory: string): Promise<void> {
  const password = newPassword();
  await runner.run(
    "postgres",
    // Errors must not quote the statement.
    ["--single", "-D", runner.cluster, "-c", "log_min_error_statement=panic", "postgres"],
    `ALTER ROLE ${superuser} PASSWORD '${password}'\n`,
  );
  // After it is true: a start that is killed between the two makes another.
  await replaceFile(superuserPasswordPath(directory), password, undefined);
}

async function replaceFile(path: string, text: string, owner: PostgresRunner["owner"]): Promise<void> {
  const draft = await mkdtemp(`${path}.draft-`);
  try {
    const file = join(draft, "file");
    await writeFile(file, text, { mode: 0o600, flush: true });
    if (owner !== undefined) await chown(file, owner.uid, owner.gid);
    await rename(file, path);
  } finally {
    await rm(draft, { recursive: true, force: true });
  }
}

/**
 * Gives the application's role its password, and makes it when there is none.
 * @param client connected as the superuser
 */
export async function prepareApplicationRole(client: pg.ClientBase, directory: string): Promise<void> {
  const password = await keptText(join(directory, applicationPasswordName), newPassword);
  const { rowCount } = await client.query("SELECT FROM pg_roles WHERE rolname = $1", [applicationRole]);
  const what = `ROLE ${applicationRole} LOGIN NOSUPERUSER NOCREATEDB NOCREATEROLE NOREPLICATION NOBYPASSRLS`;
  await client.query(`${rowCount === 0 ? "CREATE" : "ALTER"} ${what} PASSWORD '${password}'`);
}

/** What the superuser owns outside of PostgreSQL's own schemas: everything, in a database of an earlier version. */
const takenOver = `
  WITH own AS (SELECT oid, nspname FROM pg_namespace WHERE nspname !~ '^pg_' AND nspname <> 'information_schema'),
  extension_parts AS (SELECT classid, objid FROM pg_depend WHERE deptype = 'e'),
  former AS (SELECT oid FROM pg_roles WHERE rolname = '${superuser}')
  SELECT format('ALTER SCHEMA %I OWNER TO ${applicationRole}', nspname) AS statement
    FROM pg_namespace WHERE oid IN (SELECT oid FROM own) AND nspowner IN (SELECT oid FROM former)
  UNION ALL
  SELECT format('ALTER TABLE %s OWNER TO ${applicationRole}', c.oid::regclass) FROM pg_class c
    WHERE relnamespace IN (SELECT oid FROM own) AND relowner IN (SELECT oid FROM former) AND relkind IN ('r', 'p', 'v', 'm', 'f', 'S')
      AND ('pg_class'::regclass, c.oid) NOT IN (SELECT classid, objid FROM extension_parts)
      -- A column's sequence goes with its table.
      AND NOT EXISTS (SELECT FROM pg_depend d WHERE c.relkind = 'S' AND d.classid = 'pg_class'::regclass AND d.objid = c.oid
                      AND d.deptype IN ('a', 'i') AND d.refclassid = 'pg_class'::regclass AND d.refobjsubid > 0)
  UNION ALL
  SELECT format('ALTER ROUTINE %s OWNER TO ${applicationRole}', p.oid::regprocedure) FROM pg_proc p
    WHERE pronamespace IN (SELECT oid FROM own) AND proowner IN (SELECT oid FROM former)
      AND ('pg_proc'::regclass, p.oid) NOT IN (SELECT classid, objid FROM extension_parts)
  UNION ALL
  SELECT format('ALTER TYPE %s OWNER TO ${applicationRole}', t.oid::regtype) FROM pg_type t LEFT JOIN pg_class c ON c.oid = t.typrelid
    WHERE typnamespace IN (SELECT oid FROM own) AND typowner IN (SELECT oid FROM former)
      AND (typtype IN ('e', 'd', 'r') OR c.relkind = 'c')
      AND ('pg_type'::regclass, t.oid) NOT IN (SELECT classid, objid FROM extension_parts)`;

/**
 * Hands a database over to the application's role, all or nothing: one of an earlier version belongs to the superuser.
 * @param client connected to that database as the superuser
 * @returns how many things changed hands
 */
export async function handOver(client: pg.Client): Promise<number> {
  await client.query("BEGIN");
  try {
    const { rows } = await client.query<{ statement: string }>(takenOver);
    for (const { statement } of rows) await client.query(statement);
    await client.query(`ALTER DATABASE ${client.escapeIdentifier(client.database ?? "")} OWNER TO ${applicationRole}`);
    await client.query("COMMIT");
    return rows.length;
  } catch (error) {
    await client.query("ROLLBACK").catch(() => undefined);
    throw error;
  }
}
