import { describe, expect, it } from "vitest";
import { ruleThresholds } from "./conditions.ts";
import { type Condition, type DeviceKind, deviceKindIds, type Limit } from "./device-kind.ts";
import { faultRulesOf } from "./fault-rules.ts";
import { deviceKinds } from "./generated/device-kinds.ts";
import { environment } from "./kinds/environment.ts";
import { parameterGroups } from "./parameter-groups.ts";

const kinds = Object.values(deviceKinds);
const repeated = (list: readonly string[]): string[] => list.filter((each, index) => list.indexOf(each) !== index);

/** Every channel or derived value, event type and parameter that a condition refers to. */
function references(condition: Condition) {
  const values: string[] = [];
  const events: string[] = [];
  const parameters: string[] = [];
  const limit = (part: Limit): void => {
    if (part.from === "setPoint" || part.from === "value") values.push(part.key);
    if (part.from === "parameter") parameters.push(part.key);
    if (part.from === "lowest" || part.from === "highest") part.of.forEach(limit);
  };
  const walk = (part: Condition): void => {
    if (part.type === "all" || part.type === "any") part.of.forEach(walk);
    if (part.type === "compare") {
      values.push(part.key);
      limit(part.limit);
    }
    if (part.type === "event") events.push(part.event);
  };
  walk(condition);
  return { values, events, parameters };
}
const valueKeys = (kind: DeviceKind) => new Set([...kind.channels, ...kind.derived].map(({ key }) => key));

describe("all kinds", () => {
  it("stand each under its own id", () => {
    expect(Object.keys(deviceKinds).sort()).toEqual([...deviceKindIds].sort());
    for (const [id, kind] of Object.entries(deviceKinds)) expect(kind.kind).toBe(id);
  });
});

