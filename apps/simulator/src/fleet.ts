/** The fleet file: which devices there are and what stands in their units. Written by the server, checked here. */
import {
  type DeviceKindId,
  isDeviceKindId,
  type PigstyType,
  pigstyTypes,
  type UnitMode,
  unitModes,
} from "@herdwise/device-kinds";

type FleetUnit = {
  readonly id: string;
  readonly pigstyType: PigstyType;
  readonly headCount: number;
  readonly ageDays: number;
  /** Mean live weight in g. */
  readonly weightGrams: number;
  readonly areaCm2?: number;
  readonly volumeLitres?: number;
  readonly mode: UnitMode;
};

export type FleetDevice = {
  /** Access token, the MQTT user name. */
  readonly token: string;
  readonly serialNumber: string;
  readonly kind: DeviceKindId;
  readonly firmwareVersion: string;
  /** Whose device it is: each owner's devices show scenarios of their own. */
  readonly owner?: string;
  readonly unit?: FleetUnit;
  /** Pigs that a device of a whole farm serves. */
  readonly servedPigs?: number;
  /** It was never switched on before, so that it has no past. */
  readonly fresh?: boolean;
  readonly latitude?: number;
  readonly longitude?: number;
};

export type Fleet = { readonly seed: number; readonly devices: readonly FleetDevice[] };

type Row = Readonly<Record<string, unknown>>;
const isRow = (value: unknown): value is Row => typeof value === "object" && value !== null && !Array.isArray(value);

/** Checks a parsed fleet file; throws one error that names every fault with its place. */
export function parseFleet(value: unknown): Fleet {
  const faults: string[] = [];
  const text = (row: Row, key: string, path: string): void => {
    if (typeof row[key] !== "string" || row[key] === "") faults.push(`${path}.${key} must be a text that is not empty`);
  };
  const number = (row: Row, key: string, path: string, low: number, high: number, need: "integer" | "number"): void => {
    const actual = row[key];
    if (typeof actual !== "number" || !Number.isFinite(actual) || actual < low || actual > high) {
      faults.push(`${path}.${key} must be a number, ${low} to ${high}`);
    } else if (need === "integer" && !Number.isInteger(actual)) {
      faults.push(`${path}.${key} must be a whole number`);
    }
  };
  const unit = (row: Row, path: string): void => {
    text(row, "id", path);
    if (!pigstyTypes.some((type) => type === row.pigstyType)) {
      faults.push(`${path}.pigstyType must be one of ${pigstyTypes.join(", ")}`);
    }
    if (!unitModes.some((mode) => mode === row.mode))
      faults.push(`${path}.mode must be one of ${unitModes.join(", ")}`);
    number(row, "headCount", path, 0, 20000, "integer");
    number(row, "ageDays", path, 0, 5000, "integer");
    number(row, "weightGrams", path, 0, 500_000, "integer");
    if (row.areaCm2 !== undefined) number(row, "areaCm2", path, 1, 1e9, "integer");
    if (row.volumeLitres !== undefined) number(row, "volumeLitres", path, 1, 1e9, "integer");
  };
  if (!isRow(value)) throw new Error("The fleet file must hold an object with seed and devices");
  number(value, "seed", "fleet", 0, 4294967295, "integer");
  const devices: readonly unknown[] = Array.isArray(value.devices) ? value.devices : [];
  if (!Array.isArray(value.devices)) faults.push("fleet.devices must be a list");
  const seen = new Set<unknown>();
  devices.forEach((row, index) => {
    const path = `devices[${index}]`;
    if (!isRow(row)) {
      faults.push(`${path} must be an object`);
      return;
    }
    for (const key of ["token", "serialNumber", "firmwareVersion"]) text(row, key, path);
    for (const key of ["token", "serialNumber"]) {
      const name = `${key}:${String(row[key])}`;
      if (seen.has(name)) faults.push(`${path}.${key} is there twice`);
      seen.add(name);
    }
    if (row.owner !== undefined) text(row, "owner", path);
    if (!isDeviceKindId(row.kind)) faults.push(`${path}.kind is not a device kind: ${String(row.kind)}`);
    if (row.fresh !== undefined && typeof row.fresh !== "boolean") faults.push(`${path}.fresh must be true or false`);
    if (row.servedPigs !== undefined) number(row, "servedPigs", path, 1, 200_000, "integer");
    if (row.latitude !== undefined) number(row, "latitude", path, -90, 90, "number");
    if (row.longitude !== undefined) number(row, "longitude", path, -180, 180, "number");
    if (row.unit !== undefined) {
      if (isRow(row.unit)) unit(row.unit, `${path}.unit`);
      else faults.push(`${path}.unit must be an object`);
    } else if (row.kind === "environment") {
      faults.push(`${path}.unit is missing; an environment controller needs its unit`);
    }
  });
  if (faults.length > 0) throw new Error(`The fleet file is not valid:\n- ${faults.join("\n- ")}`);
  return value as Fleet;
}
