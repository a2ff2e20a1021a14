import { expect, test } from "vitest";
import { createTokenHash, isTokenText, lookupIn, newTokenText } from "./token-text.ts";

test("a token has the form that scanners know, and another letter anywhere makes it none", () => {
  const { token, lookup } = newTokenText();
  expect(token).toMatch(/^hwp_[0-9A-Za-z]{58}$/);
  expect(isTokenText(token)).toBe(true);
  for (let at = 0; at < token.length; at += 1) {
    const changed = token.slice(0, at) + (token[at] === "x" ? "y" : "x") + token.slice(at + 1);
    expect(isTokenText(changed), changed).toBe(false);
  }
  expect(token.slice(4, 16)).toBe(lookup);
  expect(newTokenText().token).not.toBe(token);
});

test("a token is found in what somebody pastes: its line of a file, a URL, or its beginning alone", () => {
  const { token, lookup } = newTokenText();
  for (const text of [token, token.slice(0, 16), `HERDWISE_TOKEN="${token}"`, `https://x.example/?t=${token}&a=1`])
    expect(lookupIn(text)).toBe(lookup);
  for (const text of ["", "hwp_", "hwp_short", "ghp_0123456789abcdef", token.slice(4)])
    expect(lookupIn(text), text).toBeUndefined();
});

test("the stored hash needs the key", () => {
  const { token } = newTokenText();
  expect(createTokenHash("a".repeat(32))(token).equals(createTokenHash("b".repeat(32))(token))).toBe(false);
});
