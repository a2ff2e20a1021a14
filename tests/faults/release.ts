import { execFileSync } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("../..", import.meta.url));

/** An earlier version in a folder of its own, with the packages of its lock file. */
export interface Release {
  readonly checkout: string;
  /** A folder beside it, for its data. */
  readonly dataDir: string;
  remove(): Promise<void>;
}

/**
 * Checks an earlier version out and installs its packages.
 * @param commit of the version
 * @param scripts npm scripts of it to run afterwards
 */
export async function openRelease(commit: string, scripts: readonly string[] = []): Promise<Release> {
  const folder = await mkdtemp(join(tmpdir(), `herdwise-${commit}-`));
  const checkout = join(folder, "checkout");
  const remove = async (): Promise<void> => {
    execFileSync("git", ["worktree", "remove", "--force", checkout], { cwd: root });
    await rm(folder, { recursive: true, force: true });
  };
  execFileSync("git", ["worktree", "add", "--detach", checkout, commit], { cwd: root, stdio: "ignore" });
  try {
    execFileSync("npm", ["ci", "--no-audit", "--no-fund"], { cwd: checkout, stdio: "ignore" });
    for (const script of scripts) execFileSync("npm", ["run", script], { cwd: checkout, stdio: "ignore" });
  } catch (error) {
    await remove();
    throw error;
  }
  return { checkout, dataDir: join(folder, "data"), remove };
}
