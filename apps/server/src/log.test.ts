import { pino } from "pino";
import { expect, test } from "vitest";
import { createTestDatabase } from "../../../tests/harness/database.ts";
import { logOptions } from "./log.ts";

test("what PostgreSQL quotes of rows and parameters stays out of the log, the rest of the error goes in", async () => {
  const { database, drop } = await createTestDatabase(1);
  const lines: string[] = [];
  const log = pino(logOptions("trace"), { write: (line: string) => void lines.push(line) });
  try {
    const { pool } = database;
    await pool.query("create table people (phone text primary key constraint short check (length(phone) < 20))");
    await pool.query("insert into people values ('13987654321')");
    for (const [statement, value] of [
      ["insert into people values ($1)", "13987654321"],
      ["insert into people values ($1)", "139876543210123456789"],
      ["select $1::bigint", "13987654321x"],
      ["select $1::timestamptz", '"13987654321" o\'clock'],
      ["select $1::jsonb", '{"phone": 13987654321'],
    ] as const) {
      await pool.query(statement, [value]).catch((err: unknown) => log.error({ err }, "failed"));
    }
    log.error({ err: new TypeError("another error") }, "failed");
  } finally {
    await drop();
  }
  expect(lines).toHaveLength(6);
  expect(lines.join("")).not.toContain("13987654321");
  expect(JSON.parse(lines[0] ?? "").err).toMatchObject({
    type: "DatabaseError",
    code: "23505",
    constraint: "people_pkey",
    table: "people",
  });
  expect(JSON.parse(lines[1] ?? "").err.stack).toContain("log.test.ts");
  expect(JSON.parse(lines[5] ?? "").err).toMatchObject({ type: "TypeError", message: "another error" });
});

test("passwords, tokens and the headers of requests stay out of whatever is logged", () => {
  const lines: string[] = [];
  const log = pino(logOptions("trace"), { write: (line: string) => void lines.push(line) });
  log.info({ login: { account: "farm", password: "Barn-2026" }, device: { id: 1, token: "secret-token" } }, "a call");
  log.info({ req: { method: "GET", headers: { "muyuan-auth": "bearer secret-token" } } }, "a request");
  expect(lines.join("")).not.toMatch(/Barn-2026|secret-token/);
  expect(lines.join("")).toContain('"account":"farm"');
});
