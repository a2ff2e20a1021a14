import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { type LockedPackage, leastVersions, licenceLines, supplyChainFaults } from "../scripts/supply-chain.ts";

const root = join(import.meta.dirname, "..");
const { packages } = JSON.parse(readFileSync(join(root, "package-lock.json"), "utf8")) as {
  packages: Record<string, LockedPackage>;
};
const { allowScripts } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as {
  allowScripts: Record<string, boolean>;
};

describe("T46: the packages that the product is made of", () => {
  test("are pinned by checksums, run what is allowed, and are new enough", () => {
    expect(supplyChainFaults(packages, allowScripts)).toEqual([]);
  });

  test("are those that the list of least versions speaks of", () => {
    const held = new Set(Object.keys(packages).map((path) => path.split("node_modules/").at(-1)));
    expect(Object.keys(leastVersions).filter((name) => !held.has(name))).toEqual([]);
  });

  const good: LockedPackage = { version: "5.10.0", integrity: "sha512-x", license: "MIT" };
  test.each<[string, string, LockedPackage, string]>([
    ["no checksum", "node_modules/a", { version: "1.0.0", license: "MIT" }, "has no checksum"],
    ["a host", "node_modules/a", { ...good, resolved: "https://registry.example/a.tgz" }, "names a host"],
    ["a program", "node_modules/a", { ...good, hasInstallScript: true }, "runs a program"],
    [
      "a program deep inside",
      "node_modules/b/node_modules/@x/a",
      { ...good, hasInstallScript: true },
      "runs a program",
    ],
    ["no licence", "node_modules/a", { version: "1.0.0", integrity: "sha512-x" }, "no licence"],
    ["a licence that binds the product", "node_modules/a", { ...good, license: "AGPL-3.0-only" }, "AGPL-3.0-only"],
    ["one of two that binds it", "node_modules/a", { ...good, license: "MIT AND GPL-3.0-only" }, "GPL-3.0-only"],
    ["an old version", "node_modules/fastify", { ...good, version: "5.3.1" }, "at least 5.3.2"],
    ["an old version deep inside", "node_modules/b/node_modules/ws", { ...good, version: "7.5.9" }, "at least 8.17.1"],
  ])("%s is seen", (_what, path, entry, fault) => {
    expect(supplyChainFaults({ [path]: entry }, {})).toEqual([expect.stringContaining(fault)]);
  });

  test("what is as it has to be is not, and an allowance that nothing needs is told", () => {
    expect(supplyChainFaults({ "node_modules/fastify": good, "packages/contract": {} }, {})).toEqual([]);
    expect(supplyChainFaults({ "node_modules/a": good }, { a: true })).toEqual([expect.stringContaining("runs none")]);
  });

  test("a choice of licences, and what is only for development, are no faults; what is delivered is listed", () => {
    const chosen = { "node_modules/b": { ...good, license: "(GPL-3.0-only OR MIT)" } };
    const tool = { "node_modules/c": { ...good, license: "GPL-3.0-only", dev: true } };
    expect(supplyChainFaults({ ...chosen, ...tool }, {})).toEqual([]);
    expect(licenceLines({ "node_modules/x/node_modules/a": good, ...chosen, ...tool })).toEqual([
      "a 5.10.0 MIT",
      "b 5.10.0 (GPL-3.0-only OR MIT)",
    ]);
  });
});
