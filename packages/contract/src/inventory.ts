import { type Static, Type } from "typebox";
import { PigCategory } from "./codes.ts";
import { type Endpoint, permission } from "./endpoint.ts";
import { DateTime, Empty, EpochMs, Id, pageOf, pageQuery } from "./scalars.ts";

/** Ways in which heads of a unit change (decisions.md 6). */
export const movementKinds = ["arrival", "transfer", "death", "cull", "sale", "correction"] as const;
export type MovementKind = (typeof movementKinds)[number];

/** Most heads of one movement. */
export const maxMovementHeads = 20_000;
/** How many days in the past a movement may be recorded. */
export const maxBackdatingDays = 7;

const base = { owner: "tenant", form: "envelope", query: Empty, body: Empty } as const;

/** Place whose movements are requested: one of these ids, or none for the whole tenant. */
const place = { farmId: Type.Optional(Id), houseId: Type.Optional(Id), unitId: Type.Optional(Id) };

export const inventoryDetail = {
  ...base,
  method: "GET",
  path: "/api/muyuan-farm/inventory/detail",
  summary: "Heads of a unit now, in all and by category, and what its batch lost.",
  access: permission("inventory_view"),
  rate: "read",
  personal: {},
  query: Type.Object({ unitId: Id }),
  reply: Type.Object({
    unitId: Id,
    unitName: Type.String(),
    houseName: Type.String(),
    farmName: Type.String(),
    headCount: Type.Integer({ minimum: 0 }),
    capacity: Type.Integer({ minimum: 0 }),
    categories: Type.Array(Type.Object({ category: PigCategory, heads: Type.Integer({ minimum: 0 }) })),
    /** Heads that died or were culled since the batch arrived, or within the last year where no batch is recorded. */
    lost: Type.Integer({ minimum: 0 }),
    /** Heads that arrived in the unit in the same period. */
    arrived: Type.Integer({ minimum: 0 }),
  }),
} satisfies Endpoint;
export type UnitInventory = Static<typeof inventoryDetail.reply>;

export const Movement = Type.Object({
  id: Id,
  unitId: Id,
  unitName: Type.String(),
  houseName: Type.String(),
  farmName: Type.String(),
  kind: Type.Enum(movementKinds),
  category: PigCategory,
  /** Heads that arrived (positive) or left (negative). */
  heads: Type.Integer(),
  /** Heads in the unit after the movement. */
  headsAfter: Type.Integer(),
  /** The other unit of a transfer; "" for other kinds. */
  otherUnitId: Type.String(),
  otherUnitName: Type.String(),
  /** Counted heads; only present for a correction. */
  countedHeads: Type.Optional(Type.Integer({ minimum: 0 })),
  reason: Type.String(),
  happenTime: DateTime,
  actorName: Type.String(),
});
export type Movement = Static<typeof Movement>;

export const inventoryPage = {
  ...base,
  method: "GET",
  path: "/api/muyuan-farm/inventory/page",
  summary: "Movements of heads in a unit, house or farm, newest first, each with the heads of its unit after it.",
  access: permission("inventory_view"),
  rate: "read",
  personal: { actorName: "granted" },
  query: Type.Object({
    ...pageQuery,
    ...place,
    kind: Type.Optional(Type.String({ maxLength: 100, description: "comma-separated" })),
  }),
  reply: pageOf(Movement),
} satisfies Endpoint;

export const inventoryHistory = {
  ...base,
  method: "GET",
  path: "/api/muyuan-farm/inventory/history",
  summary: "Heads of a unit, house or farm over time: a point for each moment at which they changed, at most 2,000.",
  access: permission("inventory_view"),
  rate: "read",
  personal: {},
  query: Type.Object({ ...place, days: Type.Optional(Type.Integer({ minimum: 1, maximum: 3650, default: 180 })) }),
  reply: Type.Object({
    start: EpochMs,
    end: EpochMs,
    /** Heads from a time (ms) on, oldest first; the first point is at the start of the period. */
    points: Type.Array(Type.Tuple([EpochMs, Type.Integer()])),
  }),
} satisfies Endpoint;

export const inventorySubmit = {
  ...base,
  method: "POST",
  path: "/api/muyuan-farm/inventory/submit",
  summary:
    "Writes down a movement of heads. A transfer changes both units together; nothing goes below zero at any time; beyond the capacity needs acceptOverCapacity.",
  access: permission("inventory_edit"),
  rate: "write",
  personal: {},
  body: Type.Object({
    unitId: Id,
    kind: Type.Enum(movementKinds),
    category: PigCategory,
    /** Number of heads that move; a correction gives `countedHeads` instead. */
    heads: Type.Optional(Type.Integer({ minimum: 1, maximum: maxMovementHeads })),
    countedHeads: Type.Optional(Type.Integer({ minimum: 0, maximum: maxMovementHeads })),
    /** Target unit of a transfer. */
    toUnitId: Type.Optional(Id),
    /** Required for a correction. */
    reason: Type.Optional(Type.String({ maxLength: 100 })),
    /** Time of the movement, at most 7 days ago; now where it is left out. A correction always applies now. */
    happenedAt: Type.Optional(EpochMs),
    acceptOverCapacity: Type.Optional(Type.Boolean()),
  }),
  reply: Type.Object({
    units: Type.Array(Type.Object({ unitId: Id, before: Type.Integer(), after: Type.Integer() })),
  }),
} satisfies Endpoint;
export type MovementInput = Static<typeof inventorySubmit.body>;

export const inventoryExport = {
  ...base,
  method: "POST",
  path: "/api/muyuan-farm/inventory/export",
  summary: "Begins an export of the movements of a unit, house or farm as a sheet, as a job.",
  access: permission("inventory_export"),
  rate: "write",
  personal: {},
  body: Type.Object(place),
  reply: Type.Object({ jobId: Id }),
} satisfies Endpoint;
