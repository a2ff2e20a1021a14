// `npm run bench:structure`: lists, levels and search of a tenant with 10,000 units. Ends with 1 when a bound is broken.

import { mkdtempSync } from "node:fs";
import { rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import pg from "pg";
import { startEmbeddedPostgres } from "../apps/server/src/database/embedded-postgres.ts";
import { silentLog } from "../apps/server/src/database/log.ts";
import { startServerProcess } from "../tests/faults/server-process.ts";
import { fromNewAddress, tokenOfDemo } from "../tests/harness/session.ts";

const { values: flags } = parseArgs({
  options: {
    houses: { type: "string", default: "200" },
    units: { type: "string", default: "10000" },
    rounds: { type: "string", default: "40" },
  },
});
const [houseCount, unitCount, rounds] = [Number(flags.houses), Number(flags.units), Number(flags.rounds)];
/** Bound of the acceptance. */
const p95Ms = 300;
/** Tenant of the demo account "farm". */
const tenantId = "100002";

const directory = mkdtempSync(join(tmpdir(), "herdwise-bench-"));
const postgres = await startEmbeddedPostgres({ directory: join(directory, "postgres"), log: silentLog });
const maintenance = new pg.Client({ connectionString: postgres.superuserUrl("postgres") });
await maintenance.connect();
await maintenance.query("create database bench");
await maintenance.end();
const url = postgres.superuserUrl("bench");
const server = await startServerProcess({
  DATA_DIR: join(directory, "data"),
  DATABASE_URL: url,
  NODE_ENV: "production",
  TRUST_PROXY: "127.0.0.1",
});
const pool = new pg.Pool({ connectionString: url, max: 4 });
const address = `http://127.0.0.1:${server.httpPort}`;
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
  await pool.query("analyze");
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
  ];
  console.log(`\n${unitCount} units in ${houseCount} houses, ${rounds} rounds\n`);
  for (const [name, path] of cases) {
    const times: number[] = [];
    let bytes = 0;
    for (let round = 0; round <= rounds; round += 1) {
      const from = performance.now();
      const answer = await fetch(`${address}/api/muyuan-farm/${path}`, {
        headers: { "Muyuan-Auth": `bearer ${token}`, ...fromNewAddress() },
      });
      const text = await answer.text();
      if (!answer.ok) throw new Error(`${path}: ${answer.status} ${text}`);
      // The first fills caches; it counts nowhere.
      if (round > 0) times.push(performance.now() - from);
      bytes = text.length;
    }
    times.sort((a, b) => a - b);
    const at = (share: number): number => times[Math.min(times.length - 1, Math.floor(times.length * share))] ?? 0;
    const holds = at(0.95) <= p95Ms;
    if (!holds) broken = true;
    console.log(
      `  ${name.padEnd(40)} ${String(Math.round(bytes / 1024)).padStart(6)} kB   median ${at(0.5).toFixed(0).padStart(4)} ms   p95 ${at(0.95).toFixed(0).padStart(4)} ms${holds ? "" : "   TOO SLOW"}`,
    );
  }
} finally {
  await pool.end();
  await server.stop();
  await postgres.stop();
  await rm(directory, { recursive: true, force: true });
}
process.exitCode = broken ? 1 : 0;
