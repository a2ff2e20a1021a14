import { customerRules } from "@herdwise/contract";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createTestDatabase, type TestDatabase } from "../../../../../tests/harness/database.ts";
import { staffScope as scope } from "../../../../../tests/harness/staff-scope.ts";
import { customerRepository } from "./customer.repository.ts";

let held: TestDatabase;
const query = async <Row extends object>(text: string, values: unknown[] = []): Promise<Row[]> =>
  (await held.database.pool.query<Row>(text, values)).rows;
const count = 2600;

beforeAll(async () => {
  held = await createTestDatabase();
  await query(
    `insert into tenants (tenant_id, name, type)
     select (500000 + n)::text, '牧场' || n, case n % 3 when 0 then 'enterprise' else 'personal' end from generate_series(1, $1::int) n`,
    [count],
  );
  await query(
    `insert into accounts (id, account, account_key, type, password_hash, removed_at)
     select n, 'member-' || n, 'member-' || n, 'personal', '', case when n % 10 = 7 then now() end from generate_series(1, $1::int) n`,
    [count],
  );
  await query(
    "insert into memberships (id, account_id, tenant_id) select n, n, (500000 + n)::text from generate_series(1, $1::int) n",
    [count],
  );
  // Some have one finding, some two, and the later one came first to the table of some; one in ten is cancelled.
  for (const [rule, every] of [
    ["device_silent", 2],
    ["sign_in_locked", 3],
  ] as const)
    await query(
      `insert into customer_findings (tenant_id, rule, since_at)
       select (500000 + n)::text, $2, now() - make_interval(mins => n % 97 * $3) from generate_series($3::int, $1::int, $3::int) n`,
      [count, rule, every],
    );
});
afterAll(() => held.drop());

const ofRules = (rule: string) => `
  select e.tenant_id from customer_entries e
    join (select tenant_id, min(since_at) as since_at, min(customer_rule_rank(rule)) as worst
            from customer_findings where ${rule} group by tenant_id) f using (tenant_id)
   where e.state <> 'cancelled'`;
const expectPages = async (
  filter: Omit<Parameters<ReturnType<typeof customerRepository>["page"]>[1], "view">,
  expected: string[],
) => {
  expect(expected.length).toBeGreaterThan(100);
  const size = 170;
  for (let offset = 0; offset < expected.length + size; offset += size) {
    const { rows, total } = await customerRepository(held.database.kysely).page(
      scope,
      { view: "abnormal", ...filter },
      { offset, limit: size },
    );
    expect(total).toBe(expected.length);
    expect(rows.map(({ id }) => id)).toEqual(expected.slice(offset, offset + size));
  }
};
const idsOf = async (statement: string) => (await query<{ tenant_id: string }>(statement)).map((row) => row.tenant_id);

test("rules rank in the order of the contract, the worst first", async () => {
  const ranked = await query<{ rule: string }>(
    "select rule from unnest($1::text[]) rule order by customer_rule_rank(rule)",
    [[...customerRules].toSorted()],
  );
  expect(ranked.map(({ rule }) => rule)).toEqual([...customerRules]);
});

test("each page of the abnormal, also deep ones and one behind the end, is that of a plain statement", async () => {
  const order = "order by f.worst, f.since_at, e.tenant_id";
  await expectPages({}, await idsOf(`${ofRules("true")} ${order}`));
  await expectPages({ kind: "enterprise" }, await idsOf(`${ofRules("true")} and e.kind = 'enterprise' ${order}`));
  await expectPages({ rule: "sign_in_locked" }, await idsOf(`${ofRules("rule = 'sign_in_locked'")} ${order}`));
});

test("what the rules find and no longer find, and a later beginning, change the list and its figure", async () => {
  await query("delete from customer_findings where rule = 'device_silent' and tenant_id > '501500'");
  await query(
    "update customer_findings set since_at = now() + interval '1 hour' where rule = 'sign_in_locked' and tenant_id < '501200'",
  );
  const expected = await idsOf(`${ofRules("true")} order by f.worst, f.since_at, e.tenant_id`);
  await expectPages({}, expected);
  expect((await customerRepository(held.database.kysely).figures(scope)).abnormal).toBe(expected.length);
});
