import { expect, test } from "vitest";
import { bodyOf } from "./content-markup.ts";

test("lines that begin with a number are steps in their order, those with a dash are points", () => {
  expect(
    bodyOf(`
      ## In this order
      1. Air speed: 1.5 m/s.
      2. Pads < 85 %.
      - A point
      1.5 m/s is no step.
      | a | b |
      | 1 | 2 |`),
  ).toBe(
    "<h2>In this order</h2><ol><li>Air speed: 1.5 m/s.</li><li>Pads &lt; 85 %.</li></ol><ul><li>A point</li></ul>" +
      '<p>1.5 m/s is no step.</p><table><tbody><tr><th scope="col">a</th><th scope="col">b</th></tr>' +
      "<tr><td>1</td><td>2</td></tr></tbody></table>",
  );
});
