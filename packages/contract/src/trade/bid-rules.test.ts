import { expect, test } from "vitest";
import {
  endAfter,
  entriesOf,
  type LotAt,
  leastBid,
  mostExtensions,
  type RankedEntry,
  rankingOf,
  refusedBid,
  timeOf,
} from "./bid-rules.ts";

const minute = 60_000;
const lot: LotAt = {
  opensAt: 0,
  endsAt: 60 * minute,
  reserve: 1400,
  step: 5,
  best: null,
  softCloseMinutes: 2,
  extensions: 0,
};
const bid = (price: number, at = minute, limit: number | null = null) => ({ price, at, limit });

test("the first bid reaches the reserve, each later one the best price and a step", () => {
  expect(leastBid(lot)).toBe(1400);
  expect(refusedBid(lot, bid(1399))).toBe("below_reserve");
  expect(refusedBid(lot, bid(1400))).toBeUndefined();
  expect(refusedBid({ ...lot, best: 1400 }, bid(1404))).toBe("below_step");
  expect(refusedBid({ ...lot, best: 1400 }, bid(1405))).toBeUndefined();
  expect(refusedBid(lot, bid(1400, minute, 1399))).toBe("limit_below_bid");
});

test("bids are taken from the beginning until just before the end", () => {
  expect([-1, 0, 60 * minute - 1, 60 * minute].map((at) => timeOf(lot, at))).toEqual([
    "before",
    "open",
    "open",
    "over",
  ]);
  expect(refusedBid(lot, bid(1400, -1))).toBe("not_open");
  expect(refusedBid(lot, bid(1400, 60 * minute))).toBe("over");
});

test("a bid in the last minutes moves the end to so many minutes after it, at most twenty times", () => {
  const at = (minutes: number, extensions = 0) => endAfter({ ...lot, extensions }, minutes * minute);
  expect(at(57)).toEqual({ endsAt: 60 * minute, extensions: 0 });
  expect(at(58)).toEqual({ endsAt: 60 * minute, extensions: 0 });
  expect(at(58.5)).toEqual({ endsAt: 60.5 * minute, extensions: 1 });
  expect(at(59.9, mostExtensions - 1)).toEqual({ endsAt: 61.9 * minute, extensions: mostExtensions });
  expect(at(59.9, mostExtensions)).toEqual({ endsAt: 60 * minute, extensions: mostExtensions });
});

const entered = (price: number, limit: number | null, leaderLimit: number | null) =>
  entriesOf({ price, limit }, leaderLimit, 5).map(({ by, price: at, proxy }) => `${by} ${at}${proxy ? " proxy" : ""}`);

test.each([
  ["no limit of anybody", 1400, null, null, ["challenger 1400"]],
  ["a limit below the bid", 1400, null, 1399, ["challenger 1400"]],
  ["a limit answers by the step", 1400, null, 1500, ["challenger 1400", "leader 1405 proxy"]],
  ["a limit answers with what it has", 1400, null, 1402, ["challenger 1400", "leader 1402 proxy"]],
  ["a limit that equals the bid was first", 1400, null, 1400, ["challenger 1400", "leader 1400 proxy"]],
  [
    "the higher limit of the leader",
    1400,
    1450,
    1500,
    ["challenger 1400", "challenger 1450 proxy", "leader 1455 proxy"],
  ],
  [
    "the higher limit of the challenger",
    1400,
    1500,
    1450,
    ["challenger 1400", "leader 1450 proxy", "challenger 1455 proxy"],
  ],
  ["equal limits: the first one", 1400, 1450, 1450, ["challenger 1400", "challenger 1450 proxy", "leader 1450 proxy"]],
] as const)("%s", (_name, price, limit, leaderLimit, entries) => {
  expect(entered(price, limit, leaderLimit)).toEqual(entries);
});

test("no answer goes beyond a limit, and whoever leads has the best price", () => {
  for (let price = 1400; price < 1430; price += 1)
    for (let limit = price; limit < 1440; limit += 3)
      for (let held = 1390; held < 1445; held += 1) {
        const entries = entriesOf({ price, limit }, held, 5);
        const last = entries.at(-1);
        expect(last?.price).toBe(Math.max(...entries.map((entry) => entry.price)));
        expect(entries.every((entry) => entry.price <= (entry.by === "leader" ? held : limit))).toBe(true);
        expect(last?.by).toBe(held >= limit ? "leader" : "challenger");
      }
});

test("bidders rank by their best price that was not struck; of equal ones the older limit, which answered", () => {
  const entry = (seq: number, who: string, price: number | null, strikes: number | null = null): RankedEntry => ({
    seq,
    who,
    price,
    strikes,
  });
  const entries = [
    entry(1, "a", 1400),
    entry(2, "b", 1410),
    entry(3, "b", 1420),
    entry(4, "a", 1420),
    entry(5, "c", 1430),
  ];
  const shown = (all: RankedEntry[]) => rankingOf(all).map(({ bidder, who, price }) => [bidder, who, price]);
  expect(shown(entries)).toEqual([
    [3, "c", 1430],
    [1, "a", 1420],
    [2, "b", 1420],
  ]);
  expect(shown([...entries, entry(6, "desk", null, 5), entry(7, "desk", null, 3)])).toEqual([
    [1, "a", 1420],
    [2, "b", 1410],
  ]);
  expect(rankingOf([])).toEqual([]);
});
