import type { TicketProblem, WeightUse } from "@herdwise/contract";
import { weighbridge } from "@herdwise/device-kinds/kinds/weighbridge";

/** A ticket as a weighbridge tells it. */
export interface ScaleMessage {
  ticket: string;
  plate: string;
  phase: "in" | "out" | null;
  /** Null where the message has none that is a whole number of grams that can be stored. */
  weightGrams: number | null;
  zeroGrams: number | null;
  stable: boolean;
  calibratedUntil: Date | null;
  /** Why it can't be relied on. */
  problem: TicketProblem | undefined;
}

const channelOf = (key: string) => {
  const channel = weighbridge.channels.find((one) => one.key === key);
  if (channel?.valid === undefined) throw new Error(`the weighbridge declares no range of ${key}`);
  return { valid: channel.valid, normal: channel.normal ?? channel.valid };
};
const [weightKg, zeroKg] = [channelOf("weight"), channelOf("zero_kg")];
/** A ticket of less is no vehicle. */
const leastGrams = 1_000_000;
/** Of what a device calls a plate or a ticket. */
const longest = { plate: 20, ticket: 60 } as const;

const within = (value: number, [low, high]: readonly [number, number]): boolean => value >= low && value <= high;
const textOf = (value: unknown): string => (typeof value === "string" ? value.trim() : "");
const momentOf = (value: unknown): Date | null => {
  const ms = Date.parse(textOf(value));
  return Number.isNaN(ms) ? null : new Date(ms);
};

/**
 * Reads the event `weighed` of a weighbridge and judges it by what the kind declares.
 * @returns undefined for what names no ticket
 */
export function readScaleMessage(
  body: Readonly<Record<string, unknown>>,
  at: { weighedMs: number; nowMs: number },
): ScaleMessage | undefined {
  const ticket = textOf(body.ticket);
  if (ticket === "" || ticket.length > longest.ticket) return undefined;
  const { weight_g: weight, zero_kg: zero } = body;
  const isWeight =
    typeof weight === "number" &&
    Number.isInteger(weight) &&
    within(weight / 1000, weightKg.valid) &&
    weight >= leastGrams;
  const isZero = typeof zero === "number" && within(zero, zeroKg.valid);
  const phase = body.phase === "in" || body.phase === "out" ? body.phase : null;
  const stable = body.stability === "stable";
  const calibratedUntil = momentOf(body.calibrated_until);
  const problems: readonly (readonly [TicketProblem, boolean])[] = [
    ["range", !isWeight],
    ["phase", phase === null],
    ["unstable", !stable],
    ["zero", !isZero || !within(zero, zeroKg.normal)],
    ["calibration", calibratedUntil === null || calibratedUntil.getTime() <= at.weighedMs],
    ["time", at.weighedMs > at.nowMs],
  ];
  return {
    ticket,
    plate: textOf(body.plate).slice(0, longest.plate),
    phase,
    weightGrams: isWeight ? weight : null,
    zeroGrams: isZero ? Math.round(zero * 1000) : null,
    stable,
    calibratedUntil,
    problem: problems.find(([, wrong]) => wrong)?.[0],
  };
}

/** Which weight a ticket is: a lorry comes empty to be loaded, and full to be unloaded. */
export const useOf = (place: "loading" | "arrival", phase: "in" | "out"): WeightUse =>
  (place === "loading") === (phase === "in") ? "tare" : "gross";
