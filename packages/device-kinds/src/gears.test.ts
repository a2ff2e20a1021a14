import { describe, expect, it } from "vitest";
import { fullFans, gearFor, gearForVentilation, gearTable } from "./gears.ts";

const table = gearTable(19.5);
const flow = table.map(fullFans);

describe("gear table", () => {
  it("has 18 rows with the up temperatures of the generator", () => {
    expect(table.map(({ gear }) => gear)).toEqual(Array.from({ length: 18 }, (_, index) => index + 1));
    expect(table.map(({ t_up }) => t_up)).toEqual([
      18.5, 19.5, 20.2, 20.9, 21.6, 22.3, 23, 23.7, 24.5, 25.3, 26.1, 26.9, 27.7, 28.5, 29.3, 30.1, 30.9, 31.7,
    ]);
    for (const row of table) expect(row.t_up - row.t_down).toBeCloseTo(0.4, 6);
  });
  it("cycles fan 1, then drives two fans, then adds one fan per gear, then pad and spray", () => {
    expect(table.slice(0, 2).map((row) => [row.fans, row.cycle_on_s, row.cycle_off_s])).toEqual([
      [1, 60, 240],
      [1, 120, 180],
    ]);
    expect(table.slice(2, 6).map((row) => [row.fans, row.vfd])).toEqual([
      [2, 40],
      [2, 60],
      [2, 80],
      [2, 100],
    ]);
    expect(table.slice(6, 15).map((row) => row.fans)).toEqual([3, 4, 5, 6, 7, 8, 9, 10, 11]);
    expect(table.filter((row) => row.pad && row.spray).map((row) => row.gear)).toEqual([16, 17, 18]);
  });
  it("opens the inlets from 8 to 100 % and moves more air in every gear up to 15", () => {
    expect(table[0]?.damper).toBe(8);
    expect(table[1]?.damper).toBe(12);
    expect(table[17]?.damper).toBe(100);
    for (let index = 1; index < table.length; index++) {
      expect(table[index]?.damper).toBeGreaterThan(table[index - 1]?.damper ?? 100);
      if (index < 15) expect(flow[index]).toBeGreaterThan(flow[index - 1] ?? 11);
    }
    expect(flow[0]).toBeCloseTo(0.2, 6);
    expect(flow[17]).toBe(11);
  });
});

describe("choice of gear", () => {
  it("goes up at the up temperature and not before", () => {
    expect(gearFor(20.19, 2, table)).toBe(2);
    expect(gearFor(20.2, 2, table)).toBe(3);
    expect(gearFor(26, 3, table)).toBe(10);
  });
  it("holds the gear inside the hysteresis and leaves it below", () => {
    expect(gearFor(19.9, 3, table)).toBe(3);
    expect(gearFor(19.79, 3, table)).toBe(2);
  });
  it("never closes a house with animals", () => {
    expect(gearFor(5, 4, table)).toBe(1);
    expect(gearFor(5, 0, table)).toBe(1);
  });
  it("finds the lowest gear for a wanted flow", () => {
    expect(gearForVentilation(0, 36000, table)).toBe(1);
    expect(gearForVentilation(20000, 36000, table)).toBe(3);
    expect(gearForVentilation(1e9, 36000, table)).toBe(18);
  });
});
