// `npm run bench:customers`: 200,000 customers, 1,000,000 orders and 100,000 contracts as the group's staff list and search them: p95 of pages to
// the last one, queues, filters, words, whole phones, ID numbers and credit codes over HTTP. On the embedded PostgreSQL, or on that of DATABASE_URL
// in a database of its own, which `--keep` leaves there and finds again. Ends with 1 when a bound is broken.

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
import { onServer, urlOf } from "../tests/harness/database.ts";
import { tokenOfDemo } from "../tests/harness/session.ts";

const { values: flags } = parseArgs({
  options: {
    customers: { type: "string", default: "200000" },
    orders: { type: "string", default: "1000000" },
    contracts: { type: "string", default: "100000" },
    asks: { type: "string", default: "60" },
    keep: { type: "boolean", default: false },
    /** Parts of the names of the questions that are asked; all without it. */
    only: { type: "string", multiple: true, default: [] },
  },
});
const [count, orders, asks] = [Number(flags.customers), Number(flags.orders), Number(flags.asks)];
const contracts = Number(flags.contracts);
/** Tenant and owner of the demo account "farm", who has many orders of its own. */
const ownTenant = "100002";
const ownOrders = Math.ceil(orders / 200);
/** Bound of the acceptance for whole numbers, and twice it for what is listed and counted, ms. */
const bounds = { number: 100, list: 200 };
const secret = "a secret of the bench that is long enough";

const directory = mkdtempSync(join(tmpdir(), "herdwise-bench-"));
const outside = process.env.DATABASE_URL;
const name = flags.keep ? "herdwise_bench_customers" : `herdwise_bench_${process.pid}`;
const postgres =
  outside === undefined
    ? await startEmbeddedPostgres({ directory: join(directory, "postgres"), log: silentLog })
    : undefined;
