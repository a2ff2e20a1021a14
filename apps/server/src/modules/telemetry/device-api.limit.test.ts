import { setTimeout as wait } from "node:timers/promises";
import fastify from "fastify";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { deviceApiRoutes } from "./device-api.routes.ts";
import type { Uplink } from "./uplink.service.ts";

beforeEach(() => vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] }));
afterEach(() => vi.useRealTimers());

/** An endpoint whose database takes this long to find a device and to store its message. */
async function slowEndpoint(searchMs: number, storeMs: number) {
  const after = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));
  const uplink = {
    authenticate: () => after(searchMs).then(() => ({ id: "1" })),
    telemetry: () => after(storeMs).then(() => undefined),
  } as unknown as Uplink;
  const app = fastify();
  deviceApiRoutes(app, uplink, new AbortController().signal);
  await app.ready();
  return app;
}

test.each([
  { searchMs: 4000, storeMs: 4000, status: 503, afterMs: 5000 },
  { searchMs: 6000, storeMs: 0, status: 503, afterMs: 5000 },
  { searchMs: 0, storeMs: 6000, status: 503, afterMs: 5000 },
  { searchMs: 2000, storeMs: 2500, status: 200, afterMs: 4500 },
])(
  "the search for the device and the commit have 5 s together: $searchMs ms and $storeMs ms are answered with $status after $afterMs ms",
  async ({ searchMs, storeMs, status, afterMs }) => {
    const app = await slowEndpoint(searchMs, storeMs);
    const begun = performance.now();
    const answer = app.inject({ method: "POST", url: "/api/v1/token/telemetry", payload: "{}" }).then((reply) => ({
      status: reply.statusCode,
      // The request may reach its timer one or two steps late.
      afterMs: Math.round((performance.now() - begun) / 500) * 500,
    }));
    let isAnswered = false;
    answer.finally(() => {
      isAnswered = true;
    });
    // Advances in small steps, because the request's own work between them does not wait for the clock.
    while (!isAnswered) {
      await vi.advanceTimersByTimeAsync(100);
      await wait(0);
    }
    expect(await answer).toEqual({ status, afterMs });
    await app.close();
  },
);
