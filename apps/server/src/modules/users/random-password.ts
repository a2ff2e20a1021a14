import { createHash, randomInt } from "node:crypto";
import type { PasswordRule } from "@herdwise/contract";

export const md5 = (text: string): string => createHash("md5").update(text).digest("hex");

// Without what is mistaken for another when it is read out.
const alphabets = ["ABCDEFGHJKMNPQRSTUVWXYZ", "abcdefghjkmnpqrstuvwxyz", "23456789"] as const;

/** Added where the rule asks for every kind. */
const punctuation = "-+=%";

/**
 * A password to be told once and changed at the first log-in: at least 12 characters, about 68 bits, of three kinds.
 * @param rule longer and of four kinds where it asks for that
 */
export function randomPassword({ least, kinds }: PasswordRule): string {
  const draw = (letters: string) => letters[randomInt(letters.length)] ?? "";
  const wanted = kinds > alphabets.length ? [...alphabets, punctuation] : alphabets;
  for (;;) {
    const drawn = Array.from({ length: Math.max(12, least) }, () => draw(wanted.join(""))).join("");
    if (wanted.every((letters) => [...letters].some((letter) => drawn.includes(letter)))) return drawn;
  }
}
