import { expect, test } from "vitest";
import { createPersonalCipher } from "./personal-cipher.ts";

const [oldKey, newKey] = ["the first key, which is long enough to be one", "the second key, which is long enough, too"];

test("T36: what is closed shows nothing, differs each time, and opens", () => {
  const cipher = createPersonalCipher(oldKey);
  const closed = [cipher.encrypt("13800000001"), cipher.encrypt("13800000001")];
  expect(closed[0]).not.toBe(closed[1]);
  for (const text of closed) {
    expect(text).not.toContain("1380");
    expect(cipher.decrypt(text)).toBe("13800000001");
  }
  expect(cipher.index("13800000001")).toEqual(cipher.index("13800000001"));
  expect(cipher.index("13800000001")).not.toEqual(cipher.index("13800000002"));
});

test("T36: after a change of keys old values open and are found; without the old key they are not", () => {
  const before = createPersonalCipher(oldKey);
  const closed = before.encrypt("13800000001");
  const after = createPersonalCipher(newKey, [oldKey]);
  expect(after.decrypt(closed)).toBe("13800000001");
  expect(after.indexes("13800000001")).toContainEqual(before.index("13800000001"));
  expect(closed.startsWith(after.currentPrefix)).toBe(false);
  expect(after.encrypt("x").startsWith(after.currentPrefix)).toBe(true);
  expect(() => createPersonalCipher(newKey).decrypt(closed)).toThrow("another key");
});

test("a changed box does not open", () => {
  const cipher = createPersonalCipher(oldKey);
  const closed = cipher.encrypt("13800000001");
  const changed = `${closed.slice(0, -2)}${closed.endsWith("AA") ? "BB" : "AA"}`;
  expect(() => cipher.decrypt(changed)).toThrow();
});
