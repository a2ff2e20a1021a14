import { environment } from "@herdwise/device-kinds";
import { kindList } from "@herdwise/device-kinds/kind-list";
import { pageAddress } from "@herdwise/device-kinds/kind-pages";
import { expect, test } from "vitest";
import { askAheadScript } from "../../shared/session/ask-ahead-script.ts";
import { firstFiguresScript } from "./first-figures-script.ts";
import { firstValuesScript, freshForMs } from "./first-values-script.ts";

test("values count as long as the declaration of environment control says", () => {
  expect(freshForMs).toBe(environment.offlineAfterS * 1000);
});

test("only screens that ask for the climate of all houses draw it ahead", () => {
  const [climate] = kindList.filter(({ kind }) => kind === "environment");
  const overview = climate?.pages ? (pageAddress(climate.pages, "overview") ?? "") : "";
  const paths = ["/selfCenter/home", overview, "/selfCenter/vet/cough/overview", "/login"];
  expect(paths.map((path) => firstValuesScript(path) !== "")).toEqual([true, true, false, false]);
});

test("pages of units and devices ask for their figures by the id in the address, and draw them ahead", () => {
  const at = (page: string) => `/selfCenter/vet/environment/${page}`;
  expect(["unit", "device", "overview", "parameters"].map((page) => firstFiguresScript(at(page)) !== "")).toEqual([
    true,
    true,
    false,
    false,
  ]);
  expect(askAheadScript(at("unit"))).toContain("/device/glance?kind=environment&unitId=");
  expect(askAheadScript(at("device"))).toContain("/device/glance?kind=environment&id=");
  expect(askAheadScript(at("overview"))).not.toContain("glance");
});
