import { describe, expect, it } from "vitest";
import { isToldByCaller, refusal } from "./api-error.ts";
import { addressOf } from "./send.ts";

describe("answers", () => {
  it("takes 200 and 1 as success, of the body before the status", () => {
    expect(refusal(200, { code: 200, data: 1 })).toBeUndefined();
    expect(refusal(200, { code: 1, data: 1 })).toBeUndefined();
    expect(refusal(200, { access_token: "x" })).toBeUndefined();
    expect(refusal(200, { code: 400, msg: "no" })?.code).toBe(400);
  });
  it("takes the message of msg, error_description or message", () => {
    expect(refusal(400, { code: 400, msg: "a", message: "c" })?.message).toBe("a");
    expect(refusal(400, { error: "invalid_grant", error_description: "b" })?.message).toBe("b");
    expect(refusal(500, { message: "c" })?.message).toBe("c");
    expect(refusal(502, undefined)?.message).toBe("未知错误");
  });
  it("leaves some refusals to the caller", () => {
    const told = (status: number, body: unknown): boolean => {
      const error = refusal(status, body);
      return error !== undefined && isToldByCaller(error);
    };
    expect(told(400, { error: "multi_tenant" })).toBe(true);
    expect(told(200, { code: 412 })).toBe(true);
    expect(told(200, { code: 11_099 })).toBe(true);
    expect(told(400, { code: 400 })).toBe(false);
  });
});

describe("addresses", () => {
  it("sends only given fields", () => {
    expect(addressOf({ path: "/api/x" }, { a: 1, b: undefined, c: "", d: false })).toBe("/api/x?a=1&d=false");
    expect(addressOf({ path: "/api/x" }, {})).toBe("/api/x");
  });
});
