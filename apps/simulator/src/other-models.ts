/**
 * The kinds besides environment control: plausible signals with day and night rhythm, counters, and event records. Each step
 * is a pure function of the state, the time and the seed; what is random comes from time-indexed noise.
 */
import { type DeviceKindId, deviceKinds, type PigstyType, type ReportedValue } from "@herdwise/device-kinds";
import { type Effects, noEffects } from "./effects.ts";
import { drinkingRhythm } from "./environment-model.ts";
import { lasts, showerSlotMs, stationLitresPerHour } from "./orders.ts";
import type { DeviceEvent, OtherState } from "./other-state.ts";
import { drift, mix, normal, uniform } from "./random.ts";
import { battery } from "./shared-signals.ts";
import { clockHour, type Weather } from "./weather.ts";

type OtherKindId = Exclude<DeviceKindId, "environment">;

export type OtherSetup = {
  readonly kind: OtherKindId;
  readonly seed: number;
  readonly serialNumber: string;
  readonly pigs: number;
  readonly pigstyType: PigstyType;
};

export type OtherStep = {
  readonly state: OtherState;
  readonly values: Record<string, ReportedValue>;
  readonly events: readonly DeviceEvent[];
};

type Draft = {
  readonly setup: OtherSetup;
  readonly fromMs: number;
  readonly atMs: number;
  readonly dtS: number;
  readonly hour: number;
  readonly minute: number;
  readonly weather: Weather;
  readonly effects: Effects;
  readonly counters: Record<string, number>;
  readonly settings: Readonly<Record<string, unknown>>;
  readonly words: Readonly<Record<string, string>>;
  shots: readonly DeviceEvent[];
  readonly values: Record<string, ReportedValue>;
  readonly events: DeviceEvent[];
};

const dayMs = 86_400_000;
const clamp = (value: number, low: number, high: number): number => Math.min(high, Math.max(low, value));
const count = (draft: Draft, key: string): number => draft.counters[key] ?? 0;
/** Whether what an order began goes on at the end of the step. */
const goesOn = (draft: Draft, key: string): boolean => count(draft, `${key}_until`) > draft.atMs;
/** When what an order began ended, if that was in this step. */
const endedAt = (draft: Draft, key: string): number | undefined => {
  const endMs = count(draft, `${key}_until`);
  return endMs > draft.fromMs && endMs <= draft.atMs ? endMs : undefined;
};
/** A parameter as somebody set it; what the model works with until then. */
const setting = (draft: Draft, key: string, ordinary: number): number => Number(draft.settings[key] ?? ordinary);
const noise = (draft: Draft, channel: number): number => normal(draft.setup.seed, draft.minute, channel);
const slow = (draft: Draft, periodS: number, channel: number): number =>
  drift(draft.setup.seed, draft.atMs, periodS, channel);
/** Day by the clock of China. */
const dayOf = (atMs: number): number => Math.floor((atMs + 8 * 3_600_000) / dayMs);
const chance = (draft: Draft, slot: number, channel: number): number => uniform(draft.setup.seed, slot, channel);
const round = (value: number, decimals: number): number => Number(value.toFixed(decimals));

/** Whole slots of time that ended in this step, so that each event happens in exactly one step whatever its length. */
function endedSlots(draft: Draft, slotS: number): { index: number; endMs: number }[] {
  const slotMs = slotS * 1000;
  const slots = [];
  for (let index = Math.floor(draft.fromMs / slotMs); (index + 1) * slotMs <= draft.atMs; index++) {
    slots.push({ index, endMs: (index + 1) * slotMs });
  }
  return slots;
}

const addEvent = (
  draft: Draft,
  ts: number,
  type: string,
  key: string | number,
  fields: Record<string, unknown>,
): void => {
  draft.events.push({ ts, type, id: `${type}-${key}`, ...fields });
};

/** Below this level in % somebody fills a tank up to `filledTo`, in the hour in which the stores are looked at. */
const refillBelow = 32;
const filledTo = 96;
const roundsAtHour = 7;

/** A tank that is used up and refilled; `perHour` in % of the tank. */
function useTank(draft: Draft, key: string, perHour: number): number {
  const before = draft.counters[key] ?? 55 + (mix(draft.setup.seed, 5, key.length) % 40);
  const after = Math.max(0, before - (perHour * draft.dtS) / 3600);
  const filled = after < refillBelow && Math.floor(draft.hour) === roundsAtHour;
  draft.counters[key] = filled ? filledTo : after;
  return filled ? filledTo : after;
}

function cough(draft: Draft): void {
  const { setup, hour, counters, values, effects } = draft;
  const covered = Math.min(setup.pigs, setting(draft, "pigs_covered", 230));
  // Most at feeding times and in the small hours.
  const rhythm =
    0.7 +
    0.5 * Math.exp(-(((hour - 7) / 2) ** 2)) +
    0.5 * Math.exp(-(((hour - 16) / 2.5) ** 2)) +
    0.25 * Math.cos((Math.PI * (hour - 3)) / 12);
  const perHour = Math.max(
    0.05,
    0.55 * (covered / 100) * rhythm * (effects.coughing ?? 1) * (1 + 0.1 * slow(draft, 7200, 1)),
  );
  for (const slot of endedSlots(draft, 300)) {
    const expected = perHour / 12;
    let coughs = 0;
    // Poisson by its product of uniforms; the mean is small.
    for (let left = chance(draft, slot.index, 2); left > Math.exp(-expected) && coughs < 60; coughs++) {
      left *= chance(draft, slot.index, 100 + coughs);
    }
    if (effects.reports?.mic_ok === false) coughs = 0;
    if (effects.episodeEnds && slot.index % 12 === 0) {
      addEvent(draft, slot.endMs, "episode", Math.floor(slot.index / 12), {
        onset: new Date(slot.endMs - 96 * 3_600_000).toISOString(),
        peak: Math.round(perHour),
        duration_h: 96,
      });
    }
    counters.last = coughs;
    counters.index = (count(draft, "index") || 0.13) * 0.9965 + 0.0035 * ((coughs * 288) / Math.max(1, covered));
    for (let number = 0; number < coughs; number++) {
      const at = slot.endMs - Math.floor(chance(draft, slot.index, 200 + number) * 300_000);
      addEvent(draft, at, "cough", `${slot.index}-${number}`, {
        duration_s: round(0.2 + 0.6 * chance(draft, slot.index, 300 + number), 2),
        confidence: round(0.7 + 0.29 * chance(draft, slot.index, 400 + number), 2),
        zone: `${"ABCD"[mix(setup.seed, slot.index, 500 + number) % 4]}`,
        direction: mix(setup.seed, slot.index, 600 + number) % 360,
      });
    }
  }
  const index = count(draft, "index") || 0.13;
  const light = hour > 6.5 && hour < 18.5;
  values.coughs = count(draft, "last");
  values.laeq = clamp(
    (light ? 63 : 56) +
      6 * Math.exp(-(((hour - 7.2) / 0.5) ** 2)) +
      6 * Math.exp(-(((hour - 16) / 0.5) ** 2)) +
      1.2 * noise(draft, 3),
    45,
    95,
  );
  values.mic_ok = true;
  values.t = 20 + 0.8 * slow(draft, 10_800, 4) + 0.05 * (draft.weather.temperatureC - 10) + 0.05 * noise(draft, 5);
  values.t2 = (values.t as number) + 0.3 + 0.05 * noise(draft, 6);
  values.rh = clamp(63 + 5 * slow(draft, 14_400, 7) + 0.6 * noise(draft, 8), 35, 90);
  values.rdi = index;
  values.rehs = clamp(96 - 45 * Math.max(0, index - 0.12), 20, 100);
  values.state = goesOn(draft, "learning") ? "learning" : index > 0.6 ? "alert" : index > 0.35 ? "attention" : "normal";
  values.pigs = covered;
}

