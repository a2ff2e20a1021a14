/** States of an announcement. */
export const announcementStates = ["draft", "scheduled", "sending", "sent", "withdrawn"] as const;
export type AnnouncementState = (typeof announcementStates)[number];
/** Events of an announcement, by the group's staff or by the clock (`begin`, `end`). */
export const announcementEvents = ["edit", "schedule", "unschedule", "remove", "withdraw", "begin", "end"] as const;
export type AnnouncementEvent = (typeof announcementEvents)[number];

/** The state that each event leads to; an event that is not listed for a state is refused. `gone`: the row is removed. */
export const announcementTransitions: Readonly<
  Record<AnnouncementState, Readonly<Partial<Record<AnnouncementEvent, AnnouncementState | "gone">>>>
> = {
  draft: { edit: "draft", schedule: "scheduled", remove: "gone" },
  scheduled: { unschedule: "draft", begin: "sending" },
  sending: { withdraw: "withdrawn", end: "sent" },
  sent: { withdraw: "withdrawn" },
  withdrawn: {},
};
