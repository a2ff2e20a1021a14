import { rangeOf, verdictOf } from "@herdwise/device-kinds";
import { deodorization } from "@herdwise/device-kinds/kinds/deodorization";
import {
  type AnalyticInput,
  eachMinute,
  figure,
  hourMs,
  increase,
  type KindFormulas,
  numberOf,
  percent,
  slopePerDay,
} from "./formula.ts";

/** Of ammonia at 25 °C: 1 ppm in mg/m³ (devices.md 2.1). */
const mgPerPpm = 0.7;
/** Figures of an hour's record that have limits. */
const limited = ["ph", "ec", "dp"] as const;

/** Scrubbers: how much ammonia they take out, whether they ran while the fans did, and what that takes. */
export const deodorizationFormulas: KindFormulas = {
  kind: "deodorization",
  events: ["hourly_record", "agent_dose"],
  keys: ["nh3_in", "nh3_out", "airflow", "pump", "gear", "kwh", "discharge", "dp"],
  compute(input: AnalyticInput) {
    const { events, series, startMs, endMs, parameter } = input;
    let into = 0;
    let out = 0;
    let air = 0;
    let minutes = 0;
    eachMinute(input, ["airflow", "nh3_in", "nh3_out"], ([flow = 0, before = 0, after = 0]) => {
      minutes += 1;
      air += flow / 60;
      into += (flow / 60) * before;
      out += (flow / 60) * after;
    });
    let fans = 0;
    let pumped = 0;
    eachMinute(input, ["gear", "pump"], ([gear = 0, pump = 0]) => {
      if (gear <= 0) return;
      fans += 1;
      if (pump >= 0.5) pumped += 1;
    });
    const parameters = Object.fromEntries(deodorization.parameters.map(({ key }) => [key, parameter(key)]));
    const context = { ageS: 0, parameters };
    const records = events.filter(({ type }) => type === "hourly_record");
    // Discharge and energy have no limit: a record has to tell them.
    const good = records.filter(({ body }) => {
      const values = Object.fromEntries(limited.map((key) => [key, numberOf(body[key])]));
      return (
        numberOf(body.discharge) !== undefined &&
        numberOf(body.kwh) !== undefined &&
        limited.every(
          (key) => !["over-limit", "unknown"].includes(verdictOf(deodorization, key, values, context).standing),
        )
      );
    }).length;
    // An hour without a record is one whose figures nobody can show; who sends none at all does not keep a register.
    const hours = records.length === 0 ? 0 : Math.floor((endMs - startMs) / hourMs);
    const captured = ((into - out) * mgPerPpm) / 1e6;
    const acid = events
      .filter(({ type, body }) => type === "agent_dose" && body.agent === "acid")
      .reduce((all, { body }) => all + (numberOf(body.litres) ?? 0), 0);
    const kwh = increase(series.get("kwh"));
    const discharge = increase(series.get("discharge"));
    const pressure = series.get("dp") ?? [];
    const slope = slopePerDay(pressure);
    const last = pressure.at(-1)?.[1];
    const { high: cloggedPa } = rangeOf(deodorization, "dp", {}, context);
    return [
      figure("ammonia_removal", into > 0 ? (1 - out / into) * 100 : undefined, minutes),
      figure("ammonia_captured", captured, minutes),
      figure("uptime", percent(pumped, fans), fans),
      // A record of a full hour may stand at the very begin of the span.
      figure("compliant_hours", percent(Math.min(good, hours), hours), hours),
      figure("missing_hours", Math.max(0, hours - records.length), hours),
      figure("acid_per_ammonia", acid > 0 && captured > 0 ? acid / captured : undefined, minutes),
      figure("energy_per_air", kwh === undefined || air === 0 ? undefined : kwh / (air / 1000), minutes),
      figure(
        "use_per_air",
        discharge === undefined || air === 0 ? undefined : (discharge * 1000) / (air / 1000),
        minutes,
      ),
      figure(
        "pad_forecast",
        slope === undefined || last === undefined || cloggedPa === undefined || slope <= 0.05
          ? undefined
          : Math.max(0, (cloggedPa - last) / slope),
        pressure.length,
      ),
    ];
  },
};
