import { type Static, Type } from "typebox";
import { FarmType, PigstyType, UnitMode } from "./codes.ts";
import { type Endpoint, signedIn } from "./endpoint.ts";
import { Empty, EpochMs, Id } from "./scalars.ts";

const unitFields = {
  id: Id,
  name: Type.String(),
  pigstyType: PigstyType,
  /** Heads in the unit now. */
  headCount: Type.Integer({ minimum: 0 }),
  /** Heads the unit is built for. */
  capacity: Type.Integer({ minimum: 0 }),
  mode: UnitMode,
  /** When washing ends by itself; absent in the other modes. */
  modeEndsMs: Type.Optional(EpochMs),
  /** Age of the batch in days; absent for breeding stock and empty units. */
  ageDays: Type.Optional(Type.Integer({ minimum: 0 })),
  /** Average weight per head in grams. */
  averageWeightGrams: Type.Optional(Type.Integer({ minimum: 0 })),
  areaSquareMeters: Type.Optional(Type.Number()),
  volumeCubicMeters: Type.Optional(Type.Number()),
  /** Set-point of the air temperature in degrees Celsius. */
  targetTemperature: Type.Optional(Type.Number()),
};

export const UnitSummary = Type.Object(unitFields);
export type UnitSummary = Static<typeof UnitSummary>;

export const HouseNode = Type.Object({
  id: Id,
  name: Type.String(),
  pigstyType: PigstyType,
  units: Type.Array(UnitSummary),
});
export type HouseNode = Static<typeof HouseNode>;

export const FarmNode = Type.Object({
  id: Id,
  code: Type.String(),
  name: Type.String(),
  type: FarmType,
  regionName: Type.String({ description: "province, city and district in words" }),
  latitude: Type.Optional(Type.Number({ minimum: -90, maximum: 90 })),
  longitude: Type.Optional(Type.Number({ minimum: -180, maximum: 180 })),
  houses: Type.Array(HouseNode),
});
export type FarmNode = Static<typeof FarmNode>;

/** A unit with the places above it and its neighbours in the same house. */
export const UnitDetail = Type.Object({
  ...unitFields,
  farmId: Id,
  farmName: Type.String(),
  houseId: Id,
  houseName: Type.String(),
  /** Ids of the units before and after this one in the farm, "" at the ends. */
  previousUnitId: Type.String(),
  nextUnitId: Type.String(),
  /** The environment controller of the unit, "" when none is bound. */
  environmentDeviceId: Type.String(),
});
export type UnitDetail = Static<typeof UnitDetail>;

export const farmTree = {
  method: "GET",
  path: "/api/muyuan-farm/tree/list",
  summary: "Farms, pig houses and units of the session's tenant.",
  access: signedIn,
  owner: "tenant",
  rate: "read",
  personal: {},
  form: "envelope",
  query: Empty,
  body: Empty,
  reply: Type.Array(FarmNode),
} satisfies Endpoint;

export const unitOverview = {
  method: "GET",
  path: "/api/muyuan-farm/unit/overview",
  summary: "One unit with its farm, house, neighbours and environment controller.",
  access: signedIn,
  owner: "tenant",
  rate: "read",
  personal: {},
  form: "envelope",
  query: Type.Object({ id: Id }),
  body: Empty,
  reply: UnitDetail,
} satisfies Endpoint;
