import { environment, gearTable, type PigstyType, verdictsOf } from "@herdwise/device-kinds";
import { describe, expect, it } from "vitest";
import {
  drinkingRhythm,
  humidityOf,
  initialUnit,
  saturation,
  sensibleHeat,
  stepUnit,
  type UnitSetup,
  type UnitState,
  unitSetup,
  wetBulb,
} from "./environment-model.ts";
import { simulateEnvironment } from "./virtual-device.ts";
import { type Weather, weatherAt } from "./weather.ts";

const place = { latitude: 33, longitude: 112.5 };
const weightOf: Readonly<Record<PigstyType, number>> = {
  boar: 230,
  reserve: 110,
  pregnancy: 210,
  nursing: 220,
  piglet: 14,
  fattening: 60,
  integrated: 50,
};
const setupOf = (pigstyType: PigstyType = "fattening", seed = 5): UnitSetup =>
  unitSetup({ seed, place, pigstyType, headCount: 800, weightKg: weightOf[pigstyType] });
const still = (temperatureC: number, humidityPercent = 65): Weather => ({
  temperatureC,
  humidityPercent,
  dayMeanC: temperatureC,
});
const normalUnit = (setup: UnitSetup, weather: Weather): UnitState =>
  initialUnit(setup, weather, Date.UTC(2026, 10, 10), { mode: "normal", pigs: 800 });
/** Runs under constant weather. */
const run = (setup: UnitSetup, from: UnitState, weather: Weather, hours: number, dtS = 60): UnitState => {
  let state = from;
  for (let step = 0; step < (hours * 3600) / dtS; step++) state = stepUnit(setup, state, dtS, weather);
  return state;
};
/** Holds a gear by hand. */
const atGear = (state: UnitState, gear: number): UnitState => ({
  ...state,
  gear,
  manualGear: gear,
  manualUntilMs: Number.MAX_SAFE_INTEGER,
});

describe("a day in each season", () => {
  it.each([
    ["winter", 0],
    ["spring", 3],
    ["summer", 6],
    ["autumn", 10],
  ])("keeps finishing pigs comfortable in %s, as far as the weather allows", (_season, month) => {
    const from = Date.UTC(2026, month, 12);
    for (const seed of [1, 2, 3]) {
      const readings = simulateEnvironment(setupOf("fattening", seed), 800, from, from + 36 * 3_600_000, 9);
      const day = readings.slice(-1440);
      expect(day).toHaveLength(1440);
      const target = Number(day[0]?.values.t_target);
      const inside = day.filter(({ values }) => {
        const highest = Math.max(target + 3, Number(values.t_out) + 4);
        return Number(values.t_in) >= target - 3 && Number(values.t_in) <= highest;
      });
      expect(inside.length / day.length).toBeGreaterThan(0.97);
      for (const { values } of day) {
        expect(values.rh).toBeGreaterThan(25);
        expect(values.rh).toBeLessThan(95);
        expect(values.nh3).toBeLessThan(20);
        expect(values.co2).toBeLessThan(3000);
        expect(values.dp).toBeGreaterThan(5);
        expect(values.dp).toBeLessThan(40);
      }
    }
  });

  it("leaves most readings of the present season without any finding, in every pigsty type", () => {
    const from = Date.UTC(2026, 10, 12);
    for (const pigstyType of Object.keys(weightOf) as PigstyType[]) {
      const setup = setupOf(pigstyType);
      const readings = simulateEnvironment(setup, 800, from, from + 48 * 3_600_000, 9).slice(-2160);
      const calm = readings.filter(
        ({ values }) =>
          verdictsOf(environment, values, { ageS: 0, pigstyType, weightKg: setup.weightKg }).state === "ok",
      );
      expect(calm.length / readings.length, pigstyType).toBeGreaterThan(0.9);
    }
  });

  it("drinks about a tenth of the live weight a day, most of it by daylight", () => {
    const from = Date.UTC(2026, 10, 12);
    const readings = simulateEnvironment(setupOf(), 800, from, from + 24 * 3_600_000, 9);
    const drunk = Number(readings.at(-1)?.values.water) - Number(readings[0]?.values.water);
    expect(drunk / 800).toBeGreaterThan(4.5);
    expect(drunk / 800).toBeLessThan(7.5);
    let mean = 0;
    for (let hour = 0; hour < 24; hour += 0.1) mean += drinkingRhythm(hour) / 240;
    expect(mean).toBeCloseTo(1, 1);
    expect(drinkingRhythm(9)).toBeGreaterThan(4 * drinkingRhythm(2));
  });
});

