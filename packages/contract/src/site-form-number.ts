import { shanghaiDay } from "./shanghai.ts";

/** How people read the number of a form: `BD-261124-4K7Q`. */
export const siteFormNumberPattern = "^BD-[0-9]{6}-[0-9A-Z]{4}$";

/** 32 letters and digits that nobody takes for another when they are read out. */
const characters = "23456789ABCDEFGHJKLMNPQRSTUVWXYZ";

/** A number of the day in Asia/Shanghai that can't be counted up from another's; whoever keeps it sees whether it is taken. */
export function newSiteFormNumber(nowMs: number): string {
  const day = shanghaiDay(nowMs).slice(2).replaceAll("-", "");
  const end = [...crypto.getRandomValues(new Uint8Array(4))]
    .map((byte) => characters[byte % characters.length])
    .join("");
  return `BD-${day}-${end}`;
}
