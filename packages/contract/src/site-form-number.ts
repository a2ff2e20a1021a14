import { shanghaiDay } from "./shanghai.ts";

/** Number of a form as people read it: `BD-261124-4K7Q`. */
export const siteFormNumberPattern = "^BD-[0-9]{6}-[0-9A-Z]{4}$";

/** 32 letters and digits without those that sound or look alike. */
const characters = "23456789ABCDEFGHJKLMNPQRSTUVWXYZ";

/**
 * A random number for a form of the day in Asia/Shanghai, which can't be guessed from another; the caller must check that it is
 * not taken.
 */
export function newSiteFormNumber(nowMs: number): string {
  const day = shanghaiDay(nowMs).slice(2).replaceAll("-", "");
  const end = [...crypto.getRandomValues(new Uint8Array(4))]
    .map((byte) => characters[byte % characters.length])
    .join("");
  return `BD-${day}-${end}`;
}
