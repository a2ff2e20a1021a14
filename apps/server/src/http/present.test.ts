import { MenuNode } from "@herdwise/contract";
import { Type } from "typebox";
import { expect, test } from "vitest";
import { present, wireDateTime } from "./present.ts";

const Row = Type.Object({
  name: Type.String(),
  at: Type.String({ format: "wire-date-time" }),
  count: Type.Integer(),
  tags: Type.Array(Type.String()),
  note: Type.Optional(Type.String()),
});

test("nulls follow the wire: text and list empty, number left out, optional left out", () => {
  expect(present(Row, { name: null, at: null, count: null, tags: null, note: null })).toEqual({
    name: "",
    at: "",
    tags: [],
  });
});

test("dates are written in Asia/Shanghai", () => {
  expect(present(Row, { name: "a", at: new Date("2026-01-31T16:00:05Z"), count: 1, tags: [] })).toMatchObject({
    at: "2026-02-01 00:00:05",
  });
});

test("dates are those of the calendar's own formatter, also when Shanghai had summer time", () => {
  const formatter = new Intl.DateTimeFormat("sv-SE", {
    timeZone: "Asia/Shanghai",
    dateStyle: "short",
    timeStyle: "medium",
  });
  for (let at = Date.UTC(1985, 0, 1, 15, 59, 59, 999); at < Date.UTC(2036, 0, 1); at += 37 * 86_400_000 + 3_661_000) {
    expect(wireDateTime(new Date(at))).toBe(formatter.format(at));
  }
  expect(() => wireDateTime(new Date(Number.NaN))).toThrow(RangeError);
});

test("a field outside the schema never leaves", () => {
  expect(JSON.stringify(present(Type.Array(Row), [{ name: "a", passwordHash: "canary" }]))).not.toContain("canary");
});

test("trees and records are followed", () => {
  const node = { id: "1", name: "一", secret: "canary", children: [{ id: "2", name: null, secret: "canary" }] };
  const [shown] = present(Type.Array(MenuNode), [node]) as { children: { name: string }[] }[];
  expect(shown?.children[0]?.name).toBe("");
  expect(JSON.stringify(shown)).not.toContain("canary");
  const records = Type.Record(Type.String(), Type.Object({ value: Type.Unknown(), ts: Type.Integer() }));
  expect(present(records, { t_in: { value: 31.5, ts: 1, extra: 2 } })).toEqual({ t_in: { value: 31.5, ts: 1 } });
});

test("personal fields are masked wherever they stand, whatever the service gave", () => {
  const schema = Type.Object({ phone: Type.String(), rows: Type.Array(Type.Object({ phone: Type.String() })) });
  const shown = present(schema, { phone: "13800000001", rows: [{ phone: "13900000002" }] }, { phone: "mask-phone" });
  expect(shown).toEqual({ phone: "138****0001", rows: [{ phone: "139****0002" }] });
});
