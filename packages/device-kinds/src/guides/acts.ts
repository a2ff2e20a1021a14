/** Actions that the steps of explanations offer beside their words. */
import type { AlarmAct, AlarmStep } from "../device-kind.ts";

/** A command of the device, whose dialog says what it does before it goes. @param method of a command of the kind */
export const command = (method: string): AlarmAct => ({ do: "command", method });
/** The parameters of the device. @param group opened first; the first one where it is left out */
export const parameters = (group?: string): AlarmAct => ({ do: "parameters", ...(group !== undefined && { group }) });
/** A work order with the device's state attached. */
export const order: AlarmAct = { do: "order" };
/** Somebody who may handle alarms is told that it is theirs. */
export const people: AlarmAct = { do: "people" };
/** Readings of the device that were rejected. */
export const readings: AlarmAct = { do: "readings" };

/** A step with what can be done at once from where it is read. */
export const step = (zh: string, en: string, act: AlarmAct): AlarmStep => ({ zh, en, act });
