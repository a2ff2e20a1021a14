import type { BidRecord, bidVerify, ReplyOf } from "@herdwise/contract";

/** A record of bids as it is handed out: without names, so that every bidder may have it. `scripts/verify-award.mjs` checks it. */
interface AwardFile extends Pick<BidRecord, "lot" | "number"> {
  format: "herdwise-award-1";
  entries: Omit<BidRecord["entries"][number], "tenantName">[];
  /** As the lot says it. */
  count: number;
  lastHash: string;
  /** Of the JSON of everything before. */
  sha256: string;
}

const sha256 = async (text: string): Promise<string> =>
  Array.from(new Uint8Array(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text))), (byte) =>
    byte.toString(16).padStart(2, "0"),
  ).join("");

/** Whether this browser can work hashes out: over plain HTTP it can't. */
export const canHash = (): boolean => globalThis.crypto?.subtle !== undefined;

/** What the hashes of a record come to here; `altered` is the first entry that is not as it was written, or is missing. */
export async function recomputed(
  { lot, entries }: Pick<BidRecord, "lot" | "entries">,
  end: Pick<ReplyOf<typeof bidVerify>, "entries" | "lastHash">,
): Promise<{ altered?: number; lastHash: string }> {
  let previous = "";
  for (const [at, { seq, who, fenPerKg, proxy, strikes, reason, at: when, previousHash, hash }] of entries.entries()) {
    const said = JSON.stringify([lot, seq, who, fenPerKg ?? null, proxy, strikes ?? null, reason, when]);
    const own = await sha256(previous + said);
    if (seq !== at + 1 || previousHash !== previous || hash !== own) return { altered: at + 1, lastHash: previous };
    previous = own;
  }
  const isWhole = entries.length === end.entries && previous === end.lastHash;
  return isWhole ? { lastHash: previous } : { altered: entries.length + 1, lastHash: previous };
}

/** The text of the file that is handed out. */
export async function awardText(
  { lot, number, entries }: BidRecord,
  { entries: count, lastHash }: Pick<ReplyOf<typeof bidVerify>, "entries" | "lastHash">,
): Promise<string> {
  const file: Omit<AwardFile, "sha256"> = {
    format: "herdwise-award-1",
    lot,
    number,
    entries: entries.map(({ tenantName: _name, ...entry }) => entry),
    count,
    lastHash,
  };
  const whole: AwardFile = { ...file, sha256: await sha256(JSON.stringify(file)) };
  return `${JSON.stringify(whole, null, 1)}\n`;
}
