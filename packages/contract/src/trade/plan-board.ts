import { type Static, Type } from "typebox";
import { type Endpoint, permission } from "../endpoint.ts";
import { DateOnly, Empty, Id } from "../scalars.ts";
import { boardStates, conflictFixes, planConflictKinds } from "./plan-conflicts.ts";
import { type SaleCategory, type SaleMode, saleCategories, saleModes } from "./shared.ts";

/** Most fields on one board. */
export const mostBoardFields = 50;

const Heads = Type.Integer({ minimum: 0 });
const Vehicles = Type.Integer({ minimum: 0 });
const Kg = Type.Integer();

/** A plan as it stands on the board; dropped ones don't. */
export const BoardPlan = Type.Object({
  id: Id,
  number: Type.String(),
  category: Type.Enum(saleCategories.map(([category]): SaleCategory => category)),
  fromKg: Kg,
  toKg: Kg,
  heads: Heads,
  /** Heads that are sold. */
  taken: Heads,
  mode: Type.Enum(saleModes.map(([mode]): SaleMode => mode)),
  state: Type.Enum(boardStates),
  /** Fen per kg; absent where it has none. */
  pricePerKg: Type.Optional(Type.Integer()),
  /** Must be sent with an event. */
  version: Type.Integer(),
});
export type BoardPlan = Static<typeof BoardPlan>;

/** A field on a day. */
export const BoardDay = Type.Object({
  day: DateOnly,
  /** Slots that hold, earliest first; none where nothing is loaded. Times are HH:mm in Asia/Shanghai. */
  slots: Type.Array(
    Type.Object({
      from: Type.String(),
      to: Type.String(),
      mostVehicles: Vehicles,
      headsPerVehicle: Heads,
    }),
  ),
  /** Vehicles that the slots take. */
  capacity: Vehicles,
  /** Vehicles that the plans need; of a closed plan those for heads that were sold. 0 where nothing is loaded. */
  vehicles: Vehicles,
  plans: Type.Array(BoardPlan),
});
export type BoardDay = Static<typeof BoardDay>;

/** What is wrong, and what takes it away; see `planConflicts`. */
export const BoardConflict = Type.Object({
  kind: Type.Enum(planConflictKinds),
  severity: Type.Enum(["critical", "major", "minor"]),
  field: Id,
  day: DateOnly,
  plans: Type.Array(Id),
  /** By how many vehicles the day is over its capacity; 0 for other kinds. */
  vehicles: Vehicles,
  fix: Type.Object({
    act: Type.Enum(conflictFixes),
    plan: Id,
    /** Where `act` is `move`. */
    day: Type.Optional(DateOnly),
  }),
});
export type BoardConflict = Static<typeof BoardConflict>;

export const PlanBoard = Type.Object({
  /** The week's Monday. */
  from: DateOnly,
  /** Today in Asia/Shanghai. */
  today: DateOnly,
  /** With plans in the week first, then those that load in it; at most `mostBoardFields`. */
  fields: Type.Array(Type.Object({ id: Id, name: Type.String(), days: Type.Array(BoardDay) })),
  /** How many more fields there are. */
  fieldsLeft: Type.Integer({ minimum: 0 }),
  /** Of the fields on the board. A closed plan counts with the heads that were sold. */
  totals: Type.Object({
    plans: Type.Integer({ minimum: 0 }),
    heads: Heads,
    /** Of plans that were approved, whatever followed. */
    approvedHeads: Heads,
    /** Of plans that were published, whatever followed. */
    publishedHeads: Heads,
    soldHeads: Heads,
    vehicles: Vehicles,
    capacity: Vehicles,
    conflicts: Type.Object({
      no_slot: Type.Integer(),
      over_capacity: Type.Integer(),
      no_band: Type.Integer(),
      no_price: Type.Integer(),
    }),
  }),
  conflicts: Type.Array(BoardConflict),
});
export type PlanBoard = Static<typeof PlanBoard>;

export const planBoard = {
  method: "GET",
  path: "/api/muyuan-trade/plan/board",
  summary: "Sale plans of a week by field and day, with loading capacity, figures, and conflicts with what fixes them.",
  access: permission("sale_plan_view"),
  owner: "group",
  personal: {},
  form: "envelope",
  rate: "read",
  query: Type.Object({
    from: Type.String({ pattern: "^\\d{4}-\\d{2}-\\d{2}$", description: "yyyy-MM-dd of a Monday" }),
    region: Type.Optional({ ...Id, description: "id of a sale region; all where it is left out" }),
  }),
  body: Empty,
  reply: PlanBoard,
} satisfies Endpoint;
