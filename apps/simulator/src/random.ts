/**
 * Noise without memory: every number is a hash of the seed, the time and a channel number. So a run can start anywhere and
 * gives the same values for the same times.
 */

/** FNV-1a of a text, 32 bit. */
export function seedOf(text: string): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < text.length; index++) {
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  }
  return hash >>> 0;
}

/** Well mixed 32 bits of three integers. */
export function mix(seed: number, index: number, channel: number): number {
  let bits = Math.imul(seed ^ 0x9e3779b9, 0x85ebca6b) ^ Math.imul(index | 0, 0xc2b2ae35);
  bits = Math.imul(bits ^ (bits >>> 15), 0x2c1b3c6d) ^ Math.imul(channel + 0x7f4a7c15, 0x297a2d39);
  bits = Math.imul(bits ^ (bits >>> 12), 0x297a2d39);
  bits = Math.imul(bits ^ (bits >>> 15), 0x85ebca6b);
  return (bits ^ (bits >>> 16)) >>> 0;
}

/** Uniform in [0, 1). */
export const uniform = (seed: number, index: number, channel: number): number => mix(seed, index, channel) / 4294967296;

/** About normal with mean 0 and deviation 1, within ±3: three ten-bit parts of one hash. */
export function normal(seed: number, index: number, channel: number): number {
  const bits = mix(seed, index, channel);
  return ((bits & 1023) + ((bits >>> 10) & 1023) + ((bits >>> 20) & 1023) - 1534.5) / 511.6;
}

/** Slow noise with mean 0 and deviation about 1: straight lines between random points `periodS` apart. */
export function drift(seed: number, atMs: number, periodS: number, channel: number): number {
  const place = atMs / (periodS * 1000);
  const index = Math.floor(place);
  const before = normal(seed, index, channel);
  return before + (place - index) * (normal(seed, index + 1, channel) - before);
}
