import { sql } from "kysely";
import { afterAll, beforeAll, expect, test } from "vitest";
import { cancellationDue } from "../../apps/server/src/modules/cancellations/cancellation.repository.ts";
import { contractDue } from "../../apps/server/src/modules/contracts/contract.repository.ts";
import { licenceEnding, licenceOver } from "../../apps/server/src/modules/real-name/real-name.repository.ts";
import { orderDue } from "../../apps/server/src/modules/work-orders/desk.repository.ts";
import { type Due, dueRepository } from "../../apps/server/src/processes/index.ts";
import { systemScope } from "../../apps/server/src/tenant-scope.ts";
import { createTestApp, type TestApp } from "../harness/app.ts";

// What time does to rows of processes, where there are many of them or one that fails.
let app: TestApp;
const query = async <Row extends object>(text: string, values: unknown[] = []): Promise<Row[]> =>
  (await app.test.database.pool.query<Row>(text, values)).rows;
beforeAll(async () => {
  app = await createTestApp();
});
afterAll(() => app.close());

async function contracts(count: number, columns: string): Promise<string[]> {
  const [first, template] = [app.nextId(), app.nextId()];
  await query("insert into contract_templates (id, template_name, kind) values ($1, $1::bigint::text, 'service')", [
    template,
  ]);
  const rows = await query<{ id: string }>(
    `insert into contracts (id, tenant_id, number, template_id, template_version, kind, title, sign_days, sent_at, state, sign_by, end_day)
     select $1::bigint + n, '100002', 'HT-' || ($1::bigint + n), $2, 1, 'service', '合同', 7, now(), ${columns} from generate_series(1, $3) n
     returning id::text as id`,
    [first, template, count],
  );
  return rows.map(({ id }) => id);
}

test("a thousand and more contracts that end in a week are told of by one run", async () => {
  const ids = await contracts(1200, "'signed', null::timestamptz, current_date + 5");
  await app.runJob("contracts.remind");
  expect(
    await query("select count(*)::int as told from contracts where id = any($1::bigint[]) and told_7", [ids]),
  ).toEqual([{ told: 1200 }]);
  expect(
    await query(
      "select count(*)::int as lines, count(distinct contract_id)::int as rows from contract_events where contract_id = any($1::bigint[])",
      [ids],
    ),
  ).toEqual([{ lines: 1200, rows: 1200 }]);
}, 60_000);

test("a row that can't be moved stops no other one", async () => {
  const [poisoned = "", ...others] = await contracts(3, "'sent', now() - interval '1 hour' * (4 - n), null::date");
  await query(
    `create function poison() returns trigger language plpgsql as $$ begin raise exception 'poisoned'; end $$`,
  );
  await query(
    `create trigger poison before update on contracts for each row when (old.id = ${poisoned}) execute function poison()`,
  );
  await app.runJob("contracts.pass");
  await query("drop trigger poison on contracts");
  const states = await query("select state from contracts where id = any($1::bigint[]) order by id", [
    [poisoned, ...others],
  ]);
  expect(states).toEqual([{ state: "sent" }, { state: "expired" }, { state: "expired" }]);
});

const at = new Date();
const dues: readonly (readonly [string, string, Due])[] = [
  ["unanswered", "work_orders_unanswered_idx", orderDue.unanswered],
  ["soon", "work_orders_soon_idx", orderDue.soon],
  ["late", "work_orders_late_idx", orderDue.late],
  ["forgotten", "work_orders_forgotten_idx", orderDue.forgotten],
  ["unrated", "work_orders_completed_idx", orderDue.unrated],
  ["expiry", "contracts_waiting_idx", contractDue(at).expiry],
  ["end", "contracts_signed_idx", contractDue(at).end],
  ["signing", "contracts_signing_idx", contractDue(at).signing],
  ["week", "contracts_week_idx", contractDue(at).week],
  ["month", "contracts_month_idx", contractDue(at).month],
  ["cooled", "cancellations_cooling_idx", cancellationDue(at).cooled],
  ["erasure", "cancellations_erasing_idx", cancellationDue(at).erasure],
  ["late answers", "cancellations_late_idx", cancellationDue(at).late],
  ["licence over", "real_name_applications_licence_idx", licenceOver("2026-07-01")],
  ["licence ends in 30 days", "real_name_applications_month_idx", licenceEnding("2026-07-01", 30)],
  ["licence ends in 7 days", "real_name_applications_week_idx", licenceEnding("2026-07-01", 7)],
];
test.each(dues)("what is due (%s) is read from %s in its order, also from the middle", async (_what, index, due) => {
  const plans: string[] = [];
  await app.test.database.kysely.transaction().execute(async (transaction) => {
    await sql`set local enable_seqscan = off`.execute(transaction);
    await sql`set local enable_sort = off`.execute(transaction);
    const explaining = transaction.withPlugin({
      transformQuery: ({ node }) =>
        node.kind === "RawNode"
          ? { ...node, sqlFragments: node.sqlFragments.map((text, at) => (at === 0 ? `explain ${text}` : text)) }
          : node,
      async transformResult({ result }) {
        plans.push(result.rows.flatMap((row) => Object.values(row)).join("\n"));
        return { ...result, rows: [] };
      },
    });
    const scope = systemScope("a test of plans");
    await dueRepository(explaining).read(scope, due, undefined);
    await dueRepository(explaining).read(scope, due, { id: "7", at: "2026-06-01" });
  });
  for (const plan of plans) {
    expect(plan).toContain(index);
    expect(plan).not.toContain("Sort");
  }
  expect(plans).toHaveLength(2);
});
