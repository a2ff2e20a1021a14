import { randomUUID } from "node:crypto";
import { describe, expect, test, vi } from "vitest";
import { openRedisProxy, redisAnswers, redisUrl } from "../../../../tests/harness/redis.ts";
import { type BusMessages, memoryBus, redisBus } from "./bus.ts";

const readings = (n: number): BusMessages["readings"] => [{ deviceId: "1", readings: { t_in: { value: n, ts: n } } }];

test("in memory each listener hears each message of its topic, in order", async () => {
  const bus = memoryBus();
  const heard: unknown[] = [];
  bus.subscribe("readings", (message) => heard.push(message));
  bus.subscribe("sessionEnded", (message) => heard.push(message));
  bus.publish("readings", readings(1));
  bus.publish("sessionEnded", { sessionId: "s" });
  expect(heard).toEqual([readings(1), { sessionId: "s" }]);
  await bus.stop();
});

describe.skipIf(!redisAnswers)("Redis", () => {
  const log = { warn: () => undefined };

  test("two servers hear each other, each message once, and no stranger", async () => {
    const prefix = `herdwise-test:${randomUUID()}`;
    const [a, b, stranger] = await Promise.all([
      redisBus(redisUrl, log, prefix),
      redisBus(redisUrl, log, prefix),
      redisBus(redisUrl, log, `${prefix}-other`),
    ]);
    const heard = { a: [] as unknown[], b: [] as unknown[], stranger: [] as unknown[] };
    for (const [name, bus] of Object.entries({ a, b, stranger })) {
      for (const topic of ["readings", "presence", "sessionEnded"] as const) {
        bus.subscribe(topic, (message) => heard[name as keyof typeof heard].push(message));
      }
    }
    for (let n = 0; n < 100; n += 1) a.publish("readings", readings(n));
    b.publish("presence", { deviceId: "1", status: "online", connected: true });
    b.publish("sessionEnded", { sessionId: "s" });
    await vi.waitFor(() => {
      expect(heard.a).toHaveLength(102);
      expect(heard.b).toHaveLength(102);
    });
    expect(heard.b.filter((message) => Array.isArray(message))).toEqual(
      Array.from({ length: 100 }, (_, n) => readings(n)),
    );
    expect(heard.stranger).toEqual([]);
    await Promise.all([a.stop(), b.stop(), stranger.stop()]);
  });

  test("two installations in two databases of one Redis do not hear each other", async () => {
    const inDatabase = (number: number) => Object.assign(new URL(redisUrl), { pathname: `/${number}` }).href;
    const [own, same, other] = await Promise.all([
      redisBus(inDatabase(14), log),
      redisBus(inDatabase(14), log),
      redisBus(inDatabase(15), log),
    ]);
    const heard: string[] = [];
    own.subscribe("sessionEnded", ({ sessionId }) => heard.push(sessionId));
    other.publish("sessionEnded", { sessionId: "other" });
    await other.stop();
    same.publish("sessionEnded", { sessionId: "same" });
    await vi.waitFor(() => expect(heard).toEqual(["same"]));
    await Promise.all([own.stop(), same.stop()]);
  });

  test("while Redis is away a server hears itself, warns once, and then finds the other again", async () => {
    const prefix = `herdwise-test:${randomUUID()}`;
    const gate = await openRedisProxy();
    const warnings: string[] = [];
    const a = await redisBus(gate.url, { warn: (_context, text) => warnings.push(text) }, prefix);
    const b = await redisBus(redisUrl, log, prefix);
    const heard = { a: [] as number[], b: [] as number[] };
    a.subscribe("readings", ([first]) => heard.a.push(first?.readings.t_in?.ts ?? -1));
    b.subscribe("readings", ([first]) => heard.b.push(first?.readings.t_in?.ts ?? -1));
    const gaps: string[] = [];
    a.onGap(() => gaps.push("a"));
    b.onGap(() => gaps.push("b"));
    a.publish("readings", readings(1));
    await vi.waitFor(() => expect(heard.b).toEqual([1]));

    await gate.shut();
    await vi.waitFor(() => expect(warnings).toHaveLength(1));
    for (let n = 0; n < 1000; n += 1) a.publish("readings", readings(2));
    b.publish("readings", readings(3));
    expect(heard.a).toHaveLength(1001);
    expect(warnings).toHaveLength(1);

    await gate.reopen();
    await vi.waitFor(
      () => {
        a.publish("readings", readings(4));
        b.publish("readings", readings(5));
        expect(heard.a).toContain(5);
        expect(heard.b).toContain(4);
      },
      { timeout: 8000 },
    );
    // What happened meanwhile is in the database; nobody gets it late.
    expect(heard.b).not.toContain(2);
    // Neither heard the other meanwhile, and the one whose connection broke tells it.
    await vi.waitFor(() => expect(new Set(gaps)).toEqual(new Set(["a", "b"])));
    await Promise.all([a.stop(), b.stop()]);
    await gate.shut();
  });

  test("a Redis that takes connections and says nothing is left, and found again", async () => {
    const prefix = `herdwise-test:${randomUUID()}`;
    const gate = await openRedisProxy();
    const warnings: string[] = [];
    const a = await redisBus(gate.url, { warn: (_context, text) => warnings.push(text) }, prefix);
    const b = await redisBus(redisUrl, log, prefix);
    const heard = { a: 0, b: 0 };
    a.subscribe("sessionEnded", ({ sessionId }) => {
      if (sessionId === "b") heard.a += 1;
    });
    b.subscribe("sessionEnded", ({ sessionId }) => {
      if (sessionId === "a") heard.b += 1;
    });
    gate.stall();
    await vi.waitFor(
      () => {
        // A server that always has something to say.
        a.publish("sessionEnded", { sessionId: "a" });
        expect(warnings).toContain("Redis is away");
      },
      { timeout: 15_000, interval: 20 },
    );
    await gate.reopen();
    Object.assign(heard, { a: 0, b: 0 });
    await vi.waitFor(
      () => {
        a.publish("sessionEnded", { sessionId: "a" });
        b.publish("sessionEnded", { sessionId: "b" });
        expect(heard.a * heard.b).toBeGreaterThan(0);
      },
      { timeout: 15_000, interval: 20 },
    );
    await Promise.all([a.stop(), b.stop()]);
    await gate.shut();
  });

  test("a server starts without Redis and finds it later", async () => {
    const prefix = `herdwise-test:${randomUUID()}`;
    const gate = await openRedisProxy();
    await gate.shut();
    const a = await redisBus(gate.url, log, prefix);
    const b = await redisBus(redisUrl, log, prefix);
    const heard: unknown[] = [];
    a.subscribe("sessionEnded", (message) => heard.push(message));
    await gate.reopen();
    await vi.waitFor(
      () => {
        b.publish("sessionEnded", { sessionId: "s" });
        expect(heard.length).toBeGreaterThan(0);
      },
      { timeout: 8000 },
    );
    await Promise.all([a.stop(), b.stop()]);
    await gate.shut();
  });
});
