/**
 * How the process that started the simulator speaks with it: a line of JSON each way, over standard input and output. Nobody else
 * can reach these, so that they need no secret.
 */
import expectedMinutes from "./expected-minutes.json" with { type: "json" };
import { scenarioOf, scenarios } from "./scenarios.ts";
import type { Simulator } from "./simulator.ts";

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

function parse(line: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(line);
    return isRecord(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** Minutes until each alarm, by scenario, kind and rule, as scenarios.test.ts measures them. */
const minutesOf: Readonly<Record<string, Readonly<Record<string, Readonly<Record<string, number>>>>>> = expectedMinutes;

/**
 * Carries out `{"id":1,"do":"start"|"stop"|"list","serialNumber":"...","scenario":"...","speed":4}`.
 * @returns what to say: the scenarios there are (for `list`), what runs now, and the answer with its id and a problem, if any
 */
export function answer(
  simulator: Pick<Simulator, "startScenario" | "stopScenario" | "status">,
  line: string,
): readonly object[] {
  const asked = parse(line);
  if (asked === undefined) return [{ answer: null, problem: "Not a line of JSON" }];
  const { id = null, do: what, serialNumber, scenario, speed = 1 } = asked;
  const choice = { serialNumber: String(serialNumber), scenario: String(scenario) };
  if (what === "list") {
    const catalogue = scenarios.map(({ name, title, summary, kinds, lastsH, alarms, hastens = false }) => ({
      name,
      title,
      summary,
      kinds,
      lastsS: Math.round(lastsH * 3600),
      alarms,
      hastens,
      minutes: minutesOf[name] ?? {},
    }));
    return [{ catalogue }, { status: simulator.status() }, { answer: id }];
  }
  if (what !== "start" && what !== "stop") return [{ answer: id, problem: "do must be start, stop or list" }];
  if (typeof speed !== "number" || !(speed >= 1 && speed <= 60))
    return [{ answer: id, problem: "speed must be a number from 1 to 60" }];
  if (speed !== 1 && !scenarioOf(choice.scenario)?.hastens)
    return [{ answer: id, problem: `${choice.scenario} can't unfold faster` }];
  const problem = what === "start" ? simulator.startScenario(choice, speed) : simulator.stopScenario(choice);
  return [{ status: simulator.status() }, { answer: id, ...(problem !== undefined && { problem }) }];
}
