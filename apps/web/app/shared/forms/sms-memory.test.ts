import { describe, expect, it } from "vitest";
import { forgetSentCode, readSentCode, rememberSentCode, secondsUntilResend } from "./sms-memory.ts";

const memory = () => {
  const held = new Map<string, string>();
  return {
    getItem: (key: string) => held.get(key) ?? null,
    setItem: (key: string, value: string) => void held.set(key, value),
    removeItem: (key: string) => void held.delete(key),
  };
};

describe("countdown", () => {
  it("runs from 60 to 0 and never outside", () => {
    expect(secondsUntilResend(undefined, 0)).toBe(0);
    expect([0, 1, 999, 1000, 59_001, 60_000, 90_000].map((now) => secondsUntilResend(0, now))).toEqual([
      60, 60, 60, 59, 1, 0, 0,
    ]);
    expect(secondsUntilResend(1_000_000, 0)).toBe(60);
  });

  it("survives a reload by what the tab remembers, apart for every purpose, until the code is over", () => {
    const kept = memory();
    rememberSentCode("register", { phone: "13800000000", id: "7d0c", sentAtMs: 1000 }, kept);
    expect(readSentCode("register", 41_000, kept)?.id).toBe("7d0c");
    expect(secondsUntilResend(readSentCode("register", 41_000, kept)?.sentAtMs, 41_000)).toBe(20);
    expect(readSentCode("login", 41_000, kept)).toBeUndefined();
    expect(readSentCode("register", 301_000, kept)).toBeUndefined();
    forgetSentCode("register", kept);
    expect(readSentCode("register", 41_000, kept)).toBeUndefined();
  });

  it("takes what it can't read as nothing", () => {
    const kept = memory();
    kept.setItem("sms_login", "{broken");
    expect(readSentCode("login", 0, kept)).toBeUndefined();
  });
});
