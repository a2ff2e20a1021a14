const dayMs = 86_400_000;
const instant = (day: string): number => Date.parse(`${day}T00:00:00Z`);
const written = (at: number): string => new Date(at).toISOString().slice(0, 10);

/** The day so many days later. @param day yyyy-MM-dd */
export const laterDay = (day: string, days: number): string => written(instant(day) + days * dayMs);

/** Monday of a day's week; of `otherwise` where the text is no day. */
export function mondayOf(day: string, otherwise: string): string {
  const at = instant(day);
  const known = /^\d{4}-\d{2}-\d{2}$/.test(day) && !Number.isNaN(at) && written(at) === day ? day : otherwise;
  return laterDay(known, -((new Date(instant(known)).getUTCDay() + 6) % 7));
}

/** Number of the week by ISO 8601: the first one has the year's first Thursday. @param monday yyyy-MM-dd */
export function weekNumber(monday: string): number {
  const thursday = laterDay(monday, 3);
  return Math.floor((instant(thursday) - instant(`${thursday.slice(0, 4)}-01-01`)) / (7 * dayMs)) + 1;
}
