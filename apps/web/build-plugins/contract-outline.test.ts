import * as contract from "@herdwise/contract";
import { expect, it } from "vitest";
import { contractOutline } from "./contract-outline.ts";

it("carries endpoints, constants and the checks that forms run, and no schema", async () => {
  const source = contractOutline();
  const outline = (await import(`data:text/javascript,${encodeURIComponent(source)}`)) as typeof contract;
  expect(outline.captchaGet).toEqual({ method: "POST", path: contract.captchaGet.path, form: "bare" });
  expect(outline.mobilePhonePattern.test("13800000000")).toBe(true);
  expect(outline.normalizeMobilePhone("+86 138-0000 0000")).toBe("13800000000");
  for (const password of ["abc", "abcdef", "abc123", "密码密码12", "a".repeat(20), `a1${"b".repeat(19)}`]) {
    expect(outline.passwordProblem(password)).toBe(contract.passwordProblem(password));
  }
  expect(outline.usernameProblem("13900000000", "13800000000")).toBe("用户名不能是他人的手机号");
  expect(source).not.toContain("~kind");
});
