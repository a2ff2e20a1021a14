import { passwordProblem } from "@herdwise/contract";

export type Strength = "unusable" | "weak" | "fair" | "strong";

const kinds = [/[A-Z]/, /[a-z]/, /[0-9]/, /[^A-Za-z0-9]/];

/** How well a password stands against guessing: length first, then variety; runs and repetitions count for little. */
export function strengthOf(password: string): Strength {
  if (passwordProblem(password) !== "") return "unusable";
  const variety = kinds.filter((kind) => kind.test(password)).length;
  const distinct = new Set(password.toLowerCase()).size;
  if (password.length < 8 || distinct < 5) return "weak";
  if (password.length >= 12 && distinct >= 8 && variety >= 3) return "strong";
  return password.length >= 10 || variety >= 3 ? "fair" : "weak";
}
