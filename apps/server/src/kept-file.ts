import { randomUUID } from "node:crypto";
import { link, mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { dirname } from "node:path";

/**
 * The text of a file that is made once and kept, readable by the owner only. Of starts at the same moment one makes it, and
 * nobody reads a half-written one.
 */
export async function keptText(path: string, make: () => string): Promise<string> {
  const held = await readFile(path, "utf8").catch(() => "");
  if (held.trim() !== "") return held.trim();
  await mkdir(dirname(path), { recursive: true });
  const draft = `${path}.${randomUUID()}`;
  await writeFile(draft, `${make()}\n`, { mode: 0o600 });
  // A link fails when another start was quicker, whose text then counts.
  await link(draft, path).catch(() => undefined);
  await rm(draft, { force: true });
  return (await readFile(path, "utf8")).trim();
}
