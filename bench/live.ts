// `npm run bench:live`: milliseconds from a device to a browser, with 2,000 messages a second and 1,000 open streams, beside a bare
// fan-out of the same messages to the same streams in this run. Ends with 1 when the bound is broken.
import { fork } from "node:child_process";
import { once } from "node:events";
import { cpus } from "node:os";
import { parseArgs } from "node:util";
import { tokenHashOf } from "../apps/server/src/modules/devices/index.ts";
import { goal } from "./goals.ts";
import { processorUs } from "./processor.ts";
import { openPlace, quantile, sessionsAt, startStreams, watchLateness } from "./stream-place.ts";

const { values: flags } = parseArgs({
  options: {
    rate: { type: "string", default: "2000" },
    streams: { type: "string", default: "1000" },
    devices: { type: "string", default: "500" },
    /** Devices that one stream follows. */
    follows: { type: "string", default: "2" },
    seconds: { type: "string", default: "10" },
    rounds: { type: "string", default: "3" },
  },
});
const [rate, streamCount, deviceCount, follows, rounds] = [
  Number(flags.rate),
  Number(flags.streams),
  Number(flags.devices),
  Number(flags.follows),
  Number(flags.rounds),
];
/** Bound of the acceptance, ms of 99 in 100. */
const p99Ms = 300;
/** A session opens at most 60 streams a minute. */
const streamsOfSession = 50;
const tenantId = "100002";
const calm = {
  t_in: 22.4,
  t_target: 22,
  rh: 65.5,
  co2: 1500,
  nh3: 8.2,
  dp: 12.5,
  mains: true,
  mode: "normal",
  pigs: 400,
};
const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

interface Figures {
  p50: number[];
  p99: number[];
  received: number[];
}
const figuresOf = (): Figures => ({ p50: [], p99: [], received: [] });

const place = await openPlace();
const bare = fork(new URL("bare-streams.ts", import.meta.url));
try {
  const [[linesPort, barePort]] = (await once(bare, "message")) as [[number, number]];
  const devices = Array.from({ length: deviceCount }, (_, at) => ({
    id: String(1_890_000_000_000_000_000n + BigInt(at)),
    token: `bench-live-${at}`,
    values: calm,
  }));
  await place.pool.query(
    `insert into devices (id, tenant_id, kind, name, serial_number, token_hash, farm_id, house_id, unit_id, activated_at, bound_at)
     select d.id, $4, 'environment', 'bench ' || d.id, 'B-' || d.id, d.hash, u.farm_id, u.house_id, u.id, now(), now()
       from (select u.id, u.house_id, h.farm_id from units u join pig_houses h on h.id = u.house_id where u.tenant_id = $4 limit 1) u,
            unnest($1::bigint[], $2::text[], $3::bytea[]) as d (id, token, hash)`,
    [
      devices.map(({ id }) => id),
      devices.map(({ token }) => token),
      devices.map(({ token }) => tokenHashOf(token)),
      tenantId,
    ],
  );
  // Each round has sessions of its own: a minute holds several rounds.
  const sessionsOfRound = () => sessionsAt(place.address, Math.ceil(streamCount / streamsOfSession));
  const idsOf = (at: number): string =>
    Array.from({ length: follows }, (_, step) => devices[(at * follows + step) % deviceCount]?.id).join(",");
  const streamsAt = (base: string, path: string, sessions: readonly Record<string, string>[]) =>
    Array.from({ length: streamCount }, (_, at) => ({
      url: `${base}${path}?ids=${idsOf(at)}`,
      headers: sessions[at % sessions.length] ?? {},
    }));

  const product = figuresOf();
  const ceiling = figuresOf();
  const late: number[] = [];
  let [ended, cpuServer, cpuDatabase, handed, cpuBare, handedBare, lost] = [0, 0, 0, 0, 0, 0, 0];
  const spent = async () => ({ ...(await place.processor()), bare: await processorUs(bare.pid) });
  const run = async (of: Figures, isProduct: boolean): Promise<void> => {
    const readers = await startStreams({
      role: "readers",
      streams: isProduct
        ? streamsAt(place.address, "/api/muyuan-iot/live", await sessionsOfRound())
        : streamsAt(`http://127.0.0.1:${barePort}`, "/live", [{}]),
    });
    const senders = await startStreams({
      role: "devices",
      wire: isProduct ? "mqtt" : "lines",
      port: isProduct ? place.server.mqttPort : linesPort,
      devices,
      rate,
    });
    await pause(3000);
    await Promise.all([readers.count(), senders.count()]);
    const lateness = watchLateness();
    const before = await spent();
    await pause(Number(flags.seconds) * 1000);
    const [read, sent] = await Promise.all([readers.count(), senders.count()]);
    const after = await spent();
    late.push(...lateness());
    of.p50.push(quantile(read.latenciesMs, 0.5));
    of.p99.push(quantile(read.latenciesMs, 0.99));
    of.received.push(read.received / Number(flags.seconds));
    ended += read.ended;
    if (isProduct) {
      cpuServer += after.server - before.server;
      cpuDatabase += after.database - before.database;
      handed += read.received;
      lost = Math.max(lost, sent.sent - sent.acknowledged);
    } else {
      cpuBare += after.bare - before.bare;
      handedBare += read.received;
    }
    await senders.stop();
    await readers.stop();
  };
  for (let round = 0; round < rounds; round += 1) {
    // In turn, so that what disturbs the machine meets both.
    await run(ceiling, false);
    await run(product, true);
  }
  const line = (name: string, { p50, p99, received }: Figures) =>
    console.log(
      `  ${name.padEnd(34)} median ${quantile(p50, 0.5).toFixed(0).padStart(5)} ms   99 in 100 ${quantile(p99, 0.5).toFixed(0).padStart(5)} ms   ${quantile(received, 0.5).toFixed(0).padStart(6)} events/s`,
    );
  console.log(
    `\n${cpus().length} cores shared with devices and browsers; ${rate} messages/s of ${deviceCount} devices`,
  );
  console.log(`${streamCount} streams that follow ${follows} devices each, medians of ${rounds} rounds\n`);
  line("device to browser", product);
  line("a bare fan-out", ceiling);
  console.log(
    `  a timer of this run was late by    median ${quantile(late, 0.5).toFixed(0).padStart(5)} ms   99 in 100 ${quantile(late, 0.99).toFixed(0).padStart(5)} ms`,
  );
  console.log(
    `  processor time of an event         server ${(cpuServer / handed).toFixed(0)} µs, database ${(cpuDatabase / handed).toFixed(0)} µs; bare ${(cpuBare / handedBare).toFixed(0)} µs`,
  );
  console.log(`  streams that ended by themselves   ${ended}; messages that waited for an acknowledgement ${lost}`);
  goal({
    name: `device to ${streamCount} browsers, 99 in 100`,
    measured: quantile(product.p99, 0.5),
    unit: "ms",
    limit: p99Ms,
    ceiling: { what: "a bare fan-out", measured: quantile(ceiling.p99, 0.5) },
  });
  if (quantile(product.p99, 0.5) > p99Ms || ended > 0) {
    console.log(`  BROKEN: 99 in 100 within ${p99Ms} ms, and no stream ends`);
    process.exitCode = 1;
  }
} finally {
  bare.disconnect();
  await place.close();
}
