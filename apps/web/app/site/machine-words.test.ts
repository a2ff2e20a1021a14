import type { PublicArticle, ShownSection } from "@herdwise/contract";
import { createElement, type ReactElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { createRoutesStub } from "react-router";
import { describe, expect, test } from "vitest";
import { PreferenceProvider } from "../shared/preferences/preferences.tsx";
import { readPreferences } from "../shared/preferences/read-preferences.ts";
import { unknownPortal } from "../shared/session/title.ts";
import { ArticlePage } from "./article-page.tsx";
import Home from "./home.route.tsx";
import { SolutionPage } from "./solution-page.tsx";

const article = (channel: "information" | "solution", unreviewed: boolean): PublicArticle => ({
  id: "7",
  channel,
  topic: "climate",
  page: channel === "solution" ? "environmentalControl" : "",
  cover: "environment",
  title: "Ventilation",
  summary: "Summary",
  author: "",
  language: "en",
  example: false,
  publishedAt: "2026-01-01 08:00:00",
  changedAt: "2026-01-01 08:00:00",
  body: "<p>Words</p>",
  contents: [],
  minutes: 1,
  languages: unreviewed ? ["zh"] : ["zh", "en"],
  ...(unreviewed && { unreviewed: true }),
  related: [],
});
const initial = {
  ...readPreferences({}),
  language: "en",
  dictionary: {},
  dictionaryPart: "whole",
  ...unknownPortal,
  nonce: undefined,
} as const;
const render = (page: ReactElement): string =>
  renderToStaticMarkup(createElement(PreferenceProvider, { initial, children: page }));

/** The home page with a section whose words of these languages nobody has read. */
function home(unreviewed: ("zh" | "en")[]): ReactElement {
  const section: ShownSection = {
    id: "feature1",
    link: "",
    cover: "",
    words: [{ name: "title", text: "A case" }],
    ...(unreviewed.length > 0 && { unreviewed }),
  };
  const Page = createRoutesStub([{ id: "home", path: "/", Component: Home }]);
  return createElement(Page, {
    hydrationData: { loaderData: { home: { sections: [section], origin: "", isPreview: false } } },
  });
}

describe.each([
  ["the home page", (unreviewed: boolean) => home(unreviewed ? ["en"] : [])],
  [
    "the page of an article",
    (unreviewed: boolean) =>
      createElement(ArticlePage, { origin: "", kind: "article", article: article("information", unreviewed) }),
  ],
  [
    "the page of a solution",
    (unreviewed: boolean) =>
      createElement(SolutionPage, {
        origin: "",
        article: article("solution", unreviewed),
        others: [],
        articles: [],
        documents: [],
        videos: [],
        figures: undefined,
        answer: undefined,
        sent: undefined,
      }),
  ],
])("%s", (_, pageOf) => {
  test("that a machine translated says so and is kept out of search engines", () => {
    const html = render(pageOf(true));
    expect(html).toContain('<meta name="robots" content="noindex"/>');
    expect(html).toContain("data-machine");
    expect(html).not.toContain('rel="canonical"');
    expect(html).not.toContain('hrefLang="en"');
  });

  test("that a person wrote or read is one like others", () => {
    const html = render(pageOf(false));
    expect(html).not.toContain("noindex");
    expect(html).not.toContain("data-machine");
    expect(html).toContain('rel="canonical"');
    expect(html).toContain('hrefLang="en"');
  });
});

test("a home page whose other language nobody has read is shown as it is, and names no other language", () => {
  const html = render(home(["zh"]));
  expect(html).not.toContain("noindex");
  expect(html).not.toContain("data-machine");
  expect(html).toContain('rel="canonical"');
  expect(html).not.toContain("hrefLang");
});
