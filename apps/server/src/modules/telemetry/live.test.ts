import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import type { LiveEvent, Readings } from "@herdwise/contract";
import { afterEach, expect, test, vi } from "vitest";
import { checkOn, sessionNamed } from "../../../../../tests/harness/streams.ts";
import type { EventStream } from "../../http/event-stream.ts";
import { memoryBus } from "../../providers/bus.ts";
import { createLive } from "./live.service.ts";

/** A reader that takes an event when the test says so. */
function openReader() {
  const gone = new AbortController();
  const taken: LiveEvent[] = [];
  const waiting: { event: LiveEvent; take: () => void }[] = [];
  let paused = false;
  const stream: EventStream = {
    signal: gone.signal,
    end: () => gone.abort(),
    send(_name, event) {
      if (!paused || gone.signal.aborted) {
        taken.push(event as LiveEvent);
        return Promise.resolve();
      }
      return new Promise((resolve) => {
        waiting.push({ event: event as LiveEvent, take: resolve });
        gone.signal.addEventListener("abort", () => resolve(), { once: true });
      });
    },
  };
  return {
    stream,
    taken,
    waiting,
    pause() {
      paused = true;
    },
    go() {
      paused = false;
      for (const { event, take } of waiting.splice(0)) {
        taken.push(event);
        take();
      }
    },
  };
}

const checks: ReturnType<typeof checkOn>[] = [];
afterEach(() => {
  for (const check of checks.splice(0)) check.stop();
});
const open = (reachOfSessions?: Parameters<typeof checkOn>[1]) => {
  const bus = memoryBus();
  const sessionCheck = checkOn(bus, reachOfSessions);
  checks.push(sessionCheck);
  return { bus, live: createLive({ bus, sessionCheck }) };
};

test("the snapshot comes first, then what changed, also while it was read", async () => {
  const { bus, live } = open();
  const { stream, taken } = openReader();
  const served = live.serve(
    sessionNamed("s"),
    ["1"],
    async () => {
      bus.publish("readings", [{ deviceId: "1", readings: { a: { value: 2, ts: 20 } } }]);
      return new Map([["1", { a: { value: 1, ts: 10 }, b: { value: 5, ts: 10 } }]]);
    },
    stream,
  );
  await vi.waitFor(() => expect(taken).toHaveLength(2));
  expect(taken).toEqual([
    { type: "telemetry", id: "1", readings: { a: { value: 1, ts: 10 }, b: { value: 5, ts: 10 } } },
    { type: "telemetry", id: "1", readings: { a: { value: 2, ts: 20 } } },
  ]);
  stream.end();
  await served;
  expect(live.size()).toBe(0);
});

test("what a device sends late, or twice, never replaces what is newer", async () => {
  const { bus, live } = open();
  const { stream, taken } = openReader();
  void live.serve(sessionNamed("s"), ["1"], async () => new Map([["1", { a: { value: 1, ts: 10 } }]]), stream);
  await vi.waitFor(() => expect(taken).toHaveLength(1));
  bus.publish("readings", [{ deviceId: "1", readings: { a: { value: 0, ts: 5 } } }]);
  bus.publish("readings", [{ deviceId: "1", readings: { a: { value: 1, ts: 10 } } }]);
  bus.publish("readings", [{ deviceId: "2", readings: { a: { value: 9, ts: 99 } } }]);
  bus.publish("presence", { deviceId: "1", status: "online", connected: true });
  await vi.waitFor(() => expect(taken).toHaveLength(2));
  expect(taken[1]).toEqual({ type: "presence", id: "1", status: "online", connected: true });
  stream.end();
});

test("readings that the database tells one reader first come to the others once", async () => {
  const { bus, live } = open();
  const [early, late] = [openReader(), openReader()];
  void live.serve(sessionNamed("s"), ["1"], async () => new Map([["1", { a: { value: 1, ts: 10 } }]]), early.stream);
  await vi.waitFor(() => expect(early.taken).toHaveLength(1));
  // Committed, but not on the bus yet.
  const committed = { a: { value: 2, ts: 20 } };
  void live.serve(sessionNamed("s"), ["1"], async () => new Map([["1", committed]]), late.stream);
  await vi.waitFor(() => expect(late.taken).toHaveLength(1));
  await vi.waitFor(() => expect(early.taken).toHaveLength(2));
  bus.publish("readings", [{ deviceId: "1", readings: committed }]);
  bus.publish("readings", [{ deviceId: "1", readings: { a: { value: 3, ts: 30 } } }]);
  for (const { taken } of [early, late])
    await vi.waitFor(() => expect(taken.at(-1)).toMatchObject({ readings: { a: { value: 3, ts: 30 } } }));
  expect([early.taken.length, late.taken.length]).toEqual([3, 2]);
  // Readers of the same event got the same object, which is serialized once.
  expect(early.taken.at(-1)).toBe(late.taken.at(-1));
  for (const { stream } of [early, late]) stream.end();
});

