import { type Static, Type } from "typebox";
import { DeviceKindId, PigstyType } from "./codes.ts";
import { Readings } from "./devices.ts";
import { type Endpoint, publicAccess } from "./endpoint.ts";
import { Empty, EpochMs } from "./scalars.ts";

/** Figures of the whole portal that visitors see. */
export const LiveFigures = Type.Object({
  devicesOnline: Type.Integer(),
  devices: Type.Integer(),
  farms: Type.Integer(),
  units: Type.Integer(),
  headCount: Type.Integer({ description: "pigs in care" }),
  /** Telemetry values stored in the last 24 hours. */
  valuesLastDay: Type.Integer(),
  asOfMs: EpochMs,
  /** A real unit whose owner agreed to show it to visitors; absent when there is none. */
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

/** Newest figures of one device whose owner agreed to show it to visitors. */
export const KindFigures = Type.Object({
  /** The kind's main figures, as far as the device reported them; empty when there is no such device. */
  figures: Type.Array(
    Type.Object({
      key: Type.String(),
      name: Type.Object({ zh: Type.String(), en: Type.String() }),
      unit: Type.Object({ zh: Type.String(), en: Type.String() }),
      decimals: Type.Integer(),
      value: Type.Number(),
    }),
  ),
  /** When the newest figure was measured. */
  measuredAtMs: EpochMs,
  /** The last 24 full hours of the kind's main figure, and of another one in its unit; absent without two hours of the first. */
  day: Type.Optional(
    Type.Object({
      /** End of the newest hour. */
      endMs: EpochMs,
      unit: Type.Object({ zh: Type.String(), en: Type.String() }),
      decimals: Type.Integer(),
      series: Type.Array(
        Type.Object({
          key: Type.String(),
          name: Type.Object({ zh: Type.String(), en: Type.String() }),
          points: Type.Array(Type.Tuple([EpochMs, Type.Number()]), {
            description: "begin and mean of each hour with readings, ascending",
          }),
        }),
      ),
    }),
  ),
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
