import { type Kysely, sql } from "kysely";
import { inScope } from "../database/conditions.ts";
import type { DB } from "../database/generated/database.ts";
import type { SystemScope, TenantScope } from "../tenant-scope.ts";

/** The columns of a row that change: values, or what SQL makes of them. What is undefined stays. */
export type Changes = Readonly<Record<string, unknown>>;

/** What everybody's change of a row is counted and signed by. @param by null for the clock, which leaves the name */
export const changedBy = (by: string | null): Changes => ({
  updatedAt: sql`now()`,
  ...(by !== null && { updatedBy: by }),
});

/** The row that one's own form made before. */
export async function madeBefore(
  db: Kysely<DB>,
  table: "workOrders" | "contracts",
  scope: TenantScope,
  requestKey: string,
): Promise<{ id: string; number: string } | undefined> {
  const { rows } = await sql<{ id: string; number: string }>`
    select r.id, r.number from ${sql.table(table)} r
     where r.created_by = ${scope.accountId} and r.request_key = ${requestKey} and ${inScope(scope, "r")}`.execute(db);
  return rows[0];
}

/** The next number of a series. @param series the columns that name it */
export async function nextNumber(
  db: Kysely<DB>,
  table: "workOrderNumbers" | "contractNumbers" | "processNumbers",
  series: Readonly<Record<string, string | number>>,
): Promise<number> {
  const columns = sql.join(Object.keys(series).map((column) => sql.ref(column)));
  const { rows } = await sql<{ last: number }>`
    insert into ${sql.table(table)} as n (${columns}, last) values (${sql.join(Object.values(series))}, 1)
    on conflict (${columns}) do update set last = n.last + 1 returning last`.execute(db);
  return rows[0]?.last ?? 1;
}

/** Changes a row. Callers hold its lock and looked at its state. */
export async function changeRow(
  db: Kysely<DB>,
  table:
    | "workOrders"
    | "contracts"
    | "realNameApplications"
    | "cancellations"
    | "bankCards"
    | "realNameRemittances"
    | "bankCardRemittances",
  scope: TenantScope | SystemScope,
  id: string,
  changes: Changes,
): Promise<void> {
  const set = Object.entries(changes).flatMap(([column, value]) =>
    value === undefined ? [] : [sql`${sql.ref(column)} = ${value}`],
  );
  if (set.length === 0) return;
  await sql`update ${sql.table(table)} r set ${sql.join(set)} where r.id = ${id} and ${inScope(scope, "r")}`.execute(
    db,
  );
}
