import { expect, test } from "vitest";
import { questionsOf } from "./questions.ts";

test("a section of questions is told to search engines as text", () => {
  const body =
    "<p>x</p><h2>How</h2><h3>One</h3><p>alone</p><h2>Asked</h2><h3>Is it &lt; 5 ppm?</h3><p>Yes, <b>mostly</b>.</p><h3>And at night?</h3>\n<p>Too.</p>";
  expect(questionsOf(body)).toEqual({
    "@type": "FAQPage",
    mainEntity: [
      { "@type": "Question", name: "Is it < 5 ppm?", acceptedAnswer: { "@type": "Answer", text: "Yes, mostly." } },
      { "@type": "Question", name: "And at night?", acceptedAnswer: { "@type": "Answer", text: "Too." } },
    ],
  });
});

test("headings without an answer of their own are no questions", () => {
  expect(questionsOf("<h2>Parts</h2><h3>Fan</h3><ul><li>x</li></ul><h3>Pump</h3><p>y</p>")).toBeUndefined();
  expect(questionsOf("<p>nothing</p>")).toBeUndefined();
});
