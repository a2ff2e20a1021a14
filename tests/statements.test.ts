import { expect, test } from "vitest";
import { createTestDatabase } from "./harness/database.ts";
import { notedStatements, statementsDirectory } from "./harness/statements.ts";

/** Tables that a test made for itself, or a day's partition, which every migrated database lacks; and several statements in one text. */
const ofItsOwn = /^(?:relation "(?!pg_)|cannot insert multiple commands)/;

/**
 * All SQL of the embedded server's tests on the server of this run, which may be of another version: parsed, and checked
 * against the migrated tables and the functions that this version has. It costs a second where running the tests again took minutes.
 */
test("every statement that other tests sent is one for this version of PostgreSQL", async () => {
  const statements = notedStatements(statementsDirectory() ?? "");
  expect(statements.length).toBeGreaterThan(1000);
  const { database, drop } = await createTestDatabase(1);
  const client = await database.pool.connect();
  const refused: string[] = [];
  try {
    for (const text of statements) {
      try {
        // Of two statements in one text the second would be run; the extended protocol refuses them.
        await client.query({ text: `prepare noted as ${text}`, queryMode: "extended" } as { text: string });
        await client.query("deallocate noted");
      } catch (error) {
        const { message } = error as Error;
        if (!ofItsOwn.test(message)) refused.push(`${message}: ${text}`);
      }
    }
  } finally {
    client.release();
    await drop();
  }
  expect(refused).toEqual([]);
});
