import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { createTestDatabase } from "../harness/database.ts";
import { gatewaySecret, payGateway } from "../harness/pay-gateway.ts";
import { basic, tokenOfDemo } from "../harness/session.ts";
import { onThisMachine } from "../harness/time-limit.ts";
import { type ServerProcess, startServerProcess } from "./server-process.ts";

let place: Awaited<ReturnType<typeof createTestDatabase>>;
let gateway: Awaited<ReturnType<typeof payGateway>>;
let dataDir: string;
let server: ServerProcess;
let token: string;
const query = async <Row>(text: string, values: unknown[] = []): Promise<Row[]> =>
  (await place.database.pool.query(text, values)).rows as Row[];
const until = <T>(work: () => Promise<T>, ms = 20_000) =>
  vi.waitFor(work, { timeout: onThisMachine(ms), interval: 20 });
const startServer = async () => {
  server = await startServerProcess({
    DATA_DIR: dataDir,
    DATABASE_URL: place.url,
    PAYMENT_URL: gateway.url,
    PAYMENT_SECRET: gatewaySecret,
  });
};
const address = () => `http://127.0.0.1:${server.httpPort}`;

beforeAll(async () => {
  place = await createTestDatabase();
  gateway = await payGateway();
  dataDir = await mkdtemp(join(tmpdir(), "herdwise-kill-"));
  await startServer();
  ({ access_token: token } = await tokenOfDemo(address(), "admin"));
  await query(
    `insert into lots (id, tenant_id, number, plan, heads, reserve_per_kg, step_fen, deposit_fen, soft_close_minutes, participants,
                       bid_on, bid_times, opens_at, ends_at, state)
     select 81000 + n, tenant_id, 'K' || n, id, 10, 1400, 5, 5000, 2, '{enterprise}', day, '09:00-10:00', now() + interval '5 days',
            now() + interval '6 days', 'announced'
       from (select * from sale_plans order by id limit 1) p, generate_series(0, 19) n`,
  );
}, onThisMachine(60_000));
afterAll(async () => {
  await server?.kill();
  gateway.close();
  await place.drop();
  await rm(dataDir, { recursive: true, force: true });
});

let deposits = 82_000;
/** A deposit of 50,000 fen in some state, with an attempt to pay it. It may be given back, but the clock does not do so yet. */
async function depositIn(state: string): Promise<{ id: string; attempt: string }> {
  deposits += 1;
  const [id, attempt] = [String(deposits), String(deposits + 1000)];
  await query(
    `insert into deposits (id, tenant_id, number, lot, amount_fen, state, return_at, created_by)
     select $1::bigint, m.tenant_id, 'KB' || $1::text, 81000 + ($1::bigint - 82001), 50000, $2::text, case when $2::text = 'held' then now() + interval '1 day' end, a.id
       from accounts a join memberships m on m.account_id = a.id where a.account = 'farm' limit 1`,
    [id, state],
  );
  await query(
    `insert into pay_attempts (id, tenant_id, number, deposit, amount_fen, channel, expires_at, look_at, state, created_by)
     select $2::bigint, tenant_id, 'KZ' || $2::text, id, amount_fen, 'gateway', now() + interval '1 hour', now() + interval '1 hour', 'started', created_by
       from deposits where id = $1::bigint`,
    [id, attempt],
  );
  gateway.orders.set(attempt, { amountFen: 50_000, noticeUrl: "", opened: 1 });
  return { id, attempt };
}

const told = async (attempt: string): Promise<number | undefined> => {
  const { url, method, headers, payload } = gateway.notice({ id: attempt });
  return fetch(address() + url, { method, headers, body: payload }).then(
    ({ status }) => status,
    () => undefined,
  );
};
const asked = async (verb: string, body: object): Promise<number | undefined> =>
  fetch(`${address()}/api/muyuan-trade/deposit/${verb}`, {
    method: "POST",
    headers: { Authorization: basic, "Muyuan-Auth": `bearer ${token}`, "Content-Type": "application/json" },
    body: JSON.stringify(body),
  }).then(
    ({ status }) => status,
    () => undefined,
  );
