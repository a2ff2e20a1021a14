/**
 * China has one time zone, UTC+8, without summer time since 1991.
 * Times are UTC inside; days and clock times that people read and write are of this zone, wherever they are.
 */
export const shanghaiMs = 8 * 3_600_000;

/** Local time in Asia/Shanghai, yyyy-MM-ddTHH:mm:ss.SSS. */
export const shanghaiClock = (atMs: number): string => new Date(atMs + shanghaiMs).toISOString().slice(0, 23);
/** Day in Asia/Shanghai, yyyy-MM-dd. */
export const shanghaiDay = (atMs: number): string => shanghaiClock(atMs).slice(0, 10);
/** Month of a moment in China. @returns yyyy-MM */
export const shanghaiMonth = (atMs: number): string => shanghaiClock(atMs).slice(0, 7);
/** Reads `yyyy-MM-dd HH:mm` with or without seconds as local time, to ms since 1970; NaN for anything else. */
export const shanghaiMoment = (text: string): number => Date.parse(`${text.replace(" ", "T")}+08:00`);
/** Begin of a day in ms since 1970; NaN for anything but a day. */
export const shanghaiMidnight = (day: string): number => shanghaiMoment(`${day}T00:00:00`);
