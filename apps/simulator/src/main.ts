/** Command line: runs a fleet of virtual devices until it is told to stop. */
import { readFile } from "node:fs/promises";
import { createInterface } from "node:readline";
import { parseArgs } from "node:util";
import { chooseScenarios } from "./choose.ts";
import { answer } from "./control.ts";
import { parseFleet } from "./fleet.ts";
import { startSimulator } from "./simulator.ts";

const usage =
  "node apps/simulator/src/main.ts --fleet <file.json> --mqtt mqtt://127.0.0.1:1883 --state <file.json> " +
  "[--backfill-days 14] [--seed 1] [--speed 1] [--scenario name[@serial][,...]] [--while-stdin]";

const fail = (message: string): never => {
  console.error(`${message}\nUsage: ${usage}`);
  process.exit(2);
};

function numberOption(name: string, value: string, low: number, high: number): number {
  const number = Number(value);
  return Number.isFinite(number) && number >= low && number <= high
    ? number
    : fail(`--${name} must be ${low} to ${high}`);
}

const { values } = parseArgs({
  options: {
    fleet: { type: "string" },
    mqtt: { type: "string", default: "mqtt://127.0.0.1:1883" },
    state: { type: "string" },
    "backfill-days": { type: "string", default: "14" },
    seed: { type: "string" },
    speed: { type: "string", default: "1" },
    scenario: { type: "string", default: "" },
    "while-stdin": { type: "boolean", default: false },
  },
});
const fleetPath = values.fleet ?? fail("--fleet is missing");
const statePath = values.state ?? fail("--state is missing");
const speed = numberOption("speed", values.speed, 0.1, 600);
const backfillDays = numberOption("backfill-days", values["backfill-days"], 0, 14);
/** A fault in a file is told in one sentence, without a stack. */
const orFail = <Value>(promise: Promise<Value>): Promise<Value> =>
  promise.catch((error: unknown) => fail(error instanceof Error ? error.message : String(error)));
const fleet = await orFail(readFile(fleetPath, "utf8").then((text) => parseFleet(JSON.parse(text))));
const choice = chooseScenarios(values.scenario, fleet);
const begin = typeof choice === "string" ? fail(choice) : choice;
const starting = startSimulator({
  fleet: values.seed === undefined ? fleet : { ...fleet, seed: numberOption("seed", values.seed, 0, 4294967295) },
  mqttUrl: values.mqtt,
  statePath,
  backfillDays,
  speed,
  begin,
  print: (line) => console.log(line),
  onError: (line) => console.error(line),
});
const simulator = await orFail(starting);

let stopping = false;
const stop = async (): Promise<void> => {
  if (stopping) return;
  stopping = true;
  await simulator.stop();
  process.exit(0);
};
process.on("SIGTERM", stop);
process.on("SIGINT", stop);
// Whoever started it holds the other end: when that process is gone, however it went, the fleet goes, too.
if (values["while-stdin"]) {
  const say = (line: object): void => console.log(JSON.stringify(line));
  createInterface({ input: process.stdin })
    .on("line", (line) => {
      for (const each of answer(simulator, line)) say(each);
    })
    .once("close", stop);
  for (const each of answer(simulator, '{"id":0,"do":"list"}')) say(each);
}
simulator.backfill.catch((error: unknown) => {
  console.error(`The simulator failed: ${error instanceof Error ? error.message : String(error)}`);
  process.exit(1);
});
