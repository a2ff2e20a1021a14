/** States of an announcement. */
export const announcementStates = ["draft", "scheduled", "sending", "sent", "ended", "withdrawn"] as const;
export type AnnouncementState = (typeof announcementStates)[number];
/** Events of an announcement, by the group's staff or by the clock (`begin`, `end`, `expire`). */
export const announcementEvents = [
  "edit",
  "schedule",
  "unschedule",
  "remove",
  "remind",
  "withdraw",
  "begin",
  "end",
  "expire",
] as const;
export type AnnouncementEvent = (typeof announcementEvents)[number];

/** The state that each event leads to; an event that is not listed for a state is refused. `gone`: the row is removed. */
export const announcementTransitions: Readonly<
  Record<AnnouncementState, Readonly<Partial<Record<AnnouncementEvent, AnnouncementState | "gone">>>>
> = {
  draft: { edit: "draft", schedule: "scheduled", remove: "gone" },
  scheduled: { unschedule: "draft", begin: "sending" },
  sending: { withdraw: "withdrawn", end: "sent", expire: "ended" },
  sent: { remind: "sent", withdraw: "withdrawn", expire: "ended" },
  ended: {},
  withdrawn: {},
};