/** What stands of a deposit: its state, and how often each event of it was written, told and audited. */
const standing = async (id: string, event: string) => {
  const [row] = await query<object>(
    `select d.state, (select count(*)::int from process_entries e where e.row_id = d.id and e.event = $2::text) as lines,
            (select count(*)::int from audit_entries a where a.row_id = d.id and a.changes::text like '%"' || $2::text || '"%') as audits,
            (select count(*)::int from pay_notices n join pay_attempts p on p.id = n.attempt where p.deposit = d.id) as notices
       from deposits d where d.id = $1`,
    [id, event],
  );
  return row;
};

/**
 * Kills the server while a step waits for a lock that the test has, then starts it anew.
 * @param lock statement that makes the step wait in its midst
 */
async function killedIn(lock: string, step: () => Promise<unknown>): Promise<void> {
  const holder = await place.database.pool.connect();
  try {
    await holder.query("begin");
    await holder.query(lock);
    const answer = step();
    await until(async () => {
      const waiting = await query(
        "select pid from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock' and application_name <> 'herdwise-test'",
      );
      expect(waiting.length).toBeGreaterThan(0);
    });
    await server.kill();
    expect(await answer).toBeUndefined();
    await holder.query("rollback");
  } finally {
    holder.release();
  }
  await until(async () => {
    const open = await query(
      "select pid from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid() and application_name <> 'herdwise-test'",
    );
    expect(open).toEqual([]);
  });
}

const tables = ["process_entries", "messages", "audit_entries"];
const wholly = (table: string): string => `lock table ${table} in share row exclusive mode`;

test.each([wholly("pay_notices"), "select from deposits where id = $id for update", ...tables.map(wholly)])(
  "kill -9 while a deposit is held (%s): nothing of it is there, and what the gateway tells again holds it once",
  async (lock) => {
    const { id, attempt } = await depositIn("awaited");
    await killedIn(lock.replace("$id", id), () => told(attempt));
    expect(await standing(id, "receive")).toEqual({ state: "awaited", lines: 0, audits: 0, notices: 0 });
    await startServer();
    const answers = await Promise.all(Array.from({ length: 50 }, () => told(attempt)));
    expect(new Set(answers)).toEqual(new Set([200]));
    expect(await standing(id, "receive")).toEqual({ state: "held", lines: 1, audits: 1, notices: 1 });
  },
  onThisMachine(90_000),
);

test.each(tables.flatMap((table) => [["give_back", table] as const, ["release", table] as const]))(
  "kill -9 in %s while %s is written: nothing of it is there, and it happens once",
  async (event, table) => {
    const before = event === "give_back" ? "held" : "returning";
    const { id } = await depositIn(before);
    const step = () => asked(event.replace("_", "-"), { id, version: 1, refundReference: `BACK${id}` });
    await killedIn(wholly(table), step);
    expect(await standing(id, event)).toMatchObject({ state: before, lines: 0, audits: 0 });
    await startServer();
    const answers = await Promise.all(Array.from({ length: 50 }, step));
    expect(answers.filter((status) => status === 200)).toHaveLength(1);
    const after = event === "give_back" ? "returning" : "released";
    expect(await standing(id, event)).toMatchObject({ state: after, lines: 1, audits: 1 });
  },
  onThisMachine(90_000),
);

test(
  "the server that was killed after it had held a deposit is told again, and asks itself, and holds it once",
  async () => {
    const { id, attempt } = await depositIn("awaited");
    expect(await told(attempt)).toBe(200);
    await server.kill();
    await startServer();
    await Promise.all(Array.from({ length: 10 }, () => told(attempt)));
    expect(await standing(id, "receive")).toEqual({ state: "held", lines: 1, audits: 1, notices: 1 });
  },
  onThisMachine(90_000),
);
