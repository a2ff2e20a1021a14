// `npm run bench:fleet`: 10,000 devices that report once a minute beside screens in use: how long queries of pages take, how soon a value
// and an alarm are in a browser. 30 minutes, or --minutes of them. Ends with 1 when a bound is broken.
import { once } from "node:events";
import { get, type IncomingMessage } from "node:http";
import { cpus } from "node:os";
import { parseArgs } from "node:util";
import type { AlarmEvent, DeviceKindId } from "@herdwise/contract";
import { deviceKinds } from "@herdwise/device-kinds";
import { tokenHashOf } from "../apps/server/src/modules/devices/index.ts";
import { WirePublisher } from "../tests/faults/mqtt-wire.ts";
import { goodUnit } from "../tests/harness/good-unit.ts";
import { goal } from "./goals.ts";
import { openPlace, quantile, sessionsAt, startStreams, watchLateness } from "./stream-place.ts";

const { values: flags } = parseArgs({
  options: {
    minutes: { type: "string", default: "30" },
    devices: { type: "string", default: "10000" },
    /** People at their screens: each has a stream of a unit's devices and asks for something every two seconds. */
    people: { type: "string", default: "50" },
    /** Seconds between two alarms. */
    alarms: { type: "string", default: "5" },
  },
});
const [minutes, deviceCount, people, alarmS] = [
  Number(flags.minutes),
  Number(flags.devices),
  Number(flags.people),
  Number(flags.alarms),
];
/** Bounds of the acceptance, ms. */
const bounds = { queryP95: 150, valueP99: 500, alarm: 1000 };
const reportS = 60;
const askEveryMs = 2000;
const tenantId = "100002";
const perUnit = 10;
const [houseCount, unitCount] = [40, Math.ceil(deviceCount / perUnit)];
/** One controller in each unit, and what stands beside it. */
const kinds: readonly DeviceKindId[] = [
  "environment",
  ...Array.from({ length: 4 }, () => "temperature" as const),
  ...Array.from({ length: 3 }, () => "cough" as const),
  ...Array.from({ length: 2 }, () => "disinfect" as const),
];
const farmId = "1790000000000000001";
const unitIdOf = (unit: number): string => String(1_790_000_000_001_000_000n + BigInt(unit));
const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

/** What a calm device of a kind tells, so that nothing but what is meant raises an alarm. */
const calmOf = (kind: DeviceKindId): Record<string, unknown> => {
  if (kind === "environment") return goodUnit;
  const told = deviceKinds[kind].channels.filter(({ type, normal }) => type === "number" && normal !== undefined);
  return Object.fromEntries(
    told.slice(0, 10).map(({ key, normal: [from, to] = [0, 0] }) => [key, Math.round(((from + to) / 2) * 10) / 10]),
  );
};
const calm = new Map([...new Set(kinds)].map((kind) => [kind, calmOf(kind)]));

