import { expect, test } from "vitest";
import { listAddress } from "./list-address.ts";

test("an address holds what is chosen, and the page from the second on", () => {
  const address = listAddress("/list", { kind: "manual", product: undefined, q: "" });
  expect(address(1)).toBe("/list?kind=manual");
  expect(address(3)).toBe("/list?kind=manual&page=3");
  expect(listAddress("/list", {})(1)).toBe("/list");
});

test("a choice is made anew or taken away, and the others stay", () => {
  const address = listAddress("/list", { kind: "manual", q: "湿帘 & fan" });
  expect(address(1, { kind: "leaflet" })).toBe("/list?kind=leaflet&q=%E6%B9%BF%E5%B8%98+%26+fan");
  expect(address(1, { kind: "", product: "vet" })).toBe("/list?q=%E6%B9%BF%E5%B8%98+%26+fan&product=vet");
});
