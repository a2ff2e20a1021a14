import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import {
  newPrefix,
  onEachStore,
  openRedisProxy,
  type RedisProxy,
  redisAnswers,
  type StoreBench,
} from "../../../../tests/harness/redis.ts";
import { onThisMachine } from "../../../../tests/harness/time-limit.ts";
import { memoryStore, redisStore, type Store, StoreAway } from "./store.ts";

onEachStore((open) => {
  let bench: StoreBench;
  let kv: Store;
  let round = 0;
  let key: string;
  beforeAll(async () => {
    bench = await open();
    kv = bench.store;
  });
  beforeEach(() => {
    round += 1;
    key = `k${round}`;
  });
  afterAll(() => bench.close());

  test("of 100 takers one gets the value", async () => {
    await kv.set(key, "once", 60);
    const taken = await Promise.all(Array.from({ length: 100 }, () => kv.take(key)));
    expect(taken.filter((value) => value === "once")).toHaveLength(1);
    expect(await kv.get(key)).toBeUndefined();
  });

  test("of 100 adders one wins, and its lifetime is not prolonged by the others", async () => {
    const added = await Promise.all(Array.from({ length: 100 }, (_, at) => kv.add(key, String(at), 60)));
    expect(added.filter(Boolean)).toHaveLength(1);
    await bench.pass(30_000);
    expect(await kv.add(key, "later", 60)).toBe(false);
    await bench.pass(31_000);
    expect(await kv.add(key, "after", 60)).toBe(true);
  });

  test("of several swaps one meets the expected value; the lifetime goes on as it was", async () => {
    await kv.set(key, "1", 60);
    const swapped = await Promise.all(["2", "3", "4"].map((value) => kv.swap(key, "1", value)));
    expect(swapped.filter(Boolean)).toHaveLength(1);
    expect(await kv.swap("missing", "", "x")).toBe(false);
    await bench.pass(61_000);
    expect(await kv.get(key)).toBeUndefined();
  });

  test("a value that was set again lives from then on", async () => {
    await kv.set(key, "a", 60);
    await bench.pass(50_000);
    await kv.set(key, "b", 60);
    await bench.pass(50_000);
    expect(await kv.get(key)).toBe("b");
    await bench.pass(11_000);
    expect(await kv.get(key)).toBeUndefined();
    expect(await kv.take(key)).toBeUndefined();
    expect(await kv.swap(key, "b", "c")).toBe(false);
  });

  test("counting is exact, and the window ends with the lifetime of the first", async () => {
    const sums = await Promise.all(Array.from({ length: 50 }, () => kv.count(key, 60)));
    expect([...sums].sort((a, b) => a - b)).toEqual(Array.from({ length: 50 }, (_, at) => at + 1));
    await bench.pass(40_000);
    expect(await kv.count(key, 60)).toBe(51);
    expect(await kv.count(key, 60, 1500)).toBe(1551);
    await bench.pass(21_000);
    expect(await kv.count(key, 60, 7)).toBe(7);
    await bench.pass(61_000);
    expect(await kv.count(key, 60)).toBe(1);
  });

  test("a part of a second is a lifetime, too", async () => {
    await kv.set(key, "a", 0.5);
    expect(await kv.get(key)).toBe("a");
    expect(await kv.count(`${key}-n`, 0.5)).toBe(1);
    await bench.pass(1001);
    expect(await kv.get(key)).toBeUndefined();
    expect(await kv.count(`${key}-n`, 0.5)).toBe(1);
  });

  test("what was deleted is gone; deleting nothing is no error", async () => {
    await kv.set(key, "a", 60);
    await kv.delete(key);
    await kv.delete(key);
    expect(await kv.get(key)).toBeUndefined();
  });

  test("texts of any kind come back as they were", async () => {
    const text = 'a\n慧牧 🐖 {"x":1}\u0000"';
    await kv.set(`${key}:慧牧 *?[x]`, text, 60);
    expect(await kv.take(`${key}:慧牧 *?[x]`)).toBe(text);
    await kv.set(key, "", 60);
    expect(await kv.get(key)).toBe("");
  });
});

test("memory is bounded", async () => {
  const kv = memoryStore();
  for (let at = 0; at < 200_010; at += 1) await kv.set(`k${at}`, "x", 60);
  expect(await kv.get("k0")).toBeUndefined();
  expect(await kv.get("k200009")).toBe("x");
  await kv.stop();
});

