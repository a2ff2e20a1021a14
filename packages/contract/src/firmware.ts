import { type Static, Type } from "typebox";
import { DeviceKindId } from "./codes.ts";
import { type Endpoint, permission } from "./endpoint.ts";
import { DateTime, Empty, Id, pageOf, pageQuery } from "./scalars.ts";

/** Largest package, in bytes. */
export const firmwareBytes = 32 * 1024 * 1024;

/** States of a device's update; all but the first two are reported by the device (`fw_state`). */
export const firmwareStates = [
  "WAITING",
  "QUEUED",
  "DOWNLOADING",
  "DOWNLOADED",
  "VERIFIED",
  "UPDATING",
  "UPDATED",
  "FAILED",
] as const;
export type FirmwareState = (typeof firmwareStates)[number];

const staff = { access: permission("firmware_edit"), owner: "group", personal: {}, form: "envelope" } as const;
const base = "/api/muyuan-iot/firmware";
const Word = Type.String({ minLength: 1, maxLength: 64 });

export const FirmwarePackage = Type.Object({
  id: Id,
  kind: DeviceKindId,
  title: Type.String(),
  version: Type.String(),
  sizeBytes: Type.Integer(),
  /** SHA-256 in hex. */
  checksum: Type.String(),
  createTime: DateTime,
});
export type FirmwarePackage = Static<typeof FirmwarePackage>;

export const firmwarePage = {
  method: "GET",
  path: `${base}/page`,
  summary: "Firmware packages, newest first.",
  ...staff,
  rate: "read",
  query: Type.Object(pageQuery),
  body: Empty,
  reply: pageOf(FirmwarePackage),
} satisfies Endpoint;

export const firmwareVersions = {
  method: "GET",
  path: `${base}/version/list`,
  summary: "Versions that devices last reported, by kind, with how many devices run each.",
  ...staff,
  rate: "read",
  query: Empty,
  body: Empty,
  reply: Type.Array(
    Type.Object({
      kind: DeviceKindId,
      version: Type.String({ description: '"" for devices that have not told theirs' }),
      devices: Type.Integer(),
    }),
  ),
} satisfies Endpoint;

export const firmwareUpload = {
  method: "POST",
  path: `${base}/upload`,
  summary:
    "Takes a package for a kind of device in the multipart field file, at most 32 MB; a version can't be replaced.",
  ...staff,
  rate: "guarded",
  query: Type.Object({ kind: DeviceKindId, title: Word, version: Word }),
  body: Empty,
  reply: FirmwarePackage,
  upload: true,
} satisfies Endpoint;

/** While `paused`, devices that have not begun are not offered the package; `stopped` and `done` are final. */
export const rolloutStates = ["running", "paused", "stopped", "done"] as const;

/** A roll-out of a package to the devices of its kind, in stages. */
export const FirmwareRollout = Type.Object({
  id: Id,
  packageId: Id,
  title: Type.String(),
  version: Type.String(),
  state: Type.Enum(rolloutStates),
  /** Why the roll-out is paused: by a `person`, or by itself after `failures`; "" when it is not paused. */
  pauseReason: Type.Enum(["", "person", "failures"] as const),
  /** Number of failures since the start or the last resume at which it pauses itself. */
  maxFailures: Type.Integer({ minimum: 1 }),
  /** Share of the devices that each stage reaches in percent, ascending; `stage` counts from 0. */
  stages: Type.Array(Type.Integer()),
  stage: Type.Integer(),
  devices: Type.Integer(),
  updated: Type.Integer(),
  failed: Type.Integer(),
  /** Counts by stage. */
  progress: Type.Array(
    Type.Object({
      devices: Type.Integer(),
      updated: Type.Integer(),
      failed: Type.Integer(),
      /** Number of devices that were offered the package and have not finished. */
      active: Type.Integer(),
    }),
  ),
  createTime: DateTime,
});
export type FirmwareRollout = Static<typeof FirmwareRollout>;

export const firmwareRolloutPage = {
  method: "GET",
  path: `${base}/rollout/page`,
  summary: "Roll-outs with their progress, newest first.",
  ...staff,
  rate: "read",
  query: Type.Object(pageQuery),
  body: Empty,
  reply: pageOf(FirmwareRollout),
} satisfies Endpoint;

export const firmwareRollout = {
  method: "POST",
  path: `${base}/rollout/submit`,
  summary: "Offers a package to the devices of its kind, or to those that are named, and begins with the first stage.",
  ...staff,
  rate: "write",
  query: Empty,
  body: Type.Object({
    packageId: Id,
    deviceIds: Type.Optional(Type.Array(Id, { maxItems: 1000, description: "all devices of the kind when left out" })),
    stages: Type.Optional(
      Type.Array(Type.Integer({ minimum: 1, maximum: 100 }), {
        maxItems: 10,
        description: "shares in percent, ascending; [100] when left out, and 100 is added at the end",
      }),
    ),
    maxFailures: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 100_000,
        description: "failures at which it pauses itself; one in twenty of its devices when left out",
      }),
    ),
  }),
  reply: FirmwareRollout,
} satisfies Endpoint;

/** Steps of a roll-out: `next` goes on to the next stage. */
export const rolloutSteps = ["next", "pause", "resume", "stop"] as const;
export type RolloutStep = (typeof rolloutSteps)[number];

export const firmwareRolloutStep = {
  method: "POST",
  path: `${base}/rollout/step`,
  summary:
    "Goes on with the next stage of a roll-out, pauses it, takes it up again, or stops it for good. Devices that have not begun are left as they are; those that have finish.",
  ...staff,
  rate: "write",
  query: Empty,
  body: Type.Object({ id: Id, step: Type.Enum(rolloutSteps) }),
  reply: FirmwareRollout,
} satisfies Endpoint;

/** State of one device in a roll-out. */
export const FirmwareUpdate = Type.Object({
  deviceId: Id,
  deviceName: Type.String(),
  serialNumber: Type.String(),
  /** Name of the customer. */
  tenantName: Type.String(),
  /** Version that the device reports. */
  firmwareVersion: Type.String(),
  state: Type.Enum(firmwareStates),
  /** The failure that the device reports (`fw_error`). */
  error: Type.String(),
  changeTime: DateTime,
});
export type FirmwareUpdate = Static<typeof FirmwareUpdate>;

export const firmwareUpdatePage = {
  method: "GET",
  path: `${base}/update/page`,
  summary: "How far each device of a roll-out is: failed ones first, then those under way.",
  ...staff,
  rate: "read",
  query: Type.Object({ ...pageQuery, rolloutId: Id, state: Type.Optional(Type.Enum(firmwareStates)) }),
  body: Empty,
  reply: pageOf(FirmwareUpdate),
} satisfies Endpoint;

export const firmwareUpdateRetry = {
  method: "POST",
  path: `${base}/update/retry`,
  summary: "Offers the package once more to a device that failed, while its roll-out runs.",
  ...staff,
  rate: "write",
  query: Empty,
  body: Type.Object({ rolloutId: Id, deviceId: Id }),
  reply: FirmwareRollout,
} satisfies Endpoint;
