// `npm run bench:customers`: 200,000 customers and 1,000,000 orders as the group's staff list and search them: p95 of pages, queues, filters,
// words, whole phones, ID numbers and credit codes over HTTP. Ends with 1 when a bound is broken.

import { mkdtempSync } from "node:fs";
import { rm } from "node:fs/promises";
import { cpus, tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import pg from "pg";
import { startEmbeddedPostgres } from "../apps/server/src/database/embedded-postgres.ts";
import { silentLog } from "../apps/server/src/database/log.ts";
import { createPersonalCipher } from "../apps/server/src/personal-cipher.ts";
import { startServerProcess } from "../tests/faults/server-process.ts";
import { tokenOfDemo } from "../tests/harness/session.ts";

const { values: flags } = parseArgs({
  options: {
    customers: { type: "string", default: "200000" },
    orders: { type: "string", default: "1000000" },
    asks: { type: "string", default: "60" },
  },
});
const [count, orders, asks] = [Number(flags.customers), Number(flags.orders), Number(flags.asks)];
/** Bound of the acceptance for whole numbers, and twice it for what is listed and counted, ms. */
const bounds = { number: 100, list: 200 };
const secret = "a secret of the bench that is long enough";

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
  SECRET_KEY: secret,
  NODE_ENV: "production",
  TRUST_PROXY: "127.0.0.1",
});
const pool = new pg.Pool({ connectionString: url, max: 2 });
const address = `http://127.0.0.1:${server.httpPort}`;
const broken: string[] = [];

const phoneOf = (at: number): string => `139${String(at).padStart(8, "0")}`;
const codeOf = (at: number): string => `91411325MA${String(at).padStart(8, "0")}`;
const idNumberOf = (at: number): string => `411325${String(1_0000_0000_000 + at).padStart(12, "0")}`;
const percentile = (numbers: readonly number[], share: number): number =>
  numbers.toSorted((a, b) => a - b)[Math.min(numbers.length - 1, Math.floor(numbers.length * share))] ?? 0;

async function seed(): Promise<void> {
  const cipher = createPersonalCipher(secret);
  const places = ["河南", "湖北", "山东", "四川", "安徽"];
  const words = ["牧业", "养殖场", "合作社", "饲料厂", "种猪场"];
  await pool.query(
    `insert into tenants (tenant_id, name, type, created_at)
     select (500000000 + n)::text, ($2::text[])[1 + n % 5] || n || ($3::text[])[1 + n % 7 % 5],
            case n % 3 when 0 then 'enterprise' else 'personal' end, now() - make_interval(mins => n)
       from generate_series(1, $1::int) n`,
    [count, places, words],
  );
  const step = 20_000;
  for (let from = 1; from <= count; from += step) {
    const numbers = Array.from({ length: Math.min(step, count - from + 1) }, (_, at) => from + at);
    await pool.query(
      `insert into accounts (id, account, account_key, type, real_name, password_hash, phone_encrypted, phone_index, phone_verified_at)
       select 7000000000 + n, 'customer-' || n, 'customer-' || n, 'personal', '客户' || n, '', box, decode(index, 'hex'), now()
         from unnest($1::int[], $2::text[], $3::text[]) as row (n, box, index)`,
      [
        numbers,
        numbers.map((at) => cipher.encrypt(phoneOf(at))),
        numbers.map((at) => cipher.index(phoneOf(at)).toString("hex")),
      ],
    );
    await pool.query(
      `insert into memberships (id, account_id, tenant_id)
       select 8000000000 + n, 7000000000 + n, (500000000 + n)::text from unnest($1::int[]) n`,
      [numbers],
    );
    const numberOf = (at: number) => (at % 3 === 0 ? codeOf(at) : idNumberOf(at));
    await pool.query(
      `insert into real_name_applications (id, tenant_id, kind, state, title, subject_index, licence_until)
       select 9000000000 + n, (500000000 + n)::text, case n % 3 when 0 then 'enterprise' else 'personal' end, 'passed', '某厂',
              decode(index, 'hex'), case n % 3 when 0 then '2040-01-01'::date end
         from unnest($1::int[], $2::text[]) as row (n, index)`,
      [numbers, numbers.map((at) => cipher.index(`real name ${numberOf(at)}`).toString("hex"))],
    );
  }
  await seedOrders();
  await pool.query("vacuum analyze");
}

/** Orders of five years, of which one in fifty is open and one in a hundred waits for its customer. The index of words is made after them. */
async function seedOrders(): Promise<void> {
  await pool.query("drop index work_orders_words_idx");
  const step = 100_000;
  for (let from = 1; from <= orders; from += step)
    await pool.query(
      `insert into work_orders (id, tenant_id, number, type, state, title, description, device_name, created_by, created_at, updated_at,
         assignee_id, first_due_at, first_answered_at, solve_due_at, solved_at, rating)
       select 6000000000000 + n, (500000001 + n % $3)::text, 'WO' || lpad(n::text, 9, '0'),
              case n % 10 when 8 then 'complaint' when 9 then 'suggestion' else 'after_sales' end, state,
              ($4::text[])[1 + n % 5] || ($5::text[])[1 + n / 5 % 5], '说明', 'ENV-' || lpad((n % 50000)::text, 5, '0'), 7000000001 + n % $3, at, at,
              case when state in ('closed', 'in_process') then 7000000001 + n % 40 end, at + interval '2 hours',
              case when state <> 'pending' then at + interval '1 hour' end, at + interval '8 hours',
              case when state in ('closed', 'adopted') then at + interval '6 hours' end, case state when 'closed' then 1 + n % 5 end
         from (select n, $6::timestamptz - make_interval(mins => ($2 - n) * 2) as at,
                      case when n % 50 = 0 then 'in_process' when n % 100 = 51 then 'waiting_customer' when n % 200 = 3 then 'pending'
                           when n % 10 = 9 then 'adopted' else 'closed' end as state
                 from generate_series($1::int, least($1::int + $7::int - 1, $2::int)) n) o`,
      [
        from,
        orders,
        count,
        ["风机", "喂料线", "水帘", "刮粪板", "加药泵"],
        ["电流高", "不转", "漏水", "声音发闷", "数值不变"],
        new Date(),
        step,
      ],
    );
  await pool.query("create index work_orders_words_idx on work_orders using gin (word_pieces(words))");
}

