import { expect, test } from "vitest";
import { readRegions } from "../../regions.ts";
import { placeNames } from "./places.ts";

test("divisions and chains of them have English names, with and without blanks, and sentences have none", () => {
  const nameOf = placeNames(readRegions());
  expect(nameOf("南阳市")).toBe("Nanyang");
  expect(nameOf("河南省 南阳市")).toBe("Nanyang, Henan");
  expect(nameOf("河南省南阳市内乡县")).toBe("Neixiang County, Nanyang, Henan");
  expect(nameOf("河南省南阳市的猪")).toBeUndefined();
  expect(nameOf("")).toBeUndefined();
});
