// `npm run bench:structure`: lists, levels and search of a tenant with 10,000 units and 100,000 devices, the overviews of all kinds,
// the warning centre and the cards of the home page. Ends with 1 when a bound is broken.

import { parseArgs } from "node:util";
import { type DeviceKindId, deviceKindIds } from "@herdwise/contract";
import { deviceKinds } from "@herdwise/device-kinds";
import { fromNewAddress, tokenOfDemo } from "../tests/harness/session.ts";
import { goal } from "./goals.ts";
import { openPlace } from "./stream-place.ts";

const { values: flags } = parseArgs({
  options: {
    houses: { type: "string", default: "200" },
    units: { type: "string", default: "10000" },
    devices: { type: "string", default: "100000" },
    rounds: { type: "string", default: "40" },
    /** Only the cases whose name holds this. */
    only: { type: "string", default: "" },
  },
});
const [houseCount, unitCount, rounds] = [Number(flags.houses), Number(flags.units), Number(flags.rounds)];
/** Shares of the devices: kinds of units in all units, the others at houses. */
const shares: Readonly<Record<DeviceKindId, number>> = {
  environment: 0.1,
  temperature: 0.4,
  cough: 0.3,
  disinfect: 0.1,
  deodorization: 0.02,
  "bungalow-deodorization": 0.02,
  bathroom: 0.02,
  "dosing-station": 0.01,
  weighbridge: 0.01,
  needleless: 0.02,
};
/** Bound of the acceptance. */
const p95Ms = 300;
/** Tenant of the demo account "farm". */
const tenantId = "100002";

const { pool, address, processor, close } = await openPlace();
let broken = false;

