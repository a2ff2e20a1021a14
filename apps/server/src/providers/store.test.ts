import { randomUUID } from "node:crypto";
import { connect } from "node:net";
import { afterAll, describe, expect, test } from "vitest";
import { memoryStore, redisStore, type Store } from "./store.ts";

const redisUrl = "redis://127.0.0.1:6379";
const redisAnswers = await new Promise<boolean>((resolve) => {
  const socket = connect(6379, "127.0.0.1", () => {
    socket.destroy();
    resolve(true);
  });
  socket.on("error", () => resolve(false));
});

const stores: [string, boolean, () => Promise<Store>][] = [
  ["memory", true, async () => memoryStore()],
  ["redis", redisAnswers, () => redisStore(redisUrl, { warn: () => undefined }, `herdwise-test:${randomUUID()}:`)],
];

describe.each(stores)("%s", (_name, available, open) => {
  const opened = available ? open() : undefined;
  const store = async (): Promise<Store> => {
    if (opened === undefined) throw new Error("not available");
    return opened;
  };
  afterAll(async () => (await opened)?.stop());

  test.skipIf(!available)("of 100 takers one gets the value", async () => {
    const kv = await store();
    await kv.set("a", "once", 60);
    const taken = await Promise.all(Array.from({ length: 100 }, () => kv.take("a")));
    expect(taken.filter((value) => value === "once")).toHaveLength(1);
    expect(await kv.get("a")).toBeUndefined();
  });

  test.skipIf(!available)("of 100 adders one wins", async () => {
    const kv = await store();
    const added = await Promise.all(Array.from({ length: 100 }, (_, at) => kv.add("b", String(at), 60)));
    expect(added.filter(Boolean)).toHaveLength(1);
  });

  test.skipIf(!available)("a swap needs the expected value", async () => {
    const kv = await store();
    await kv.set("c", "1", 60);
    const swapped = await Promise.all(["2", "3", "4"].map((value) => kv.swap("c", "1", value)));
    expect(swapped.filter(Boolean)).toHaveLength(1);
    expect(await kv.swap("missing", "", "x")).toBe(false);
  });

  test.skipIf(!available)("counting is exact, and values end with their lifetime", async () => {
    const kv = await store();
    const sums = await Promise.all(Array.from({ length: 50 }, () => kv.count("d", 60)));
    expect([...sums].sort((a, b) => a - b)).toEqual(Array.from({ length: 50 }, (_, at) => at + 1));
    await kv.set("e", "short", 1);
    await kv.count("f", 1);
    await expect.poll(() => kv.get("e"), { timeout: 5000 }).toBeUndefined();
    await expect.poll(() => kv.get("f"), { timeout: 5000 }).toBeUndefined();
  });
});

test("memory is bounded", async () => {
  const kv = memoryStore();
  for (let at = 0; at < 200_010; at += 1) await kv.set(`k${at}`, "x", 60);
  expect(await kv.get("k0")).toBeUndefined();
  expect(await kv.get("k200009")).toBe("x");
  await kv.stop();
});
