import { shanghaiMoment } from "@herdwise/contract/shanghai";
/** The moment that a time of the wire names, which is Shanghai's. */
export const momentOf = (wire: string): Date => new Date(shanghaiMoment(wire));
