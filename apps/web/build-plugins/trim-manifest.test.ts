import { runInNewContext } from "node:vm";
import { expect, test } from "vitest";
import { compactManifest } from "./trim-manifest.ts";

const shared = "/assets/shared.css#";
const manifest = {
  entry: { module: "/assets/entry.js", imports: ["/assets/framework.js"], css: [] },
  routes: {
    root: { id: "root", path: "", hasDefaultExport: true, module: "/assets/a.js", imports: ["/assets/b.js"], css: [] },
    layoutNew: { id: "layoutNew", parentId: "root", hasDefaultExport: true, module: "/assets/c.js", css: [shared] },
    farm: {
      id: "farm",
      parentId: "layoutNew",
      path: "/farm",
      hasClientLoader: true,
      hasDefaultExport: true,
      module: "/assets/d.js",
      css: ["/assets/own.css", shared],
    },
    file: { id: "file", parentId: "root", path: "file", hasLoader: true, module: "/assets/e.js", css: [] },
  },
  version: "1",
};

test("a list of routes that is written shortly says the same", () => {
  const source = compactManifest(manifest);
  const made = JSON.parse(JSON.stringify(runInNewContext(source))) as typeof manifest;
  const { root, file, ...rest } = manifest.routes;
  expect(made).toEqual({
    ...manifest,
    routes: { ...rest, root: { ...root, parentId: null }, file: { ...file, hasDefaultExport: false } },
  });
  expect(source.split("shared.css").length).toBe(2);
});
