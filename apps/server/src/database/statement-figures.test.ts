import { expect, test } from "vitest";
import { createStatementFigures } from "./statement-figures.ts";

/** Adds calls that take the given times. */
function run(figures: ReturnType<typeof createStatementFigures>, text: string, ...took: number[]): void {
  for (const ms of took) figures.add(text, ms, false);
}

test("statements are counted by their text, without values and without the lengths of lists", () => {
  const figures = createStatementFigures(() => 5000);
  run(figures, "select * from farms where id in ($1, $2)", 2);
  run(figures, "select * from farms\n  where id in ($1,$2,$3)", 4);
  run(figures, "select * from farms where name = 'Qingshui'", 1);
  run(figures, "insert into farms values ($1, $2), ($3, $4)", 1);
  run(figures, "insert into farms values ($1, $2), ($3, $4), ($5, $6)", 1);
  expect(figures.read()).toMatchObject([
    { text: "select * from farms where id in ($…)", calls: 2, totalMs: 6, maxMs: 4, maxAtMs: 5000, faults: 0 },
    { text: "select * from farms where name = '…'", calls: 1 },
    { text: "insert into farms values ($…), …", calls: 2 },
  ]);
});

test("95 of 100 calls stayed below the bound, and it is no further off than a bucket", () => {
  const figures = createStatementFigures(() => 0);
  run(figures, "select 1", ...Array.from({ length: 96 }, (_, at) => 1 + at / 100), 40, 40, 40, 40);
  const [figure] = figures.read();
  expect(figure?.p95Ms).toBeGreaterThanOrEqual(1.95);
  expect(figure?.p95Ms).toBeLessThanOrEqual(1.95 * Math.SQRT2);
  run(figures, "select 2", 7);
  expect(figures.read()[1]).toMatchObject({ p95Ms: 7, maxMs: 7 });
});

test("faults count as calls, and beyond the most texts all others are counted together", () => {
  const figures = createStatementFigures(() => 0, 2);
  run(figures, "select a", 1);
  run(figures, "select b", 1);
  run(figures, "select c", 1);
  run(figures, "select d", 1);
  figures.add("select a", 1, true);
  expect(figures.read().map(({ text, calls, faults }) => [text, calls, faults])).toEqual([
    ["select a", 2, 1],
    ["select b", 1, 0],
    ["", 2, 0],
  ]);
});