/** A pen is scanned in so long at most. */
const scanSlotMs = 300_000;
/** Rounds at 6, 14 and 21 h. */
const roundHours = [6, 14, 21] as const;
const roundH = lasts.round / 3_600_000;

function temperature(draft: Draft): void {
  const { setup, hour, counters, values, events, effects } = draft;
  // One pen in each slot of a round, so that none is passed over.
  const slots = Math.round(lasts.round / scanSlotMs);
  const pens = Math.min(slots, Math.max(4, Math.round(setup.pigs / 25)));
  const fever = effects.fever ?? 0;
  /** The round at a time: of the schedule or ordered, unless it was stopped. */
  const roundAt = (ms: number): { number: number; intoH: number } | undefined => {
    const ordered = count(draft, "round_from");
    const scheduled = roundHours.findIndex((each) => clockHour(ms) >= each && clockHour(ms) < each + roundH);
    const isOrdered = ms >= ordered && ms < ordered + lasts.round;
    if (!isOrdered && scheduled < 0) return undefined;
    const intoH = isOrdered ? (ms - ordered) / 3_600_000 : clockHour(ms) - (roundHours[scheduled] ?? 0);
    const stoppedMs = count(draft, "round_stopped");
    if (stoppedMs <= ms && stoppedMs > ms - intoH * 3_600_000) return undefined;
    const place = isOrdered ? roundHours.length + (count(draft, "rounds_ordered") % 6) : scheduled;
    return { number: dayOf(ms) * 10 + place, intoH };
  };
  const running = roundAt(draft.atMs)?.intoH;
  for (const slot of endedSlots(draft, 300)) {
    const onRound = roundAt(slot.endMs - 1);
    if (onRound === undefined) continue;
    const { number, intoH } = onRound;
    if (intoH < 300 / 3600) addEvent(draft, slot.endMs - 300_000, "round_start", number, { round: number });
    const pen = 1 + (Math.floor((intoH / roundH) * pens) % pens);
    if (effects.jammed) {
      addEvent(draft, slot.endMs, "rail_jam", number, { position_m: 12.5 });
      counters.scanned = 10;
      continue;
    }
    // What the round comes to is what its pens come to: its readings spread evenly, the feverish ones over few of them.
    const scanned = round(clamp(94 + 3 * normal(setup.seed, number, 17), 70, 100), 1);
    const share = clamp(0.8 + 0.5 * normal(setup.seed, number, 18) + fever, 0, 40);
    const readings = Math.round((setup.pigs * scanned) / 100);
    const feverish = Math.round((readings * share) / 100);
    const slotOf = (into: number): number => Math.min(slots - 1, Math.floor((into / roundH) * slots));
    const portion = (of: number, at: number): number =>
      Math.floor(((at + 1) * of) / slots) - Math.floor((at * of) / slots);
    const readingsIn = (at: number): number => portion(readings, at);
    const feverishIn = (at: number): number => portion(feverish, (at + mix(setup.seed, number, 19)) % slots);
    const core =
      39 +
      0.25 * normal(setup.seed, slot.index, 11) +
      (chance(draft, slot.index, 12) < 0.008 + fever / 100 ? 1.4 : 0) -
      (effects.chilled && pen <= 4 ? 2.6 : 0);
    const skin = round(core - 2.6 + 0.2 * normal(setup.seed, slot.index, 13), 2);
    addEvent(draft, slot.endMs, "scan", slot.index, {
      pen,
      t_skin_max: skin,
      t_core_est: round(core, 2),
      t_amb: round(Number(20 + slow(draft, 10_800, 14)), 1),
      emissivity: 0.98,
      distance_m: round(1.2 + 0.4 * chance(draft, slot.index, 15), 2),
      quality: Math.round(82 + 17 * chance(draft, slot.index, 16)),
      n: readingsIn(slotOf(intoH)),
      fever: feverishIn(slotOf(intoH)),
    });
    if (core >= 40) {
      // Where many are ill the same pig is met twice.
      const times = fever > 5 ? 2 : 1;
      addEvent(draft, slot.endMs, "fever_case", slot.index, { pen, t_core_est: round(core, 2), times_4h: times });
    }
    if (intoH > roundH - 300 / 3600) {
      counters.scanned = scanned;
      counters.share = readings === 0 ? 0 : (100 * feverish) / readings;
      counters.n = readings;
      counters.mean = 39 + 0.06 * normal(setup.seed, number, 19) + 0.06 * fever;
      addEvent(draft, slot.endMs, "round_end", number, {
        round: number,
        n: counters.n,
        fever: feverish,
        scanned,
      });
    }
  }
  const stoppedMs = count(draft, "round_stopped");
  const brokenOff = stoppedMs >= draft.fromMs && stoppedMs < draft.atMs ? roundAt(stoppedMs - 1) : undefined;
  if (brokenOff) {
    const { number, intoH } = brokenOff;
    const scanned = round((94 * intoH) / roundH, 1);
    const n = Math.round((setup.pigs * scanned) / 100);
    addEvent(draft, stoppedMs, "round_end", number, {
      round: number,
      n,
      fever: Math.round((n * (counters.share ?? 0.8)) / 100),
      scanned,
    });
  }
  events.sort((a, b) => a.ts - b.ts);
  const mean = count(draft, "mean") || 39;
  values.n = count(draft, "n") || Math.round(setup.pigs * 0.94);
  values.mean = mean;
  values.t_skin_mean = mean - 2.6;
  values.p50 = mean - 0.02;
  values.p95 = mean + 0.55 + 0.05 * count(draft, "share");
  values.fever_share = counters.share ?? 0.8;
  values.scanned = counters.scanned ?? 94;
  // A calibration takes out what had drifted until then.
  const calibratedMs = count(draft, "calibrated");
  const takenOut = calibratedMs === 0 ? 0 : drift(setup.seed, calibratedMs, 43_200, 20);
  values.bb_drift = 0.12 * (slow(draft, 43_200, 20) - takenOut);
  values.t_amb = 20 + slow(draft, 10_800, 14) + 0.05 * noise(draft, 21);
  const calibrating = calibratedMs > 0 && draft.atMs - calibratedMs <= lasts.calibration;
  values.state = effects.jammed
    ? "jam"
    : calibrating
      ? "calibrating"
      : running !== undefined
        ? "round"
        : hour > 22.5 || hour < 5
          ? "charging"
          : "idle";
  // There and back once in a round, in metres from the charger.
  const way = running === undefined ? 0 : (2 * running) / roundH;
  values.position = effects.jammed ? 12.5 : running === undefined ? 0 : 60 * (way > 1 ? 2 - way : way);
  values.batt =
    running === undefined ? clamp(99 - 2 * Math.abs(slow(draft, 7200, 22)), 80, 100) : 92 - 20 * (running / roundH);
}

