import { type Static, Type } from "typebox";
import { DeviceKindId } from "./codes.ts";
import { type Endpoint, permission } from "./endpoint.ts";
import { Empty, Id } from "./scalars.ts";

const Words = Type.Object({ zh: Type.String(), en: Type.String() });

/** A fault that can be simulated in a virtual device. */
export const SimulatorScenario = Type.Object({
  /** Name of the scenario on the command line. */
  name: Type.String(),
  title: Words,
  /** What happens, in a sentence. */
  summary: Words,
  /** Kinds of devices that it applies to. */
  kinds: Type.Array(DeviceKindId),
  /** Seconds of the device's time after which it ends. */
  lastsS: Type.Integer({ minimum: 1 }),
});
export type SimulatorScenario = Static<typeof SimulatorScenario>;

/** A scenario that is running on a device. */
export const SimulatorRun = Type.Object({
  scenario: Type.String(),
  /** Seconds since it began. */
  elapsedS: Type.Integer({ minimum: 0 }),
  /** Seconds until it ends by itself; -1 when it runs until it is stopped. */
  leftS: Type.Integer({ minimum: -1 }),
});
export type SimulatorRun = Static<typeof SimulatorRun>;

/** A device that the simulator runs. */
export const SimulatedDevice = Type.Object({
  id: Id,
  serialNumber: Type.String(),
  name: Type.String(),
  kind: DeviceKindId,
  farmName: Type.String({ description: "empty where it stands in none" }),
  unitId: Type.String({ description: "empty where it stands in none" }),
  unitName: Type.String({ description: "empty where it stands in none" }),
  runs: Type.Array(SimulatorRun),
});
export type SimulatedDevice = Static<typeof SimulatedDevice>;

export const SimulatorDetail = Type.Object({
  /** Whether this server runs virtual devices; otherwise there are no scenarios and no devices. */
  running: Type.Boolean(),
  scenarios: Type.Array(SimulatorScenario),
  devices: Type.Array(SimulatedDevice),
});
export type SimulatorDetail = Static<typeof SimulatorDetail>;

const staff = { access: permission("simulator_run"), owner: "group", personal: {}, form: "envelope" } as const;
const base = "/api/muyuan-iot/simulator";
const choice = Type.Object({
  scenario: Type.String({ minLength: 1, maxLength: 64 }),
  deviceId: Type.Optional(Id),
  unitId: Type.Optional(Type.String({ maxLength: 20, description: "all devices of the unit that it fits" })),
});

export const simulatorDetail = {
  method: "GET",
  path: `${base}/detail`,
  summary: "The scenarios of the simulator, its devices, and what runs on them.",
  ...staff,
  rate: "read",
  query: Empty,
  body: Empty,
  reply: SimulatorDetail,
} satisfies Endpoint;

export const simulatorStart = {
  method: "POST",
  path: `${base}/start`,
  summary: "Starts a scenario on a virtual device, or on those of a unit; one that runs begins anew.",
  ...staff,
  rate: "write",
  query: Empty,
  body: choice,
  reply: SimulatorDetail,
} satisfies Endpoint;

export const simulatorStop = {
  method: "POST",
  path: `${base}/stop`,
  summary: "Ends a scenario on a virtual device, or on those of a unit.",
  ...staff,
  rate: "write",
  query: Empty,
  body: choice,
  reply: SimulatorDetail,
} satisfies Endpoint;
