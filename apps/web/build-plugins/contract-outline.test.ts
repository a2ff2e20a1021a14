import * as contract from "@herdwise/contract";
import { expect, it } from "vitest";
import { contractModules } from "./contract-outline.ts";

it("carries endpoints and constants, and no schema, each in the module of its file", async () => {
  const modules = await contractModules();
  const source = [...modules.values()].map((held) => held.source).join("\n");
  const outline = (await import(`data:text/javascript,${encodeURIComponent(source)}`)) as typeof contract;
  expect(outline.captchaGet).toEqual({ method: "POST", path: contract.captchaGet.path, form: "bare" });
  expect(source).not.toContain("~kind");
  // A page that logs in loads the modules of these files, and nothing of the devices.
  expect(modules.get("./captchas.ts")?.names).toContain("captchaGet");
  expect(modules.get("./captchas.ts")?.source).not.toContain("muyuan-iot");
});

it("runs each file by itself", async () => {
  for (const { source, names } of (await contractModules()).values()) {
    const held = (await import(`data:text/javascript,${encodeURIComponent(source)}`)) as object;
    expect(Object.keys(held).toSorted()).toEqual(names.toSorted());
  }
});

it("knows the declaration of every resource by its name, and none reaches a screen that does not ask for it", async () => {
  const modules = await contractModules();
  const named = [...modules.values()].flatMap(({ declarations }) => [...declarations.keys()]);
  expect(named.toSorted()).toEqual([...contract.resources, contract.userSheet].map(({ name }) => name).toSorted());
  expect(modules.get("./resource-screens.ts")?.source).not.toContain("fields");
  expect(modules.get("./resources.ts")?.names).toEqual([]);
});
