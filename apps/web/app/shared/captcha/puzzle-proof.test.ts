import { createCipheriv, randomBytes } from "node:crypto";
import { describe, expect, it } from "vitest";
import { encryptEcb } from "./aes.ts";
import { pictureX, solve } from "./puzzle-proof.ts";

describe("answer to a puzzle", () => {
  it("is the vector of wire.md 4.2", () => {
    const { pointJson, proof } = solve("Kh3sP0wq7ZtYb1Xe", "4f1c2a9e7b3d4c5f8a6b0c1d2e3f4a5b", 173.5);
    expect(pointJson).toBe("PmazO2F+U7XAolNLcV/pe5IJnNYUCbrqjYFpyhsvLNE=");
    expect(proof).toEqual({
      key: "4f1c2a9e7b3d4c5f8a6b0c1d2e3f4a5b",
      code: "b3H0UTUnnBXZhj7EcKWX8SSUvXrpG2Jhoxal3J+05xsHFQ5mNJMqTmKGWcCO+rsoHtAfbHOfRmI9tmdETiO+kA==",
    });
  });

  it("counts in pixels of the picture, however large it is shown", () => {
    expect(pictureX(200, 400)).toBe(155);
    expect(pictureX(155, 310)).toBe(155);
  });
});

it("AES agrees with the platform's for every length of text", () => {
  for (let length = 0; length < 70; length++) {
    const key = randomBytes(8).toString("hex");
    const text = randomBytes(length)
      .toString("latin1")
      .replace(/[^\x20-\x7e]/g, "z");
    const cipher = createCipheriv("aes-128-ecb", key, null);
    expect(encryptEcb(key, text)).toBe(Buffer.concat([cipher.update(text), cipher.final()]).toString("base64"));
  }
});
