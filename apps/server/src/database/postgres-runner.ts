import { execFile, spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { chown, lchown, lstat, readdir, realpath, symlink } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import type { DatabaseLog } from "./log.ts";
import {
  copyPostgres,
  findPackagedPostgres,
  makeOpenDirectory,
  type PostgresProgram,
  programPath,
} from "./postgres-binaries.ts";

const run = promisify(execFile);

/**
 * How PostgreSQL, which refuses to run as root, is run.
 * - `same-user`: for ordinary users.
 * - `nobody`: for root, as the user nobody.
 * - `user-namespace`: for root when nobody can't enter the folders, in a user namespace in which root has nobody's number.
 * - `relocated`: the same, with programs and cluster moved to folders that nobody can enter.
 */
export type RunnerKind = "same-user" | "nobody" | "user-namespace" | "relocated";

/** Runs PostgreSQL's programs for one data directory. */
export interface PostgresRunner {
  readonly kind: RunnerKind;
  /** Folder of the cluster, without symbolic links. It may not exist yet. */
  readonly cluster: string;
  /** Required owner of the cluster's files; undefined for the user who creates them. */
  readonly owner: { readonly uid: number; readonly gid: number } | undefined;
  /**
   * Runs a program to its end with `input` as its standard input.
   * @throws Error with its output when it fails
   */
  run(program: PostgresProgram, args: readonly string[], input?: string): Promise<string>;
  /**
   * Starts a program in its own session, so that a Ctrl-C for the server does not reach it.
   * @returns its pid
   */
  start(program: PostgresProgram, args: readonly string[], outputFile: number): Promise<number>;
}

interface RunAs {
  readonly prefix: readonly string[];
  readonly uid?: number;
  readonly gid?: number;
}

/** PostgreSQL must not depend on the caller's locale or PG* variables; programs on Windows need the system's variables. */
const cleanEnvironment =
  process.platform === "win32"
    ? {}
    : { env: { PATH: "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin", LC_ALL: "C" } };

function makeRunner(
  kind: RunnerKind,
  root: string,
  cluster: string,
  as: RunAs,
  owner: PostgresRunner["owner"],
): PostgresRunner {
  const identity = as.uid === undefined || as.gid === undefined ? {} : { uid: as.uid, gid: as.gid };
  function commandLine(program: PostgresProgram, args: readonly string[]): [string, string[]] {
    const [first, ...rest] = [...as.prefix, programPath(root, program), ...args];
    if (first === undefined) throw new Error("No command");
    return [first, rest];
  }
  return {
    kind,
    cluster,
    owner,
    async run(program, args, input = "") {
      const [command, rest] = commandLine(program, args);
      const running = run(command, rest, { ...cleanEnvironment, ...identity, cwd: root });
      // A program that ends without reading its input reports its own error.
      running.child.stdin?.on("error", () => undefined).end(input);
      const { stdout, stderr } = await running;
      return stdout + stderr;
    },
    async start(program, args, outputFile) {
      const [command, rest] = commandLine(program, args);
      const child = spawn(command, rest, {
        ...cleanEnvironment,
        ...identity,
        cwd: root,
        detached: true,
        stdio: ["ignore", outputFile, outputFile],
        windowsHide: true,
      });
      await new Promise<void>((resolve, reject) => {
        child.once("spawn", resolve);
        child.once("error", reject);
      });
      child.unref();
      if (child.pid === undefined) throw new Error(`${command} did not start`);
      return child.pid;
    },
  };
}

async function succeeds(command: string, args: readonly string[], as: RunAs): Promise<boolean> {
  const [first, ...rest] = [...as.prefix, command, ...args];
  if (first === undefined) return false;
  const identity = as.uid === undefined || as.gid === undefined ? {} : { uid: as.uid, gid: as.gid };
  try {
    await run(first, rest, { ...cleanEnvironment, ...identity, cwd: "/" });
    return true;
  } catch {
    return false;
  }
}

function canRun(root: string, as: RunAs): Promise<boolean> {
  return succeeds(programPath(root, "postgres"), ["--version"], as);
}

function canEnter(directory: string, as: RunAs): Promise<boolean> {
  return succeeds("/bin/sh", ["-c", 'cd -- "$1"', "sh", directory], as);
}

async function idsOfNobody(): Promise<{ uid: number; gid: number }> {
  const [uid, gid] = await Promise.all([run("id", ["-u", "nobody"]), run("id", ["-g", "nobody"])]);
  return { uid: Number(uid.stdout.trim()), gid: Number(gid.stdout.trim()) };
}

/** Real path of `<directory>/postgres`, which is a link after the cluster had to be moved out of a closed folder. */
async function resolveCluster(directory: string): Promise<string> {
  const path = join(await realpath(directory), "postgres");
  return realpath(path).catch(() => path);
}

interface RunnerOptions {
  readonly directory: string;
  readonly log: DatabaseLog;
  /** Ways that root may try, in this order; for tests of the fallbacks. */
  readonly kinds?: readonly RunnerKind[];
}

/**
 * Finds a way to run PostgreSQL on `<directory>/postgres` and makes its user the owner of the cluster.
 * @throws Error that tells what to change when no way is left
 */
export async function choosePostgresRunner(options: RunnerOptions): Promise<PostgresRunner> {
  const packaged = await findPackagedPostgres();
  const cluster = await resolveCluster(options.directory);
  if (process.getuid?.() !== 0) {
    const plain: RunAs = { prefix: [] };
    if (process.platform !== "win32" && !(await canRun(packaged.root, plain))) {
      throw new Error(
        `The PostgreSQL in ${packaged.root} does not run on this system (it needs glibc). Set DATABASE_URL to a PostgreSQL 15 or newer.`,
      );
    }
    return makeRunner("same-user", packaged.root, cluster, plain, undefined);
  }

  const tried: string[] = [];
  const nobody = await idsOfNobody();
  const asNobody: RunAs = { prefix: [], ...nobody };
  const home = await realpath(options.directory);
  for (const kind of options.kinds ?? (["nobody", "user-namespace", "relocated"] as const)) {
    if (kind === "nobody") {
      const programs = await canRun(packaged.root, asNobody);
      // A cluster that was moved out earlier is used at its present place.
      const entered = cluster === join(home, "postgres") ? home : cluster;
      const folder = await canEnter(entered, asNobody);
      if (programs && folder) return makeRunner(kind, packaged.root, cluster, asNobody, nobody);
      tried.push(`user nobody can't ${programs ? `enter ${entered}` : `run the programs in ${packaged.root}`}`);
    } else if (kind === "user-namespace") {
      const prefix = ["unshare", "--user", `--map-user=${nobody.uid}`, `--map-group=${nobody.gid}`, "--"];
      const mapped: RunAs = { prefix };
      if ((await canRun(packaged.root, mapped)) && (await canEnter(home, mapped))) {
        return makeRunner(kind, packaged.root, cluster, mapped, { uid: 0, gid: 0 });
      }
      tried.push("the system allows no user namespace (unshare --user)");
    } else if (kind === "relocated") {
      try {
        const root = (await canRun(packaged.root, asNobody))
          ? packaged.root
          : await copyPostgres(packaged, ["/var/lib/herdwise", "/var/tmp"]);
        if (!(await canRun(root, asNobody))) throw new Error(`user nobody can't run the copy in ${root}`);
        const moved = (await canEnter(home, asNobody)) ? cluster : await moveOut(home, cluster, options.log);
        return makeRunner(kind, root, moved, asNobody, nobody);
      } catch (error) {
        tried.push((error as Error).message);
      }
    }
  }
  throw new Error(
    `PostgreSQL refuses to run as root, and no other way is open: ${tried.join("; ")}. ` +
      "Start the server as an ordinary user, or set DATA_DIR to a folder below directories that everybody may enter, " +
      "or set DATABASE_URL to a PostgreSQL 15 or newer.",
  );
}

/**
 * The last fallback, for a data directory that nobody can't enter: the cluster is moved below /var/lib/herdwise, and the data
 * directory gets a link to it.
 * Temporary folders are not used, because they are cleaned up.
 */
async function moveOut(home: string, cluster: string, log: DatabaseLog): Promise<string> {
  const link = join(home, "postgres");
  if (cluster !== link) return cluster;
  if ((await lstat(link).catch(() => undefined)) !== undefined) {
    throw new Error(`user nobody can't enter ${home}, and it already holds a cluster; let others enter it (chmod o+x)`);
  }
  const place = join("/var/lib/herdwise", createHash("sha256").update(home).digest("hex").slice(0, 16));
  await makeOpenDirectory("/var/lib/herdwise");
  await makeOpenDirectory(place);
  const target = join(place, "postgres");
  await symlink(target, link);
  log.warn({ directory: home, cluster: target }, `PostgreSQL can't live in ${home}; its files are in ${target}`);
  return target;
}

/** Makes the user who runs PostgreSQL the owner of a cluster that another user created or copied. */
export async function giveOwnership(path: string, owner: { uid: number; gid: number }): Promise<void> {
  const found = await lstat(path);
  if (found.uid === owner.uid && found.gid === owner.gid) return;
  if (found.isDirectory()) {
    for (const entry of await readdir(path)) await giveOwnershipBelow(join(path, entry), owner);
  }
  // The top folder is changed last, because its owner tells a complete change from an interrupted one.
  await chown(path, owner.uid, owner.gid);
}

async function giveOwnershipBelow(path: string, owner: { uid: number; gid: number }): Promise<void> {
  const found = await lstat(path);
  if (found.isDirectory()) {
    for (const entry of await readdir(path)) await giveOwnershipBelow(join(path, entry), owner);
  }
  await lchown(path, owner.uid, owner.gid);
}
