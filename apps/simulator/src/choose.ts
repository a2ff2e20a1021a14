/** Which scenarios the command line asks for. */
import type { Fleet } from "./fleet.ts";
import { scenarioOf, scenarios } from "./scenarios.ts";
import type { ScenarioChoice } from "./simulator.ts";

/**
 * Reads `name[@serial][,...]`; a name without a serial number is for every device of its kinds.
 * @returns the choices, or what is wrong and what there is instead
 */
export function chooseScenarios(text: string, fleet: Fleet): readonly ScenarioChoice[] | string {
  const choices: ScenarioChoice[] = [];
  for (const part of text.split(",").map((each) => each.trim())) {
    if (part === "") continue;
    const [name = "", serialNumber] = part.split("@", 2);
    const scenario = scenarioOf(name);
    if (scenario === undefined)
      return `There is no scenario "${name}". There are:\n${scenarios
        .map((each) => `  ${each.name.padEnd(22)} ${each.kinds.length > 3 ? "several kinds" : each.kinds.join(", ")}`)
        .join("\n")}`;
    const fits = fleet.devices.filter(({ kind }) => scenario.kinds.includes(kind));
    const meant = serialNumber === undefined ? fits : fits.filter((device) => device.serialNumber === serialNumber);
    if (meant.length === 0) {
      const some = fits.slice(0, 8).map((device) => device.serialNumber);
      return serialNumber === undefined
        ? `The fleet has no device for the scenario "${name}", which is for ${scenario.kinds.join(", ")}`
        : `The scenario "${name}" can't run on ${serialNumber}. It can on ${some.join(", ")}${fits.length > some.length ? ", ..." : ""}`;
    }
    choices.push(...meant.map((device) => ({ serialNumber: device.serialNumber, scenario: name })));
  }
  return choices;
}