const vaccines = [
  ["蓝耳活苗（PRRS-MLV）", "2026A17"],
  ["猪瘟（CSF）", "2026C03"],
  ["圆环（PCV2）", "2026K21"],
] as const;

/** Shots in an injector's log, which it sends again when asked. */
const keptShots = 40;

function needleless(draft: Draft): void {
  const { setup, atMs, hour, counters, values, effects } = draft;
  const works = (at: number): boolean => mix(setup.seed, dayOf(at), 1) % 3 !== 0;
  const inSession = (at: number): boolean => {
    const clock = clockHour(at);
    if (draft.settings.locked === true) return false;
    return (works(at) && ((clock >= 8.5 && clock < 10.5) || (clock >= 14.5 && clock < 16))) || effects.session === true;
  };
  const dose = setting(draft, "dose", 2);
  // The level of 5 that a new injector has is its rated pressure in MPa.
  const pressure = 22 * (setting(draft, "pressure_level", 5) / 5);
  const shotTask = draft.settings.task;
  counters.shots ??= 2000 + (mix(setup.seed, 0, 2) % 9000);
  for (const slot of endedSlots(draft, 30)) {
    const at = slot.endMs;
    const day = dayOf(at);
    const task = typeof shotTask === "string" && shotTask !== "" ? shotTask : `T${day}`;
    // A day of work has one vaccine, whoever injects: what is planned for it is planned for the farm.
    const [vaccine, lot] = vaccines[day % vaccines.length] ?? vaccines[0];
    const open = inSession(at);
    const wasOpen = counters.open === 1;
    counters.open = open ? 1 : 0;
    if (open && !wasOpen) {
      counters.opened = counters.shots;
      addEvent(draft, at, "session_open", Math.floor(at / 1000), { task, operator: "OP1" });
    }
    if (!open && wasOpen) {
      addEvent(draft, at, "session_closed", Math.floor(at / 1000), {
        task,
        shots: counters.shots - count(draft, "opened"),
        coverage: round(clamp(99.3 + 0.3 * normal(setup.seed, day, 4), 98, 100) - count(draft, "missed"), 1),
      });
    }
    if (!open || chance(draft, slot.index, 5) < 0.12) continue;
    counters.shots += 1;
    counters.missed = effects.skipsEvery === undefined ? 0 : 100 / effects.skipsEvery;
    if (effects.skipsEvery !== undefined && counters.shots % effects.skipsEvery === 0) counters.shots += 1;
    // Less than one shot in fifty fails of itself.
    counters.fired = count(draft, "fired") + 1;
    const ownFailure = counters.fired % 60 === mix(setup.seed, 0, 6) % 60;
    const failed = effects.badShots === undefined ? ownFailure : chance(draft, slot.index, 6) < effects.badShots;
    const given = dose * (1 + (effects.doseOff ?? 0) / 100 + 0.009 * normal(setup.seed, slot.index, 7));
    const animal = effects.twice ? Math.floor(slot.index / 2) : slot.index;
    counters.bottle = (counters.bottle ?? 100) < 4 ? 100 : (counters.bottle ?? 100) - given;
    counters.peak = pressure * (effects.pressure ?? 1) * (1 + 0.03 * normal(setup.seed, slot.index, 8));
    const shot = {
      ts: at,
      type: "shot",
      id: `shot-${counters.shots}`,
      shot_no: counters.shots,
      operator: `OP${1 + (mix(setup.seed, day, 9) % 3)}`,
      task,
      pen: `${1 + (Math.floor(slot.index / 20) % 24)}`,
      ear_tag: `CN${String(mix(setup.seed, animal, 10) % 100_000_000).padStart(8, "0")}`,
      vaccine,
      lot,
      expired: effects.expiredLot === true,
      dose_set: dose,
      dose_act: round(given, 2),
      dose_deviation: round((given / dose - 1) * 100, 1),
      route: draft.words.route ?? "IM",
      p_peak: round(counters.peak, 1),
      result: !failed ? "ok" : slot.index % 2 === 0 ? "misfire" : "wet",
      batt: Math.round(battery(setup.seed, at)),
    };
    draft.events.push(shot);
    draft.shots = [...draft.shots.slice(1 - keptShots), shot];
  }
  const open = inSession(atMs);
  values.state =
    draft.settings.locked === true ? "locked" : open ? "injecting" : hour >= 8 && hour < 18 ? "ready" : "charging";
  values.session_open = open;
  values.shots_total = counters.shots;
  values.p_peak = open ? (counters.peak ?? pressure) : 0;
  values.p_set = pressure;
  values.charge = open ? 62 + 20 * chance(draft, draft.minute, 11) : 96;
  values.bottle_ml = counters.bottle ?? 100;
  values.vaccine_t = 5 + 0.7 * slow(draft, 3600, 12) + (open ? 1.2 : 0);
  values.batt = battery(setup.seed, atMs);
}

