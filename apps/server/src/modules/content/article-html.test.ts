import { expect, test } from "vitest";
import { readingOf } from "./article-html.ts";

test("raised and lowered figures stay so in a page and in the words that are searched and shown without markup", () => {
  const { body, words } = readingOf("<p>10<sup>6</sup> 拷贝/mL，H<sub>2</sub>S</p>");
  expect(body).toBe("<p>10<sup>6</sup> 拷贝/mL，H<sub>2</sub>S</p>");
  expect(words).toBe("10⁶ 拷贝/mL，H₂S");
});
