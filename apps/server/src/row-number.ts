/** A number by which people name a row, such as `SB-261127-001`: letters, day and count of the day. @param day yyyy-MM-dd */
export const rowNumber = (letters: string, day: string, count: number): string =>
  `${letters}-${day.slice(2).replaceAll("-", "")}-${String(count).padStart(3, "0")}`;