const place = await openPlace();
const broken: string[] = [];
try {
  const { pool, address } = place;
  await pool.query(
    "insert into farms (id, tenant_id, code, name, type, region_code) values ($1, $2, 'BENCH', '万台场', 'commercial', '411325')",
    [farmId, tenantId],
  );
  await pool.query(
    `insert into pig_houses (id, tenant_id, farm_id, code, name, pigsty_type, sort)
     select 1790000000000100000 + n, $2, $1, 'B-' || n, n || ' 号舍', 'fattening', n from generate_series(0, $3::int - 1) n`,
    [farmId, tenantId, houseCount],
  );
  await pool.query(
    `insert into units (id, tenant_id, house_id, code, name, pigsty_type, capacity, sort)
     select 1790000000001000000 + n, $1, 1790000000000100000 + n % $2::int, 'B-U-' || n, n || ' 单元', 'fattening', 500, n
       from generate_series(0, $3::int - 1) n`,
    [tenantId, houseCount, unitCount],
  );
  /** Controllers that are silent until they tell of gas; what others report in between would end it. */
  const alarmCount = Math.ceil((minutes * 60) / alarmS);
  const all = Array.from({ length: deviceCount + alarmCount }, (_, at) => {
    const kind = at < deviceCount ? (kinds[at % perUnit] as DeviceKindId) : "environment";
    return {
      id: String(1_890_000_000_000_000_000n + BigInt(at)),
      unit: Math.floor((at % deviceCount) / perUnit),
      kind,
      token: `bench-fleet-${at}`,
      values: calm.get(kind) ?? {},
    };
  });
  const devices = all.slice(0, deviceCount);
  const alarmed = all.slice(deviceCount);
  await pool.query(
    `insert into devices (id, tenant_id, kind, name, serial_number, token_hash, farm_id, house_id, unit_id, activated_at, bound_at)
     select d.id, $5, d.kind, d.kind || ' ' || d.id, 'B-' || d.id, d.hash, $6, u.house_id, u.id, now(), now()
       from unnest($1::bigint[], $2::text[], $3::bytea[], $4::bigint[]) as d (id, kind, hash, unit_id) join units u on u.id = d.unit_id`,
    [
      all.map(({ id }) => id),
      all.map(({ kind }) => kind),
      all.map(({ token }) => tokenHashOf(token)),
      all.map(({ unit }) => unitIdOf(unit)),
      tenantId,
      farmId,
    ],
  );
  await pool.query("vacuum analyze");
  const sessions = await sessionsAt(address, people);
  const followedOf = (person: number): string[] => {
    const unit = Math.floor((person * unitCount) / people);
    return devices.slice(unit * perUnit, (unit + 1) * perUnit).map(({ id }) => id);
  };
  const readers = await startStreams({
    role: "readers",
    streams: sessions.map((headers, person) => ({
      url: `${address}/api/muyuan-iot/live?ids=${followedOf(person).join(",")}`,
      headers,
    })),
  });
  const senders = await startStreams({
    role: "devices",
    wire: "mqtt",
    port: place.server.mqttPort,
    devices,
    rate: deviceCount / reportS,
  });

  /** Alarms that were asked for: when the message went that raises it, by its device. */
  const asked = new Map<string, number>();
  const alarmMs: number[] = [];
  const request = get(`${address}/api/muyuan-iot/alarm/live`, {
    headers: { ...sessions[0], Accept: "text/event-stream" },
  });
  const [alarmStream] = (await once(request, "response")) as [IncomingMessage];
  if (alarmStream.statusCode !== 200) throw new Error(`the stream of alarms was answered ${alarmStream.statusCode}`);
  let rest = "";
  alarmStream.setEncoding("utf8");
  alarmStream.on("error", () => undefined);
  alarmStream.on("data", (chunk: string) => {
    const parts = (rest + chunk).split("\n\n");
    rest = parts.pop() ?? "";
    for (const part of parts) {
      const data = part.split("\n").find((line) => line.startsWith("data: "));
      if (data === undefined) continue;
      const event = JSON.parse(data.slice(6)) as AlarmEvent;
      if (event.type !== "alarm" || event.alarm.ruleId !== "hydrogen_sulfide_danger") continue;
      const from = asked.get(event.alarm.deviceId);
      if (from === undefined) continue;
      asked.delete(event.alarm.deviceId);
      alarmMs.push(performance.now() - from);
    }
  });

  /** Each screen's questions, in the order in which a person comes by them. */
  const questions = (person: number): readonly (readonly [name: string, path: string])[] => {
    const [followed = ""] = followedOf(person);
    const unitId = unitIdOf(Math.floor((person * unitCount) / people));
    const day = new URLSearchParams({
      ids: followed,
      keys: "t_in,rh",
      start: String(Date.now() - 86_400_000),
      end: String(Date.now()),
    });
    return [
      ["counts of the home page", "/api/muyuan-iot/device/counts"],
      ["open alarms", "/api/muyuan-iot/alarm/open"],
      ["overview of climate", "/api/muyuan-iot/overview/list?kind=environment"],
      [
        "overview of a house",
        `/api/muyuan-iot/overview/list?kind=environment&place=${1_790_000_000_000_100_000n + BigInt(person % houseCount)}`,
      ],
      ["a unit", `/api/muyuan-farm/unit/overview?id=${unitId}`],
      ["devices of a unit", `/api/muyuan-iot/device/page?size=50&unitId=${unitId}`],
      ["a chart of a day", `/api/muyuan-iot/telemetry/series?${day}`],
      ["devices, as they open", "/api/muyuan-iot/device/page?size=20"],
      ["registry, as it opens", "/api/muyuan-iot/registry/page?size=20"],
      ["log of alarms", "/api/muyuan-iot/alarm/page?size=20"],
    ];
  };
  const times = new Map<string, number[]>();
  let isOver = false;
  const sit = async (headers: Record<string, string>, person: number): Promise<void> => {
    await pause((person / people) * askEveryMs);
    for (let turn = person; !isOver; turn += 1) {
      const list = questions(person);
      const [name, path] = list[turn % list.length] as readonly [string, string];
      const from = performance.now();
      const answer = await fetch(address + path, { headers });
      const text = await answer.text();
      if (!answer.ok) throw new Error(`${path}: ${answer.status} ${text}`);
      times.set(name, [...(times.get(name) ?? []), performance.now() - from]);
      await pause(Math.max(0, askEveryMs - (performance.now() - from)));
    }
  };
  /**
   * A controller tells of gas twice, more than a minute apart by its own clock, which is 35 s ahead the second time: that message
   * raises the alarm, and the server's clock does not before.
   */
  let raised = 0;
  const raise = async (): Promise<void> => {
    for (; !isOver && raised < alarmed.length; raised += 1) {
      const device = alarmed[raised] as (typeof alarmed)[number];
      let acknowledged: () => void = () => undefined;
      const { publisher } = await WirePublisher.open(place.server.mqttPort, device.token, "gas", {
        onPuback: () => acknowledged(),
      });
      const tell = (ts: number) =>
        new Promise<void>((resolve) => {
          acknowledged = resolve;
          publisher.publish("v1/devices/me/telemetry", JSON.stringify({ ts, values: { ...device.values, h2s: 12 } }));
        });
      await tell(Date.now() - 30_000);
      // The rules have taken the device up.
      await pause(2000);
      asked.set(device.id, performance.now());
      await tell(Date.now() + 35_000);
      publisher.close();
      await pause(Math.max(0, alarmS - 2) * 1000);
    }
  };

  // All have reported once, and caches are filled.
  await pause(Math.min(reportS, minutes * 20) * 1000);
  await Promise.all([readers.count(), senders.count()]);
  const lateness = watchLateness();
  const before = await place.processor();
  const work = [...sessions.map(sit), raise()];
  const failed = Promise.all(work);
  failed.catch(() => undefined);
  await Promise.race([pause(minutes * 60_000), failed]);
  const [read, sent] = await Promise.all([readers.count(), senders.count()]);
  const after = await place.processor();
  const late = lateness();
  isOver = true;
  await failed;
  await pause(3000);

  const seconds = minutes * 60;
  const queries = [...times.values()].flat();
  const figure = (value: number): string => value.toFixed(0).padStart(6);
  console.log(
    `\n${cpus().length} cores shared with devices and browsers; ${deviceCount} devices that report every ${reportS} s, ${minutes} minutes`,
  );
  console.log(`${people} people with a stream each and a question every ${askEveryMs / 1000} s\n`);
  for (const [name, list] of times)
    console.log(
      `  ${name.padEnd(28)} median ${figure(quantile(list, 0.5))} ms   p95 ${figure(quantile(list, 0.95))} ms   ${list.length} times`,
    );
  const tell = (name: string, list: readonly number[], share: number, bound: number): void => {
    const value = quantile(list, share);
    const holds = value <= bound;
    goal({
      name: `${name} at ${deviceCount} devices, ${share === 1 ? "the slowest" : `p${share * 100}`}`,
      measured: value,
      unit: "ms",
      limit: bound,
    });
    if (!holds) broken.push(name);
    console.log(
      `  ${name.padEnd(28)} median ${figure(quantile(list, 0.5))} ms   ${share === 1 ? "max" : `p${share * 100}`} ${figure(value)} ms   of ${bound} ms${holds ? "" : "   BROKEN"}`,
    );
  };
  console.log("");
  tell("queries of pages", queries, 0.95, bounds.queryP95);
  tell("device to browser", read.latenciesMs, 0.99, bounds.valueP99);
  tell("alarm to browser", alarmMs, 1, bounds.alarm);
  console.log(`  alarms: ${raised} raised, ${alarmMs.length} told`);
  console.log(
    `  ${(sent.sent / seconds).toFixed(0)} messages/s, of which ${sent.sent - sent.acknowledged} wait for an acknowledgement; ${(read.received / seconds).toFixed(0)} events/s; streams that ended ${read.ended}`,
  );
  console.log(
    `  processor: server ${((after.server - before.server) / seconds / 10_000).toFixed(0)} % of a core, database ${((after.database - before.database) / seconds / 10_000).toFixed(0)} %; a timer of this run was late by p95 ${figure(quantile(late, 0.95))} ms, p99 ${figure(quantile(late, 0.99))} ms`,
  );
  if (alarmMs.length < raised) broken.push("an alarm was not told");
  if (read.ended > 0) broken.push("a stream ended");
  alarmStream.destroy();
  await senders.stop();
  await readers.stop();
} finally {
  await place.close();
}
for (const what of broken) console.log(`  BROKEN: ${what}`);
process.exit(broken.length > 0 ? 1 : 0);