describe("the balances", () => {
  const setup = setupOf();
  const cool = still(12);

  it("reach the temperature at which heat in equals heat out", () => {
    const end = run(setup, atGear(normalUnit(setup, cool), 4), cool, 12);
    const air = end.ventilation + 0.4 * setup.volumeM3;
    const out = (0.335 * air + setup.lossWK) * (end.temperatureC - 12);
    const heat = 800 * sensibleHeat(60) + (end.heater / 100) * setup.heaterW;
    expect(out / heat).toBeGreaterThan(0.8);
    expect(out / heat).toBeLessThan(1.2);
  });
  it("do not depend on the step", () => {
    const start = atGear(normalUnit(setup, cool), 4);
    const fine = run(setup, start, cool, 6, 10);
    const coarse = run(setup, start, cool, 6, 120);
    expect(coarse.temperatureC).toBeCloseTo(fine.temperatureC, 0);
    expect(coarse.ammonia / fine.ammonia).toBeGreaterThan(0.9);
    expect(coarse.ammonia / fine.ammonia).toBeLessThan(1.1);
  });
  it("give less ammonia, less carbon dioxide and lower temperature with more ventilation", () => {
    const little = run(setup, atGear(normalUnit(setup, cool), 3), cool, 6);
    const much = run(setup, atGear(normalUnit(setup, cool), 8), cool, 6);
    expect(much.ammonia).toBeLessThan(little.ammonia / 2);
    expect(much.carbonDioxide).toBeLessThan(little.carbonDioxide);
    expect(much.temperatureC).toBeLessThan(little.temperatureC - 2);
  });
  it("warm up without fans", () => {
    const closed = run(setup, atGear(normalUnit(setup, cool), 0), cool, 2);
    expect(closed.temperatureC).toBeGreaterThan(26);
    expect(closed.carbonDioxide).toBeGreaterThan(3000);
  });
  it("follow the outdoor air in an empty unit", () => {
    const empty = run(setup, initialUnit(setup, cool, Date.UTC(2026, 10, 10), { mode: "empty", pigs: 0 }), cool, 12);
    expect(empty.temperatureC).toBeCloseTo(12, 0);
    expect(empty.gear).toBe(0);
    expect(empty.heater).toBe(0);
    expect(empty.carbonDioxide).toBeLessThan(450);
  });
  it("heat piglets in the cold and not in the warm", () => {
    const nursery = setupOf("piglet");
    expect(run(nursery, normalUnit(nursery, still(-6)), still(-6), 12).heater).toBeGreaterThan(10);
    expect(run(nursery, normalUnit(nursery, still(26)), still(26), 12).heater).toBe(0);
  });
  it("cool with the pad only in the top gears, in heat and dry air", () => {
    const hot = still(36, 40);
    const wet = run(setup, atGear({ ...normalUnit(setup, hot), temperatureC: 33 }, 16), hot, 3);
    const dry = run(setup, atGear({ ...normalUnit(setup, hot), temperatureC: 33 }, 15), hot, 3);
    expect(wet.temperatureC).toBeLessThan(dry.temperatureC - 2);
    expect(dry.pad).toBe(false);
  });
  it("never oversaturate", () => {
    const fog = still(18, 98);
    const end = run(setup, normalUnit(setup, fog), fog, 24);
    expect(humidityOf(end)).toBeLessThan(99.1);
    expect(end.moisture).toBeLessThan(saturation(end.temperatureC));
  });
  it("use more energy in a higher gear", () => {
    const used = (gear: number): number => {
      const start = atGear(normalUnit(setup, cool), gear);
      return run(setup, start, cool, 1).energyKwh - start.energyKwh;
    };
    expect(used(10)).toBeGreaterThan(used(4) + 2);
  });
  it("know moist air", () => {
    expect(saturation(20)).toBeCloseTo(0.0146, 3);
    expect(wetBulb(20, 50)).toBeCloseTo(13.7, 0);
  });
});

describe("the controller", () => {
  it("stays in a gear for the dwell time and goes down one by one above the set-point", () => {
    const setup = setupOf();
    const weather = still(14);
    let state = { ...normalUnit(setup, weather), temperatureC: 27, gear: 10 };
    let changedAt = state.atMs;
    for (let step = 0; step < 240; step++) {
      const next = stepUnit(setup, state, 60, weather);
      if (next.gear !== state.gear) {
        expect(state.atMs - changedAt).toBeGreaterThanOrEqual(120_000);
        if (state.temperatureC >= state.targetC) expect(next.gear - state.gear).toBeGreaterThanOrEqual(-1);
        changedAt = next.gearSinceMs;
      }
      state = next;
    }
    expect(state.gear).toBeLessThan(8);
  });
  it("turns the gears of the table in rising heat", () => {
    const setup = setupOf();
    const gears = [8, 16, 24, 31].map(
      (outdoor) => run(setup, normalUnit(setup, still(outdoor)), still(outdoor), 6).gear,
    );
    expect(gears).toEqual([...gears].sort((a, b) => a - b));
    expect(gears[3]).toBeGreaterThan((gears[0] ?? 0) + 5);
    expect(gearTable(20)).toHaveLength(18);
  });
  it("runs the cycle fan a fifth of the time in gear 1", () => {
    const setup = setupOf();
    let state = atGear(normalUnit(setup, still(10)), 1);
    let ran = 0;
    for (let step = 0; step < 100; step++) {
      state = stepUnit(setup, { ...state, ranFans: 0 }, 60, still(10));
      if (state.ranFans === 1) ran += 1;
    }
    expect(ran).toBe(20);
  });
});

describe("weather", () => {
  it("is warmer in July, in the afternoon and in the south", () => {
    const mean = (latitude: number, month: number, hour: number): number => {
      let sum = 0;
      for (let day = 1; day <= 28; day++) {
        sum += weatherAt({ latitude, longitude: 112 }, Date.UTC(2026, month, day, hour), 3).temperatureC;
      }
      return sum / 28;
    };
    expect(mean(33, 6, 7)).toBeGreaterThan(mean(33, 0, 7) + 18);
    expect(mean(33, 3, 7)).toBeGreaterThan(mean(33, 3, 20) + 5);
    expect(mean(23, 0, 7)).toBeGreaterThan(mean(45, 0, 7) + 20);
  });
  it("is the same for the same time, in whatever order it is asked", () => {
    const times = Array.from({ length: 50 }, (_, index) => Date.UTC(2026, 3, 1) + index * 7_000_000);
    const forward = times.map((at) => weatherAt(place, at, 3));
    const backward = [...times].reverse().map((at) => weatherAt(place, at, 3));
    expect(backward.reverse()).toEqual(forward);
    expect(times.map((at) => weatherAt(place, at, 4))).not.toEqual(forward);
  });
});
