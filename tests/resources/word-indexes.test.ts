import { resources } from "@herdwise/contract";
import { sql } from "kysely";
import { expect, test } from "vitest";
import { hasWord } from "../../apps/server/src/database/conditions.ts";
import { searchedWords } from "../../apps/server/src/resources/resource.repository.ts";
import { createTestDatabase } from "../harness/database.ts";

test("each list that declares an index of words finds a word in it", async () => {
  const declared = resources.filter((one) => "wordIndex" in one && one.wordIndex);
  expect(declared.length).toBeGreaterThan(5);
  const { database, drop } = await createTestDatabase(1);
  try {
    const plans = await database.kysely.transaction().execute(async (transaction) => {
      for (const way of ["seqscan", "indexscan", "indexonlyscan"])
        await sql`set local ${sql.raw(`enable_${way}`)} = off`.execute(transaction);
      const read: { table: string; plan: string }[] = [];
      for (const of of declared) {
        const source = sql.table("view" in of ? of.view : of.table);
        const { rows } = await sql<{ "QUERY PLAN": string }>`
          explain select t.id from ${source} t where ${hasWord(searchedWords(of), "ab12", "word_grams")}`.execute(
          transaction,
        );
        read.push({ table: of.table, plan: rows.map((row) => row["QUERY PLAN"]).join("\n") });
      }
      return read;
    });
    for (const { table, plan } of plans) expect(plan).toContain(`${table}_words_idx`);
  } finally {
    await drop();
  }
});