function bathroom(draft: Draft): void {
  const { setup, atMs, hour, counters, values, effects } = draft;
  // People come before work, at noon and after it. A slot of 15 min holds one shower at most.
  const busy = (clock: number): number =>
    clock < 5.5 || clock > 21
      ? 0.01
      : 0.1 +
        0.6 * Math.exp(-(((clock - 7) / 0.9) ** 2)) +
        0.4 * Math.exp(-(((clock - 13.5) / 0.8) ** 2)) +
        0.45 * Math.exp(-(((clock - 17.5) / 1) ** 2));
  const taken = (index: number): boolean =>
    effects.showerS !== undefined ||
    effects.waterC !== undefined ||
    chance(draft, index, 1) < busy(clockHour((index + 0.5) * showerSlotMs));
  const seconds = (index: number): number =>
    counters.shut_slot === index
      ? count(draft, "shut_s")
      : (effects.showerS ?? Math.round(310 + 130 * chance(draft, index, 3)));
  const waterC = setting(draft, "t_set", 39);
  for (const slot of endedSlots(draft, 60)) {
    if (slot.index % 30 !== 0) continue;
    if (effects.bypass) addEvent(draft, slot.endMs, "bypass", slot.index, { person: "P009", door: "B" });
    if (effects.stranger) {
      addEvent(draft, slot.endMs, "unknown_person", slot.index, { card: "04A1C2" });
      addEvent(draft, slot.endMs, "quarantine_breach", slot.index, { person: "P017", left_h: 21 });
    }
  }
  for (const slot of endedSlots(draft, showerSlotMs / 1000)) {
    if (!taken(slot.index)) continue;
    const waterS = seconds(slot.index);
    const inMs = slot.endMs - showerSlotMs + 20_000;
    const litres = round((waterS / 60) * (8.5 + chance(draft, slot.index, 4)), 1);
    addEvent(draft, slot.endMs, "shower", slot.index, {
      person: `P${String(1 + (mix(setup.seed, slot.index, 5) % 24)).padStart(3, "0")}`,
      team: `${"ABC"[mix(setup.seed, slot.index, 5) % 3]}`,
      in: new Date(inMs).toISOString(),
      out: new Date(inMs + (waterS + 320) * 1000).toISOString(),
      zones: "dirty>shower>clean",
      shower_start: new Date(inMs + 120_000).toISOString(),
      water_s: waterS,
      total_s: waterS + 320,
      temp_avg: round(waterC + 0.5 * normal(setup.seed, slot.index, 6), 1),
      litres,
      soap_ml: 15,
      result: waterS < 300 ? "under_time" : "passed",
      reason: waterS < 300 ? "water_time" : "",
    });
  }
  const slotNow = Math.floor(atMs / showerSlotMs);
  const into = (atMs % showerSlotMs) / 1000 - 20;
  const busyNow = effects.insideS !== undefined || (taken(slotNow) && into >= 0 && into < seconds(slotNow) + 320);
  const water = busyNow && into > 120 && into < 120 + seconds(slotNow);
  counters.water ??= mix(setup.seed, 0, 7) % 90_000;
  counters.kwh ??= mix(setup.seed, 0, 8) % 9000;
  counters.water += water ? (9 * draft.dtS) / 60 : 0;
  counters.kwh += ((water ? 14 : 0.35) * draft.dtS) / 3600;
  values.state = !busyNow
    ? goesOn(draft, "clean")
      ? "cleaning"
      : "idle"
    : into < 120
      ? "dirty_entry"
      : water
        ? "showering"
        : into < seconds(slotNow) + 260
          ? "dressing"
          : "clean_exit";
  values.water_t = water ? (effects.waterC ?? waterC) + 0.2 * noise(draft, 9) : 27 + 2 * slow(draft, 7200, 10);
  values.flow = water ? 9 + 0.4 * noise(draft, 11) : 0;
  values.occupancy = busyNow ? 1 : 0;
  values.occupied_s = effects.insideS ?? (busyNow ? into : 0);
  values.room_t = 24.5 + 0.8 * slow(draft, 7200, 12) + (water ? 1.5 : 0);
  const bypassed = effects.bypass === true && draft.minute % 30 === 0;
  values.door_a = (busyNow && into < 15) || bypassed || goesOn(draft, "door_a");
  values.door_b = bypassed || goesOn(draft, "door_b");
  const cabinet = (hour >= 18.5 && hour < 19.5) || goesOn(draft, "cabinet");
  const sterilised = endedAt(draft, "cabinet");
  if (sterilised !== undefined) addEvent(draft, sterilised, "sterilise_done", sterilised, { peak_t: 74, held_s: 1800 });
  values.cabinet = cabinet ? "running" : hour >= 19.5 ? "done" : "idle";
  values.cabinet_t = cabinet ? 72 + 2 * noise(draft, 13) : 24 + slow(draft, 7200, 14);
  values.tank_t = 53 + 2 * slow(draft, 5400, 15) - (water ? 2 : 0);
  values.tank = effects.tank ?? clamp(82 + 6 * slow(draft, 5400, 16) - (water ? 8 : 0), 40, 98);
  values.disinfectant = useTank(draft, "disinfectant", 0.12);
  values.water = counters.water;
  values.kwh = counters.kwh;
}

function disinfect(draft: Draft): void {
  const { setup, atMs, hour, counters, values, effects } = draft;
  const drunk = (setup.pigs * 6 * drinkingRhythm(hour) * (effects.drinking ?? 1)) / 24_000;
  // A leak is told for a line of 800 pigs; a wider line loses more.
  const leak = (effects.leakM3h ?? 0) * Math.max(1, setup.pigs / 800);
  const flow = effects.pumpRuns ? 0 : Math.max(0, drunk * (1 + 0.12 * noise(draft, 1)) + leak);
  const flushing = (hour >= 3 && hour < 3 + 1 / 6 && !effects.pumpRuns) || goesOn(draft, "flush");
  const shock = goesOn(draft, "shock");
  const stopped = counters.pump_stopped === 1;
  const drawn = flushing ? flow + 1.5 : flow;
  counters.total ??= 1000 + (mix(setup.seed, 0, 2) % 40_000);
  counters.total += (drawn * draft.dtS) / 3600;
  const before = counters.stock;
  const ownStock = useTank(draft, "stock", 0.035 * drawn * 10);
  const stock = effects.tank ?? ownStock;
  const dosed = stock > 1 && !effects.pumpStuck && !stopped;
  const target = setting(draft, "residual_target", 0.95);
  // What was dosed last leaves the line with the water; chlorine that nobody adds is gone within the hour.
  counters.residual ??= 0.95;
  const goal =
    effects.chlorine ?? (!dosed ? 0.05 : shock ? count(draft, "shock_residual") : target + 0.12 * slow(draft, 5400, 3));
  counters.residual = goal + (counters.residual - goal) * Math.exp(-draft.dtS / 900);
  const residual = clamp(counters.residual + 0.02 * noise(draft, 4), 0, 50);
  const flushed = endedAt(draft, "flush");
  if (flushed !== undefined) {
    const seconds = Math.round((flushed - count(draft, "flush_from")) / 1000);
    addEvent(draft, flushed, "flush", flushed, { duration_s: seconds, litres: Math.round((1500 * seconds) / 3600) });
  }
  const shocked = endedAt(draft, "shock");
  if (shocked !== undefined)
    addEvent(draft, shocked, "shock", shocked, {
      peak: round(residual, 1),
      duration_s: Math.round((shocked - count(draft, "shock_from")) / 1000),
    });
  for (const slot of endedSlots(draft, 600)) {
    const at = clockHour(slot.endMs);
    if (at >= 3.16 && at < 3.3)
      addEvent(draft, slot.endMs, "flush", dayOf(slot.endMs), { duration_s: 600, litres: 250 });
  }
  if (before !== undefined && ownStock > before)
    addEvent(draft, atMs, "refill", Math.round(atMs / 60_000), { tank: "stock", litres: 78 });
  // The controller stops dosing by itself when the residual is dangerous.
  const halted = (effects.chlorine ?? 0) > 5;
  if (halted && counters.halted !== 1)
    addEvent(draft, atMs, "pump_stopped", Math.round(atMs / 60_000), { reason: "residual" });
  counters.halted = halted ? 1 : 0;
  values.state = shock
    ? "shock"
    : flushing
      ? "flushing"
      : (drawn > 0.02 || effects.pumpRuns) && !stopped
        ? "dosing"
        : "idle";
  values.flow = drawn;
  values.total = counters.total;
  values.p = 0.27 + 0.012 * noise(draft, 5) - 0.01 * drawn;
  values.free_cl = residual;
  values.clo2 = 0.45 + 0.06 * slow(draft, 5400, 6);
  // About 120 mV for each tenfold of the residual [A].
  values.orp = 700 + 120 * Math.log10(Math.max(0.03, residual) / 0.95) + 5 * slow(draft, 3600, 7);
  values.ph = effects.acidity ?? 6.7 + 0.12 * slow(draft, 7200, 8);
  values.turb = Math.max(0.05, 0.4 + 0.12 * slow(draft, 10_800, 9));
  values.ec = 640 + 35 * slow(draft, 21_600, 10);
  values.t = clamp(14 + 0.25 * (draft.weather.dayMeanC - 12) + 0.4 * slow(draft, 7200, 11), 4, 28);
  values.pump = effects.pumpRuns ? 40 : effects.pumpStuck || stopped || stock <= 0 ? 0 : drawn > 0.02 ? drawn * 82 : 0;
  values.stock = stock;
  values.acid = useTank(draft, "acid", 0.02 * drawn * 10);
}

