import { randomInt } from "node:crypto";

/** Start of the id's clock, chosen so that ids have 19 digits from the first day on (the customary snowflake epoch). */
const epochMs = 1_288_834_974_657n;

/** Counters of a millisecond begin below this. */
const firstCounters = 2048;

/**
 * Makes 64-bit ids that grow with time: 41 bits of milliseconds, 10 of the maker, 12 of a counter. The counter begins somewhere in
 * each millisecond: makers are drawn by lot, and two servers that drew the same number must not meet in every millisecond in which
 * both make an id.
 * @param maker 0 to 1023
 */
export function createSnowflake(maker: number, now: () => number = Date.now): () => string {
  if (!Number.isInteger(maker) || maker < 0 || maker > 1023) throw new RangeError("maker must be from 0 to 1023");
  let lastMs = 0;
  let counter = 0;
  return () => {
    // A clock that steps back must not hand out an id twice: time only moves forward here.
    const ms = Math.max(now(), lastMs);
    counter = ms === lastMs ? counter + 1 : randomInt(firstCounters);
    lastMs = ms;
    if (counter > 4095) {
      lastMs += 1;
      counter = randomInt(firstCounters);
    }
    return (((BigInt(lastMs) - epochMs) << 22n) | (BigInt(maker) << 12n) | BigInt(counter)).toString();
  };
}
