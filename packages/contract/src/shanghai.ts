/**
 * China has one time zone, and has had no summer time since 1991: its clock stands eight hours ahead of UTC. Moments are UTC inside; the
 * days and clock times that people read and write are of this zone, wherever they are.
 */
export const shanghaiMs = 8 * 3_600_000;

/** What the clock shows at a moment, yyyy-MM-ddTHH:mm:ss.SSS. */
export const shanghaiClock = (atMs: number): string => new Date(atMs + shanghaiMs).toISOString().slice(0, 23);
/** The day in which a moment lies, yyyy-MM-dd. */
export const shanghaiDay = (atMs: number): string => shanghaiClock(atMs).slice(0, 10);
/** The moment that a text names, `yyyy-MM-dd HH:mm` with or without seconds, ms; NaN where it names none. */
export const shanghaiMoment = (text: string): number => Date.parse(`${text.replace(" ", "T")}+08:00`);
/** When a day begins, ms; NaN for what is no day. */
export const shanghaiMidnight = (day: string): number => shanghaiMoment(`${day}T00:00:00`);