test("a thousand readers of the same 50 devices cost less than 10 MB beside their streams", async () => {
  setFlagsFromString("--expose-gc");
  const gc: () => void = runInNewContext("gc");
  const { bus, live } = open();
  const devices = Array.from({ length: 50 }, (_, at) => String(at));
  const readings = Object.fromEntries(
    Array.from({ length: 20 }, (_, at) => [`key-${at}`, { value: at, ts: 10 }]),
  ) as Readings;
  const snapshot = new Map(devices.map((id) => [id, readings]));
  let sent = 0;
  const gone = new AbortController();
  const stream = (): EventStream => ({
    signal: AbortSignal.any([gone.signal]),
    end: () => undefined,
    send: async () => {
      sent += 1;
    },
  });
  gc();
  const before = process.memoryUsage().heapUsed;
  for (let one = 0; one < 1000; one += 1) void live.serve(sessionNamed("s"), devices, async () => snapshot, stream());
  await vi.waitFor(() => expect(sent).toBe(50_000), { timeout: 20_000 });
  bus.publish("readings", [{ deviceId: "7", readings: { "key-1": { value: 5, ts: 20 } } }]);
  await vi.waitFor(() => expect(sent).toBe(51_000), { timeout: 20_000 });
  gc();
  expect((process.memoryUsage().heapUsed - before) / 1e6).toBeLessThan(10);
  gone.abort();
});

test("a slow reader gets the newest values only, and costs one value per key", async () => {
  const { bus, live } = open();
  const slow = openReader();
  const quick = openReader();
  void live.serve(sessionNamed("s"), ["1"], async () => new Map(), slow.stream);
  void live.serve(sessionNamed("s"), ["1"], async () => new Map(), quick.stream);
  slow.pause();
  const readings = (n: number) => ({ a: { value: n, ts: n }, b: { value: -n, ts: n } });
  bus.publish("readings", [{ deviceId: "1", readings: readings(1) }]);
  await vi.waitFor(() => expect(slow.waiting).toHaveLength(1));
  for (let n = 2; n <= 10_000; n += 1) bus.publish("readings", [{ deviceId: "1", readings: readings(n) }]);
  await vi.waitFor(() => expect(quick.taken.at(-1)).toMatchObject({ readings: readings(10_000) }));
  expect(slow.taken).toHaveLength(0);
  slow.go();
  await vi.waitFor(() => expect(slow.taken).toHaveLength(2));
  expect(slow.taken[1]).toEqual({ type: "telemetry", id: "1", readings: readings(10_000) });
  slow.stream.end();
  quick.stream.end();
});

test("streams of an ended session close at once, others go on", async () => {
  const { bus, live } = open();
  const [ended, other] = [openReader(), openReader()];
  const served = live.serve(sessionNamed("s1"), ["1"], async () => new Map(), ended.stream);
  void live.serve(sessionNamed("s2"), ["1"], async () => new Map(), other.stream);
  bus.publish("sessionEnded", { sessionId: "s1" });
  await served;
  expect(other.stream.signal.aborted).toBe(false);
  other.stream.end();
});

test("a session whose end nobody told closes within 5 s", async () => {
  vi.useFakeTimers();
  try {
    const { live } = open(async () => new Map());
    const { stream } = openReader();
    const served = live.serve(sessionNamed("s"), ["1"], async () => new Map(), stream);
    await vi.advanceTimersByTimeAsync(5000);
    await served;
    expect(stream.signal.aborted).toBe(true);
  } finally {
    vi.useRealTimers();
  }
});

test("readers who are shown one snapshot get one event, which is written out once", async () => {
  const { live } = open();
  const snapshot = new Map([["1", { a: { value: 1, ts: 10 } }]]);
  const [first, second] = [openReader(), openReader()];
  for (const { stream } of [first, second]) void live.serve(sessionNamed("s"), ["1"], async () => snapshot, stream);
  await vi.waitFor(() => expect([first.taken.length, second.taken.length]).toEqual([1, 1]));
  expect(second.taken[0]).toBe(first.taken[0]);
  for (const { stream } of [first, second]) stream.end();
});
