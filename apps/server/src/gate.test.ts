import { expect, test } from "vitest";
import { createGate } from "./gate.ts";

test("a gate lets so many through at a time, in their order, and goes on after a fault", async () => {
  const gate = createGate(3);
  const numbers = Array.from({ length: 20 }, (_, at) => at);
  let inside = 0;
  let most = 0;
  const order: number[] = [];
  const results = await Promise.allSettled(
    numbers.map((at) =>
      gate(async () => {
        inside += 1;
        most = Math.max(most, inside);
        order.push(at);
        await new Promise((resolve) => setTimeout(resolve, 1));
        inside -= 1;
        if (at % 5 === 0) throw new Error("no");
        return at;
      }),
    ),
  );
  expect(most).toBe(3);
  expect(order).toEqual(numbers);
  expect(results.filter(({ status }) => status === "rejected")).toHaveLength(4);
});
