/* MD5 (RFC 1321). Passwords travel as its hex digest because the API family does (product.md 5); it protects nothing by
   itself, TLS and the server's own hashing do. */

const shifts = [7, 12, 17, 22, 5, 9, 14, 20, 4, 11, 16, 23, 6, 10, 15, 21] as const;
const constants = Uint32Array.from({ length: 64 }, (_, step) => Math.floor(Math.abs(Math.sin(step + 1)) * 2 ** 32));

/** Message words with padding and length, little-endian. */
function wordsOf(bytes: Uint8Array): Uint32Array {
  const words = new Uint32Array((((bytes.length + 8) >> 6) + 1) * 16);
  bytes.forEach((byte, index) => {
    words[index >> 2] = (words[index >> 2] ?? 0) | (byte << ((index % 4) * 8));
  });
  words[bytes.length >> 2] = (words[bytes.length >> 2] ?? 0) | (0x80 << ((bytes.length % 4) * 8));
  words[words.length - 2] = bytes.length * 8;
  words[words.length - 1] = Math.floor(bytes.length / 2 ** 29);
  return words;
}

/** MD5 of a text's UTF-8 bytes, as 32 lower-case hex digits. */
export function md5(text: string): string {
  const words = wordsOf(new TextEncoder().encode(text));
  let [a0, b0, c0, d0] = [0x67452301, 0xefcdab89 | 0, 0x98badcfe | 0, 0x10325476];
  for (let block = 0; block < words.length; block += 16) {
    let [a, b, c, d] = [a0, b0, c0, d0];
    for (let step = 0; step < 64; step++) {
      const round = step >> 4;
      let mix: number;
      let index: number;
      if (round === 0) [mix, index] = [(b & c) | (~b & d), step];
      else if (round === 1) [mix, index] = [(d & b) | (~d & c), (5 * step + 1) % 16];
      else if (round === 2) [mix, index] = [b ^ c ^ d, (3 * step + 5) % 16];
      else [mix, index] = [c ^ (b | ~d), (7 * step) % 16];
      const sum = (a + mix + (constants[step] ?? 0) + (words[block + index] ?? 0)) | 0;
      const shift = shifts[round * 4 + (step % 4)] ?? 0;
      [a, d, c, b] = [d, c, b, (b + ((sum << shift) | (sum >>> (32 - shift)))) | 0];
    }
    [a0, b0, c0, d0] = [(a0 + a) | 0, (b0 + b) | 0, (c0 + c) | 0, (d0 + d) | 0];
  }
  const out = new DataView(new ArrayBuffer(16));
  [a0, b0, c0, d0].forEach((word, index) => {
    out.setInt32(index * 4, word, true);
  });
  return Array.from(new Uint8Array(out.buffer), (byte) => byte.toString(16).padStart(2, "0")).join("");
}
