const dayMs = 86_400_000;
const minuteMs = 60_000;
/** Asia/Shanghai has had no summer time since 1991. */
const shanghaiMs = 8 * 3_600_000;

/** The day of Asia/Shanghai in which an instant lies, yyyy-MM-dd. */
export const dayOf = (atMs: number): string => new Date(atMs + shanghaiMs).toISOString().slice(0, 10);

/** A day so many days later, or earlier. */
export const dayAfter = (day: string, days: number): string =>
  new Date(Date.parse(`${day}T00:00:00Z`) + days * dayMs).toISOString().slice(0, 10);

/** Days from one to another, 0 for the same. */
export const daysBetween = (from: string, to: string): number =>
  Math.round((Date.parse(`${to}T00:00:00Z`) - Date.parse(`${from}T00:00:00Z`)) / dayMs);

/** The instant of a minute of a day in Asia/Shanghai. */
export const minuteOf = (day: string, minute: number): Date =>
  new Date(Date.parse(`${day}T00:00:00Z`) - shanghaiMs + minute * minuteMs);

/** Minute of the day of an instant in Asia/Shanghai. */
export const minuteOfDay = (at: Date): number => Math.floor(((at.getTime() + shanghaiMs) % dayMs) / minuteMs);
