import { execFile } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import type { BidRecord } from "@herdwise/contract";
import { expect, test } from "vitest";
import { chained, type StoredEntry } from "../apps/server/src/modules/trade/bid-chain.ts";
import { awardText, recomputed } from "../apps/web/app/shared/trade/bidding/award-file.ts";
import { verifyAward } from "../scripts/verify-award.mjs";

const lot = "1560000000000000001";
const opens = Date.parse("2026-03-21T07:00:00Z");

/** A record as the server keeps it: five bids, of which one was struck. */
const stored: StoredEntry[] = [];
for (const [at, fenPerKg] of [1420, 1425, 1500, null, 1430, 1435].entries())
  stored.push(
    chained(
      {
        id: String(at),
        lot,
        seq: at + 1,
        tenantId: at % 2 === 0 ? "100001" : "100002",
        accountId: "7",
        fenPerKg,
        proxy: at === 4,
        strikes: fenPerKg === null ? 3 : null,
        reason: fenPerKg === null ? "客户来电，多打了一位" : "",
        at: new Date(opens + at * 61_007),
      },
      stored.at(-1)?.hash ?? "",
    ),
  );
const record: BidRecord = {
  lot,
  number: "JP-260321-001",
  bidders: [],
  entries: stored.map(({ seq, who, fenPerKg, proxy, strikes, reason, at, previousHash, hash }) => ({
    seq,
    bidder: fenPerKg === null ? 0 : 1 + ((seq - 1) % 2),
    tenantName: "柳河家庭农场",
    who,
    ...(fenPerKg !== null && { fenPerKg }),
    proxy,
    ...(strikes !== null && { strikes }),
    reason,
    at: at.toISOString(),
    previousHash,
    hash,
  })),
};
const end = { entries: stored.length, lastHash: stored.at(-1)?.hash ?? "" };

test("the exported file is whole, and has no names", async () => {
  const text = await awardText(record, end);
  expect(text).not.toContain("柳河");
  expect(verifyAward(text)).toEqual({ whole: true, lot: record.number, entries: 6, lastHash: end.lastHash });
  expect(await recomputed(record, end)).toEqual({ lastHash: end.lastHash });
});

test("one altered byte is found, wherever it stands in the file", async () => {
  const bytes = Buffer.from(await awardText(record, end));
  for (let at = 0; at < bytes.length; at += 1) {
    const altered = Buffer.from(bytes);
    altered[at] = (altered[at] ?? 0) ^ 1;
    if (verifyAward(altered.toString("utf8")).whole) throw new Error(`byte ${at} was altered unseen`);
  }
});

test("the browser finds which entry was altered or is missing", async () => {
  const { entries } = record;
  const one = (change: Partial<BidRecord["entries"][number]>) => ({
    lot,
    entries: entries.map((entry) => (entry.seq === 3 ? { ...entry, ...change } : entry)),
  });
  for (const change of [
    { fenPerKg: 1501 },
    { proxy: true },
    { who: "0" },
    { reason: "x" },
    { at: "2026-03-21T07:02:02.015Z" },
    { hash: "0" },
  ])
    expect((await recomputed(one(change), end)).altered).toBe(3);
  expect((await recomputed({ lot, entries: entries.filter(({ seq }) => seq !== 4) }, end)).altered).toBe(4);
  expect((await recomputed({ lot, entries: entries.slice(0, 5) }, end)).altered).toBe(6);
  expect((await recomputed({ lot: "1", entries }, end)).altered).toBe(1);
});

test("the program says so by its exit code", async () => {
  const folder = await mkdtemp(join(tmpdir(), "herdwise-award-"));
  const run = async (text: string) => {
    const path = join(folder, "award.json");
    await writeFile(path, text);
    return promisify(execFile)(process.execPath, ["scripts/verify-award.mjs", path]).then(
      ({ stdout }) => [0, stdout.trim()],
      ({ code, stderr }: { code: number; stderr: string }) => [code, stderr.trim()],
    );
  };
  try {
    const text = await awardText(record, end);
    expect(await run(text)).toEqual([0, `JP-260321-001: whole, 6 entries, last hash ${end.lastHash}`]);
    expect(await run(text.replace('"fenPerKg": 1425', '"fenPerKg": 1426'))).toEqual([
      1,
      "altered: entry 2 is not as it was written, or one before it is missing",
    ]);
    expect((await run("{}"))[0]).toBe(2);
  } finally {
    await rm(folder, { recursive: true });
  }
});
