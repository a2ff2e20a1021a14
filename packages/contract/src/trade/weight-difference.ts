/** Between loading and arrival, basis points of the loading weight; a larger difference is a dispute (decisions.md 15). */
const toleratedBasisPoints = 200;
/** The same as a share of the loading weight. */
export const toleratedShare = toleratedBasisPoints / 10_000;

/** Whether the weights at loading and at arrival differ by more than pigs lose on the way. @param arrival g @param loading g, above 0 */
export const isWeightDispute = (loading: number, arrival: number): boolean =>
  Math.abs(arrival - loading) * 10_000 > loading * toleratedBasisPoints;