describe.each(kinds.map((kind) => [kind.kind, kind] as const))("%s", (_id, kind) => {
  it("has unique keys, ids, methods and types", () => {
    expect(repeated([...kind.channels, ...kind.derived].map(({ key }) => key))).toEqual([]);
    expect(repeated(kind.alarmRules.map(({ id }) => id))).toEqual([]);
    expect(repeated(kind.commands.map(({ method }) => method))).toEqual([]);
    expect(repeated(kind.events.map(({ type }) => type))).toEqual([]);
    expect(repeated(kind.parameters.map(({ key }) => key))).toEqual([]);
    expect(repeated(kind.analytics.map(({ id }) => id))).toEqual([]);
  });

  it("names everything in both languages", () => {
    const named = [
      kind,
      ...kind.channels,
      ...kind.channels.map((channel) => ({ name: channel.section })),
      ...kind.derived,
      ...kind.events,
      ...kind.events.flatMap(({ fields }) => fields),
      ...kind.commands,
      ...kind.commands.flatMap(({ fields }) => fields),
      ...kind.parameters,
      ...kind.alarmRules,
      ...kind.alarmRules.map(({ sourceNote }) => ({ name: sourceNote })),
      ...kind.analytics,
      ...kind.states,
    ];
    for (const { name } of named) {
      expect(name.zh.trim()).not.toBe("");
      expect(name.en.trim()).not.toBe("");
      expect(name.en).not.toMatch(/[\u4e00-\u9fff]/);
    }
  });

  it("has valid ranges that include the normal ones", () => {
    for (const { key, type, valid, normal } of kind.channels) {
      if (type !== "number") continue;
      expect(valid, key).toBeDefined();
      if (!valid) continue;
      expect(valid[0], key).toBeLessThan(valid[1]);
      if (!normal) continue;
      expect(normal[0], key).toBeLessThan(normal[1]);
      expect(normal[0], key).toBeGreaterThanOrEqual(valid[0]);
      expect(normal[1], key).toBeLessThanOrEqual(valid[1]);
    }
  });

  it("has the shared channels and an offline rule that agrees with its limit", () => {
    const keys = valueKeys(kind);
    for (const key of ["rssi", "supply_v", "uptime", "fw", "clock_offset", "buf_pending"]) expect(keys).toContain(key);
    const offline = kind.alarmRules.find(({ id }) => id === "offline");
    expect(offline?.condition).toMatchObject({ detector: "silence", parameters: { after_s: kind.offlineAfterS } });
    expect(kind.offlineAfterS).toBeGreaterThan(3 * kind.reportIntervalS);
  });

  it("refers in its rules only to what it declares", () => {
    const keys = valueKeys(kind);
    const eventTypes = new Set(kind.events.map(({ type }) => type));
    const parameterKeys = new Set(kind.parameters.map(({ key }) => key));
    for (const { id, condition, raiseAfterS } of kind.alarmRules) {
      const found = references(condition);
      for (const key of found.values) expect(keys.has(key), `${id}: ${key}`).toBe(true);
      for (const type of found.events) expect(eventTypes.has(type), `${id}: ${type}`).toBe(true);
      for (const key of found.parameters) expect(parameterKeys.has(key), `${id}: ${key}`).toBe(true);
      if (condition.type === "detector") {
        for (const over of condition.over) {
          expect(keys.has(over) || eventTypes.has(over) || over === "task", `${id}: ${over}`).toBe(true);
        }
      }
      expect(raiseAfterS).toBeGreaterThanOrEqual(0);
      expect(repeated(ruleThresholds({ condition }).map((threshold) => threshold.id)), id).toEqual([]);
    }
  });

  it("compares event fields that the event has", () => {
    const walk = (condition: Condition): void => {
      if (condition.type === "all" || condition.type === "any") condition.of.forEach(walk);
      if (condition.type !== "event") return;
      const fields = kind.events.find(({ type }) => type === condition.event)?.fields.map(({ key }) => key);
      for (const { field } of condition.where ?? []) expect(fields).toContain(field);
    };
    for (const { condition } of kind.alarmRules) walk(condition);
  });

  it("derives from keys it has", () => {
    const keys = valueKeys(kind);
    for (const { key, of } of kind.derived) for (const part of of) expect(keys.has(part), `${key}: ${part}`).toBe(true);
  });

  it("has defaults that its own checks accept", () => {
    for (const parameter of kind.parameters) {
      if (parameter.type === "number") {
        expect(parameter.default, parameter.key).toBeGreaterThanOrEqual(parameter.range[0]);
        expect(parameter.default, parameter.key).toBeLessThanOrEqual(parameter.range[1]);
      } else if (parameter.type === "choice") {
        expect(parameter.choices.map(({ value }) => value)).toContain(parameter.default);
      } else if (parameter.type === "structure") {
        expect(parameter.validate(parameter.default), parameter.key).toEqual([]);
        expect(parameter.validate("nonsense"), parameter.key).not.toEqual([]);
      }
    }
  });

  it("has events, commands, parameters, rules beyond the shared ones, and analytics", () => {
    expect(kind.events.length).toBeGreaterThan(1);
    expect(kind.commands.length).toBeGreaterThan(1);
    expect(kind.parameters.length).toBeGreaterThan(2);
    expect(
      kind.alarmRules.filter(({ id }) => !/^(offline|signal_|sensor_|clock_|firmware_|battery_)/.test(id)).length,
    ).toBeGreaterThan(5);
    expect(kind.analytics.length).toBeGreaterThan(3);
  });
});

