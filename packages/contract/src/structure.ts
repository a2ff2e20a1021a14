import { type Static, Type } from "typebox";
import { DeviceKindId, DeviceStatus, FarmType, PigstyType, UnitMode } from "./codes.ts";
import { type Endpoint, permission } from "./endpoint.ts";
import { Empty, Id } from "./scalars.ts";

/** Levels of the structure of farms, from the top. */
export const placeKinds = ["farm", "house", "unit", "device"] as const;
export type PlaceKind = (typeof placeKinds)[number];

const base = { owner: "tenant", form: "envelope", query: Empty, body: Empty } as const;

/** A farm, house, unit or device of the structure. */
export const StructureNode = Type.Object({
  id: Id,
  kind: Type.Enum(placeKinds),
  /** Id of the parent; "" for farms. */
  parentId: Type.String(),
  farmId: Id,
  /** "" for farms, and for devices that belong to a farm without a house. */
  houseId: Type.String(),
  unitId: Type.String(),
  /** For a device its serial number. */
  code: Type.String(),
  name: Type.String(),
  /** Must be sent back with a move; 0 for devices. */
  version: Type.Integer(),
  /** Whether it is in use; devices always are. */
  inUse: Type.Boolean(),
  headCount: Type.Integer({ minimum: 0 }),
  capacity: Type.Integer({ minimum: 0 }),
  /** Number of direct children: houses, units, devices. */
  children: Type.Integer({ minimum: 0 }),
  units: Type.Integer({ minimum: 0 }),
  devices: Type.Integer({ minimum: 0 }),
  /** Number of open alarms on it and below, and severity of the worst; 0 for none. */
  alarms: Type.Integer({ minimum: 0 }),
  /** Number of those that ask for somebody now; of the others somebody knows. */
  asking: Type.Integer({ minimum: 0 }),
  severity: Type.Integer({ minimum: 0, maximum: 4 }),
  farmType: Type.Optional(FarmType),
  pigstyType: Type.Optional(PigstyType),
  mode: Type.Optional(UnitMode),
  deviceKind: Type.Optional(DeviceKindId),
  deviceStatus: Type.Optional(DeviceStatus),
});
export type StructureNode = Static<typeof StructureNode>;

export const structureList = {
  ...base,
  method: "GET",
  path: "/api/muyuan-farm/structure/list",
  summary: "One level of the structure: farms, the houses of a farm, the units of a house, or the devices of a unit.",
  access: permission("unit_view"),
  rate: "read",
  personal: {},
  query: Type.Object({ farmId: Type.Optional(Id), houseId: Type.Optional(Id), unitId: Type.Optional(Id) }),
  reply: Type.Array(StructureNode),
} satisfies Endpoint;

export const structureSearch = {
  ...base,
  method: "GET",
  path: "/api/muyuan-farm/structure/search",
  summary:
    "Farms, houses, units and devices whose name, code or serial number holds a word; at most 50, the upper levels first.",
  access: permission("unit_view"),
  rate: "read",
  personal: {},
  query: Type.Object({ keyword: Type.String({ minLength: 1, maxLength: 64 }) }),
  reply: Type.Array(StructureNode),
} satisfies Endpoint;

export const structureMove = {
  ...base,
  method: "POST",
  path: "/api/muyuan-farm/structure/move",
  summary:
    "Puts a farm, house or unit before a sibling or last, a house into another farm, a unit into another house with its heads and devices.",
  access: permission("unit_edit"),
  rate: "write",
  personal: {},
  body: Type.Object({
    kind: Type.Enum(["farm", "house", "unit"]),
    id: Id,
    /** Farm of a house, or house of a unit; not needed for farms. */
    parentId: Type.Optional(Id),
    /** Id of the sibling that follows; last where it is left out. */
    beforeId: Type.Optional(Id),
    version: Type.Optional(Type.Integer()),
  }),
  reply: Empty,
} satisfies Endpoint;

/** Most rows in one sheet of a farm's structure. */
export const mostStructureRows = 5000;

export const structureExport = {
  ...base,
  method: "POST",
  path: "/api/muyuan-farm/structure/export",
  summary: "Begins an export of all farms, houses and units on one sheet, as a job. The sheet can be imported again.",
  access: permission("structure_export"),
  rate: "write",
  personal: {},
  reply: Type.Object({ jobId: Id }),
} satisfies Endpoint;

export const structureImport = {
  ...base,
  method: "POST",
  path: "/api/muyuan-farm/structure/import",
  summary: `Adds and changes farms, houses and units from one uploaded sheet of at most ${mostStructureRows} rows: all of them, or none with what is wrong in which row and column.`,
  access: permission("structure_import"),
  rate: "write",
  personal: {},
  body: Type.Object({ attachId: Id }),
  reply: Type.Object({
    /** Number of places that the sheet added, changed and left as they are; all 0 when the sheet has problems. */
    added: Type.Integer(),
    changed: Type.Integer(),
    unchanged: Type.Integer(),
    /** At most 500. */
    problems: Type.Array(
      Type.Object({
        row: Type.Integer({ description: "as the sheet counts, from 1" }),
        column: Type.String({ description: 'header; "" for the row as a whole' }),
        text: Type.String({ description: "Chinese with placeholders; the key of its translation" }),
        values: Type.Record(Type.String(), Type.Union([Type.String(), Type.Number()])),
      }),
    ),
    /** Cells that were interpreted as another text; at most 500. */
    understood: Type.Array(
      Type.Object({
        row: Type.Integer({ description: "as the sheet counts, from 1" }),
        column: Type.String({ description: "header" }),
        before: Type.String({ description: "what the cell holds" }),
        text: Type.String({ description: "what it was understood as" }),
      }),
    ),
  }),
} satisfies Endpoint;
