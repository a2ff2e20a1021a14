/** Where an announcement is on its way. */
export const announcementStates = ["draft", "scheduled", "sending", "sent", "withdrawn"] as const;
export type AnnouncementState = (typeof announcementStates)[number];
/** What happens to it: by the group's staff, and by the clock (`begin`, `end`). */
export const announcementEvents = ["edit", "schedule", "unschedule", "remove", "withdraw", "begin", "end"] as const;
export type AnnouncementEvent = (typeof announcementEvents)[number];

/** Which event leads where; what is not here does not happen. `gone`: the row is removed. */
export const announcementTransitions: Readonly<
  Record<AnnouncementState, Readonly<Partial<Record<AnnouncementEvent, AnnouncementState | "gone">>>>
> = {
  draft: { edit: "draft", schedule: "scheduled", remove: "gone" },
  scheduled: { unschedule: "draft", begin: "sending" },
  sending: { withdraw: "withdrawn", end: "sent" },
  sent: { withdraw: "withdrawn" },
  withdrawn: {},
};
