import type { DeviceKindId } from "./device-kind.ts";

/** A reading outside the sensor's range means a broken sensor, in every kind. */
const ofEveryKind = ["sensor_range"] as const;

/**
 * Rules about a part of the device or a machine that it drives, rather than about air, water or animals: while such an alarm is
 * open, the device has the status `fault` (product.md, states of devices).
 */
const ofKind: Readonly<Record<DeviceKindId, readonly string[]>> = {
  environment: ["all_fans_off", "cycle_fan_off", "gear_not_reached", "fan_current"],
  needleless: [],
  cough: ["microphone_silent", "microphone_fault"],
  temperature: ["blackbody_drift", "rail_jam"],
  bathroom: ["gate_silent"],
  disinfect: ["no_dosing", "dosing_without_flow", "pump_stopped"],
  deodorization: ["clogged", "bypassed", "pump_off"],
  "bungalow-deodorization": ["no_flow", "curtain_torn"],
  "dosing-station": ["valve_not_in_place", "flow_with_valves_closed", "no_flow", "emergency_stop"],
  weighbridge: ["not_zeroed", "calibration_expired"],
};

/** Ids of the rules of a kind whose alarms are faults of the device. */
export const faultRulesOf = (kind: DeviceKindId): readonly string[] => [...ofEveryKind, ...ofKind[kind]];
