import type { Alarm, KindUnit, SeriesReply } from "@herdwise/contract";
import { describe, expect, test } from "vitest";
import { alarmsAt, hourAround, readingsAt, replayKeys, replaySpan, unitAt } from "./replay-values.ts";

const now = Date.parse("2026-03-02T15:20:30+08:00");
const at = (text: string): number => Date.parse(`${text}:00+08:00`);

describe("the day that is replayed", () => {
  test("is the last 24 hours, or the day of a moment before them", () => {
    expect(replaySpan(now - 60_000, now)).toEqual({ fromMs: at("2026-03-01T15:20"), toMs: at("2026-03-02T15:20") });
    expect(replaySpan(at("2026-02-27T23:59"), now)).toEqual({
      fromMs: at("2026-02-27T00:00"),
      toMs: at("2026-02-27T23:59"),
    });
  });

  test("is asked for by hours, with what still holds at their beginning", () => {
    const { start, end } = hourAround(at("2026-03-02T10:17"));
    expect(end).toBe(at("2026-03-02T11:00"));
    expect(start).toBeLessThan(at("2026-03-02T10:00"));
    expect(replayKeys.length).toBeLessThanOrEqual(50);
    for (const key of ["t_in", "fan_11", "fan_11_a", "damper_4", "mode", "pad"]) expect(replayKeys).toContain(key);
  });
});

describe("a moment of it", () => {
  const series = [
    {
      id: "1",
      key: "t_in",
      points: [
        [at("2026-03-02T10:00"), 21],
        [at("2026-03-02T10:01"), 31],
      ],
    },
    { id: "1", key: "pad", points: [[at("2026-03-02T10:01"), true]] },
    { id: "1", key: "mode", points: [[at("2026-03-02T10:00"), "washing"]] },
  ] satisfies SeriesReply["series"];
  const unit = {
    id: "7",
    mode: "normal",
    status: "online",
    reportedAtMs: now,
    readings: {},
    more: [],
  } as unknown as KindUnit;

  test("has the newest value of each series, and nothing of later ones", () => {
    expect(readingsAt(series, at("2026-03-02T10:00"))).toMatchObject({ t_in: { value: 21 } });
    expect(readingsAt(series, at("2026-03-02T10:00"))).not.toHaveProperty("pad");
    expect(readingsAt(series, at("2026-03-02T10:05"))).toMatchObject({ t_in: { value: 31 }, pad: { value: true } });
  });

  test("is judged by the mode of then, and is offline where nothing was heard", () => {
    expect(unitAt(unit, series, at("2026-03-02T10:02"))).toMatchObject({
      mode: "washing",
      status: "online",
      reportedAtMs: at("2026-03-02T10:01"),
    });
    expect(unitAt(unit, series, at("2026-03-02T12:00")).status).toBe("offline");
    expect(unitAt(unit, [], at("2026-03-02T10:00"))).not.toHaveProperty("reportedAtMs");
  });

  test("has the alarms that held then", () => {
    const alarm = (id: string, sinceMs: number, endedMs?: number) => ({ id, sinceMs, endedMs }) as unknown as Alarm;
    const all = [alarm("ended", 10, 20), alarm("open", 15), alarm("later", 40)];
    expect([9, 10, 15, 20, 40].map((ms) => alarmsAt(all, ms).map(({ id }) => id))).toEqual([
      [],
      ["ended"],
      ["ended", "open"],
      ["open"],
      ["open", "later"],
    ]);
  });
});
