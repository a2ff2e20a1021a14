/**
 * How the process that started the simulator speaks with it: a line of JSON each way, over standard input and output. Nobody else
 * can reach these, so that they need no secret.
 */
import { scenarios } from "./scenarios.ts";
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

/**
 * Carries out `{"id":1,"do":"start"|"stop"|"list","serialNumber":"...","scenario":"..."}`.
 * @returns what to say: the scenarios there are (for `list`), what runs now, and the answer with its id and a problem, if any
 */
export function answer(
  simulator: Pick<Simulator, "startScenario" | "stopScenario" | "status">,
  line: string,
): readonly object[] {
  const asked = parse(line);
  if (asked === undefined) return [{ answer: null, problem: "Not a line of JSON" }];
  const { id = null, do: what, serialNumber, scenario } = asked;
  const choice = { serialNumber: String(serialNumber), scenario: String(scenario) };
  if (what === "list") {
    const catalogue = scenarios.map(({ name, title, summary, kinds, lastsH }) => ({
      name,
      title,
      summary,
      kinds,
      lastsS: Math.round(lastsH * 3600),
    }));
    return [{ catalogue }, { status: simulator.status() }, { answer: id }];
  }
  if (what !== "start" && what !== "stop") return [{ answer: id, problem: "do must be start, stop or list" }];
  const problem = what === "start" ? simulator.startScenario(choice) : simulator.stopScenario(choice);
  return [{ status: simulator.status() }, { answer: id, ...(problem !== undefined && { problem }) }];
}