/** Channels and events that devices.md requires, one list per kind, so that dropping a channel fails here. */
const wanted: Readonly<Record<string, { channels: string; events: string; rules: string }>> = {
  environment: {
    channels: `t_in t1 t2 t3 t4 rh t_out rh_out nh3 co2 h2s dp airspd lux gear_cmd gear vfd damper_cmd damper_1 damper_4 spray pad
      heater vent water kwh mains mode t_target pigs fan_1 fan_11 fan_1_a fan_11_a fan_1_rpm fan_11_rpm`,
    events:
      "gear_change mode_change param_applied manual_override_start manual_override_end power_fail power_restore fan_trip door_open",
    rules: `temperature_high temperature_very_high temperature_low temperature_rising_fast all_fans_off mains_loss ammonia_high
      ammonia_very_high carbon_dioxide_high carbon_dioxide_very_high hydrogen_sulfide_high hydrogen_sulfide_danger humidity_high
      humidity_low pressure_low pressure_high gear_not_reached fan_current probe_spread water_stopped water_at_night heat_stress
      heat_emergency`,
  },
  cough: {
    channels: "coughs laeq t t2 rh mic_ok rehs rdi",
    events: "cough episode",
    rules:
      "index_above_baseline index_doubled index_fourfold health_score_low health_score_very_low noise microphone_silent coverage_low",
  },
  temperature: {
    channels: "n mean p50 p95 fever_share scanned bb_drift batt",
    events: "scan round_start round_end rail_jam fever_case",
    rules:
      "fever_share fever_share_high fever_share_outbreak mean_above_week individual_fever chill scan_coverage blackbody_drift",
  },
  needleless: {
    channels: "bottle_ml vaccine_t shots_total charge batt",
    events: "shot session_open session_closed",
    rules: `dose_mean dose_single bad_shots bad_shots_many pressure_off vaccine_warm wrong_lot repeat_ear_tag coverage_low overdue
      nozzle_worn battery_low gap_in_log`,
  },
  bathroom: {
    channels: "water_t flow tank_t tank room_t occupancy door_a door_b disinfectant cabinet cabinet_t",
    events: "shower bypass unknown_person quarantine_breach",
    rules:
      "bypass both_doors under_time water_temperature scald too_long unknown_person quarantine_breach tank_low gate_silent",
  },
  disinfect: {
    channels: "flow total p free_cl clo2 orp ph turb ec t pump stock acid",
    events: "flush shock calibration",
    rules: `residual_low residual_high residual_danger orp_low orp_very_low orp_high ph_off no_dosing dosing_without_flow stock_low
      stock_empty turbidity night_flow use_dropped calibration_due`,
  },
  deodorization: {
    channels: `nh3_in nh3_out h2s_in h2s_out t_exhaust rh_exhaust airflow ph ec dp pump pump_a kwh kwh_hour circ discharge
      discharge_hour level acid agent orp`,
    events: "hourly_record drain",
    rules: `removal_low outlet_high outlet_very_high ph_off conductivity_high clogged bypassed pump_off no_discharge level_low
      level_high acid_low record_missing`,
  },
  "bungalow-deodorization": {
    channels: `pump pump_a p flow conc tank nh3_before nh3_after h2s_before h2s_after wind wind_dir nh3_boundary h2s_boundary odour
      curtain_ok`,
    events: "spray_run winter_drain",
    rules: "boundary_ammonia boundary_sulfide boundary_odour no_flow pressure_off tank_low frost removal_low",
  },
  "dosing-station": {
    channels: `tank_1 tank_1_l tank_1_conc tank_1_t tank_1_agitator tank_1_batch tank_1_days_left valve_1_cmd valve_1 valve_1_travel
      valve_1_cycles flow_1 flow_1_total flow_1_empty pump_1_hz pump_1_a pump_1_h mix_ec mix_ph p`,
    events: "batch refill overfill flush estop",
    rules: `valve_not_in_place flow_with_valves_closed no_flow dose_off dose_far_off tank_1_low tank_1_empty overfill concentration_off
      tank_1_expired batch_timeout mass_balance`,
  },
  weighbridge: {
    channels: "state weight stable zero_kg on_scale_s ticket plate tickets cal_days cell_1 cell_4 cell_spread t_box",
    events: "weighed overload zeroed calibrated",
    rules:
      "overload not_zeroed calibration_soon calibration_expired unstable weighed_unstable cells_uneven left_on_scale plate_missing",
  },
};

