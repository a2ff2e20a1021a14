/**
 * A scale that holds all values, with three to five marks at round numbers.
 * @param values at least one
 * @returns the marks, ascending; the first and the last are the ends of the scale
 */
export function marksOf(values: readonly number[]): number[] {
  const [lowest, highest] = [Math.min(...values), Math.max(...values)];
  const span = Math.max(highest - lowest, Math.abs(highest) * 0.1, 1e-6);
  const rough = span / 3;
  const magnitude = 10 ** Math.floor(Math.log10(rough));
  const step = ([1, 2, 5, 10].find((one) => one * magnitude >= rough) ?? 10) * magnitude;
  const first = Math.floor(lowest / step);
  const last = Math.max(first + 1, Math.ceil(highest / step));
  return Array.from({ length: last - first + 1 }, (_, at) => Number(((first + at) * step).toPrecision(12)));
}
