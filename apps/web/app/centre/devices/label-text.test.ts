import { expect, test } from "vitest";
import { readLabel } from "./label-text.ts";

test("a label's address gives serial number and code, whatever host it names; other codes give nothing", () => {
  const address = "https://old.example/selfCenter/equipmentManage/bindDevice#sn=HW26%2FF42+1&code=048213";
  expect(readLabel(address)).toEqual({ serialNumber: "HW26/F42 1", code: "048213" });
  expect(readLabel("#sn=A")).toEqual({ serialNumber: "A", code: "" });
  for (const other of ["", "https://old.example/", "#code=123456", "WIFI:S:x;;"])
    expect(readLabel(other)).toBeUndefined();
});