function deodorization(draft: Draft): void {
  const { setup, atMs, hour, counters, values, effects } = draft;
  const gear = clamp(Math.round(3.5 + (draft.weather.temperatureC - 8) / 3 + 0.8 * slow(draft, 3600, 1)), 2, 16);
  const airflow = 9000 * gear * (1 + 0.02 * noise(draft, 2));
  const nh3In = clamp(15 - 0.6 * gear + 1.5 * slow(draft, 5400, 3) + (effects.pumpOff ? 13 : 0), 4, 30);
  const draining = goesOn(draft, "drain");
  const refilling = goesOn(draft, "refill");
  const acidity = setting(draft, "ph_set", 3.6);
  const running = !effects.pumpOff && !draining && counters.stopped !== 1;
  const removal = running ? (effects.removal ?? 1) * clamp(0.9 + 0.03 * slow(draft, 7200, 4), 0.75, 0.98) : 0.03;
  counters.kwh ??= mix(setup.seed, 0, 5) % 30_000;
  counters.discharge ??= (mix(setup.seed, 0, 6) % 4000) / 10;
  counters.ec ??= 90 + (mix(setup.seed, 0, 7) % 60);
  const kw = 2.6 + 0.08 * gear;
  counters.kwh += (kw * draft.dtS) / 3600;
  counters.ec += (0.9 * draft.dtS) / 3600;
  const drained = endedAt(draft, "drain");
  if (drained !== undefined) {
    addEvent(draft, drained, "drain", drained, { litres: 300, ec: round(counters.ec, 1) });
    counters.ec = 95;
    counters.discharge += 0.3;
    counters.drainedHour = count(draft, "drainedHour") + 0.3;
    counters.refill_until = drained + lasts.refill;
  }
  const flushed = endedAt(draft, "nozzle");
  if (flushed !== undefined)
    addEvent(draft, flushed, "nozzle_flush", flushed, { duration_s: lasts.flushNozzles / 1000 });
  // What acid was given by hand wears off with the water that is added.
  counters.ph_shift = count(draft, "ph_shift") * Math.exp(-draft.dtS / 3600);
  // The pack fouls over two weeks and is washed.
  const fouling = ((atMs / dayMs + (setup.seed % 14)) % 14) / 14;
  for (const slot of endedSlots(draft, 3600)) {
    let discharged = count(draft, "drainedHour");
    counters.drainedHour = 0;
    if (counters.ec > setting(draft, "ec_max", 235) && !effects.drainShut) {
      counters.ec = 95;
      discharged += 0.3;
      counters.discharge += 0.3;
      addEvent(draft, slot.endMs, "drain", slot.index, { litres: 300, ec: 236 });
    }
    counters.kwhHour = kw;
    counters.dischargeHour = discharged;
    if (effects.unrecorded) continue;
    addEvent(draft, slot.endMs, "hourly_record", slot.index, {
      ph: round(acidity + 0.2 * drift(setup.seed, slot.endMs, 5400, 8), 2),
      ec: round(counters.ec, 1),
      discharge: round(discharged, 2),
      dp: Math.round(48 + 45 * fouling),
      kwh: round(kw, 2),
    });
  }
  values.state = draining
    ? "draining"
    : counters.stopped === 1
      ? "standby"
      : refilling
        ? "refill"
        : goesOn(draft, "nozzle")
          ? "cleaning"
          : "running";
  values.nh3_in = nh3In;
  values.nh3_out = nh3In * (1 - removal);
  values.h2s_in = Math.max(0, 0.4 + 0.1 * slow(draft, 5400, 9));
  values.h2s_out = Math.max(0, 0.05 + 0.015 * slow(draft, 5400, 10));
  values.t_exhaust = 19 + 0.25 * (draft.weather.temperatureC - 8) + 0.2 * noise(draft, 11);
  values.rh_exhaust = clamp(88 + 4 * slow(draft, 5400, 12), 60, 99);
  values.airflow = airflow;
  values.gear = gear;
  values.ph = clamp(effects.acidity ?? acidity + 0.2 * slow(draft, 5400, 8) + count(draft, "ph_shift"), 0.5, 14);
  values.ec = counters.ec;
  values.dp = effects.packPa ?? 48 + 45 * fouling + 1.2 * gear * 0.3 + 1.2 * noise(draft, 13);
  values.kwh = counters.kwh;
  values.kwh_hour = counters.kwhHour ?? kw;
  values.discharge = counters.discharge;
  values.discharge_hour = counters.dischargeHour ?? 0;
  values.pump = running;
  values.pump_a = running ? 6.4 + 0.15 * noise(draft, 14) : 0;
  values.circ = running ? 24 + 0.8 * noise(draft, 15) : 0;
  values.level = draining
    ? 25
    : (effects.tank ?? clamp(66 + 6 * slow(draft, 3600, 16) - (hour > 12 ? 2 : 0) + (refilling ? 14 : 0), 40, 88));
  values.orp = 320 + 15 * slow(draft, 7200, 17);
  values.acid = useTank(draft, "acid", 0.14);
  values.agent = useTank(draft, "agent", 0.08);
}