describe("what devices.md asks for", () => {
  it.each(Object.entries(wanted))("%s", (id, list) => {
    const kind = kinds.find((candidate) => candidate.kind === id);
    if (!kind) throw new Error(`no kind ${id}`);
    const words = (text: string): string[] => text.split(/\s+/);
    expect(kind.channels.map(({ key }) => key)).toEqual(expect.arrayContaining(words(list.channels)));
    expect(kind.events.map(({ type }) => type)).toEqual(expect.arrayContaining(words(list.events)));
    expect(kind.alarmRules.map(({ id: ruleId }) => ruleId)).toEqual(expect.arrayContaining(words(list.rules)));
  });
  it("keeps power, hydrogen sulfide and a mask with pigs inside as the safety class of a unit", () => {
    expect(environment.alarmRules.filter(({ safety }) => safety).map(({ id }) => id)).toEqual([
      "mains_loss",
      "empty_with_pigs",
      "washing_forgotten",
      "hydrogen_sulfide_high",
      "hydrogen_sulfide_danger",
    ]);
  });
});

describe("guides", () => {
  it("offer commands and groups of parameters that the kind has", () => {
    const acts = kinds.flatMap((kind) =>
      (kind.guides ?? []).flatMap(({ rule: of, steps }) =>
        steps.flatMap(({ act }) => (act ? [{ kind, of, act }] : [])),
      ),
    );
    expect(acts.length).toBeGreaterThan(60);
    const missing = acts.filter(({ kind, act }) =>
      act.do === "command"
        ? !kind.commands.some(({ method }) => method === act.method)
        : act.do === "parameters" && act.group !== undefined
          ? !parameterGroups(kind).some(({ id }) => id === act.group)
          : false,
    );
    expect(missing.map(({ kind, of, act }) => [kind.kind, of, act])).toEqual([]);
  });

  it.each(kinds.map((kind) => [kind.kind, kind] as const))(
    "%s: each is of a rule, says what to do, and leads to rules",
    (_id, kind) => {
      const rules = kind.alarmRules.map(({ id }) => id);
      const guides = kind.guides ?? [];
      expect(new Set(guides.map(({ rule }) => rule)).size).toBe(guides.length);
      for (const { rule: of, steps, leadsTo = [] } of guides) {
        expect(rules).toContain(of);
        expect(steps.length).toBeGreaterThan(0);
        for (const effect of leadsTo) expect(rules).toContain(effect);
        expect(leadsTo).not.toContain(of);
      }
    },
  );
  it.each(kinds.map((kind) => [kind.kind, kind] as const))(
    "%s: every alarm from MAJOR on has one, and so has what every kind has",
    (_id, kind) => {
      const guided = (kind.guides ?? []).map(({ rule: of }) => of);
      const severe = kind.alarmRules.filter(({ severity }) => severity === "MAJOR" || severity === "CRITICAL");
      expect(severe.filter(({ id }) => !guided.includes(id)).map(({ id }) => id)).toEqual([]);
      for (const shared of ["offline", "sensor_range", "sensor_stuck", "signal_weak", "clock_skew"])
        expect(guided).toContain(shared);
    },
  );
  it("say it in both languages, and lead to no alarm in a circle", () => {
    for (const kind of kinds) {
      const leads = new Map((kind.guides ?? []).map(({ rule: of, leadsTo = [] }) => [of, leadsTo]));
      const reaches = (from: string, seen: readonly string[] = []): readonly string[] =>
        (leads.get(from) ?? []).flatMap((next) =>
          seen.includes(next) ? [next] : [next, ...reaches(next, [...seen, next])],
        );
      for (const { rule: of, cause, part, consequence, steps } of kind.guides ?? []) {
        expect(reaches(of), `${kind.kind}: ${of}`).not.toContain(of);
        for (const words of [cause, part, consequence, ...steps]) {
          expect(words.zh).toMatch(/[\u4e00-\u9fff]/);
          expect(words.en).toMatch(/[a-z]/);
          expect(words.en).not.toMatch(/[\u4e00-\u9fff]/);
        }
      }
    }
  });
});

describe("rules whose alarms are faults of the device", () => {
  it.each(kinds)("$kind declares each of them", (kind) => {
    const declared = new Set(kind.alarmRules.map(({ id }) => id));
    expect(faultRulesOf(kind.kind).filter((id) => !declared.has(id))).toEqual([]);
  });
});
