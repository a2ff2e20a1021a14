/** Outdoor weather: mean of the season, daily wave, and a first-order autoregressive part, by place and time. */
import { normal } from "./random.ts";

export type Place = { readonly latitude: number; readonly longitude: number };

export type Weather = {
  /** °C */
  readonly temperatureC: number;
  /** 5–100 % */
  readonly humidityPercent: number;
  /** Mean of the day in °C, for the season of the controller. */
  readonly dayMeanC: number;
};

const dayMs = 86_400_000;
/** Step and memory of the autoregressive part: 3 h with a factor of 0.9 forget a front within two to three days. */
const stepMs = 3 * 3_600_000;
const memory = 0.9;
const terms = 40;
const frontDeviationC = 3.2;

/** Solar hour of the day, 0–24. */
function solarHour(atMs: number, longitude: number): number {
  const hour = ((atMs % dayMs) / 3_600_000 + longitude / 15) % 24;
  return hour < 0 ? hour + 24 : hour;
}

/** Hour of the day by the clock of China (UTC+8), which the daily routine of every farm follows. */
export const clockHour = (atMs: number): number => (((atMs / 3_600_000 + 8) % 24) + 24) % 24;

/** Day of a mean year, 0–365.25; the first of January 2024 is day 0. */
const dayOfYear = (atMs: number): number => ((atMs - Date.UTC(2024, 0, 1)) / dayMs) % 365.25;

/**
 * Mean temperature of the season in °C [A]: a fit to Chinese cities between Guangzhou (22 °C mean, 7 °C amplitude) and Harbin
 * (6 and 21 °C), warmest on 19 July, half a year apart on the southern side.
 */
export function seasonalMean(latitude: number, atMs: number): number {
  const north = Math.min(60, Math.abs(latitude));
  const mean = 38.1 - 0.7 * Math.max(12, north);
  const amplitude = Math.max(2, 0.6 * north - 6.3);
  const day = dayOfYear(atMs) + (latitude < 0 ? 182.6 : 0);
  return mean + amplitude * Math.cos((2 * Math.PI * (day - 199)) / 365.25);
}

/** Autoregressive part at a step, as the sum of its faded shocks: the same for the same time, wherever a run begins. */
function front(seed: number, step: number): number {
  let sum = 0;
  let weight = 1;
  for (let back = 0; back < terms; back++) {
    sum += weight * normal(seed, step - back, 11);
    weight *= memory;
  }
  return sum * Math.sqrt(1 - memory * memory) * frontDeviationC;
}

/** The last step of each place; only a memory of results, never a source of them. */
const lastFronts = new Map<number, { step: number; before: number; after: number }>();

function frontAt(seed: number, atMs: number): number {
  const step = Math.floor(atMs / stepMs);
  let known = lastFronts.get(seed);
  if (known?.step !== step) {
    known = { step, before: front(seed, step), after: front(seed, step + 1) };
    if (lastFronts.size > 1000) lastFronts.clear();
    lastFronts.set(seed, known);
  }
  return known.before + ((atMs % stepMs) / stepMs) * (known.after - known.before);
}

/** Weather at a place and time. Places within about 10 km share it. */
export function weatherAt(place: Place, atMs: number, seed: number): Weather {
  const site = (Math.round(place.latitude * 10) * 3600 + Math.round(place.longitude * 10)) ^ seed;
  const wander = frontAt(site, atMs);
  const dayMeanC = seasonalMean(place.latitude, atMs) + wander;
  // Warmest at half past two in the afternoon.
  const wave = Math.cos((2 * Math.PI * (solarHour(atMs, place.longitude) - 14.5)) / 24);
  const temperatureC = dayMeanC + 4.5 * wave;
  const humidity = 70 - 14 * wave - 0.7 * wander;
  return { temperatureC, humidityPercent: Math.min(98, Math.max(20, humidity)), dayMeanC };
}