function bungalowDeodorization(draft: Draft): void {
  const { setup, atMs, hour, counters, values, effects } = draft;
  const frozen = draft.weather.temperatureC < 1;
  const gear = clamp(Math.round(4 + (draft.weather.temperatureC - 8) / 3), 1, 16);
  const byHand = goesOn(draft, "spray");
  const emptied = frozen || counters.lines_drained === 1;
  const allowed = (hour >= 6 && hour < 22 && !emptied && !goesOn(draft, "spray_stopped")) || (byHand && !emptied);
  // One minute of spray in five; without any effect the pump runs through, as the air behind the curtain stays foul.
  const on = allowed && (byHand || effects.dry === true || draft.minute % 5 === setup.seed % 5);
  const nh3 = clamp(9 + 2 * slow(draft, 5400, 1) - 0.3 * gear, 2, 25);
  const wind = Math.max(0.1, 2.4 + 1.1 * slow(draft, 5400, 2) + 0.8 * Math.sin((Math.PI * (hour - 9)) / 12));
  counters.litres ??= 0;
  if (allowed) counters.litres += (0.2 * 260 * draft.dtS) / 3600;
  for (const slot of endedSlots(draft, 3600)) {
    if (allowed && counters.litres > 0) {
      addEvent(draft, slot.endMs, "spray_run", slot.index, {
        duration_s: 720,
        litres: round(counters.litres, 1),
        trigger: "timer",
      });
      counters.litres = 0;
    }
  }
  const sprayed = endedAt(draft, "spray");
  if (sprayed !== undefined) {
    const seconds = Math.round((sprayed - count(draft, "spray_from")) / 1000);
    addEvent(draft, sprayed, "spray_run", `hand-${sprayed}`, {
      duration_s: seconds,
      litres: round((260 * seconds) / 3600, 1),
      trigger: "manual",
    });
  }
  const drainDay = dayOf(atMs);
  if (frozen && counters.drained !== drainDay) {
    counters.drained = drainDay;
    addEvent(draft, atMs, "winter_drain", drainDay, { t: round(draft.weather.temperatureC, 1) });
  }
  values.state = emptied ? "drained" : on ? "running" : "idle";
  values.pump = on;
  values.pump_a = on ? 4.2 + 0.1 * noise(draft, 3) : 0;
  const flows = on && !effects.dry;
  values.p = flows ? 2 + 0.06 * noise(draft, 4) : 0.02;
  values.flow = flows ? 260 + 6 * noise(draft, 5) : 0;
  values.conc = setting(draft, "ratio", 0.5) * (1 + 0.04 * slow(draft, 7200, 6));
  const tank = useTank(draft, "tank", allowed ? 0.7 : 0);
  values.tank = effects.tank ?? tank;
  values.curtain_ok = true;
  // The pipe runs along the warm gable.
  values.t_water = Math.max(draft.weather.temperatureC + 5, frozen ? -2 : 3);
  values.nh3_before = nh3;
  values.nh3_after =
    nh3 * (allowed && !effects.dry ? 1 - (effects.removal ?? 1) * (0.55 - 0.03 * slow(draft, 3600, 7)) : 0.92);
  values.h2s_before = Math.max(0, 0.35 + 0.08 * slow(draft, 5400, 8));
  values.h2s_after = Math.max(0, 0.2 + 0.05 * slow(draft, 5400, 9));
  values.gear = gear;
  values.wind = wind;
  values.wind_dir = (((210 + 50 * slow(draft, 10_800, 10)) % 360) + 360) % 360;
  const boundary = effects.boundary ?? 1;
  values.nh3_boundary = clamp(boundary * (0.6 + 0.1 * slow(draft, 5400, 11) - 0.04 * wind), 0.02, 9);
  values.h2s_boundary = clamp(boundary * (0.018 + 0.003 * slow(draft, 5400, 12)), 0.001, 0.5);
  values.odour = clamp(boundary * (28 + 4 * slow(draft, 5400, 13)), 10, 900);
}

/** Litres of a tank of the dosing station. */
const stationTankL = 5000;