try {
  const begun = performance.now();
  await seed();
  console.log(
    `${count} customers and ${orders} orders in ${((performance.now() - begun) / 1000).toFixed(0)} s, ${cpus().length} cores`,
  );
  const { access_token: token } = await tokenOfDemo(address, "admin");
  let requests = 0;
  const ask = async (path: string): Promise<number> => {
    requests += 1;
    const from = performance.now();
    const answer = await fetch(`${address}/api/${path}`, {
      headers: {
        "Muyuan-Auth": `bearer ${token}`,
        "X-Forwarded-For": `10.${(requests >> 16) & 255}.${(requests >> 8) & 255}.${requests & 255}`,
      },
    });
    const text = await answer.text();
    if (answer.status !== 200 || !/"(total|open)":/.test(text))
      throw new Error(`${path}: ${answer.status} ${text.slice(0, 200)}`);
    return performance.now() - from;
  };
  const any = (at: number): number => 1 + ((at * 7919) % count);
  const customersPage = "muyuan-customer/customer/page?";
  const queue = (name: string) => `muyuan-work-order/desk/page?size=20&queue=${name}`;
  const questions: readonly { name: string; bound: number; query: (at: number) => string }[] = [
    ...(["unassigned", "overdue", "waiting", "open", "all"] as const).map((name) => ({
      name: `orders, ${name}`,
      bound: bounds.list,
      query: () => queue(name),
    })),
    { name: "orders, page 200", bound: bounds.list, query: () => `${queue("all")}&current=200` },
    { name: "complaints", bound: bounds.list, query: () => `${queue("all")}&type=complaint` },
    { name: "of one clerk", bound: bounds.list, query: (at) => `${queue("open")}&assignee=${7000000001 + (at % 40)}` },
    {
      name: "order by number",
      bound: bounds.number,
      query: (at) => `${queue("all")}&keyword=WO${String(1 + ((at * 7919) % orders)).padStart(9, "0")}`,
    },
    {
      name: "orders of device",
      bound: bounds.list,
      query: (at) => `${queue("all")}&keyword=ENV-${String((at * 7919) % 50_000).padStart(5, "0")}`,
    },
    {
      name: "orders of name",
      bound: bounds.list,
      query: (at) => `${queue("all")}&keyword=${encodeURIComponent(`河南${any(at)}`)}`,
    },
    { name: "desk figures", bound: bounds.list, query: () => "muyuan-work-order/desk/figures" },
    { name: "first page", bound: bounds.list, query: () => `${customersPage}view=all&size=20` },
    { name: "page 200", bound: bounds.list, query: () => `${customersPage}view=all&size=20&current=200` },
    { name: "enterprises", bound: bounds.list, query: () => `${customersPage}view=all&size=20&kind=enterprise` },
    {
      name: "passed, by day",
      bound: bounds.list,
      query: () => `${customersPage}view=all&authentication=passed&from=2026-01-01`,
    },
    {
      name: "part of a name",
      bound: bounds.list,
      query: (at) => `${customersPage}view=all&keyword=${encodeURIComponent(`河南${any(at)}`)}`,
    },
    {
      name: "whole phone",
      bound: bounds.number,
      query: (at) => `${customersPage}view=all&keyword=${phoneOf(any(at))}`,
    },
    {
      name: "ID number",
      bound: bounds.number,
      query: (at) => `${customersPage}view=all&keyword=${idNumberOf(any(at) - (any(at) % 3) + 1)}`,
    },
    {
      name: "credit code",
      bound: bounds.number,
      query: (at) => `${customersPage}view=all&keyword=${codeOf(any(at) - (any(at) % 3))}`,
    },
    { name: "abnormal", bound: bounds.list, query: () => `${customersPage}view=abnormal&size=20` },
  ];
  for (const { name, bound, query } of questions) {
    for (let at = 0; at < 5; at += 1) await ask(query(at));
    const times: number[] = [];
    for (let at = 0; at < asks; at += 1) times.push(await ask(query(at + 5)));
    const p95 = percentile(times, 0.95);
    if (p95 > bound) broken.push(`${name}: p95 ${p95.toFixed(0)} ms, at most ${bound}`);
    console.log(
      `${name.padEnd(16)} median ${percentile(times, 0.5).toFixed(1).padStart(6)} ms   p95 ${p95.toFixed(1).padStart(6)} ms`,
    );
  }
} finally {
  await pool.end();
  await server.stop();
  await postgres.stop();
  await rm(directory, { recursive: true, force: true });
}
for (const fault of broken) console.log(`BROKEN ${fault}`);
process.exitCode = broken.length > 0 ? 1 : 0;
