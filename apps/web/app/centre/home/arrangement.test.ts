import { expect, test } from "vitest";
import { type Arrangement, cardIds, moved, ordinary, readArrangement } from "./arrangement.ts";

test("a new account has every card once", () => {
  expect(ordinary.map(({ id }) => id).toSorted()).toEqual([...cardIds].sort());
  expect(readArrangement(undefined)).toBe(ordinary);
});

test("what was kept is read, and what nobody knows is left out", () => {
  const kept = [
    { id: "todo", width: 4 },
    { id: "gone", width: 2 },
    { id: "todo", width: 2 },
    { id: "farms", width: 5 },
    null,
    "board",
  ];
  expect(readArrangement(kept)).toEqual([
    { id: "todo", width: 4 },
    { id: "farms", width: 2 },
  ]);
  expect(readArrangement([])).toEqual([]);
  expect(readArrangement("x")).toBe(ordinary);
});

test("a card moves to a place, and never beyond the ends", () => {
  const three: Arrangement = [
    { id: "board", width: 6 },
    { id: "farms", width: 4 },
    { id: "todo", width: 2 },
  ];
  const idsOf = (of: Arrangement): string[] => of.map(({ id }) => id);
  expect(idsOf(moved(three, "board", 1))).toEqual(["farms", "board", "todo"]);
  expect(idsOf(moved(three, "todo", 0))).toEqual(["todo", "board", "farms"]);
  expect(idsOf(moved(three, "board", 9))).toEqual(["farms", "todo", "board"]);
  expect(idsOf(moved(three, "todo", -3))).toEqual(["todo", "board", "farms"]);
  expect(moved(three, "orders", 0)).toBe(three);
});
