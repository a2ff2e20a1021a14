/** Above it a number has more digits than a double tells apart. */
export const plainBelow = 1e15;

/**
 * A number as Chinese and English write it, who agree on comma and point. The browser's own formats would be loaded for it, which
 * takes a phone 50 ms of the first picture.
 * @param value finite and below `plainBelow`
 */
export function plainNumber(value: number, decimals: number): string {
  // A rounded -0 reads as a fault of the sensor.
  const rounded = Number(value.toFixed(decimals)) + 0;
  const [whole = "", fraction] = Math.abs(rounded).toFixed(decimals).split(".");
  const grouped = whole.replace(/\B(?=(?:\d{3})+$)/g, ",");
  return `${rounded < 0 ? "-" : ""}${grouped}${fraction === undefined ? "" : `.${fraction}`}`;
}
