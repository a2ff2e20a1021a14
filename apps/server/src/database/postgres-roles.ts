import { randomBytes } from "node:crypto";
import { chown, mkdtemp, readFile, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type pg from "pg";
import { keptText } from "../kept-file.ts";
import type { PostgresRunner } from "./postgres-runner.ts";

/** PostgreSQL's superuser, for setting up the cluster and for backups; no query of the server runs as it. */
export const superuser = "herdwise";
/** Role of the server and its commands; it owns only the application's database. */
const applicationRole = "herdwise_app";

const superuserPasswordName = "postgres-password";
const applicationPasswordName = "postgres-application-password";

/** Files of a data directory with the passwords of the embedded PostgreSQL; a restore creates new ones. */
export const postgresPasswordNames: readonly string[] = [superuserPasswordName, applicationPasswordName];

/** A role of the embedded PostgreSQL, and its password. */
export interface Credentials {
  readonly role: string;
  /** Absent for a cluster that this version has not started yet. */
  readonly password: string | undefined;
}

const newPassword = () => randomBytes(24).toString("base64url");

/** File of a data directory with the superuser's password. */
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

/** Deletes the superuser's password of a cluster that no longer exists. */
export async function forgetSuperuserPassword(directory: string): Promise<void> {
  await rm(superuserPasswordPath(directory), { force: true });
}

/**
 * Creates the superuser's password before the cluster, for initdb.
 * @returns path of its file
 */
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
 * Makes a stopped cluster require passwords. A cluster without a password, as earlier versions created it, gets one, and rules
 * that require it; a cluster that has both is unchanged.
 */
export async function requirePasswords(runner: PostgresRunner, directory: string): Promise<void> {
  if ((await superuserOf(directory)).password === undefined) await setSuperuserPassword(runner, directory);
  const path = join(runner.cluster, "pg_hba.conf");
  if ((await readFile(path, "utf8")).startsWith(accessMarker)) return;
  await replaceFile(path, accessRules, runner.owner);
}

/** Nobody may connect without the password, so it is set by a single-user PostgreSQL that reads its standard input. */
async function setSuperuserPassword(runner: PostgresRunner, directory: string): Promise<void> {
  const password = newPassword();
  await runner.run(
    "postgres",
    // Errors must not log the statement, which contains the password.
    ["--single", "-D", runner.cluster, "-c", "log_min_error_statement=panic", "postgres"],
    `ALTER ROLE ${superuser} PASSWORD '${password}'\n`,
  );
  // Written after it is set: a start that is killed in between creates another one.
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
 * Sets the password of the application's role, and creates the role when it is missing.
 * @param client connected as the superuser
 */
export async function prepareApplicationRole(client: pg.ClientBase, directory: string): Promise<void> {
  const password = await keptText(join(directory, applicationPasswordName), newPassword);
  const { rowCount } = await client.query("SELECT FROM pg_roles WHERE rolname = $1", [applicationRole]);
  const what = `ROLE ${applicationRole} LOGIN NOSUPERUSER NOCREATEDB NOCREATEROLE NOREPLICATION NOBYPASSRLS`;
  await client.query(`${rowCount === 0 ? "CREATE" : "ALTER"} ${what} PASSWORD '${password}'`);
}

/** Objects outside PostgreSQL's own schemas that the superuser owns; in a database of an earlier version, all of them. */
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
 * Makes the application's role the owner of a database and its objects, all or nothing; databases of earlier versions belong to
 * the superuser.
 * @param client connected to that database as the superuser
 * @returns number of objects that changed owner
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
