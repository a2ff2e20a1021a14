import { type Static, Type } from "typebox";
import { type Endpoint, publicAccess } from "./endpoint.ts";
import { Empty } from "./scalars.ts";

/** Settings of this installation that every page may read. */
export const PublicSettings = Type.Object({
  brandName: Type.String(),
  /** The brand in Chinese and in English, as page headers show it; English is "" when there is none. */
  brand: Type.Object({ zh: Type.String(), en: Type.String() }),
  companySuffix: Type.String({ description: "goes behind the brand in page titles" }),
  /** Main colours as #rrggbb, by day and by night; "" for those of the portal. */
  colours: Type.Object({ light: Type.String(), dark: Type.String() }),
  /** Addresses of the brand's own logo on light and dark pages and in the browser's tab; "" for the portal's mark. */
  logos: Type.Object({ light: Type.String(), dark: Type.String(), icon: Type.String() }),
  /** Record of the website with the ministry, such as 豫ICP备12345678号; "" when there is none. The site's footer shows it. */
  icpNumber: Type.String(),
  /** Record with the public security, such as 豫公网安备41130000000000号; "" when there is none. */
  policeNumber: Type.String(),
  /** How the group is reached; each "" when it is not told. */
  contact: Type.Object({
    company: Type.Object({ zh: Type.String(), en: Type.String() }),
    serviceNumber: Type.String(),
    salesNumber: Type.String(),
    hours: Type.Object({
      weekday: Type.String({ description: "times of working days such as 08:30-12:00,14:00-18:00" }),
      weekend: Type.String({ description: 'times of weekends and holidays; "" for closed' }),
      /** Whether each day from today on is worked; holidays are not, some weekend days are. */
      worked: Type.Array(Type.Boolean()),
    }),
    place: Type.Object({ zh: Type.String(), en: Type.String() }),
  }),
  /** Address of the mall without a trailing slash; "" when there is none. Links open below its `/pc/`. */
  mallUrl: Type.String(),
  /** What a new password must have; forms check it, as passwords are sent as hashes. */
  passwordRule: Type.Object({
    least: Type.Integer({ minimum: 6, maximum: 20, description: "fewest characters" }),
    kinds: Type.Integer({
      minimum: 2,
      maximum: 4,
      description: "kinds of characters of capitals, small letters, digits and punctuation",
    }),
  }),
  demo: Type.Boolean(),
});
export type PublicSettings = Static<typeof PublicSettings>;

const base = "/api/muyuan-system";

export const publicSettings = {
  method: "GET",
  path: `${base}/settings/skip-secure/public`,
  summary: "Brand, contact, mall and mode of this installation.",
  access: publicAccess,
  owner: "nobody",
  rate: "read",
  personal: {},
  form: "envelope",
  query: Empty,
  body: Empty,
  reply: PublicSettings,
} satisfies Endpoint;
