/** Arithmetic of money and weights in integers, for server and browser: plain functions without schemas. */

/** An integer that can be added up and compared exactly. */
export const isExact = (value: unknown): value is number => Number.isSafeInteger(value);

/**
 * A quotient of integers as the nearest integer, halves to the even one: 5/2 is 2, 7/2 is 4, -5/2 is -2. The one place where money,
 * prices and weights are rounded.
 * @throws {RangeError} when a number is no safe integer, the denominator is not positive, or the result is beyond safe integers
 */
export function halfEven(numerator: bigint | number, denominator: bigint | number): number {
  for (const value of [numerator, denominator])
    if (typeof value === "number" && !isExact(value)) throw new RangeError(`${value} is no safe integer`);
  const of = BigInt(numerator);
  const by = BigInt(denominator);
  if (by <= 0n) throw new RangeError("a denominator is positive");
  let whole = of / by;
  if (whole * by > of) whole -= 1n;
  const twice = (of - whole * by) * 2n;
  const result = Number(twice > by || (twice === by && whole % 2n !== 0n) ? whole + 1n : whole);
  if (!isExact(result)) throw new RangeError(`${numerator} / ${denominator} is beyond safe integers`);
  return result;
}

/**
 * The sum of integers; 0 for none.
 * @throws {RangeError} when the sum or one of the numbers is no safe integer
 */
export const exactSum = (values: readonly number[]): number =>
  halfEven(
    values.reduce((total, value) => total + BigInt(value), 0n),
    1,
  );

/**
 * An integer in the smallest unit as people read it, with commas at the thousands: 21253487500000n with 8 decimals and at least 2 is
 * `212,534.875`.
 * @param decimals how many digits stand behind the point
 * @param least trailing zeros behind the point are left out down to so many digits
 */
export function exactText(value: bigint | number, decimals: number, least = 0): string {
  const digits = `${value}`.replace("-", "").padStart(decimals + 1, "0");
  const whole = digits.slice(0, digits.length - decimals).replace(/\B(?=(\d{3})+$)/g, ",");
  let rest = digits.slice(digits.length - decimals);
  while (rest.length > least && rest.endsWith("0")) rest = rest.slice(0, -1);
  return `${value < 0 ? "-" : ""}${whole}${rest === "" ? "" : `.${rest}`}`;
}

/** Fen as yuan with two decimals; also a price in fen per kg. */
export const yuanText = (fen: number): string => exactText(Math.trunc(fen), 2, 2);
