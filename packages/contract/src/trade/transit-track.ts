import { type Static, Type } from "typebox";
import { type Endpoint, permission } from "../endpoint.ts";
import { permissionOf } from "../resource/index.ts";
import { Empty, EpochMs, Id } from "../scalars.ts";
import { transits } from "./transits.ts";

/** Days for which positions of vehicles are kept; what they showed stays. */
export const positionDays = 180;

/** Something on a vehicle's way that is to be looked at. */
export const TransitFlag = Type.Object({
  kind: Type.Union([Type.Literal("stop"), Type.Literal("gap"), Type.Literal("wash")], {
    description:
      "`stop`: more than 15 minutes within 1 km of a farm other than the one where it loads; `gap`: more than 30 minutes on the way without a position; `wash`: its disinfection certificate was over when it departed",
  }),
  fromMs: EpochMs,
  toMs: EpochMs,
  latitude: Type.Optional(
    Type.Integer({ description: "millionths of a degree; left out where nothing says where it was" }),
  ),
  longitude: Type.Optional(Type.Integer({ description: "millionths of a degree" })),
  farm: Type.String({ description: 'name of the farm; "" for one that is not the reader\'s' }),
  metres: Type.Optional(Type.Integer({ description: "m from the farm" })),
});
export type TransitFlag = Static<typeof TransitFlag>;

export const transitTrack = {
  method: "GET",
  path: `${transits.path}/track`,
  summary:
    "The way of a vehicle by the positions of its driver's phone, and what is to be looked at; another tenant's is a 404.",
  access: permission(permissionOf(transits, "view")),
  owner: "tenants",
  rate: "read",
  personal: {},
  form: "envelope",
  query: Type.Object({ id: Id }),
  body: Empty,
  reply: Type.Object({
    /** Oldest first. */
    points: Type.Array(
      Type.Object({ atMs: EpochMs, metres: Type.Integer({ description: "m that were driven until there" }) }),
    ),
    rejected: Type.Integer({ description: "positions that can't be: too fast to be reached, or too inexact" }),
    flags: Type.Array(TransitFlag),
  }),
} satisfies Endpoint;
export type TransitTrack = Static<typeof transitTrack.reply>;
