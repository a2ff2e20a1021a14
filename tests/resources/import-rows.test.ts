import { departments } from "@herdwise/contract";
import { sql } from "kysely";
import { afterAll, beforeAll, expect, test } from "vitest";
import { importRepository } from "../../apps/server/src/resources/import.repository.ts";
import { chunkRows, chunksOf, rangesOf } from "../../apps/server/src/resources/import-check.ts";
import { tenantScopeOf } from "../../apps/server/src/tenant-scope.ts";
import { createSeededDatabase, type TestDatabase } from "../harness/database.ts";

const rowCount = 6000;
/** Five in all where each step finds its own rows; some thirty where it reads what stands before or behind them. */
const mostLooks = 10;
let db: TestDatabase;
let scope: ReturnType<typeof tenantScopeOf>;

beforeAll(async () => {
  db = await createSeededDatabase();
  const { rows } = await db.database.pool.query("select id from accounts where account = 'admin'");
  scope = tenantScopeOf({
    accountId: rows[0].id,
    tenantId: "000000",
    everyTenant: true,
    rows: { all: true, departmentIds: [], own: true },
    membershipId: "0",
    departmentId: "",
    remoteAddress: "",
  });
});
afterAll(() => db.drop());

/** An import with rows at every third line, each tenth of them bad. */
async function stored(id: string): Promise<void> {
  const { pool } = db.database;
  await pool.query(
    `insert into imports (id, tenant_id, account_id, resource, attachment_id, file_name, state)
     values ($1, '000000', $2, $3, $1, 'a.xlsx', 'checked')`,
    [id, scope.accountId, departments.name],
  );
  await pool.query(
    `insert into import_rows (import_id, row_number, cells, problems, adds)
     select $1, 3 * n, jsonb_build_object('deptName', n), case when n % 10 = 0 then '[{"field": "deptName"}]'::jsonb else '[]' end, true
       from generate_series(1, ${rowCount}) n`,
    [id],
  );
}

/** Rows of import_rows that the database looked at in all steps of a writing and of its undoing, for each row of the import. */
const looksOf = (id: string) =>
  db.database.kysely.transaction().execute(async (transaction) => {
    const imports = importRepository(transaction, departments);
    const looksSoFar = async (): Promise<number> => {
      const { rows } = await sql<{ looks: number }>`
        select (seq_tup_read + idx_tup_fetch)::int as looks from pg_stat_xact_user_tables where relname = 'import_rows'`.execute(
        transaction,
      );
      return rows[0]?.looks ?? 0;
    };
    // What the connection's transactions before counted and did not hand on yet is in it.
    const before = await looksSoFar();
    const numbers: number[] = [];
    for await (const part of chunksOf(imports, scope, id, { goodOnly: true })) {
      expect(part.length).toBeLessThanOrEqual(chunkRows);
      numbers.push(...part.map(({ rowNumber }) => rowNumber));
      await imports.keepWritten(
        scope,
        id,
        part.map(({ rowNumber }) => ({ rowNumber, rowId: String(rowNumber), before: null, version: 1 })),
      );
    }
    const written: number[] = [];
    for (const [first, last] of rangesOf(await imports.rowNumbers(scope, id)))
      written.push(...(await imports.writtenBetween(scope, id, first, last)).map(({ rowNumber }) => rowNumber));
    const good = Array.from({ length: rowCount }, (_, at) => at + 1).filter((n) => n % 10 !== 0);
    expect([numbers, written]).toEqual([good.map((n) => 3 * n), good.map((n) => 3 * n)]);
    return ((await looksSoFar()) - before) / rowCount;
  });

// Nobody waits for statistics between the check of a sheet and its writing.
test("the database looks at each row of an import a few times, whatever its statistics know of them", async () => {
  const { pool } = db.database;
  await stored("1");
  expect(await looksOf("1"), "without statistics").toBeLessThan(mostLooks);
  await pool.query("analyze import_rows");
  await stored("2");
  expect(await looksOf("2"), "with statistics of another import").toBeLessThan(mostLooks);
  await pool.query("analyze import_rows");
  expect(await looksOf("2"), "with statistics of all").toBeLessThan(mostLooks);
});
