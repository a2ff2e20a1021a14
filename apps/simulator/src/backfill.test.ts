import { describe, expect, it } from "vitest";
import { maxBytes, maxEntries, newestFirst, planBackfill, renderPart, splitMessages } from "./backfill.ts";
import type { FleetDevice } from "./fleet.ts";
import { initialState, reportTimeBefore, stateTime, type TelemetryEntry, virtualDevice } from "./virtual-device.ts";

const nowMs = Date.UTC(2026, 10, 21, 9, 30, 12);
const dayMs = 86_400_000;
const device: FleetDevice = {
  token: "t",
  serialNumber: "HW-1",
  kind: "environment",
  firmwareVersion: "1",
  unit: { id: "u", pigstyType: "fattening", headCount: 500, ageDays: 100, weightGrams: 60_000, mode: "normal" },
};
const virtual = virtualDevice(device, 3);
const from = initialState(virtual, reportTimeBefore(virtual, nowMs - 3 * dayMs));
const plan = planBackfill(virtual, from, nowMs);

describe("plan", () => {
  it("covers the time without gap or overlap, in days", () => {
    expect(plan.parts.length).toBeGreaterThanOrEqual(3);
    expect(plan.parts.length).toBeLessThanOrEqual(4);
    let at = stateTime(from);
    for (const part of plan.parts) {
      expect(stateTime(part.state)).toBe(at);
      expect(part.toMs - at).toBeLessThanOrEqual(dayMs);
      at = part.toMs;
    }
    expect(at).toBe(stateTime(plan.state));
    expect(at).toBe(reportTimeBefore(virtual, nowMs));
  });
  it("sends the newest day of all devices first", () => {
    const other = virtualDevice({ ...device, serialNumber: "HW-2", token: "t2" }, 3);
    const more = planBackfill(other, initialState(other, reportTimeBefore(other, nowMs - 2 * dayMs)), nowMs).parts;
    const order = newestFirst([...plan.parts, ...more]);
    expect(order.slice(0, 2).map(({ serialNumber }) => serialNumber)).toEqual(["HW-1", "HW-2"]);
    for (let index = 1; index < order.length; index++) {
      expect((order[index]?.toMs ?? 0) - (order[index - 1]?.toMs ?? 0)).toBeLessThan(dayMs / 2);
    }
  });
  it("plans nothing where nothing is missing", () => {
    expect(planBackfill(virtual, plan.state, nowMs).parts).toEqual([]);
  });
});

describe("rendering", () => {
  const rendered = plan.parts.map((part) => renderPart(virtual, part));
  const entries = rendered.flatMap((part) => part.entries).map((text): TelemetryEntry => JSON.parse(text));
  it("gives a minute's resolution for a day and five minutes' before", () => {
    const young = entries.filter(({ ts }) => nowMs - ts <= dayMs);
    const old = entries.filter(({ ts }) => nowMs - ts > dayMs);
    expect(young.length).toBe(1440);
    expect(old.length).toBe(2 * 288);
    const times = entries.map(({ ts }) => ts);
    expect(times).toEqual([...times].sort((a, b) => a - b));
    expect(new Set(times).size).toBe(times.length);
  });
  it("says all every hour and only changes between", () => {
    const old = entries.filter(({ ts }) => nowMs - ts > dayMs);
    const sizes = old.map(({ values }) => Object.keys(values).length);
    expect(Math.max(...sizes)).toBeGreaterThan(45);
    expect(sizes.toSorted((a, b) => a - b)[sizes.length >> 1]).toBeLessThan(30);
    expect(old.filter(({ values }) => "mode" in values).length).toBeLessThan(60);
  });
  it("says in each report what must never be unknown", () => {
    for (const key of ["t_in", "gear", "mains"]) expect(entries.filter(({ values }) => !(key in values))).toEqual([]);
  });
  it("sends no report without a value, which would cost the whole message", () => {
    for (const kind of ["temperature", "needleless", "dosing-station", "cough"] as const) {
      const quiet = virtualDevice({ ...device, kind, serialNumber: `HW-${kind}` }, 3);
      const parts = planBackfill(quiet, initialState(quiet, reportTimeBefore(quiet, nowMs - dayMs / 4)), nowMs).parts;
      const texts = parts.flatMap((part) => renderPart(quiet, part).entries);
      expect(texts.length).toBeGreaterThan(0);
      expect(texts.filter((text) => text.includes('"values":{}'))).toEqual([]);
    }
  });
  it("tells each count of coughs, so that they add up to the coughs that are recorded", () => {
    const listening = virtualDevice({ ...device, kind: "cough", serialNumber: "HW-cough" }, 3);
    const parts = planBackfill(
      listening,
      initialState(listening, reportTimeBefore(listening, nowMs - 2 * dayMs)),
      nowMs,
    ).parts;
    const sent = parts.map((part) => renderPart(listening, part));
    const counts = sent
      .flatMap(({ entries: texts }) =>
        texts.map((text) => JSON.parse(text) as { ts: number; values: { coughs?: number } }),
      )
      .filter(({ values }) => values.coughs !== undefined);
    const untilMs = counts.at(-1)?.ts ?? 0;
    const told = counts.reduce((sum, { ts, values }, at) => {
      const slots = Math.round(((counts[at + 1]?.ts ?? ts) - ts) / 300_000);
      return sum + (values.coughs ?? 0) * slots;
    }, 0);
    const recorded = sent
      .flatMap(({ events }) => events.map((text) => JSON.parse(text) as { ts: number; type: string }))
      .filter(({ type, ts }) => type === "cough" && ts < untilMs).length;
    expect(recorded).toBeGreaterThan(20);
    expect(Math.abs(told - recorded)).toBeLessThanOrEqual(3);
  });
  it("ends in the very state in which live reporting begins", () => {
    const again = planBackfill(virtual, from, nowMs);
    expect(again.state).toEqual(plan.state);
    const last = entries.at(-1);
    expect(last?.ts).toBe(stateTime(plan.state));
  });
  it("is the same each time it is rendered", () => {
    const [first] = plan.parts;
    if (!first) throw new Error("no parts");
    expect(renderPart(virtual, first)).toEqual(rendered[0]);
    expect(renderPart(virtual, JSON.parse(JSON.stringify(first)))).toEqual(rendered[0]);
  });
  it("leaves out the time a silent device was silent", () => {
    const silent = {
      ...virtual,
      scenarios: [{ name: "silent-device", fromMs: nowMs - 4 * dayMs, untilMs: null }],
    };
    const count = plan.parts.flatMap((part) => renderPart(silent, part).entries).length;
    expect(count).toBeLessThan(entries.length - 40);
  });
});

describe("splitting", () => {
  it("keeps to 60 entries and 200 KiB and loses nothing", () => {
    const small = Array.from({ length: 130 }, (_, index) => ({ ts: index, values: { a: 1 } }));
    const messages = splitMessages(small.map((each) => JSON.stringify(each)));
    expect(messages.map((message) => JSON.parse(message).length)).toEqual([60, 60, 10]);
    expect(messages.flatMap((message) => JSON.parse(message))).toEqual(small);
    const large = Array.from({ length: 50 }, (_, index) => ({ ts: index, values: { text: "猪".repeat(5000) } }));
    const parts = splitMessages(large.map((each) => JSON.stringify(each)));
    for (const part of parts) expect(Buffer.byteLength(part)).toBeLessThanOrEqual(maxBytes);
    expect(parts.flatMap((message) => JSON.parse(message))).toHaveLength(50);
    expect(splitMessages([])).toEqual([]);
    expect(maxEntries).toBe(60);
  });
});