const maintained = outside ?? postgres?.superuserUrl("postgres") ?? "";
const isThere = await onServer(
  maintained,
  async (client) => (await client.query("select from pg_database where datname = $1", [name])).rowCount === 1,
);
if (!isThere) await onServer(maintained, (client) => client.query(`create database ${name}`));
const url = outside === undefined ? (postgres?.superuserUrl(name) ?? "") : urlOf(outside, name);
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
      `insert into accounts (id, account, account_key, type, real_name, password_hash, phone_encrypted, phone_index, phone_verified_at, status, removed_at)
       select 7000000000 + n, 'customer-' || n, 'customer-' || n, 'personal', '客户' || n, '', box, decode(index, 'hex'), now(),
              case when n % 40 = 7 then 0 else 1 end, case when n % 60 = 11 then now() end
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
      `insert into real_name_applications (id, tenant_id, kind, state, title, subject_index, licence_until, queued_at, due_at, decided_at)
       select 9000000000 + n, (500000000 + n)::text, case n % 3 when 0 then 'enterprise' else 'personal' end,
              case when n % 50 = 1 then 'waiting' when n % 50 = 2 then 'rejected' else 'passed' end,
              ($3::text[])[1 + n % 5] || n || ($4::text[])[1 + n % 7 % 5], decode(index, 'hex'),
              case n % 3 when 0 then '2040-01-01'::date end, now() - make_interval(mins => n + 100),
              now() - make_interval(mins => n) + interval '1 day', case when n % 50 <> 1 then now() - make_interval(mins => n) end
         from unnest($1::int[], $2::text[]) as row (n, index)`,
      [numbers, numbers.map((at) => cipher.index(`real name ${numberOf(at)}`).toString("hex")), places, words],
    );
    await pool.query(
      `insert into real_name_events (id, real_name_application_id, what, items, created_at)
       select 6000000000 + a.id - 9000000000, a.id, a.state, case a.state when 'rejected' then '[{"field": "idFront", "reason": "mismatch"}]'::jsonb else '[]' end,
              a.decided_at
         from real_name_applications a where a.state in ('passed', 'rejected') and a.id - 9000000000 = any($1::int[])`,
      [numbers],
    );
    await pool.query(
      `insert into customer_profiles (tenant_id, region_code)
       select (500000000 + n)::text, ($2::text[])[1 + n % 5] from unnest($1::int[]) n`,
      [numbers, ["410000", "411300", "411325", "420000", "370000"]],
    );
  }
  await pool.query(
    `insert into customer_findings (tenant_id, rule, since_at)
     select (500000000 + n)::text, ($2::text[])[1 + n / 33 % 3], now() - make_interval(mins => n) from generate_series(33, $1::int, 33) n`,
    [count, ["device_silent", "complaint_overdue", "sign_in_locked"]],
  );
  await seedOrders();
  await seedContracts();
  await pool.query("vacuum analyze");
}

/** An id as it is made at that time. */
const idAt = (at: string, n: string): string =>
  `(((extract(epoch from ${at}) * 1000)::bigint - 1288834974657) << 22) + ${n} % 4096`;

/** Orders of four years, of which one in fifty is open and one in a hundred waits for its customer. The index of words is made after them. */
async function seedOrders(): Promise<void> {
  await pool.query("drop index work_orders_words_idx");
  // A million look-ups of a name, one by one, are no part of what is measured.
  await pool.query("alter table work_orders disable trigger work_orders_named");
  await pool.query("alter table work_orders disable trigger finds_work_order");
  const step = 100_000;
  for (let from = 1; from <= orders; from += step)
    await pool.query(
      `insert into work_orders (id, tenant_id, number, type, state, title, description, device_name, customer, created_by, created_at, updated_at,
         assignee_id, first_due_at, first_answered_at, solve_due_at, solved_at, rating)
       select ${idAt("at", "n")}, t.tenant_id, 'WO' || lpad(n::text, 9, '0'),
              case n % 10 when 8 then 'complaint' when 9 then 'suggestion' else 'after_sales' end, state,
              ($4::text[])[1 + n % 5] || ($5::text[])[1 + n / 5 % 5], '说明', 'ENV-' || lpad((n % 50000)::text, 5, '0'), t.name, 7000000001 + n % $3, at, at,
              case when state in ('closed', 'in_process') then 7000000001 + n / 7 % 40 end, at + interval '2 hours',
              case when state <> 'pending' then at + interval '1 hour' end, at + interval '8 hours',
              case when state in ('closed', 'adopted') then at + interval '6 hours' end, case state when 'closed' then 1 + n % 5 end
         from (select n, $6::timestamptz - make_interval(mins => ($2 - n) * 2) as at,
                      case when n % 50 = 0 then 'in_process' when n % 100 = 51 then 'waiting_customer' when n % 200 = 3 then 'pending'
                           when n % 10 = 9 then 'adopted' else 'closed' end as state
                 from generate_series($1::int, least($1::int + $7::int - 1, $2::int)) n) o
         join tenants t on t.tenant_id = (500000001 + n % $3)::text`,
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
  await pool.query("alter table work_orders enable trigger work_orders_named");
  await pool.query("alter table work_orders enable trigger finds_work_order");
  await pool.query("create index work_orders_words_idx on work_orders using gin (word_pieces(words))");
  await pool.query(
    `insert into work_orders (id, tenant_id, number, type, state, title, description, created_at, updated_at, first_due_at, solve_due_at, solved_at)
     select ${idAt("at", "n % 1000")}, $2, 'WP' || lpad(n::text, 9, '0'), 'after_sales', case when n % 50 = 0 then 'in_process' else 'closed' end,
            ($3::text[])[1 + n % 2], '说明', at, at, at + interval '2 hours', at + interval '8 hours', case when n % 50 <> 0 then at end
       from (select n, now() - make_interval(mins => n * 500) as at from generate_series(1, $1::int) n) o`,
    [ownOrders, ownTenant, ["风机不转", "水帘漏水"]],
  );
}

async function seedContracts(): Promise<void> {
  await pool.query(
    `insert into contracts (id, tenant_id, number, template_id, template_version, kind, state, title, amount_fen, start_day, end_day, sign_days,
       sign_by, sent_at, signed_at, created_at)
     select ${idAt("at", "n")}, (500000001 + n % $2)::text, 'HT' || lpad(n::text, 9, '0'), t.id, 1, 'service', state,
            ($3::text[])[1 + n % 5] || '服务合同', 100000 + n, at::date, (at + interval '3 years')::date, 14, at + interval '14 days',
            case when state <> 'draft' then at end, case when state in ('signed', 'ended') then at + interval '1 day' end, at
       from (select n, now() - make_interval(mins => ($1 - n) * 25) as at,
                    case when n % 100 = 1 then 'draft' when n > $1 - 500 and n % 5 = 0 then 'sent' when n % 20 = 2 then 'rejected' when n % 20 = 3 then 'expired'
                         when now() - make_interval(mins => ($1 - n) * 25) < now() - interval '3 years' then 'ended' else 'signed' end as state
               from generate_series(1, $1::int) n) o, (select min(id) as id from contract_templates) t`,
    [contracts, count, ["环控", "设备", "饲料线", "消毒", "除臭"]],
  );
}

try {
  const begun = performance.now();
  if (!isThere) await seed();
  console.log(
    `${count} customers, ${orders} orders and ${contracts} contracts in ${((performance.now() - begun) / 1000).toFixed(0)} s, ${cpus().length} cores`,
  );
  const { access_token: ofDesk } = await tokenOfDemo(address, "admin");
  const { access_token: ofOwner } = await tokenOfDemo(address, "farm");
  let requests = 0;
  const ask = async (path: string, token: string): Promise<number> => {
    requests += 1;
    const from = performance.now();
    const answer = await fetch(`${address}/api/${path}`, {
      headers: {
        "Muyuan-Auth": `bearer ${token}`,
        "X-Forwarded-For": `10.${(requests >> 16) & 255}.${(requests >> 8) & 255}.${requests & 255}`,
      },
    });
    const text = await answer.text();
    if (answer.status === 429) {
      // The account's budget of a minute is spent: that is no time of the list.
      await new Promise((resolve) => setTimeout(resolve, Number(answer.headers.get("retry-after") ?? 5) * 1000));
      return ask(path, token);
    }
    if (answer.status !== 200 || !/"(total|open|inForce|waiting)":/.test(text))
      throw new Error(`${path}: ${answer.status} ${text.slice(0, 200)}`);
    return performance.now() - from;
  };
  const any = (at: number): number => 1 + ((at * 7919) % count);
  const word = (text: string): string => `keyword=${encodeURIComponent(text)}`;
  const customer = (filter: string, size = 20) => `muyuan-customer/customer/page?size=${size}&${filter}`;
  const order = (filter: string, size = 20) => `muyuan-work-order/desk/page?size=${size}&${filter}`;
  const contract = (filter: string) => `muyuan-contract/desk/page?size=20&${filter}`;
  const review = (filter: string) => `muyuan-customer/real-name-review/page?size=20&${filter}`;
  const own = (filter: string) => `muyuan-work-order/after-sales/page?size=20&${filter}`;
  const list = (query: (at: number) => string, token = ofDesk) => ({ query, bound: bounds.list, token });
  const number = (query: (at: number) => string) => ({ query, bound: bounds.number, token: ofDesk });
  const lastPage = (rows: number): number => Math.max(1, Math.floor(rows / 20) - 1);
  const questions: Readonly<Record<string, ReturnType<typeof list>>> = {
    "orders, mine": list(() => order("queue=mine")),
    "orders, unassigned": list(() => order("queue=unassigned")),
    "orders, overdue": list(() => order("queue=overdue")),
    "orders, overdue, last page": list(() => order(`queue=overdue&current=${lastPage(orders * 0.02)}`)),
    "orders, waiting": list(() => order("queue=waiting")),
    "orders, open": list(() => order("queue=open")),
    "orders, open, page 500": list(() => order("queue=open&current=500")),
    "orders, all": list(() => order("queue=all")),
    "orders, 500 of a page": list(() => order("queue=all", 500)),
    "orders, page 200": list(() => order("queue=all&current=200")),
    "orders, any page": list((at) => order(`queue=all&current=${1 + ((at * 7919) % lastPage(orders))}`)),
    "orders, last page": list(() => order(`queue=all&current=${lastPage(orders)}`)),
    "orders, complaints": list(() => order("queue=all&type=complaint")),
    "orders, complaints, last page": list(() => order(`queue=all&type=complaint&current=${lastPage(orders / 10)}`)),
    "orders, open complaints": list(() => order("queue=open&type=complaint")),
    "orders, after-sales, last page": list(() => order(`queue=all&type=after_sales&current=${lastPage(orders * 0.8)}`)),
    "orders, of one clerk": list((at) => order(`queue=open&assignee=${7000000001 + (at % 40)}`)),
    "orders, all of one clerk": list((at) => order(`queue=all&assignee=${7000000001 + (at % 40)}`)),
    "orders, by number": number((at) =>
      order(`queue=all&keyword=WO${String(1 + ((at * 7919) % orders)).padStart(9, "0")}`),
    ),
    "orders, of a device": list((at) =>
      order(`queue=all&keyword=ENV-${String((at * 7919) % 50_000).padStart(5, "0")}`),
    ),
    "orders, of a customer": list((at) => order(`queue=all&${word(`河南${any(at)}`)}`)),
    "orders, a word of 1 in 5": list(() => order(`queue=all&${word("风机")}`)),
    "orders, a word, last page": list(() => order(`queue=all&${word("风机")}&current=${lastPage(orders / 5)}`)),
    "orders, a word of 1 in 25": list(() => order(`queue=all&${word("喂料线不转")}`)),
    "orders, a word of customers": list(() => order(`queue=all&${word("养殖场")}`)),
    "orders, open, a word": list(() => order(`queue=open&${word("风机")}`)),
    "orders, a word of none": list(() => order(`queue=all&${word("不存在的词")}`)),
    "orders, one character": list(() => order(`queue=all&${word("水")}`)),
    "orders, figures": list(() => "muyuan-work-order/desk/figures"),
    "own orders, 6 months": list(() => own(""), ofOwner),
    "own orders, 6 months, last": list(() => own(`current=${Math.floor(Math.min(ownOrders, 520) / 20)}`), ofOwner),
    "own orders, open": list(() => own("state=open"), ofOwner),
    "own orders, a word": list(() => own(word("水帘")), ofOwner),
    "own orders, a word, last page": list(() => own(`${word("水帘")}&current=${lastPage(ownOrders / 2)}`), ofOwner),
    "customers, all": list(() => customer("view=all")),
    "customers, 500 of a page": list(() => customer("view=all", 500)),
    "customers, page 200": list(() => customer("view=all&current=200")),
    "customers, any page": list((at) => customer(`view=all&current=${1 + ((at * 7919) % lastPage(count * 0.98))}`)),
    "customers, last page": list(() => customer(`view=all&current=${lastPage(count * 0.98)}`)),
    "customers, enterprises": list(() => customer("view=all&kind=enterprise")),
    "customers, enterprises, last": list(() => customer(`view=all&kind=enterprise&current=${lastPage(count * 0.32)}`)),
    "customers, disabled": list(() => customer("view=all&state=disabled")),
    "customers, reviewing": list(() => customer("view=all&authentication=reviewing")),
    "customers, passed, by day": list(() => customer("view=all&authentication=passed&from=2026-01-01")),
    "customers, of a day": list(() => customer("view=all&from=2026-09-01&to=2026-09-01")),
    "customers, of a province": list(() => customer("view=all&region=41")),
    "customers, of a province, last": list(() => customer(`view=all&region=41&current=${lastPage(count * 0.58)}`)),
    "customers, of a county": list(() => customer("view=all&region=411325")),
    "customers, of a rule": list(() => customer("view=all&rule=device_silent")),
    "customers, part of a name": list((at) => customer(`view=all&${word(`河南${any(at)}`)}`)),
    "customers, a word of 1 in 7": list(() => customer(`view=all&${word("合作社")}`)),
    "customers, one character": list(() => customer(`view=all&${word("河")}`)),
    "customers, a word, last page": list(() => customer(`view=all&${word("合作社")}&current=${lastPage(count / 8)}`)),
    "customers, whole phone": number((at) => customer(`view=all&keyword=${phoneOf(any(at))}`)),
    "customers, ID number": number((at) => customer(`view=all&keyword=${idNumberOf(any(at) - (any(at) % 3) + 1)}`)),
    "customers, credit code": number((at) => customer(`view=all&keyword=${codeOf(any(at) - (any(at) % 3))}`)),
    "customers, phone of nobody": number(() => customer("view=all&keyword=18899999999")),
    "customers, abnormal": list(() => customer("view=abnormal")),
    "customers, abnormal, a rule": list(() => customer("view=abnormal&rule=complaint_overdue")),
    "customers, abnormal, last": list(() => customer(`view=abnormal&current=${lastPage(count / 34)}`)),
    "customers, cancelled": list(() => customer("view=cancelled")),
    "customers, figures": list(() => "muyuan-customer/customer/figures"),
    "reviews, waiting": list(() => review("view=waiting")),
    "reviews, waiting, last page": list(() => review(`view=waiting&current=${lastPage(count / 50)}`)),
    "reviews, mine": list(() => review("view=mine")),
    "reviews, done": list(() => review("view=done")),
    "reviews, done, any page": list((at) => review(`view=done&current=${1 + ((at * 7919) % lastPage(count * 0.98))}`)),
    "reviews, done, enterprises": list(() => review("view=done&kind=enterprise")),
    "reviews, done, a name": list((at) => review(`view=done&${word(`河南${any(at)}`)}`)),
    "reviews, figures": list(() => "muyuan-customer/real-name-review/figures"),
    "contracts, all": list(() => contract("queue=all")),
    "contracts, last page": list(() => contract(`queue=all&current=${lastPage(contracts)}`)),
    "contracts, waiting": list(() => contract("queue=waiting")),
    "contracts, overdue": list(() => contract("queue=overdue")),
    "contracts, returned": list(() => contract("queue=returned")),
    "contracts, in force": list(() => contract("queue=inForce")),
    "contracts, ending": list(() => contract("queue=ending")),
    "contracts, by number": number((at) =>
      contract(`queue=all&keyword=HT${String(1 + ((at * 7919) % contracts)).padStart(9, "0")}`),
    ),
    "contracts, of a customer": list((at) => contract(`queue=all&${word(`河南${any(at)}`)}`)),
    "contracts, a word of 1 in 5": list(() => contract(`queue=all&${word("除臭")}`)),
    "contracts, figures": list(() => "muyuan-contract/desk/figures"),
  };
  for (const [name, { bound, query, token }] of Object.entries(questions)) {
    if (flags.only.length > 0 && !flags.only.some((part) => name.includes(part))) continue;
    for (let at = 0; at < 5; at += 1) await ask(query(at), token);
    const times: number[] = [];
    for (let at = 0; at < asks; at += 1) times.push(await ask(query(at + 5), token));
    const p95 = percentile(times, 0.95);
    if (p95 > bound) broken.push(`${name}: p95 ${p95.toFixed(0)} ms, at most ${bound}`);
    console.log(
      `${name.padEnd(30)} median ${percentile(times, 0.5).toFixed(1).padStart(6)} ms   p95 ${p95.toFixed(1).padStart(6)} ms`,
    );
  }
} finally {
  await pool.end();
  await server.stop();
  if (postgres !== undefined) await postgres.stop();
  else if (!flags.keep)
    await onServer(maintained, (client) => client.query(`drop database if exists ${name} with (force)`));
  await rm(directory, { recursive: true, force: true });
}
for (const fault of broken) console.log(`BROKEN ${fault}`);
process.exitCode = broken.length > 0 ? 1 : 0;
