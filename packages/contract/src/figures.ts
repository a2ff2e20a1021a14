import { type Static, Type } from "typebox";
import { DeviceKindId, PigstyType } from "./codes.ts";
import { Readings } from "./devices.ts";
import { type Endpoint, publicAccess } from "./endpoint.ts";
import { Empty, EpochMs } from "./scalars.ts";

/** Figures of the whole portal for visitors. */
export const LiveFigures = Type.Object({
  devicesOnline: Type.Integer(),
  devices: Type.Integer(),
  farms: Type.Integer(),
  units: Type.Integer(),
  headCount: Type.Integer({ description: "pigs in care" }),
  /** Telemetry values stored in the last 24 hours. */
  valuesLastDay: Type.Integer(),
  asOfMs: EpochMs,
  /** A real unit that agreed to be shown to visitors; absent when there is none. */
  showcase: Type.Optional(
    Type.Object({
      houseName: Type.String(),
      unitName: Type.String(),
      pigstyType: PigstyType,
      headCount: Type.Integer(),
      readings: Readings,
    }),
  ),
});
export type LiveFigures = Static<typeof LiveFigures>;

export const liveFigures = {
  method: "GET",
  path: "/api/muyuan-content/section/skip-secure/live-figures",
  summary: "Figures of the home page: devices online, farms, pigs in care, and one showcase unit.",
  access: publicAccess,
  owner: "nobody",
  rate: "read",
  personal: {},
  form: "envelope",
  query: Empty,
  body: Empty,
  reply: LiveFigures,
} satisfies Endpoint;

/** Newest figures of one device that agreed to be shown to visitors. */
export const KindFigures = Type.Object({
  /** Those by which a device of the kind is looked at, as far as it told them; empty where there is no such device. */
  figures: Type.Array(
    Type.Object({
      key: Type.String(),
      name: Type.Object({ zh: Type.String(), en: Type.String() }),
      unit: Type.Object({ zh: Type.String(), en: Type.String() }),
      decimals: Type.Integer(),
      value: Type.Number(),
    }),
  ),
  /** When the newest of them was measured. */
  measuredAtMs: EpochMs,
});
export type KindFigures = Static<typeof KindFigures>;

export const kindFigures = {
  method: "GET",
  path: "/api/muyuan-content/section/skip-secure/kind-figures",
  summary: "Figures of a device of a kind that its owner lets visitors see, for pages about what it does.",
  access: publicAccess,
  owner: "nobody",
  rate: "read",
  personal: {},
  form: "envelope",
  query: Type.Object({ kind: DeviceKindId }),
  body: Empty,
  reply: KindFigures,
} satisfies Endpoint;