function dosingStation(draft: Draft): void {
  const { setup, atMs, counters, values, effects } = draft;
  // Batches of twenty minutes at 9 and 15 h, and on every third day at 20 h.
  const batchAt = (at: number): boolean => {
    const clock = clockHour(at);
    const into = clock % 1;
    const hour = Math.floor(clock);
    if (at < count(draft, "halted_until") || counters.estop === 1) return false;
    if (effects.batch) return into < 2 / 3;
    return into < 1 / 3 && (hour === 9 || hour === 15 || (hour === 20 && mix(setup.seed, dayOf(at), 1) % 3 === 0));
  };
  for (const slot of endedSlots(draft, 60)) {
    if (effects.overfilled && slot.index % 60 === 0) addEvent(draft, slot.endMs, "overfill", slot.index, { tank: 2 });
    if (batchAt(slot.endMs - 60_000) && !batchAt(slot.endMs)) {
      const deviation = round((effects.batchOff ?? 0) + 1.4 * normal(setup.seed, slot.index, 2), 1);
      counters.batches = count(draft, "batches") + 1;
      addEvent(draft, slot.endMs, "batch", slot.index, {
        recipe: "洗消",
        dest: `${1 + (mix(setup.seed, slot.index, 3) % 4)}`,
        target_l: 120,
        actual_l: round(120 * (1 + deviation / 100), 1),
        deviation,
        start: new Date(slot.endMs - 1_200_000).toISOString(),
        end: new Date(slot.endMs).toISOString(),
        concentration_deviation: round((effects.batchOff ?? 0) + 2 * normal(setup.seed, slot.index, 4), 1),
        result: effects.batchSlow ? "timeout" : "ok",
      });
      addEvent(draft, slot.endMs, "flush", slot.index, { duration_s: 60 });
    }
  }
  const stopped = effects.stopped === true || counters.estop === 1;
  const ordered = goesOn(draft, "batch") && !stopped;
  const delivered = endedAt(draft, "batch");
  if (delivered !== undefined) {
    const began = count(draft, "batch_from");
    const target = count(draft, "batch_litres");
    const actual = round(target * (1 + (effects.batchOff ?? 0) / 100), 1);
    addEvent(draft, delivered, "batch", delivered, {
      recipe: draft.words.recipe ?? "",
      dest: draft.words.dest ?? "",
      target_l: target,
      actual_l: actual,
      deviation: round((actual / target - 1) * 100, 1),
      start: new Date(began).toISOString(),
      end: new Date(delivered).toISOString(),
      concentration_deviation: round(effects.batchOff ?? 0, 1),
      result: effects.batchSlow ? "timeout" : "ok",
    });
    counters.flush_until = delivered + lasts.flushStation;
  }
  const rinsed = endedAt(draft, "flush");
  if (rinsed !== undefined) addEvent(draft, rinsed, "flush", rinsed, { duration_s: lasts.flushStation / 1000 });
  const on = (batchAt(atMs) && !effects.stopped) || ordered;
  const open = count(draft, "valves_open");
  const turns = (pump: number): number => (goesOn(draft, `prime_${pump}`) ? 20 : count(draft, `pump_${pump}_hz`));
  const byHand = open > 0 && turns(1) > 0 && !stopped;
  const flowing = (on || byHand) && !effects.valveStuck;
  const leak = effects.valveLeakLh ?? 0;
  counters.flow1 ??= mix(setup.seed, 0, 5) % 60_000;
  counters.hours1 ??= mix(setup.seed, 0, 6) % 3000;
  const passedL = ((flowing ? stationLitresPerHour : leak) * draft.dtS) / 3600;
  counters.flow1 += passedL;
  counters.hours1 += on || byHand ? draft.dtS / 3600 : 0;
  const cycles = 4000 + (mix(setup.seed, 0, 7) % 20_000) + 2 * count(draft, "batches");
  values.state = stopped
    ? "estop"
    : on
      ? (ordered ? atMs - count(draft, "batch_from") < 300_000 : clockHour(atMs) % 1 < 0.08)
        ? "mixing"
        : "dispensing"
      : goesOn(draft, "flush")
        ? "flushing"
        : byHand
          ? "maint"
          : "idle";
  values.mix_ec = on ? 12.4 + 0.2 * noise(draft, 8) : 0.6 + 0.01 * noise(draft, 8);
  values.mix_ph = on ? 8.6 + 0.05 * noise(draft, 9) : 7.2 + 0.02 * noise(draft, 9);
  values.p = Math.max(0, (on ? 0.32 : 0.03) + 0.01 * noise(draft, 10));
  values.batch = ordered
    ? `M${count(draft, "batch_from")}`
    : on
      ? `B${dayOf(atMs)}-${Math.floor(clockHour(atMs))}`
      : "";
  for (const tank of [1, 2, 3]) {
    // Only tank 1 feeds the recipe of the demo; the others stand by.
    const lostLh = tank === 1 ? (passedL * 3600) / draft.dtS + (effects.tankLeakLh ?? 0) : 0;
    const own = useTank(draft, `tank${tank}`, (lostLh * 100) / stationTankL);
    const level = tank === 1 ? (effects.tank ?? own) : own;
    values[`tank_${tank}`] = level;
    values[`tank_${tank}_l`] = (level * stationTankL) / 100;
    values[`tank_${tank}_conc`] = 12 + 0.1 * drift(setup.seed, atMs, 43_200, 10 + tank);
    values[`tank_${tank}_t`] = clamp(
      18 + 0.2 * (draft.weather.dayMeanC - 12) + 0.5 * drift(setup.seed, atMs, 7200, 20 + tank),
      6,
      33,
    );
    values[`tank_${tank}_agitator`] = tank === 1 && on;
    values[`tank_${tank}_batch`] = `L26${10 + (mix(setup.seed, tank, 30) % 40)}`;
    values[`tank_${tank}_days_left`] = 60 + (mix(setup.seed, tank, 31) % 240);
  }
  for (const valve of [1, 2, 3, 4]) {
    const opened = (on && valve <= 2) || (!stopped && (open & (1 << (valve - 1))) !== 0);
    values[`valve_${valve}_cmd`] = opened;
    values[`valve_${valve}`] = opened && !(effects.valveStuck && valve === 1);
    values[`valve_${valve}_travel`] = 6 + (mix(setup.seed, valve, 32) % 40) / 10;
    values[`valve_${valve}_cycles`] = valve <= 2 ? cycles : cycles - 1500;
  }
  for (const meter of [1, 2]) {
    const hz = stopped ? 0 : on && meter === 1 ? 42 + 0.2 * noise(draft, 44) : turns(meter);
    const flowLh = meter === 1 ? (flowing ? stationLitresPerHour : leak) : 0;
    values[`flow_${meter}`] = flowLh * (1 + 0.01 * noise(draft, 40 + meter));
    values[`flow_${meter}_total`] = meter === 1 ? counters.flow1 : mix(setup.seed, 0, 50) % 20_000;
    values[`flow_${meter}_empty`] = false;
    values[`pump_${meter}_hz`] = hz;
    values[`pump_${meter}_a`] = hz > 0 ? 3.1 * (hz / 42) + 0.05 * noise(draft, 45) : 0;
    values[`pump_${meter}_h`] = meter === 1 ? counters.hours1 : mix(setup.seed, 0, 51) % 1200;
  }
}

/** Lorries come in slots of so many ms: on the scale, away to the ramp, on the scale again. */
const lorrySlotMs = 45 * 60_000;
/** Share of the slots of a day in which a lorry comes: three or four of them a day. */
const lorryChance = 0.2;
const lorryOnScaleMs = 3 * 60_000;
const lorryBackMs = 30 * 60_000;
/** A ticket is issued so long after the lorry drove on. */
const lorryTicketMs = 2 * 60_000;
const lorries = ["豫RA2618", "豫RC0735", "豫RD9152", "豫S6K327", "鄂FB4480", "豫RF5026"] as const;

