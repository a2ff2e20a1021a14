import { sql } from "kysely";
import { expect, test } from "vitest";
import { refuse } from "../http/errors.ts";
import { systemScope } from "../tenant-scope.ts";
import { type Due, dueTogether, type Place } from "./due.repository.ts";
import { eachDue } from "./due.service.ts";

const lamps: Due = {
  table: "workOrders",
  alias: "w",
  at: sql`w.solved_at`,
  before: sql`now()`,
  where: sql`w.state = 'completed'`,
};

/** A clock of so many rows. */
function clockOf(count: number, failing: Readonly<Record<string, Error>> = {}) {
  const rows = Array.from({ length: count }, (_, at): Place => ({ id: String(at), at: `day ${at}` }));
  const looks: (string | undefined)[] = [];
  const happened: string[] = [];
  const faults: unknown[] = [];
  const parts = { due: { take: async (_scope: object, _due: Due, id: string) => id !== "7" } };
  const clock = {
    due: {
      async read(_scope: object, _due: Due, after: Place | undefined) {
        looks.push(after?.id);
        const from = after === undefined ? 0 : rows.findIndex(({ id }) => id === after.id) + 1;
        return rows.slice(from, from + dueTogether);
      },
    },
    inOne: (work: (of: typeof parts) => Promise<void>) => work(parts),
    scope: systemScope("a test of the clock"),
    onFault: (error: unknown) => faults.push(error),
  };
  const happen = async (_parts: object, id: string) => {
    if (failing[id]) throw failing[id];
    happened.push(id);
  };
  return { clock, happen, looks, happened, faults };
}

test("all that is due happens in one run, and what somebody else has in hand is left to them", async () => {
  const { clock, happen, looks, happened } = clockOf(dueTogether * 2 + 3);
  await eachDue(clock, lamps, happen);
  expect(happened).toHaveLength(dueTogether * 2 + 2);
  expect(happened).not.toContain("7");
  expect(looks).toEqual([undefined, String(dueTogether - 1), String(dueTogether * 2 - 1)]);
});

test("a row that fails is told of and stops no other; what its table has not is no fault", async () => {
  const poison = new Error("poisoned");
  const { clock, happen, happened, faults } = clockOf(4, { 0: poison, 2: refuse("contract.state") });
  await eachDue(clock, lamps, happen);
  expect(happened).toEqual(["1", "3"]);
  expect(faults).toEqual([poison]);
});

test("it ends when it is told to", async () => {
  const { clock, happen, happened } = clockOf(4);
  const ending = new AbortController();
  await eachDue(
    clock,
    lamps,
    async (parts, id) => {
      await happen(parts, id);
      if (id === "1") ending.abort();
    },
    ending.signal,
  );
  expect(happened).toEqual(["0", "1"]);
});
