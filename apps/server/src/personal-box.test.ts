import { expect, test } from "vitest";
import { createPersonalBox } from "./personal-box.ts";

const [oldKey, newKey] = ["the first key, which is long enough to be one", "the second key, which is long enough, too"];

test("T36: what is closed shows nothing, differs each time, and opens", () => {
  const box = createPersonalBox(oldKey);
  const closed = [box.close("13800000001"), box.close("13800000001")];
  expect(closed[0]).not.toBe(closed[1]);
  for (const text of closed) {
    expect(text).not.toContain("1380");
    expect(box.open(text)).toBe("13800000001");
  }
  expect(box.index("13800000001")).toEqual(box.index("13800000001"));
  expect(box.index("13800000001")).not.toEqual(box.index("13800000002"));
});

test("T36: after a change of keys old values open and are found; without the old key they are not", () => {
  const before = createPersonalBox(oldKey);
  const closed = before.close("13800000001");
  const after = createPersonalBox(newKey, [oldKey]);
  expect(after.open(closed)).toBe("13800000001");
  expect(after.indexes("13800000001")).toContainEqual(before.index("13800000001"));
  expect(closed.startsWith(after.currentPrefix)).toBe(false);
  expect(after.close("x").startsWith(after.currentPrefix)).toBe(true);
  expect(() => createPersonalBox(newKey).open(closed)).toThrow("another key");
});

test("a changed box does not open", () => {
  const box = createPersonalBox(oldKey);
  const closed = box.close("13800000001");
  const changed = `${closed.slice(0, -2)}${closed.endsWith("AA") ? "BB" : "AA"}`;
  expect(() => box.open(changed)).toThrow();
});
