import { kindsIn, type PasswordRule, passwordFault } from "@herdwise/contract";

export type Strength = "unusable" | "weak" | "fair" | "strong";

/** How well a password stands against guessing: length first, then variety; runs and repetitions count for little. */
export function strengthOf(password: string, rule: PasswordRule): Strength {
  if (passwordFault(password, rule) !== undefined) return "unusable";
  const variety = kindsIn(password);
  const distinct = new Set(password.toLowerCase()).size;
  if (password.length < 8 || distinct < 5) return "weak";
  if (password.length >= 12 && distinct >= 8 && variety >= 3) return "strong";
  return password.length >= 10 || variety >= 3 ? "fair" : "weak";
}
