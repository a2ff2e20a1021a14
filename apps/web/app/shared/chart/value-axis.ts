/** An axis of values: its ends, and the step between its marks, of which both ends are multiples. */
export interface ValueAxis {
  min: number;
  max: number;
  step: number;
  /** Decimals in which all marks differ. */
  decimals: number;
}

interface AxisNeeds {
  /** What is drawn. */
  values: readonly number[];
  /** Limits that are drawn beside it; those so far off that the values would lie on each other are left out. */
  limits?: readonly number[];
  /** In which the values are written; marks are no nearer to each other. */
  decimals: number;
  /** For how many steps there is room. */
  steps: number;
  /** What can be measured at all; the axis goes no further. */
  valid?: readonly [low: number, high: number] | undefined;
  /** Steps are multiples of it. */
  stepOfAxis?: number | undefined;
  /** The values stand on 0. */
  fromZero?: boolean;
}

/** A limit is far off beyond this many times the largest value. */
const farTimes = 2;

/** The least of 1, 2, 5, 10, 20 ... that is not below a number. */
function roundAbove(least: number): number {
  const power = 10 ** Math.floor(Math.log10(Math.max(least, 1)));
  return ([1, 2, 5].find((times) => times * power >= least - 1e-9) ?? 10) * power;
}

/** Round ends and steps of an axis whose marks all differ as they are written, however little the values vary. */
export function valueAxis(needs: AxisNeeds): ValueAxis {
  const { values, limits = [], decimals, steps, valid, stepOfAxis, fromZero } = needs;
  const finest = stepOfAxis ?? 10 ** -decimals;
  const reach = Math.max(0, ...values.map(Math.abs)) * farTimes;
  const near = limits.filter((limit) => values.some((value) => Math.abs(limit - value) <= reach));
  const held = [...values, ...near, ...(fromZero ? [0] : [])];
  const [low, high] = held.length === 0 ? [0, finest] : [Math.min(...held), Math.max(...held)];
  // A line that does not vary lies between two marks a tenth of it away, any other one below the upper end.
  const isFlat = !fromZero && high - low < finest;
  const step = finest * roundAbove(isFlat ? Math.abs(high) / 10 / finest : (high - low) / steps / finest);
  const top = fromZero || values.length === 0 ? high : Math.max(high, Math.max(...values) + (high - low) / 20);
  const lowest = valid?.[0] ?? (low >= 0 ? 0 : Number.NEGATIVE_INFINITY);
  const highest = valid?.[1] ?? Number.POSITIVE_INFINITY;
  const first = Math.floor(Math.max(lowest, low - (isFlat ? step / 2 : 0)) / step + 1e-9);
  const last = Math.ceil(Math.min(highest, top + (isFlat ? step / 2 : 0)) / step - 1e-9);
  const places = Math.max(0, -Math.floor(Math.log10(step) + 1e-9));
  const at = (mark: number): number => Number((mark * step).toFixed(places));
  return { min: at(first), max: at(Math.max(last, first + 1)), step: at(1), decimals: places };
}
