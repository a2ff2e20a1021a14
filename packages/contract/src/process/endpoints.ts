import { type TProperties, type TSchema, Type } from "typebox";
import { type Access, type Endpoint, signedIn } from "../endpoint.ts";
import { Empty, Id, pageOf, pageQuery } from "../scalars.ts";
import type { ProcessScreen } from "./declaration.ts";

/** Where the calls of a process stand, and who may use them: within the own tenant, unless an owner is named. */
interface Desk {
  readonly path: string;
  readonly access?: Access;
  readonly owner?: "tenant" | "group";
}

const shared = { form: "envelope", personal: {} } as const;

/** Pages of the queues of a process. */
export const queueEndpoint = <Row extends TSchema>(
  { path, access = signedIn, owner = "tenant" }: Desk,
  summary: string,
  { queues }: ProcessScreen,
  row: Row,
) =>
  ({
    ...shared,
    method: "GET",
    path: `${path}/page`,
    summary,
    access,
    owner,
    rate: "read",
    query: Type.Object({ ...pageQuery, queue: Type.Optional(Type.Enum(Object.keys(queues))) }),
    body: Empty,
    reply: pageOf(row),
  }) satisfies Endpoint;

/** One event of a process at its desk, of a row as it was shown. @param asks what it needs beside */
export const eventEndpoint = <Asks extends TProperties>(
  { path, access = signedIn, owner = "tenant" }: Desk,
  event: string,
  summary: string,
  asks: Asks,
) =>
  ({
    ...shared,
    method: "POST",
    path: `${path}/${event}`,
    summary,
    access,
    owner,
    rate: "write",
    query: Empty,
    body: Type.Object({ id: Id, version: Type.Integer({ description: "as it was shown" }), ...asks }),
    reply: Empty,
  }) satisfies Endpoint;
