import { shanghaiMoment } from "@herdwise/contract/shanghai";
/** Converts a time of the wire, which is in Asia/Shanghai. */
export const momentOf = (wire: string): Date => new Date(shanghaiMoment(wire));
