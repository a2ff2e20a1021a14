/** Tabs of the page of a unit or a device, in their order; each kind has the same ones. */
export const frameTabs = ["now", "history", "analysis", "parameters", "records", "alarms", "about"] as const;
export type FrameTab = (typeof frameTabs)[number];
