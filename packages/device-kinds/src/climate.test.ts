import { describe, expect, it } from "vitest";
import {
  climateTable,
  climateTarget,
  minimumVentilation,
  seasonFor,
  targetTemperature,
  thi,
  thiBand,
  usualAgeDays,
  usualGainsGrams,
  usualWeightKg,
} from "./climate.ts";
import { pigstyTypes } from "./device-kind.ts";
import { ventilationVerdict } from "./ventilation.ts";

describe("temperature-humidity index", () => {
  it("is 73 at 24 °C and 80 %, as the public check value says", () => {
    expect(Math.round(thi(24, 80))).toBe(73);
    expect(thi(24, 80)).toBeCloseTo(73.31, 2);
  });
  it("rises with humidity in the heat", () => {
    expect(thi(32, 80)).toBeGreaterThan(thi(32, 50));
  });
  it("puts each edge into the upper band", () => {
    expect([73.9, 74, 78.9, 79, 83.9, 84].map(thiBand)).toEqual([
      "normal",
      "alert",
      "alert",
      "danger",
      "danger",
      "emergency",
    ]);
  });
});

describe("climate table", () => {
  it("has every pigsty type, with comfort inside the limits", () => {
    expect(Object.keys(climateTable).sort()).toEqual([...pigstyTypes].sort());
    for (const target of Object.values(climateTable)) {
      expect(target.temperatureLimits[0]).toBeLessThanOrEqual(target.temperatureComfort[0]);
      expect(target.temperatureLimits[1]).toBeGreaterThanOrEqual(target.temperatureComfort[1]);
      expect(target.humidityLimits[0]).toBeLessThan(target.humidityComfort[0]);
      expect(target.ventilation.winter).toBeLessThan(target.ventilation.mild);
      expect(target.ventilation.mild).toBeLessThan(target.ventilation.summer);
    }
  });
  it("carries the figures of the standard", () => {
    expect(climateTable.nursing.temperatureComfort).toEqual([18, 22]);
    expect(climateTable.nursing.creepComfort).toEqual([28, 32]);
    expect(climateTable.boar.temperatureLimits).toEqual([13, 25]);
    expect(climateTable.piglet.ammoniaMgM3).toBe(20);
    expect(climateTable.fattening.humidityComfort).toEqual([65, 75]);
  });
  it("lets the integrated pigsty follow the weight", () => {
    expect(climateTarget("integrated", 12).temperatureComfort).toEqual([20, 25]);
    expect(climateTarget("integrated", 80).temperatureComfort).toEqual([15, 23]);
  });
});

describe("ventilation and target", () => {
  it("multiplies rate, weight and heads", () => {
    expect(minimumVentilation("fattening", "winter", 60, 1000)).toBeCloseTo(21000, 6);
    expect(minimumVentilation("pregnancy", "summer", 200, 10)).toBeCloseTo(1200, 6);
    expect(minimumVentilation("fattening", "winter", 60, 0)).toBe(0);
  });
  it("knows the season by the outdoor mean", () => {
    expect([9.9, 10, 22, 22.1].map(seasonFor)).toEqual(["winter", "mild", "mild", "summer"]);
  });
  it("keeps every target inside the comfort band and falls with weight", () => {
    for (const pigsty of pigstyTypes) {
      for (const weightKg of [6, 15, 29, 31, 60, 120]) {
        const [low, high] = climateTarget(pigsty, weightKg).temperatureComfort;
        const target = targetTemperature(pigsty, { weightKg });
        expect(target).toBeGreaterThanOrEqual(low);
        expect(target).toBeLessThanOrEqual(high);
      }
    }
    expect(targetTemperature("fattening", { weightKg: 60 })).toBe(19.5);
    expect(targetTemperature("fattening", { weightKg: 110 })).toBeLessThan(
      targetTemperature("fattening", { weightKg: 40 }),
    );
    expect(targetTemperature("piglet", { ageDays: 28 })).toBe(
      targetTemperature("piglet", { weightKg: usualWeightKg(28) }),
    );
  });
  it("gains by the usual curve, scaled to the weight, and goes on beyond its end", () => {
    // 80 kg at 130 days and 107 kg at 160: 900 g a day. 122 kg at 180: 750 g a day.
    expect(usualAgeDays(80)).toBe(130);
    expect(usualAgeDays(80.8)).toBe(130);
    expect(usualAgeDays(200)).toBe(180);
    expect(usualGainsGrams(80_000, 130, 2)).toEqual([900, 900]);
    expect(usualGainsGrams(40_000, 130, 1)).toEqual([450]);
    expect(usualGainsGrams(107_000, undefined, 1)).toEqual([750]);
    // Heavier than the 120.5 kg that are usual at 178 days: 750 × 122 / 120.5.
    expect(usualGainsGrams(122_000, 178, 4)).toEqual([759, 759, 759, 759]);
  });
});

describe("ventilation against the least that animals need", () => {
  it("is no alarm, but no good mark either where the shown numbers differ", () => {
    expect(ventilationVerdict(0.19, 0.3)).toMatchObject({ state: "ok", standing: "outside-comfort" });
    expect(ventilationVerdict(0.19, 0.3).reason.en).toBe("0.11 below the least");
    expect(ventilationVerdict(0.299, 0.3).standing).toBe("fine");
  });
});
