import { SSF } from "@e965/xlsx";

const two = (value: number): string => String(value).padStart(2, "0");

/** Whether a format shows hundredths: a per cent sign in its first part that is not written out as text. */
const isShare = (format: string): boolean => (format.split(";")[0] ?? "").replace(/"[^"]*"|\\./g, "").includes("%");

/** What a number of a sheet says, by its number format: a day, a moment, a share, or the number as it was typed. */
export function textOfNumber(value: number, format: string, date1904: boolean): string {
  if (format !== "General" && SSF.is_date(format)) {
    const at = SSF.parse_date_code(value, { date1904 });
    if (at !== null && at !== undefined) {
      const time = `${two(at.H)}:${two(at.M)}:${two(Math.floor(at.S))}`;
      // Less than a day is a time of day.
      if (value >= 0 && value < 1) return time;
      const day = `${String(at.y).padStart(4, "0")}-${two(at.m)}-${two(at.d)}`;
      return time === "00:00:00" ? day : `${day} ${time}`;
    }
  }
  // A number is kept in binary; 15 digits are what Excel shows and what was typed.
  const typed = Number(value.toPrecision(15));
  if (isShare(format)) return `${Number((typed * 100).toPrecision(15))}%`;
  // Such as 000000 for postal codes: the zeros belong to the text.
  if (/^0{2,}$/.test(format) && Number.isInteger(typed) && typed >= 0)
    return String(typed).padStart(format.length, "0");
  return Number.isInteger(typed) && Math.abs(typed) < 1e21 ? BigInt(typed).toString() : String(typed);
}

/** Cleans what was typed: white space at the ends and line ends of other systems are nobody's intention. */
export const cleanText = (text: string): string =>
  text.replace(/\r\n?/g, "\n").replace(/^[\s\u00a0]+|[\s\u00a0]+$/g, "");
