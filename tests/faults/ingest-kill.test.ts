import { randomInt } from "node:crypto";
import { expect, test } from "vitest";
import { onThisMachine } from "../harness/time-limit.ts";
import { volume } from "../harness/volume.ts";
import { Load, openPlace } from "./load.ts";
import { type ServerProcess, startServerProcess } from "./server-process.ts";

const kills = volume({ short: 2, long: 20 });
/** Rows that are there before: a start may not take longer for them. */
const rowsBefore = volume({ short: 0, long: 1_000_000 });
const stops = volume({ short: 1, long: 3 });
/** The load flows between these times before a kill, in ms. */
const flowMs = { min: 300, max: 1100 };
const flow = () => new Promise((resolve) => setTimeout(resolve, randomInt(flowMs.min, flowMs.max)));

test(
  `kill -9 under load, ${kills} times: what was acknowledged is stored once, nothing is stored twice`,
  async () => {
    const place = await openPlace();
    const load = new Load();
    let server: ServerProcess | undefined;
    try {
      if (rowsBefore > 0) {
        await (await startServerProcess(place.environment)).stop();
        await place.read(
          `insert into telemetry (device_id, ts, packed)
         select d.id, date_trunc('day', now(), 'UTC') + n * interval '1 second' + interval '1 microsecond', ''
           from devices d cross join generate_series(1, ${rowsBefore} / (select count(*) from devices) + 1) as n`,
        );
      }
      const restarts: number[] = [];
      let firstMs = 0;
      let flowing = 0;
      for (let round = 0; round <= kills; round += 1) {
        server = await startServerProcess(place.environment);
        if (round === 0) firstMs = server.readyMs;
        else restarts.push(server.readyMs);
        await load.connect(server.mqttPort);
        await load.firstAck;
        const begun = performance.now();
        await flow();
        if (round < kills) await server.kill();
        flowing += performance.now() - begun;
        if (round === kills) {
          load.pause();
          await load.settled();
        }
        load.disconnect();
      }
      expect(await server?.stop()).toBe(0);
      const { stored, lost, doubled, unasked } = await load.judge(place);
      const perSecond = Math.round((load.sent / flowing) * 1000);
      console.log(
        `ingest-kill: ${load.sent} sent (${perSecond}/s), ${load.acknowledged.size} acknowledged, ${stored} stored, ` +
          `${lost} lost, ${doubled} doubled; ready after ${[firstMs, ...restarts].map(Math.round).join(", ")} ms`,
      );
      expect({ lost, doubled, unasked }).toEqual({ lost: 0, doubled: 0, unasked: 0 });
      // A test that hardly sent anything, or found nothing stored, would prove nothing.
      expect(perSecond).toBeGreaterThan(2000 / onThisMachine(1));
      expect(load.acknowledged.size).toBeGreaterThan(kills * 500);
      // A start after a kill is quicker than the first, which makes the database; what else runs may meet all but the quickest.
      expect(Math.min(...restarts)).toBeLessThan(firstMs);
    } finally {
      load.disconnect();
      await server?.kill();
      await place.remove();
    }
  },
  300_000 + kills * 15_000,
);

test(`SIGTERM under load, ${stops} times: it ends by itself within 10 s, and acknowledges all that it stored`, async () => {
  const place = await openPlace();
  const load = new Load();
  let server: ServerProcess | undefined;
  try {
    const took: number[] = [];
    for (let round = 0; round < stops; round += 1) {
      server = await startServerProcess(place.environment);
      await load.connect(server.mqttPort);
      await load.firstAck;
      await flow();
      const begun = performance.now();
      expect(await server.stop()).toBe(0);
      took.push(performance.now() - begun);
      load.pause();
      await load.closed();
    }
    const { stored, lost, doubled, unasked } = await load.judge(place);
    console.log(
      `ingest-stop: ${load.sent} sent, ${load.acknowledged.size} acknowledged, ${stored} stored; ` +
        `ended after ${Math.round(Math.max(...took))} ms at most`,
    );
    expect({ lost, doubled, unasked }).toEqual({ lost: 0, doubled: 0, unasked: 0 });
    // An acknowledgement may meet a network that is already gone; as a rule none does.
    expect(stored - load.acknowledged.size).toBeLessThan(onThisMachine(load.sent / 100));
    expect(Math.max(...took)).toBeLessThan(onThisMachine(10_000));
  } finally {
    load.disconnect();
    await server?.kill();
    await place.remove();
  }
});
