import { expect, test } from "vitest";
import { createPersonalCipher } from "../../personal-cipher.ts";
import { filterOf } from "./customer.service.ts";

const [older, newer] = ["an older key of personal data, long enough", "a newer key of personal data, long enough"];
const before = createPersonalCipher(older);
const now = createPersonalCipher(newer, [older]);

test("a phone and an ID number are looked for under every key that held, so that a rotation under way hides nobody", () => {
  expect(filterOf(now, { view: "all", keyword: " +86 139-1234-0001 " }).phoneIndexes).toEqual([
    now.index("13912340001"),
    before.index("13912340001"),
  ]);
  const number = "real name 41132519900307001X";
  expect(filterOf(now, { view: "all", keyword: "41132519900307001x" }).numberIndexes).toEqual([
    now.index(number),
    before.index(number),
  ]);
});

test("what is no whole number is looked for as a word alone", () => {
  expect(filterOf(now, { view: "all", keyword: "1391234" })).toEqual({ view: "all", word: "1391234" });
  expect(filterOf(now, { view: "all", keyword: "  " })).toEqual({ view: "all" });
});