test("a flood of callers, who are counted by the minute, pushes out no budget of a day and no code", async () => {
  const kv = memoryStore();
  await kv.count("a day", 86_400);
  await kv.set("code", "1", 300);
  for (let at = 0; at < 200_010; at += 1) await kv.count(`caller ${at}`, 60);
  expect(await kv.count("a day", 86_400)).toBe(2);
  expect(await kv.take("code")).toBe("1");
  expect(await kv.count("caller 200009", 60)).toBe(2);
  expect(await kv.count("caller 0", 60)).toBe(1);
  await kv.stop();
});

test("R08: a system clock that is set back lengthens no lifetime in memory", async () => {
  vi.useFakeTimers({ toFake: ["Date", "performance"] });
  try {
    const kv = memoryStore();
    await kv.set("code", "1", 60);
    vi.advanceTimersByTime(61_000);
    vi.setSystemTime(Date.now() - 2 * 3_600_000);
    expect(await kv.get("code")).toBeUndefined();
    await kv.stop();
  } finally {
    vi.useRealTimers();
  }
});

describe.skipIf(!redisAnswers)("Redis that goes away", () => {
  const everyCall = (kv: Store): (() => Promise<unknown>)[] => [
    () => kv.get("a"),
    () => kv.set("a", "1", 60),
    () => kv.add("a", "1", 60),
    () => kv.swap("a", "1", "2"),
    () => kv.take("a"),
    () => kv.count("a", 60),
    () => kv.delete("a"),
  ];
  const backAgain = (kv: Store) => vi.waitFor(() => kv.set("a", "back", 60), { timeout: 10_000, interval: 20 });
  const opened: { kv: Store; gate: RedisProxy }[] = [];
  const openStore = async (warnings: string[] = []) => {
    const gate = await openRedisProxy();
    const kv = await redisStore(gate.url, { warn: (_context, text) => warnings.push(text) }, newPrefix());
    opened.push({ kv, gate });
    return { kv, gate };
  };
  afterAll(async () => {
    for (const { kv, gate } of opened) {
      await kv.stop();
      await gate.shut();
    }
  });

  test("every call is refused at once, it is told once, and it is found again", async () => {
    const warnings: string[] = [];
    const { kv, gate } = await openStore(warnings);
    await kv.set("a", "1", 60);
    await gate.shut();
    await vi.waitFor(() => expect(kv.get("a")).rejects.toBeInstanceOf(StoreAway));
    const begun = performance.now();
    for (const call of everyCall(kv)) await expect(call()).rejects.toBeInstanceOf(StoreAway);
    expect(performance.now() - begun).toBeLessThan(onThisMachine(1000));
    expect(warnings).toHaveLength(1);
    await gate.reopen();
    await backAgain(kv);
    expect(await kv.get("a")).toBe("back");
  });

  test("a Redis that takes connections and says nothing is refused within 3 s and found again", async () => {
    const { kv, gate } = await openStore();
    await kv.set("a", "1", 60);
    gate.stall();
    const begun = performance.now();
    const outcomes = await Promise.allSettled(everyCall(kv).map((call) => call()));
    expect(outcomes.every(({ status, ...rest }) => "reason" in rest && rest.reason instanceof StoreAway)).toBe(true);
    expect(performance.now() - begun).toBeLessThan(onThisMachine(3000));
    // The next ones do not wait for the same silence.
    const again = performance.now();
    for (const call of everyCall(kv)) await expect(call()).rejects.toBeInstanceOf(StoreAway);
    expect(performance.now() - again).toBeLessThan(onThisMachine(1000));
    await gate.reopen();
    await backAgain(kv);
  });

  test("it may be away when the server starts", async () => {
    const gate = await openRedisProxy();
    await gate.shut();
    const kv = await redisStore(gate.url, { warn: () => undefined }, newPrefix());
    opened.push({ kv, gate });
    await expect(kv.get("a")).rejects.toBeInstanceOf(StoreAway);
    await gate.reopen();
    await backAgain(kv);
  });

  test("stopping does not wait for it", async () => {
    const { kv, gate } = await openStore();
    gate.stall();
    const waiting = kv.get("a").catch((error: unknown) => error);
    await kv.stop();
    expect(await waiting).toBeInstanceOf(StoreAway);
  });
});