function weighbridge(draft: Draft): void {
  const { setup, atMs, counters, values, effects } = draft;
  const division = setting(draft, "division_kg", 20);
  const comes = (slot: number): boolean => {
    const hour = clockHour(slot * lorrySlotMs);
    return effects.plateless === true || (hour >= 6 && hour < 19.5 && chance(draft, slot, 1) < lorryChance);
  };
  const zeroAt = (ms: number): number =>
    effects.zeroKg ?? drift(setup.seed, ms, 14_400, 2) * 3 - drift(setup.seed, count(draft, "zeroed"), 14_400, 2) * 3;
  /** Weight of the lorry of a slot; lorries with feed come full and leave empty, those for pigs the other way round. */
  const lorryKg = (slot: number, phase: "in" | "out"): number => {
    const emptyKg = 13_400 + (mix(setup.seed, mix(setup.seed, slot, 3) % lorries.length, 4) % 60) * 20;
    const brings = mix(setup.seed, slot, 5) % 3 === 0;
    return (phase === "in") === brings ? emptyKg + 13_000 + (mix(setup.seed, slot, 6) % 150) * 20 : emptyKg;
  };
  /** What stands on the platform at a time, and since when. */
  const onPlatform = (ms: number): { kg: number; forMs: number } | undefined => {
    const slot = Math.floor(ms / lorrySlotMs);
    if (!comes(slot)) return undefined;
    const into = ms - slot * lorrySlotMs;
    if (into < lorryOnScaleMs) return { kg: lorryKg(slot, "in"), forMs: into };
    const back = into - lorryBackMs;
    return back >= 0 && back < lorryOnScaleMs ? { kg: lorryKg(slot, "out"), forMs: back } : undefined;
  };
  // Calibrated once a year, two months before it is due.
  const calDaysAt = (ts: number): number =>
    effects.calDays ?? 60 + (364 - ((dayOf(ts) + (mix(setup.seed, 0, 7) % 365)) % 365));
  counters.tickets ??= 2000 + (mix(setup.seed, 0, 8) % 20_000);
  const number = (): string => `${setup.serialNumber}-${count(draft, "tickets")}`;
  const ticket = (ts: number, plate: string, phase: "in" | "out", kg: number): void => {
    counters.tickets = count(draft, "tickets") + 1;
    counters.last_slot = Math.floor(ts / lorrySlotMs);
    addEvent(draft, ts, "weighed", ts, {
      ticket: number(),
      plate: effects.plateless ? "" : plate,
      phase,
      weight_g: Math.round((kg + zeroAt(ts)) / division) * division * 1000,
      zero_kg: round(zeroAt(ts), 1),
      stability: effects.restless ? "unstable" : "stable",
      calibrated_until: new Date((dayOf(ts) + calDaysAt(ts) + 1) * dayMs - 8 * 3_600_000).toISOString(),
    });
  };
  const plateOf = (slot: number): string => lorries[mix(setup.seed, slot, 3) % lorries.length] ?? lorries[0];
  for (const { index, endMs } of endedSlots(draft, 60)) {
    const slot = Math.floor(endMs / lorrySlotMs);
    const into = endMs - slot * lorrySlotMs;
    if (effects.onPlatformKg !== undefined) {
      if (index % 10 !== 0) continue;
      if (effects.restless) ticket(endMs, plateOf(slot), "in", effects.onPlatformKg);
      if (effects.onPlatformKg > setting(draft, "capacity_kg", 120_000))
        addEvent(draft, endMs, "overload", index, { plate: plateOf(slot), weight_kg: effects.onPlatformKg });
    } else if (comes(slot)) {
      if (into === lorryTicketMs) ticket(endMs, plateOf(slot), "in", lorryKg(slot, "in"));
      if (into === lorryBackMs + lorryTicketMs) ticket(endMs, plateOf(slot), "out", lorryKg(slot, "out"));
    }
  }
  counters.parked_since = effects.onPlatformKg === undefined ? 0 : count(draft, "parked_since") || atMs;
  const standing =
    effects.onPlatformKg === undefined
      ? onPlatform(atMs)
      : { kg: effects.onPlatformKg, forMs: atMs - counters.parked_since };
  const zero = zeroAt(atMs);
  const settled = standing === undefined || (standing.forMs >= 60_000 && !effects.restless);
  const weight = (standing?.kg ?? 0) + zero + (settled ? 0 : 60 * noise(draft, 9));
  values.state =
    standing === undefined ? "idle" : weight > setting(draft, "capacity_kg", 120_000) ? "overload" : "weighing";
  values.weight = Math.round(weight / division) * division;
  values.stable = settled ? "stable" : "unstable";
  values.zero_kg = zero;
  values.on_scale_s = standing === undefined ? 0 : Math.floor(standing.forMs / 1000);
  values.plate = draft.words.plate ?? (counters.last_slot === undefined ? "" : plateOf(counters.last_slot));
  values.ticket = counters.last_slot === undefined ? "" : number();
  values.tickets = counters.tickets;
  values.cal_days = calDaysAt(atMs);
  const carried = [1, 2, 3, 4].map((cell) =>
    effects.cellDead && cell === 1 ? 0 : weight / 4 + (standing === undefined ? 0 : 150 * normal(setup.seed, cell, 10)),
  );
  for (const [at, kg] of carried.entries()) values[`cell_${at + 1}`] = clamp(kg, -500, 60_000);
  values.cell_spread =
    standing === undefined ? 0 : clamp((100 * 4 * (Math.max(...carried) - Math.min(...carried))) / weight, 0, 100);
  values.t_box = clamp(draft.weather.temperatureC + 4 + slow(draft, 7200, 11) + 0.1 * noise(draft, 12), -38, 80);
}

/**
 * A kind without a model: its channels drift in their usual range, what it tells in words is its first word, and every six hours it
 * sends one of its events.
 */
function declared(draft: Draft): void {
  const { setup, values } = draft;
  const { channels, events } = deviceKinds[setup.kind];
  for (const [at, { key, type, normal, valid, decimals, words, section }] of channels.entries()) {
    if (section.id === "device") continue;
    if (type === "boolean") values[key] = true;
    if (type === "text" && words?.[0]) values[key] = words[0].value;
    if (type !== "number") continue;
    const [low, high] = normal ?? valid ?? [0, 1];
    const share = 0.4 + 0.1 * slow(draft, 7200, 60 + at) + 0.01 * noise(draft, 90 + at);
    values[key] = round(clamp(low + (high - low) * share, low, high), decimals);
  }
  for (const { index, endMs } of endedSlots(draft, 6 * 3600)) {
    const event = events[index % Math.max(1, events.length)];
    if (event) addEvent(draft, endMs, event.type, index, {});
  }
}

const models: Readonly<Partial<Record<OtherKindId, (draft: Draft) => void>>> = {
  cough,
  temperature,
  needleless,
  bathroom,
  disinfect,
  deodorization,
  "bungalow-deodorization": bungalowDeodorization,
  "dosing-station": dosingStation,
  weighbridge,
};

/** The device `dtS` seconds later, with what it reports then and the events of the time between. */
export function stepOther(
  setup: OtherSetup,
  state: OtherState,
  dtS: number,
  weather: Weather,
  effects: Effects = noEffects,
): OtherStep {
  const atMs = state.atMs + dtS * 1000;
  const draft: Draft = {
    setup,
    fromMs: state.atMs,
    atMs,
    dtS,
    hour: clockHour(atMs),
    minute: Math.floor(atMs / 60_000),
    weather,
    effects,
    counters: { ...state.counters },
    settings: state.settings ?? {},
    words: state.words ?? {},
    shots: state.shots ?? [],
    values: {},
    events: [],
  };
  (models[setup.kind] ?? declared)(draft);
  const next: OtherState = {
    ...state,
    atMs,
    counters: draft.counters,
    ...(draft.shots.length > 0 && { shots: draft.shots }),
  };
  return { state: next, values: draft.values, events: draft.events };
}
