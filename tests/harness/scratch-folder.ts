import { statfs } from "node:fs/promises";
import { tmpdir } from "node:os";

/** Linux keeps these files in memory. */
export const memoryFolder = "/dev/shm";
/** What the databases of a run and their log take at most, in bytes, several times over; containers often have 64 MB there. */
const memoryNeeded = 4 * 1024 ** 3;

/**
 * Where databases of tests stand: in memory where it is large enough. Each test file clones and removes one of a thousand small files,
 * which costs a disk's file system five times the processor time, and to flush them one by one takes seconds.
 */
export async function scratchFolder(): Promise<string> {
  try {
    const { bavail, bsize } = await statfs(memoryFolder);
    return bavail * bsize >= memoryNeeded ? memoryFolder : tmpdir();
  } catch {
    return tmpdir();
  }
}
