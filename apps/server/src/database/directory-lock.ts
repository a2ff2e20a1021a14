import { randomUUID } from "node:crypto";
import { linkSync, readFileSync, renameSync, rmSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { setTimeout as wait } from "node:timers/promises";
import { bootId, isProcessAlive, pidSpace, processStartMark } from "./process-identity.ts";

const heartbeatMs = 2_000;
/**
 * Milliseconds without a sign of life after which an owner in another container counts as dead, because its pid means nothing
 * here.
 */
const silenceMs = 10_000;

interface LockOwner {
  readonly token: string;
  readonly pid: number;
  readonly startMark: string | undefined;
  readonly space: string;
  readonly bootId: string;
  readonly since: string;
}

/** A held lock; `release` may be called twice, and never removes a lock that another process took over. */
export interface DirectoryLock {
  release(): void;
}

/** Another running process holds the lock. */
export class DirectoryInUseError extends Error {
  override readonly name = "DirectoryInUseError";
}

function readOwner(path: string): LockOwner | undefined {
  let text: string;
  try {
    text = readFileSync(path, "utf8");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw error;
  }
  try {
    return JSON.parse(text) as LockOwner;
  } catch {
    // Locks appear complete (a link to a written file), so an unreadable one was left by a disk fault or a person.
    throw new Error(`${path} is not a lock file of this program; remove it if no server runs on this directory`);
  }
}

function silentForMs(path: string): number {
  try {
    return Date.now() - statSync(path).mtimeMs;
  } catch {
    return 0;
  }
}

/** Whether the owner has certainly ended; in doubt false, because two servers on one directory destroy data. */
function isDead(owner: LockOwner, path: string): boolean {
  if (owner.space === pidSpace()) {
    if (!isProcessAlive(owner.pid)) return true;
    const mark = processStartMark(owner.pid);
    if (mark !== undefined && owner.startMark !== undefined) return mark !== owner.startMark;
  } else if (
    owner.bootId !== "" &&
    owner.bootId !== bootId() &&
    owner.space.split(" ")[0] === pidSpace().split(" ")[0]
  ) {
    // The machine was rebooted since.
    return true;
  }
  return silentForMs(path) > silenceMs;
}

function tryCreate(path: string, owner: LockOwner): boolean {
  const draft = `${path}.${owner.token}.draft`;
  writeFileSync(draft, JSON.stringify(owner), { flag: "wx" });
  try {
    // link() fails when the name exists, so the lock appears completely or not at all.
    linkSync(draft, path);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EEXIST") return false;
    throw error;
  } finally {
    rmSync(draft, { force: true });
  }
}

/** Replaces the lock of a dead owner; false when another process was faster. */
function tryTakeOver(path: string, dead: LockOwner, owner: LockOwner): boolean {
  // The right to replace exactly this dead lock is itself a lock, named by the dead one's token; otherwise two starters that
  // both saw the dead lock could remove each other's new one.
  const claimPath = `${path}.${dead.token}`;
  const claim: LockOwner = { ...owner, token: randomUUID() };
  if (!tryCreate(claimPath, claim)) {
    const other = readOwner(claimPath);
    if (other === undefined || !isDead(other, claimPath)) return false;
    if (!tryTakeOver(claimPath, other, claim)) return false;
  }
  try {
    if (readOwner(path)?.token !== dead.token) return false;
    const draft = `${path}.${owner.token}.draft`;
    writeFileSync(draft, JSON.stringify(owner), { flag: "wx" });
    renameSync(draft, path);
    return true;
  } finally {
    rmSync(claimPath, { force: true });
  }
}

/**
 * Takes the lock file at `path` for this process, or takes it over when its owner is dead.
 * @throws DirectoryInUseError within a second when a running process holds it
 */
export async function acquireDirectoryLock(path: string): Promise<DirectoryLock> {
  const owner: LockOwner = {
    token: randomUUID(),
    pid: process.pid,
    startMark: processStartMark(process.pid),
    space: pidSpace(),
    bootId: bootId(),
    since: new Date().toISOString(),
  };
  const deadline = Date.now() + 500;
  let present: LockOwner | undefined;
  while (!tryCreate(path, owner)) {
    present = readOwner(path);
    if (present === undefined) continue;
    if (isDead(present, path)) {
      if (tryTakeOver(path, present, owner)) break;
    } else if (present.space === pidSpace() || Date.now() > deadline) {
      throw inUse(path, present);
    }
    if (Date.now() > deadline) throw inUse(path, present);
    await wait(20);
  }
  const heartbeat = setInterval(() => {
    const now = new Date();
    try {
      utimesSync(path, now, now);
    } catch {
      // A directory that was removed under us needs no lock; the next start writes a new one.
    }
  }, heartbeatMs);
  heartbeat.unref();
  return {
    release() {
      clearInterval(heartbeat);
      if (readOwner(path)?.token === owner.token) rmSync(path, { force: true });
    },
  };
}

function inUse(path: string, owner: LockOwner): DirectoryInUseError {
  const where =
    owner.space === pidSpace()
      ? `process ${owner.pid}`
      : `process ${owner.pid} of another container or machine (${owner.space.split(" ")[0]}; if it is dead, try again in ${silenceMs / 1000} s)`;
  return new DirectoryInUseError(
    `Another server runs on this directory: ${where}, since ${owner.since}. Stop it first, or give this one its own DATA_DIR. Lock: ${path}`,
  );
}
