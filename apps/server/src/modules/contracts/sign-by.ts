import { shanghaiDay, shanghaiMoment } from "@herdwise/contract/shanghai";

const dayMs = 86_400_000;

/**
 * Until when a contract can be signed: to the end of a day in Asia/Shanghai.
 * @param sentMs when it was sent, ms since 1970
 * @param days how many days after that of its sending
 */
export const signBy = (sentMs: number, days: number): Date =>
  new Date(shanghaiMoment(`${shanghaiDay(sentMs + days * dayMs)} 23:59:59`));
