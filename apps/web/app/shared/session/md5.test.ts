import { createHash } from "node:crypto";
import { describe, expect, it } from "vitest";
import { md5 } from "./md5.ts";

describe("md5", () => {
  it("answers the vectors of RFC 1321", () => {
    expect(md5("")).toBe("d41d8cd98f00b204e9800998ecf8427e");
    expect(md5("abc")).toBe("900150983cd24fb0d6963f7d28e17f72");
    expect(md5("message digest")).toBe("f96b697d7cb7938d525a2f31aaf161d0");
    expect(md5("12345678901234567890123456789012345678901234567890123456789012345678901234567890")).toBe(
      "57edf4a22be3c955ac49da2e2107b67a",
    );
  });

  it("hashes Chinese as UTF-8", () => {
    expect(md5("慧牧")).toBe(createHash("md5").update("慧牧", "utf8").digest("hex"));
    expect(md5("密码🐖Abc123!")).toBe(createHash("md5").update("密码🐖Abc123!", "utf8").digest("hex"));
  });

  it("agrees with Node around the edges of blocks", () => {
    for (let length = 50; length < 140; length++) {
      const text = "猪".repeat(length % 7) + "x".repeat(length);
      expect(md5(text)).toBe(createHash("md5").update(text).digest("hex"));
    }
  });
});
