import { type Static, Type } from "typebox";
import { Alarm, AlarmEntry } from "./alarms.ts";
import { type Endpoint, signedIn } from "./endpoint.ts";
import { EpochMs, Id, idList } from "./scalars.ts";
import { todoKindNames } from "./todos.ts";

/** Most things that one call asks about, and most alarms and lines of the course that it names of one. */
export const mostStandings = 100;
export const mostOfThing = 20;

/** Where an alarm of a message stands; judged by `asksNow` as everywhere. */
const AlarmStanding = Type.Pick(Alarm, [
  "id",
  "severity",
  "state",
  "sentence",
  "known",
  "raisedMs",
  "endedMs",
  "resolution",
  "step",
  "nextStepMs",
  "farmName",
  "houseName",
  "unitName",
  "deviceName",
]);
export type AlarmStanding = Static<typeof AlarmStanding>;

/** What happened to an alarm: that it was raised, that it ended, or what people and its escalation did. */
const AlarmCourse = Type.Object({
  alarmId: Id,
  action: Type.Union([AlarmEntry.properties.action, Type.Literal("raise"), Type.Literal("end")]),
  personName: AlarmEntry.properties.personName,
  body: AlarmEntry.properties.body,
  atMs: EpochMs,
});
export type AlarmCourse = Static<typeof AlarmCourse>;

/** Where the thing of a message stands now, as far as the caller may see it. */
export const MessageStanding = Type.Object({
  /** The message that was asked about. */
  id: Id,
  /** Those that ask first, then the worst; none where it is about no alarm of this customer. */
  alarms: Type.Array(AlarmStanding),
  /** Of its alarms, the newest lines, oldest first. */
  course: Type.Array(AlarmCourse),
  /** State of a row of a process. */
  row: Type.Optional(
    Type.Object({
      process: Type.String(),
      state: Type.String(),
      word: Type.String({ description: 'Chinese name of the state, "" for a process whose screen names it' }),
      mark: Type.String(),
    }),
  ),
  /** What the row waits for from the caller, as in the list of what is to be done. */
  todo: Type.Optional(Type.Object({ kind: Type.Enum(todoKindNames), variant: Type.String() })),
});
export type MessageStanding = Static<typeof MessageStanding>;

export const messageStandings = {
  method: "GET",
  path: "/api/muyuan-message-center/thing/list",
  summary: "Where the things of own messages stand now, in the own customer.",
  access: signedIn,
  owner: "tenant",
  rate: "read",
  personal: { personName: "own" },
  form: "envelope",
  query: Type.Object({ ids: idList }),
  body: Type.Object({}),
  reply: Type.Array(MessageStanding),
} satisfies Endpoint;
