import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { comparisonReport, comparisonsIn } from "../scripts/verdict-comparisons.ts";

const planted = (...lines: string[]): string[] =>
  comparisonsIn("planted.tsx", ['import { environment } from "@herdwise/device-kinds";', ...lines].join("\n"));

describe("comparisons of readings with limits", () => {
  it("stand in no screen, report or formula", () => {
    const { files, faults } = comparisonReport(fileURLToPath(new URL("..", import.meta.url)));
    expect(faults).toEqual([]);
    expect(files).toBeGreaterThan(500);
  });

  it.each([
    [
      ["const now = numberIn(environment, readings, 't_in');", "const good = now !== undefined && now >= low;"],
      "now >= low",
    ],
    [["const bad = (numberIn(environment, unit.readings, 'nh3') ?? 0) > 20;"], undefined],
    [["const bad = readings.rh?.value < 45;"], "readings.rh?.value < 45"],
    [["const far = Math.abs(figureOf(kind, readings, 'dp') - 20) > most;"], undefined],
    [["eachMinute(input, ['free_cl'], ([residual = 0]) => residual <= band[1]);"], "residual <= band[1]"],
    [["const [ph, ec] = [numberOf(fields.ph), numberOf(fields.ec)];", "if (ec > salty) throw ec;"], "ec > salty"],
    [["const low = result.value < least;"], "result.value < least"],
    [["const pen = (value: number) => (value >= 15 ? 'critical' : 'ok');"], "value >= 15"],
    [["const band = channel.normal;"], "channel.normal"],
    [["const { normal } = channel;"], "normal"],
    [["const { temperatureComfort: comfort } = climateTarget('fattening');"], "temperatureComfort"],
    [["import { limitValue as limitNow } from '@herdwise/device-kinds';"], "limitValue"],
  ])("%s is found", (lines, text) => {
    const found = planted(...lines);
    expect(found).toHaveLength(1);
    if (text !== undefined) expect(found).toEqual([text]);
  });

  it.each([
    ["const runs = (numberIn(environment, readings, 'airflow') ?? 0) > 0;"],
    ["const judged = verdictOf('rh').standing === 'over-limit';"],
    ["const wide = values.length > 3;"],
  ])("%s is none", (line) => {
    expect(planted(line)).toEqual([]);
  });
});
