import { createHash, randomBytes } from "node:crypto";

/** What an entry of a lot's record says; a strike has no price. */
export interface ChainedEntry {
  lot: string;
  seq: number;
  /** Hex; stands for tenant and account. */
  who: string;
  fenPerKg: number | null;
  proxy: boolean;
  strikes: number | null;
  reason: string;
  at: Date;
}

/** An entry as it is stored. */
export interface StoredEntry extends ChainedEntry {
  id: string;
  tenantId: string;
  accountId: string;
  salt: string;
  previousHash: string;
  hash: string;
}

const sha256 = (text: string): string => createHash("sha256").update(text).digest("hex");

/** Stands for a bidder in the hash: nobody finds the name from it without the salt, which is not shown. */
const whoOf = ({ salt, tenantId, accountId }: Pick<StoredEntry, "salt" | "tenantId" | "accountId">): string =>
  sha256(`${salt}|${tenantId}|${accountId}`);

/** Hash of an entry, bound to the one before; docs/trade.md says how others work it out. */
const hashOf = ({ lot, seq, who, fenPerKg, proxy, strikes, reason, at }: ChainedEntry, previousHash: string): string =>
  sha256(`${previousHash}${JSON.stringify([lot, seq, who, fenPerKg, proxy, strikes, reason, at.toISOString()])}`);

/** An entry as it goes into the record. @param previousHash of the entry before; "" for the first */
export function chained(
  entry: Omit<ChainedEntry, "who"> & Pick<StoredEntry, "id" | "tenantId" | "accountId">,
  previousHash: string,
): StoredEntry {
  const salt = randomBytes(16).toString("hex");
  const who = whoOf({ ...entry, salt });
  return { ...entry, salt, who, previousHash, hash: hashOf({ ...entry, who }, previousHash) };
}

/**
 * The first entry that is not as it was written, or is missing; undefined where the record is whole.
 * @param entries in the order of their numbers @param end what the lot says of its record
 */
export function alteredIn(
  entries: readonly StoredEntry[],
  end: { entries: number; lastHash: string },
): number | undefined {
  let previousHash = "";
  for (const [at, entry] of entries.entries()) {
    const isWhole =
      entry.seq === at + 1 &&
      entry.previousHash === previousHash &&
      entry.who === whoOf(entry) &&
      entry.hash === hashOf(entry, previousHash);
    if (!isWhole) return at + 1;
    previousHash = entry.hash;
  }
  if (entries.length < end.entries) return entries.length + 1;
  return previousHash === end.lastHash ? undefined : Math.max(entries.length, 1);
}
