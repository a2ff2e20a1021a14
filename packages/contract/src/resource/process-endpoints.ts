import { type Static, Type } from "typebox";
import { type Endpoint, permission } from "../endpoint.ts";
import { DateTime, Empty, Id } from "../scalars.ts";
import { ownerOf, permissionOf, type ResourceDeclaration } from "./declaration.ts";
import { changeSchemaOf } from "./endpoints.ts";
import { type EventFace, eventPath } from "./process-face.ts";

/** History of a row of a process, with the events that the caller may cause now. */
export const ProcessSteps = Type.Object({
  state: Type.String(),
  version: Type.Integer({ description: "sent back with an event" }),
  may: Type.Array(Type.String(), { description: "events that are allowed now" }),
  /** Events that the state allows but a rule of the process refuses, with the reason. */
  held: Type.Array(
    Type.Object({
      event: Type.String(),
      text: Type.String({ description: "Chinese, with placeholders" }),
      values: Type.Record(Type.String(), Type.Union([Type.String(), Type.Number()])),
    }),
  ),
  /** Newest first; at most 200. */
  lines: Type.Array(
    Type.Object({
      id: Id,
      thing: Type.String({ description: 'Chinese name of the row that belongs to this one; "" for this one itself' }),
      rowId: Id,
      event: Type.String({ description: "`begin` for the first one" }),
      text: Type.String({ description: "what happened, Chinese" }),
      party: Type.String(),
      partyName: Type.String({ description: 'Chinese name of a party without an account; "" for others' }),
      state: Type.String({ description: "afterwards" }),
      actorName: Type.String({ description: '"" for the clock' }),
      words: Type.Record(Type.String(), Type.Unknown(), { description: "what the event was asked, by field" }),
      createTime: DateTime,
    }),
  ),
});
export type ProcessSteps = Static<typeof ProcessSteps>;

const bodyOf = (asks: NonNullable<EventFace["asks"]>) =>
  Object.fromEntries(Object.entries(asks).map(([name, field]) => [name, changeSchemaOf(field)]));

/** The operation by which a person begins a row. */
export const beginEndpointOf = (of: ResourceDeclaration) =>
  ({
    owner: ownerOf[of.scope],
    form: "envelope",
    method: "POST",
    path: `${of.path}/submit`,
    summary: `Begins a row of ${of.name} (${of.process?.begin?.word ?? ""}); sent again with the same Idempotency-Key, it answers the same row.`,
    access: permission(permissionOf(of, "edit")),
    rate: "write",
    personal: {},
    query: Empty,
    body: Type.Object(bodyOf(of.process?.begin?.asks ?? {})),
    reply: Type.Object({ id: Id }),
  }) satisfies Endpoint;

/** The operation of an event, whose body has the row's version that the caller saw and the fields that the event asks for. */
export function eventEndpointOf(of: ResourceDeclaration, event: string) {
  const { word = event, asks = {} } = of.process?.events[event] ?? {};
  return {
    owner: ownerOf[of.scope],
    form: "envelope",
    method: "POST",
    path: eventPath(of, event),
    summary: `The event ${event} of ${of.name} (${word}); refused with 409 when the row changed since it was shown.`,
    access: permission(permissionOf(of, "edit")),
    rate: "write",
    personal: {},
    query: Empty,
    body: Type.Object({
      id: Id,
      version: Type.Integer({ description: "as it was shown" }),
      ...bodyOf(asks),
    }),
    reply: Type.Object({ id: Id, state: Type.String() }),
  } satisfies Endpoint;
}

/** The operation that returns the history of a row and the events that may happen now. */
export const stepsEndpointOf = (of: ResourceDeclaration) =>
  ({
    owner: ownerOf[of.scope],
    form: "envelope",
    method: "GET",
    path: `${of.path}/steps`,
    summary: `What happened to a row of ${of.name}, newest first, and what may happen to it now.`,
    access: permission(permissionOf(of, "view")),
    rate: "read",
    personal: { actorName: "granted" },
    query: Type.Object({ id: Id }),
    body: Empty,
    reply: ProcessSteps,
  }) satisfies Endpoint;

/** The operations of all resources that are processes, by name. */
export const processEndpointsOfAll = (all: readonly ResourceDeclaration[]): Record<string, Endpoint> =>
  Object.fromEntries(
    all.flatMap((of): [name: string, endpoint: Endpoint][] =>
      of.process === undefined
        ? []
        : [
            [`${of.name}_steps`, stepsEndpointOf(of)],
            ...(of.process.begin ? [[`${of.name}_begin`, beginEndpointOf(of)] as [string, Endpoint]] : []),
            ...Object.keys(of.process.events).map((event): [string, Endpoint] => [
              `${of.name}_${event}`,
              eventEndpointOf(of, event),
            ]),
          ],
    ),
  );
