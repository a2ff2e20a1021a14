import { expect, test } from "vitest";
import { differenceOf, type Stretch } from "./difference.ts";

const marked = (side: readonly Stretch[]): string =>
  side.map(({ text, differs }) => (differs ? `[${text}]` : text)).join("");

test.each([
  ["南阳禾牧养殖有限公司", "南阳市禾牧养殖有限公司", "南阳禾牧养殖有限公司", "南阳[市]禾牧养殖有限公司"],
  ["91411325MA917T4Q29", "91411325MA9K7T4Q29", "91411325MA9[1]7T4Q29", "91411325MA9[K]7T4Q29"],
  ["冯建", "冯建军", "冯建", "冯建[军]"],
  ["", "某", "", "[某]"],
  ["甲乙", "丙", "[甲乙]", "[丙]"],
  ["同", "同", "同", "同"],
])("%s against %s", (left, right, markedLeft, markedRight) => {
  const found = differenceOf(left, right);
  expect([marked(found.left), marked(found.right)]).toEqual([markedLeft, markedRight]);
  // Nothing is lost, whatever is marked.
  expect(found.left.map(({ text }) => text).join("")).toBe(left);
  expect(found.right.map(({ text }) => text).join("")).toBe(right);
});
