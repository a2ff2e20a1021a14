import { type Static, Type } from "typebox";
import { outletServices } from "./archives/service-departments.ts";
import { type Endpoint, publicAccess } from "./endpoint.ts";
import { DateOnly, Empty, Id } from "./scalars.ts";

/** An outlet as the public site shows it; its phone number is the shop's, not a person's. */
export const PublicOutlet = Type.Object({
  id: Id,
  /** Chinese name, and the English one where it was written. */
  name: Type.String(),
  nameEn: Type.String(),
  /** GB/T 2260, six digits. */
  regionCode: Type.String(),
  /** Names of the province, city and county, as far as they exist. */
  places: Type.Array(Type.String()),
  street: Type.String(),
  streetEn: Type.String(),
  /** Where it is, degrees by WGS 84; both are absent where it was not entered. */
  latitude: Type.Optional(Type.Number({ minimum: -90, maximum: 90 })),
  longitude: Type.Optional(Type.Number({ minimum: -180, maximum: 180 })),
  line: Type.String({ description: "telephone" }),
  /** Such as 08:30-12:00,14:00-18:00; "" for closed. */
  weekdayHours: Type.String(),
  weekendHours: Type.String(),
  services: Type.Array(Type.Enum(outletServices.map(([service]) => service))),
  example: Type.Boolean(),
});
export type PublicOutlet = Static<typeof PublicOutlet>;

export const publicOutlets = {
  method: "GET",
  path: "/api/muyuan-content/outlet/skip-secure/list",
  summary:
    "Service outlets that the site shows, by province, at most 1000, with the days of the next two weeks that are worked.",
  access: publicAccess,
  owner: "nobody",
  rate: "read",
  personal: {},
  form: "envelope",
  query: Type.Object({ keyword: Type.Optional(Type.String({ maxLength: 64 })) }),
  body: Empty,
  reply: Type.Object({
    outlets: Type.Array(PublicOutlet),
    /** Days from today on; holidays are not worked, some weekend days are. */
    days: Type.Array(Type.Object({ day: DateOnly, worked: Type.Boolean() })),
  }),
} satisfies Endpoint;
