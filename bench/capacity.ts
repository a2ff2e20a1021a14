/** `npm run capacity -- --devices 20000 --every 60 --values 10 --people 200`: what such a fleet costs, by the model. */
import { parseArgs } from "node:util";
import { costOf, sizingRow, usualKeptDays } from "./capacity-model.ts";

const { values: flags } = parseArgs({
  options: {
    devices: { type: "string", default: "1000" },
    every: { type: "string", default: "60" },
    values: { type: "string", default: "10" },
    people: { type: "string", default: "20" },
    "raw-days": { type: "string", default: String(usualKeptDays.raw) },
    "minute-days": { type: "string", default: String(usualKeptDays.minute) },
    "hour-days": { type: "string", default: String(usualKeptDays.hour) },
  },
});
const number = (name: keyof typeof flags): number => {
  const value = Number(flags[name]);
  if (!(value > 0)) throw new Error(`--${name} must be a number above 0, not ${flags[name]}`);
  return value;
};
const fleet = {
  devices: number("devices"),
  everyS: number("every"),
  values: number("values"),
  people: number("people"),
  keptDays: { raw: number("raw-days"), minute: number("minute-days"), hour: number("hour-days") },
};
console.log(
  "| devices | people | messages/s | server cores | database cores | memory, GB | disk a day, GB | disk in the end, TB | servers |",
);
console.log("|---|---|---|---|---|---|---|---|---|");
console.log(sizingRow(fleet));
console.log(
  `\n${Object.entries(costOf(fleet))
    .map(([name, value]) => `${name}: ${value.toFixed(2)}`)
    .join("\n")}`,
);
