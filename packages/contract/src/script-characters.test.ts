import { expect, test } from "vitest";
import { scriptCharacters, scriptsAsCharacters } from "./script-characters.ts";

test("raised and lowered words become characters where each has one", () => {
  expect(scriptsAsCharacters("10<sup>6</sup> 拷贝/mL，H<sub>2</sub>S，10<sup>−3</sup>，x<sub>max</sub>")).toBe(
    "10⁶ 拷贝/mL，H₂S，10⁻³，xₘₐₓ",
  );
  expect(scriptsAsCharacters("注<sup>甲</sup>")).toBe("注<sup>甲</sup>");
});

test("each raised or lowered character is known by what it is on the line", () => {
  expect(scriptCharacters.get("⁶")).toEqual({ script: "sup", plain: "6" });
  expect(scriptCharacters.get("⁻")).toEqual({ script: "sup", plain: "-" });
  expect(scriptCharacters.get("₃")).toEqual({ script: "sub", plain: "3" });
  for (const { plain } of scriptCharacters.values()) expect([...plain]).toHaveLength(1);
});
