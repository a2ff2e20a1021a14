import { type Static, Type } from "typebox";
import { alarmSeverities } from "./alarms.ts";
import { DeviceKindId } from "./codes.ts";
import { type Endpoint, permission } from "./endpoint.ts";
import { Empty, Id } from "./scalars.ts";

const Words = Type.Object({ zh: Type.String(), en: Type.String() });

/** How many times as fast as declared a scenario may unfold. */
export const simulatorSpeeds = [1, 4, 12] as const;

/** An alarm that a scenario raises. */
const ExpectedAlarm = Type.Object({
  kind: DeviceKindId,
  rule: Type.String(),
  name: Words,
  severity: Type.Enum(alarmSeverities),
  /** Rule of the same kind whose alarm is the cause; empty where it follows from none. */
  under: Type.String(),
  /** Recorded only, as the mode of the unit masks it. */
  suppressed: Type.Boolean(),
  /** Minutes after its begin at which a test saw it come, at its declared speed; -1 where none was seen. */
  afterMin: Type.Integer({ minimum: -1 }),
});

/** A fault that can be simulated in a virtual device. */
export const SimulatorScenario = Type.Object({
  /** Name of the scenario on the command line. */
  name: Type.String(),
  title: Words,
  /** What happens, in a sentence. */
  summary: Words,
  /** Kinds of devices that it applies to. */
  kinds: Type.Array(DeviceKindId),
  /** Whether it may unfold faster than declared. */
  hastens: Type.Boolean(),
  /** Seconds of the device's time after which it ends. */
  lastsS: Type.Integer({ minimum: 1 }),
  /** What it raises, each once; nothing else. */
  expects: Type.Array(ExpectedAlarm),
});
export type SimulatorScenario = Static<typeof SimulatorScenario>;

/** A scenario that is running on a device. */
export const SimulatorRun = Type.Object({
  scenario: Type.String(),
  /** Seconds since it began. */
  elapsedS: Type.Integer({ minimum: 0 }),
  /** Seconds until it ends by itself; -1 when it runs until it is stopped. */
  leftS: Type.Integer({ minimum: -1 }),
  /** How many times as fast as declared it unfolds. */
  speed: Type.Number({ minimum: 1 }),
  /** Expected alarms that were raised on the device since it began, one for each rule: the newest. */
  raised: Type.Array(
    Type.Object({
      rule: Type.String(),
      id: Id,
      /** Seconds after it began until the rule's first one. */
      afterS: Type.Integer({ minimum: 0 }),
      /** Whether all of the rule are over. */
      ended: Type.Boolean(),
    }),
  ),
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
  body: Type.Object({ ...choice.properties, speed: Type.Optional(Type.Enum(simulatorSpeeds)) }),
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
