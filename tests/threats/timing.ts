/** How long two kinds of calls took, in ms, in the order of their pairs. */
interface Times {
  one: number[];
  other: number[];
}

export interface Comparison {
  pairs: number;
  /** Median of the one over the median of the other. */
  ratio: number;
  /** The same of odd against even samples of the one kind: what noise alone does. */
  control: number;
  /** 99.9 % confidence interval of the ratio. */
  interval: [low: number, high: number];
}

const medianOf = (values: readonly number[]): number => {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? (sorted[middle] ?? 0) : ((sorted[middle - 1] ?? 0) + (sorted[middle] ?? 0)) / 2;
};

/** Bootstrap over pairs, so that what the machine did at a time falls on both. */
function intervalOf({ one, other }: Times, rounds = 2000): [number, number] {
  const ratios = Array.from({ length: rounds }, () => {
    const chosen = Array.from(one, () => Math.floor(Math.random() * one.length));
    return medianOf(chosen.map((at) => one[at] ?? 0)) / medianOf(chosen.map((at) => other[at] ?? 0));
  }).sort((a, b) => a - b);
  return [ratios[Math.floor(rounds * 0.0005)] ?? 0, ratios[Math.ceil(rounds * 0.9995) - 1] ?? 0];
}

/**
 * Compares the times of two kinds of calls, made in turn in random order. Goes on while the medians differ by more than
 * `tolerance`, up to `most` pairs: a difference that is noise goes away, one that is there stays.
 * @param first pairs before the first look
 */
export async function compareTimes(
  one: (at: number) => Promise<unknown>,
  other: (at: number) => Promise<unknown>,
  { first, max, tolerance }: { first: number; max: number; tolerance: number },
): Promise<Comparison> {
  const times: Times = { one: [], other: [] };
  const measure = async (call: (at: number) => Promise<unknown>, at: number): Promise<number> => {
    const begun = performance.now();
    await call(at);
    return performance.now() - begun;
  };
  const warmUp = 10;
  for (let at = 0; ; at += 1) {
    const turned = Math.random() < 0.5;
    const [a, b] = turned ? [other, one] : [one, other];
    const [ofA, ofB] = [await measure(a, at), await measure(b, at)];
    if (at < warmUp) continue;
    times.one.push(turned ? ofB : ofA);
    times.other.push(turned ? ofA : ofB);
    const pairs = times.one.length;
    const look = pairs >= first && (pairs === max || pairs % first === 0);
    if (!look) continue;
    const ratio = medianOf(times.one) / medianOf(times.other);
    if (Math.abs(ratio - 1) > tolerance && pairs < max) continue;
    const half = (rest: number) => medianOf(times.one.filter((_, index) => index % 2 === rest));
    return { pairs, ratio, control: half(0) / half(1), interval: intervalOf(times) };
  }
}

/** Whether the times tell the two kinds apart: by more than the tolerance, than chance, and than noise of the same run. */
export const differs = ({ ratio, control, interval: [low, high] }: Comparison, tolerance: number): boolean =>
  Math.abs(ratio - 1) > tolerance && (low > 1 || high < 1) && Math.abs(ratio - 1) > 2 * Math.abs(control - 1);
