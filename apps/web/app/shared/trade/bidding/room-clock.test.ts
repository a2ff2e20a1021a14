import { expect, test, vi } from "vitest";
import {
  dayClock,
  effectsOf,
  endByBid,
  expectedOf,
  fenOf,
  phaseHeard,
  phaseOf,
  ServerClock,
  spanText,
} from "./room-clock.ts";
import { hasTaken } from "./use-bid.ts";
import { type Room, renewed } from "./use-room.ts";

const minute = 60_000;
const opensMs = Date.parse("2026-03-21T07:00:00Z");
const lot = { state: "open", opensMs, endsMs: opensMs + 30 * minute, softCloseMinutes: 2, extensions: 0 };

test("where a lot stands is said by its moments, and a decided one stays so", () => {
  expect(phaseOf({ ...lot, state: "announced" }, opensMs - 1)).toBe("before");
  // The clock's step may be late: bids are taken.
  expect(phaseOf({ ...lot, state: "announced" }, opensMs)).toBe("open");
  expect(phaseOf(lot, lot.endsMs - 2 * minute)).toBe("open");
  expect(phaseOf(lot, lot.endsMs - 2 * minute + 1)).toBe("soft");
  expect(phaseOf(lot, lot.endsMs)).toBe("over");
  expect(phaseOf({ ...lot, state: "frozen" }, opensMs)).toBe("over");
  for (const state of ["awarded", "failed", "withdrawn"] as const)
    expect(phaseOf({ ...lot, state }, opensMs)).toBe(state);
});

test("without an answer no lot is over, as its end may have been moved", () => {
  expect(phaseHeard(lot, lot.endsMs + minute, true)).toBe("soft");
  expect(phaseHeard(lot, lot.endsMs + minute, false)).toBe("over");
  expect(phaseHeard({ ...lot, state: "frozen" }, lot.endsMs, true)).toBe("over");
  expect(phaseHeard(lot, lot.opensMs, true)).toBe("open");
});

test("the end that a bid brings is the server's rule", () => {
  expect(endByBid(lot, lot.endsMs - 3 * minute)).toBeUndefined();
  expect(endByBid(lot, lot.endsMs - minute)).toEqual({ endsMs: lot.endsMs + minute, extensions: 1 });
  expect(endByBid({ ...lot, extensions: 20 }, lot.endsMs - minute)).toBeUndefined();
});

test("spans, days, sums and typed prices", () => {
  expect([102_000, 101_001, 999, 0, -5, 3_607_000].map(spanText)).toEqual([
    "1:42",
    "1:42",
    "0:01",
    "0:00",
    "0:00",
    "1:00:07",
  ]);
  expect(dayClock(opensMs)).toBe("3-21 15:00");
  expect(expectedOf({ heads: 240, fromKg: 110, toKg: 121 }, 1475)).toBe(240 * 231 * 1475 * 0.5);
  expect(["14.75", "14.7", "14", " 14. ", "14.755", "", "x", "-3"].map(fenOf)).toEqual([
    1475,
    1470,
    1400,
    1400,
    undefined,
    undefined,
    undefined,
    undefined,
  ]);
});

const entry = (seq: number, atMs: number, more: object = {}) => ({
  seq,
  bidder: 1,
  fenPerKg: 1400 + 5 * seq,
  proxy: false,
  atMs,
  ...more,
});

test("which bids moved the end is worked out from all of them, or not said", () => {
  const first = entry(1, opensMs);
  const late = entry(2, lot.endsMs - minute);
  const answer = entry(3, lot.endsMs - minute, { proxy: true });
  const room = { plannedEndMs: lot.endsMs, endsMs: lot.endsMs + minute, softCloseMinutes: 2, extensions: 1 };
  expect([...effectsOf(room, [first, late, answer])]).toEqual([[2, lot.endsMs + minute]]);
  expect(effectsOf(room, [late, answer]).size).toBe(0);
  expect(effectsOf({ ...room, endsMs: lot.endsMs + 5 * minute }, [first, late, answer]).size).toBe(0);
});

/** What the room answers, with entries of these numbers. */
const answered = (lastSeq: number, seqs: readonly number[], more: object = {}) =>
  ({
    lastSeq,
    serverMs: opensMs + lastSeq,
    entries: seqs.map((seq) => entry(seq, opensMs)),
    own: { bidder: 1, place: 1, deposit: "held" },
    ...more,
  }) as unknown as Room["room"];
const seqsOf = (room: Room | undefined) => room?.entries.map(({ seq }) => seq);

test("what is older changes nothing, and entries before a gap are dropped", () => {
  const room = renewed(undefined, answered(3, [1, 2, 3]));
  expect(seqsOf(room)).toEqual([1, 2, 3]);
  expect(renewed(room, answered(2, [1, 2]))).toBe(room);
  expect(renewed(room, answered(3, [3], { serverMs: opensMs }))).toBe(room);
  expect(seqsOf(renewed(room, answered(5, [4, 5])))).toEqual([1, 2, 3, 4, 5]);
  expect(seqsOf(renewed(room, answered(9, [8, 9])))).toEqual([8, 9]);
  // An event says nothing of one's own.
  const { own: _own, ...change } = answered(4, [4]);
  expect(renewed(room, change as Room["room"])?.room.own.place).toBe(1);
  expect(renewed(undefined, change as Room["room"])).toBeUndefined();
});

test("a bid without an answer was taken where the room has it since, by one's own hand", () => {
  const room = renewed(undefined, answered(3, [1, 2, 3])) as Room;
  expect(hasTaken(room, { fenPerKg: 1415 }, 2)).toBe(true);
  expect(hasTaken(room, { fenPerKg: 1415 }, 3)).toBe(false);
  expect(hasTaken(room, { fenPerKg: 1420 }, 2)).toBe(false);
  const other = { ...room, room: { ...room.room, own: { ...room.room.own, bidder: 2 } } };
  expect(hasTaken(other, { fenPerKg: 1415 }, 2)).toBe(false);
  expect(hasTaken(room, { limitFenPerKg: 1500 }, 3)).toBe(false);
});

test("the clock is the database's, whatever the browser's says", () => {
  const running = vi.spyOn(performance, "now");
  const own = vi.spyOn(Date, "now");
  const clock = new ServerClock();
  running.mockReturnValue(1000);
  own.mockReturnValue(opensMs + 7000);
  clock.answered(opensMs, 900, 1000);
  expect(clock.now()).toBe(opensMs + 50);
  expect(clock.drift()).toBe(6950);
  running.mockReturnValue(3000);
  expect(clock.now()).toBe(opensMs + 2050);
  // A slower answer says less; one from the future of this clock moves it on.
  clock.answered(opensMs + 1900, 1000, 3000);
  expect(clock.now()).toBe(opensMs + 2050);
  clock.told(opensMs + 2500, 3000);
  expect(clock.now()).toBe(opensMs + 2500);
  vi.restoreAllMocks();
});
