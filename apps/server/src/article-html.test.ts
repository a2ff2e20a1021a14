import { describe, expect, test } from "vitest";
import { cleanBody, readingOf } from "./article-html.ts";

test("raised and lowered figures stay so in a page and in the words that are searched and shown without markup", () => {
  const { body, words } = readingOf("<p>10<sup>6</sup> 拷贝/mL，H<sub>2</sub>S</p>");
  expect(body).toBe("<p>10<sup>6</sup> 拷贝/mL，H<sub>2</sub>S</p>");
  expect(words).toBe("10⁶ 拷贝/mL，H₂S");
});

describe("content blocks", () => {
  const cleaned = (html: string) => cleanBody(html, new Map());

  test("are kept with their caption and table, without attributes of others", () => {
    const body =
      '<figure data-block="scene" data-scene="environment"><figcaption>通风</figcaption></figure>' +
      '<figure data-block="curve"><figcaption>来源</figcaption><table><tbody><tr><td><p>1</p></td></tr></tbody></table></figure>';
    expect(cleaned(body.replace("<figure ", '<figure class="x" onclick="y()" ')).html).toBe(body);
  });

  test("a figure that is none loses its element and keeps its words, and a block holds no other", () => {
    expect(cleaned('<figure data-block="script"><figcaption>名</figcaption><p>词</p></figure>').html).toBe(
      "<p>名</p><p>词</p>",
    );
    expect(
      cleaned(
        '<figure data-block="case"><figcaption>甲</figcaption><figure data-block="case"><figcaption>乙</figcaption></figure><p>丙</p></figure>',
      ).html.match(/<figure/g),
    ).toHaveLength(1);
    expect(
      cleaned('<figure data-block="scene" data-scene="&quot;&gt;&lt;script&gt;"><figcaption>甲</figcaption></figure>')
        .html,
    ).toBe('<figure data-block="scene"><figcaption>甲</figcaption></figure>');
  });

  test("have their words among those that are searched", () => {
    expect(readingOf('<figure data-block="case"><figcaption>青山场</figcaption><p>少用电</p></figure>').words).toBe(
      "青山场 少用电",
    );
  });
});
