import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";
import { PreferenceProvider } from "../shared/preferences/preferences.tsx";
import { readPreferences } from "../shared/preferences/read-preferences.ts";
import { unknownPortal } from "../shared/session/title.ts";
import { HowItWorks } from "./solution-page.tsx";
import { solutionsByPage } from "./solution-parts.ts";

const initial = {
  ...readPreferences({}),
  dictionary: {},
  dictionaryPart: "whole",
  ...unknownPortal,
  nonce: undefined,
} as const;

test("a station tells the figures that are measured there, where they are known", () => {
  const stations = solutionsByPage.ammoniaDeodorization?.stations ?? [];
  const figure = (key: string, value: number) => ({
    key,
    name: { zh: key, en: key },
    unit: { zh: "ppm", en: "ppm" },
    decimals: 1,
    value,
  });
  const steps = (figures: Parameters<typeof HowItWorks>[0]["figures"]) =>
    renderToStaticMarkup(
      createElement(PreferenceProvider, { initial, children: createElement(HowItWorks, { stations, figures }) }),
    )
      .split("<li>")
      .slice(1)
      .map((step) =>
        [...step.matchAll(/data-live="(\w+)" data-decimals="1">([^<]*)</g)].map(([, key, text]) => [key, text]),
      );
  expect(steps({ figures: [figure("nh3_in", 12.34), figure("nh3_out", -0.5)], measuredAtMs: 0 })).toEqual([
    [["nh3_in", "12.3"]],
    [["nh3_out", "−0.5"]],
    [],
    [],
    [],
  ]);
  expect(steps(undefined).flat()).toEqual([]);
});
