/* AES-128-ECB (FIPS 197), for the puzzle's protocol only: it hides a number from nobody and protects nothing. WebCrypto has
   no ECB, and none of it exists on a portal that a farm opens by plain http in its own network. */

/** Doubles in GF(2^8). */
const twice = (value: number): number => ((value << 1) ^ (value & 0x80 ? 0x11b : 0)) & 0xff;

/** The substitution box: inverses in GF(2^8), then the affine map. */
function makeBox(): Uint8Array {
  const box = new Uint8Array(256);
  const rotated = (value: number, by: number): number => ((value << by) | (value >> (8 - by))) & 0xff;
  // `power` runs through the powers of 3, `inverse` through those of its inverse.
  let power = 1;
  let inverse = 1;
  do {
    power ^= twice(power);
    inverse ^= inverse << 1;
    inverse ^= inverse << 2;
    inverse ^= inverse << 4;
    inverse &= 0xff;
    if (inverse & 0x80) inverse ^= 0x09;
    const spread =
      inverse ^ rotated(inverse, 1) ^ rotated(inverse, 2) ^ rotated(inverse, 3) ^ rotated(inverse, 4) ^ 0x63;
    box[power] = spread & 0xff;
  } while (power !== 1);
  box[0] = 0x63;
  return box;
}

const box = makeBox();
const substituted = (value: number | undefined): number => box[value ?? 0] ?? 0;
const rounds = 10;

/** Key of every round, 16 bytes each. */
function expandKey(key: Uint8Array): Uint8Array {
  const words = new Uint8Array(16 * (rounds + 1));
  words.set(key);
  let constant = 1;
  for (let at = 16; at < words.length; at += 4) {
    const last = [...words.subarray(at - 4, at)];
    const mixed = at % 16 === 0 ? [last[1], last[2], last[3], last[0]].map(substituted) : last;
    if (at % 16 === 0) {
      mixed[0] = (mixed[0] ?? 0) ^ constant;
      constant = twice(constant);
    }
    for (let byte = 0; byte < 4; byte++) words[at + byte] = (words[at - 16 + byte] ?? 0) ^ (mixed[byte] ?? 0);
  }
  return words;
}

function addKey(state: Uint8Array, keys: Uint8Array, round: number): void {
  for (let at = 0; at < 16; at++) state[at] = (state[at] ?? 0) ^ (keys[round * 16 + at] ?? 0);
}

function mixColumns(state: Uint8Array): void {
  for (let column = 0; column < 16; column += 4) {
    const [a = 0, b = 0, c = 0, d = 0] = state.subarray(column, column + 4);
    const all = a ^ b ^ c ^ d;
    state[column] = a ^ all ^ twice(a ^ b);
    state[column + 1] = b ^ all ^ twice(b ^ c);
    state[column + 2] = c ^ all ^ twice(c ^ d);
    state[column + 3] = d ^ all ^ twice(d ^ a);
  }
}

function encryptBlock(block: Uint8Array, keys: Uint8Array): Uint8Array {
  let state = Uint8Array.from(block);
  addKey(state, keys, 0);
  for (let round = 1; round <= rounds; round++) {
    // Substitution and shift of rows in one step: row r of column c comes from column c + r.
    const before = state;
    state = Uint8Array.from({ length: 16 }, (_, at) => substituted(before[(at + 4 * (at % 4)) % 16]));
    if (round < rounds) mixColumns(state);
    addKey(state, keys, round);
  }
  return state;
}

/** Base64 of the AES-128-ECB cipher of a text with PKCS#7 padding. The key is 16 characters of ASCII. */
export function encryptEcb(key: string, text: string): string {
  const keys = expandKey(new TextEncoder().encode(key).subarray(0, 16));
  const bytes = new TextEncoder().encode(text);
  const padding = 16 - (bytes.length % 16);
  const padded = new Uint8Array(bytes.length + padding).fill(padding);
  padded.set(bytes);
  const blocks: number[] = [];
  for (let at = 0; at < padded.length; at += 16) blocks.push(...encryptBlock(padded.subarray(at, at + 16), keys));
  return btoa(String.fromCharCode(...blocks));
}
