/** A price per kg as it is written, from fen. */
export const yuan = (fen: number): string => (fen / 100).toFixed(2);

const minus = "−";
/** A difference in yuan with its sign. */
export const signedYuan = (fen: number): string =>
  `${fen > 0 ? "+" : fen < 0 ? minus : ""}${(Math.abs(fen) / 100).toFixed(2)}`;

/** A difference in per cent with its sign. */
export const signedPercent = (now: number, before: number, digits = 2): string => {
  const percent = ((now - before) / before) * 100;
  const text = Math.abs(percent).toFixed(digits);
  return `${Number(text) === 0 ? "" : percent > 0 ? "+" : minus}${text} %`;
};
