import { type Static, Type } from "typebox";
import { type Endpoint, permission } from "../endpoint.ts";
import { permissionOf } from "../resource/index.ts";
import { DateTime, Empty, Id } from "../scalars.ts";
import { driverActs } from "./driver-step.ts";
import { transits } from "./transits.ts";

const reading = permission(permissionOf(transits, "view"));
const writing = permission(permissionOf(transits, "edit"));
const ofDesk = { owner: "tenants", personal: {}, form: "envelope" } as const;

/** A driver's link as the people of the order see it. */
export const DriverLink = Type.Object({
  url: Type.String({
    description: 'the address with its secret; "" for who may not edit, and after the key of the server changed',
  }),
  untilTime: DateTime,
  createTime: DateTime,
  createName: Type.String({ description: "who made it" }),
  openedTime: DateTime,
  sentTime: DateTime,
});
export type DriverLink = Static<typeof DriverLink>;

export const driverLinkDetail = {
  ...ofDesk,
  method: "GET",
  path: `${transits.path}/driver`,
  summary: "The driver's link of a vehicle, if one is open, and what drivers sent by links, newest first.",
  access: reading,
  rate: "read",
  query: Type.Object({ id: Id }),
  body: Empty,
  reply: Type.Object({
    link: Type.Optional(DriverLink),
    entries: Type.Array(
      Type.Object({
        id: Id,
        act: Type.Enum(driverActs),
        doneTime: DateTime,
        createTime: DateTime,
        outcome: Type.String({ description: "`done` or `refused`" }),
        text: Type.String({ description: "why it was refused, Chinese, with placeholders" }),
        values: Type.Record(Type.String(), Type.Union([Type.String(), Type.Number()])),
        number: Type.String({ description: "of the certificate" }),
        photo: Type.String({ description: 'id of the photo; "" for none' }),
      }),
    ),
  }),
} satisfies Endpoint;
export type DriverLinkDetail = Static<typeof driverLinkDetail.reply>;

export const driverLinkMake = {
  ...ofDesk,
  method: "POST",
  path: `${transits.path}/driver-link`,
  summary:
    "Makes a link by which the driver of a vehicle enters certificates, departure and arrival; an earlier one ends.",
  access: writing,
  rate: "guarded",
  query: Empty,
  body: Type.Object({ id: Id, send: Type.Boolean({ description: "by SMS to the driver's phone" }) }),
  reply: Type.Object({
    url: Type.String(),
    sent: Type.Boolean(),
    problem: Type.String({ description: 'why no SMS went out, Chinese; "" otherwise' }),
  }),
} satisfies Endpoint;

export const driverLinkRevoke = {
  ...ofDesk,
  method: "POST",
  path: `${transits.path}/driver-link-revoke`,
  summary: "Ends the driver's link of a vehicle.",
  access: writing,
  rate: "write",
  query: Empty,
  body: Type.Object({ id: Id }),
  reply: Empty,
} satisfies Endpoint;

export const driverPhotoTicket = {
  ...ofDesk,
  method: "POST",
  path: `${transits.path}/driver-photo`,
  summary: "A ticket with which this browser opens a photo that a driver sent, once, within 60 s.",
  access: reading,
  rate: "read",
  query: Empty,
  body: Type.Object({ id: Id }),
  reply: Type.Object({ url: Type.String(), expiresIn: Type.Integer({ description: "seconds" }) }),
} satisfies Endpoint;
