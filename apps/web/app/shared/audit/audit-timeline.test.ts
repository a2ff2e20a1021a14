import { expect, it } from "vitest";
import { runsOf } from "./audit-timeline.tsx";

const entry = (id: string, accountId: string, resource: string, action = "create") => ({
  id,
  accountId,
  resource,
  action,
  sentence: { zh: "", en: "" } as never,
  details: [],
  createTime: "2026-12-01 08:00:00",
});
const ids = (entries: readonly ReturnType<typeof entry>[]) => runsOf(entries).map((run) => run.map(({ id }) => id));

it("tells entries of the system that say the same as one, and never those of people", () => {
  const tickets = ["1", "2", "3", "4", "5"].map((id) => entry(id, "", "scale_ticket"));
  expect(ids([...tickets, entry("6", "7", "scale_ticket")])).toEqual([["1", "2", "3", "4", "5"], ["6"]]);
  expect(ids(tickets.slice(0, 2))).toEqual([["1"], ["2"]]);
  expect(ids([...tickets.slice(0, 2), entry("3", "", "unit"), entry("4", "", "unit", "update")])).toEqual([
    ["1"],
    ["2"],
    ["3"],
    ["4"],
  ]);
  expect(ids(["1", "2", "3", "4", "5"].map((id) => entry(id, "7", "unit")))).toHaveLength(5);
});