try {
  const farmId = "1790000000000000001";
  await pool.query(
    "insert into farms (id, tenant_id, code, name, type, region_code) values ($1, $2, 'BENCH', '万单元场', 'commercial', '411325')",
    [farmId, tenantId],
  );
  await pool.query(
    `insert into pig_houses (id, tenant_id, farm_id, code, name, pigsty_type, sort)
     select 1790000000000100000 + n, $2, $1, 'B-' || n, n || ' 号舍', 'fattening', n from generate_series(1, $3::int) n`,
    [farmId, tenantId, houseCount],
  );
  // One house has a tenth of them: no tree opens a longer level.
  await pool.query(
    `insert into units (id, tenant_id, house_id, code, name, pigsty_type, capacity, sort)
     select 1790000000001000000 + n, $1, 1790000000000100000 + case when n <= $3::int / 10 then 1 else 1 + n % $2::int end,
            'B-U-' || n, n || ' 单元', 'fattening', 500, n from generate_series(1, $3::int) n`,
    [tenantId, houseCount, unitCount],
  );
  await pool.query(
    `insert into inventory_movements (id, tenant_id, unit_id, kind, category, heads, happened_at)
     select 1790000000010000000 + n, $1, 1790000000001000000 + 1 + n % $2::int, 'arrival', 'fattener', 100, now() - n * interval '1 second'
       from generate_series(1, $2::int * 3) n`,
    [tenantId, unitCount],
  );
  for (const [at, kind] of deviceKindIds.entries()) {
    const count = Math.round(Number(flags.devices) * shares[kind]);
    const { channels, pages } = deviceKinds[kind];
    const values = Object.fromEntries(
      channels.map(({ key, type, normal }) => [
        key,
        type === "number" ? (normal?.[0] ?? 20) + 0.1 : type === "boolean" ? true : "normal",
      ]),
    );
    const firstId = `18${at}0000000000000000`;
    await pool.query(
      `insert into devices (id, tenant_id, kind, name, serial_number, farm_id, house_id, unit_id, activated_at, bound_at, firmware_version)
       select $1::bigint + n, $2::text, $3::text, $3 || ' ' || n, 'B-' || $3 || '-' || n, $4::bigint,
              case when $6 then 1790000000000100000 + 1 + n % $8::int else u.house_id end, case when $6 then null else u.id end, now(), now(), '1.0.' || n % 7
         from generate_series(1, $5::int) n join units u on u.id = 1790000000001000000 + 1 + n % $7::int`,
      [firstId, tenantId, kind, farmId, count, pages?.ofFarm === true && kind !== "disinfect", unitCount, houseCount],
    );
    // One in twenty is silent.
    await pool.query(
      `with told as (
         insert into device_readings (device_id, readings, newest_at)
         select d.id, (select jsonb_object_agg(key, jsonb_build_object('value', value, 'ts', (extract(epoch from now()) * 1000)::bigint)) from jsonb_each($2)), now()
           from devices d where d.kind = $1 and d.tenant_id = $3 and d.id >= $4::bigint
         on conflict do nothing)
       insert into device_states (device_id, reported_at, online_until, connected)
       select d.id, now(), now() + case when d.id % 20 = 0 then interval '-1 hour' else interval '1 day' end, true
         from devices d where d.kind = $1 and d.tenant_id = $3 and d.id >= $4::bigint
       on conflict do nothing`,
      [kind, JSON.stringify(values), tenantId, firstId],
    );
    // One in a hundred has an open alarm, and each had two that are over.
    const rule = deviceKinds[kind].alarmRules[0]?.id ?? "offline";
    await pool.query(
      `insert into alarms (id, tenant_id, device_id, kind, rule_id, severity, facts, farm_id, house_id, unit_id, since_at, raised_at, ended_at)
       select $5::bigint + 100000000 + 4 * (d.id - $5::bigint) + n, $3, d.id, d.kind, $2, 1 + d.id % 4, '{}', d.farm_id, d.house_id, d.unit_id,
              now() - n * interval '1 day', now() - n * interval '1 day', case when n > 0 then now() - n * interval '1 day' + interval '1 hour' end
         from devices d cross join generate_series(0, 2) n
        where d.kind = $1 and d.tenant_id = $3 and d.id > $4::bigint and (n > 0 or d.id % 100 = 0)`,
      [kind, rule, tenantId, firstId, firstId],
    );
  }
  await pool.query("vacuum analyze");
  const { access_token: token } = await tokenOfDemo(address, "farm");
  const cases: readonly (readonly [name: string, path: string])[] = [
    ["units, as they open", "unit/page?size=20"],
    ["units, page in the middle", `unit/page?size=20&current=${Math.floor(unitCount / 40)}`],
    ["units of a house", "unit/page?size=100&houseId=1790000000000100001"],
    ["units by a word", `unit/page?size=20&keyword=${encodeURIComponent("99 单元")}`],
    ["houses, as they open", "house/page?size=20"],
    ["level: farms", "structure/list"],
    [`level: ${houseCount} houses`, `structure/list?farmId=${farmId}`],
    ["level: a tenth of all units in one house", "structure/list?houseId=1790000000000100001"],
    ["level: units of another house", "structure/list?houseId=1790000000000100009"],
    ["search: a code", "structure/search?keyword=B-U-9999"],
    ["search: a word of many", `structure/search?keyword=${encodeURIComponent("单元")}`],
    ["whole tree", "tree/list"],
    ["ledger of the farm", `inventory/page?farmId=${farmId}`],
    ["curve of the farm", `inventory/history?farmId=${farmId}`],
    ["devices, as they open", "/api/muyuan-iot/device/page?size=20"],
    ["registry, as it opens", "/api/muyuan-iot/registry/page?size=20"],
    [
      "registry, page in the middle",
      `/api/muyuan-iot/registry/page?size=20&current=${Math.floor(Number(flags.devices) / 40)}`,
    ],
    ["registry, offline", "/api/muyuan-iot/registry/page?size=20&status=offline"],
    ["registry, a word", "/api/muyuan-iot/registry/page?size=20&keyword=B-cough-999"],
    [
      "devices, page in the middle",
      `/api/muyuan-iot/device/page?size=20&current=${Math.floor(Number(flags.devices) / 40)}`,
    ],
    ["devices of a kind", "/api/muyuan-iot/device/page?size=20&kind=environment"],
    ["devices offline", "/api/muyuan-iot/device/page?size=20&status=offline"],
    ["devices online", "/api/muyuan-iot/device/page?size=20&status=online"],
    ["devices by a word", "/api/muyuan-iot/device/page?size=20&name=B-cough-999"],
    ["devices of a unit", "/api/muyuan-iot/device/page?size=50&unitId=1790000000001000077"],
    ["unit", "/api/muyuan-farm/unit/overview?id=1790000000001000077"],
    ["device counts of the home page", "/api/muyuan-iot/device/counts"],
    ...deviceKindIds.flatMap((kind) => {
      const path = `/api/muyuan-iot/overview/list?kind=${kind}`;
      return [
        [`overview ${kind}`, path],
        [`overview ${kind}, a house`, `${path}&place=1790000000000100009`],
      ] as const;
    }),
    ["alarms, open", "/api/muyuan-iot/alarm/open"],
    ["alarms, counts", "/api/muyuan-iot/alarm/counts"],
    ["alarms, log", "/api/muyuan-iot/alarm/page?size=20"],
    ["alarms, log, cleared of a kind", "/api/muyuan-iot/alarm/page?size=20&state=cleared&kind=cough"],
    ["alarms, statistics", "/api/muyuan-iot/alarm/statistics"],
  ];
  console.log(`\n${unitCount} units in ${houseCount} houses, ${rounds} rounds\n`);
  for (const [name, path] of cases.filter(([name]) => name.includes(flags.only))) {
    const times: number[] = [];
    let bytes = 0;
    let before = await processor();
    for (let round = 0; round <= rounds; round += 1) {
      const from = performance.now();
      const answer = await fetch(`${address}${path.startsWith("/") ? path : `/api/muyuan-farm/${path}`}`, {
        headers: { "Muyuan-Auth": `bearer ${token}`, ...fromNewAddress() },
      });
      const text = await answer.text();
      if (!answer.ok) throw new Error(`${path}: ${answer.status} ${text}`);
      // The first fills caches; it counts nowhere.
      if (round > 0) times.push(performance.now() - from);
      else before = await processor();
      bytes = text.length;
    }
    times.sort((a, b) => a - b);
    const at = (share: number): number => times[Math.min(times.length - 1, Math.floor(times.length * share))] ?? 0;
    const holds = at(0.95) <= p95Ms;
    const after = await processor();
    const per = (us: number): string => (us / 1000 / rounds).toFixed(0).padStart(4);
    goal({ name: `${name}, ${unitCount} units, p95`, measured: at(0.95), unit: "ms", limit: p95Ms });
    if (!holds) broken = true;
    console.log(
      `  ${name.padEnd(40)} ${String(Math.round(bytes / 1024)).padStart(6)} kB   median ${at(0.5).toFixed(0).padStart(4)} ms   p95 ${at(0.95).toFixed(0).padStart(4)} ms   processor: server ${per(after.server - before.server)} ms, database ${per(after.database - before.database)} ms${holds ? "" : "   TOO SLOW"}`,
    );
  }
} finally {
  await close();
}
process.exitCode = broken ? 1 : 0;
