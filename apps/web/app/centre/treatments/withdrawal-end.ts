const dayMs = 86_400_000;

/**
 * The last day on which pigs may not be sold after a medicine, as the server counts it: from the last day on which it was given.
 * @param day first day of the treatment, yyyy-MM-dd
 * @param given days in a row on which it was given, at least 1
 * @param days withdrawal period of the medicine
 * @returns of the same form
 */
export const withdrawalEnd = (day: string, given: number, days: number): string =>
  new Date(Date.parse(`${day}T00:00:00Z`) + (given - 1 + days) * dayMs).toISOString().slice(0, 10);
