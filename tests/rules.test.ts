import { spawnSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, test } from "vitest";

const root = fileURLToPath(new URL("..", import.meta.url));
const cruise = join(root, "node_modules", "dependency-cruiser", "bin", "dependency-cruiser.mjs");
const biome = join(root, "node_modules", "@biomejs", "biome", "bin", "biome");

/** One planted file per rule: where it stands, what it says, and the rule that must see it. */
const planted: { rule: string; path: string; text: string }[] = [
  { rule: "packages-import-typebox-only", path: "packages/contract/src/planted.ts", text: 'import "fastify";' },
  { rule: "packages-import-typebox-only", path: "packages/device-kinds/src/planted.ts", text: 'import "node:fs";' },
  { rule: "server-and-web-are-apart", path: "apps/server/src/planted.ts", text: 'import "../../web/app/screens.ts";' },
  {
    rule: "web-knows-no-server",
    path: "apps/web/app/shared/planted.ts",
    text: 'import "../../../server/src/snowflake.ts";',
  },
  {
    rule: "only-repositories-know-kysely",
    path: "apps/server/src/modules/farms/planted.service.ts",
    text: 'import "kysely";',
  },
  {
    rule: "only-repositories-know-kysely",
    path: "apps/server/src/http/planted.ts",
    text: 'import "../database/connection.ts";',
  },
  {
    rule: "routes-call-services",
    path: "apps/server/src/modules/farms/planted.routes.ts",
    text: 'import "./farm.repository.ts";',
  },
  {
    rule: "services-know-neither-fastify-nor-mqtt",
    path: "apps/server/src/modules/farms/planted.service.ts",
    text: 'import "fastify";',
  },
  {
    rule: "services-know-neither-fastify-nor-mqtt",
    path: "apps/server/src/modules/farms/planted.service.ts",
    text: 'import "aedes";',
  },
  {
    rule: "repositories-wait-for-the-database-only",
    path: "apps/server/src/modules/farms/planted.repository.ts",
    text: 'import "../../providers/bus.ts";',
  },
  {
    rule: "modules-meet-at-their-index",
    path: "apps/server/src/modules/farms/planted.ts",
    text: 'import "../devices/device.service.ts";',
  },
  {
    rule: "outside-reaches-modules-by-their-index",
    path: "apps/server/src/http/planted.ts",
    text: 'import "../modules/devices/device.service.ts";',
  },
  { rule: "area-site-is-alone", path: "apps/web/app/site/planted.ts", text: 'import "../account/planted.ts";' },
  { rule: "area-account-is-alone", path: "apps/web/app/account/planted.ts", text: 'import "../site/solutions.ts";' },
  { rule: "area-centre-is-alone", path: "apps/web/app/centre/planted.ts", text: 'import "../site/solutions.ts";' },
  { rule: "area-admin-is-alone", path: "apps/web/app/admin/planted.ts", text: 'import "../site/solutions.ts";' },
  { rule: "shared-imports-no-area", path: "apps/web/app/shared/planted.ts", text: 'import "../site/solutions.ts";' },
  { rule: "site-is-light", path: "apps/web/app/site/planted.ts", text: 'import "antd";' },
  { rule: "site-is-light", path: "apps/web/app/site/planted.ts", text: 'import "echarts/core";' },
];

let copy: string;
beforeAll(() => {
  copy = mkdtempSync(join(tmpdir(), "herdwise-rules-"));
  for (const path of [
    "apps/server/src",
    "apps/simulator/src",
    "apps/web/app",
    "packages",
    ".dependency-cruiser.cjs",
    "tsconfig.json",
    "tsconfig.base.json",
    "biome.json",
    "package.json",
    "scripts",
    "docs",
  ]) {
    cpSync(join(root, path), join(copy, path), { recursive: true });
  }
  symlinkSync(join(root, "node_modules"), join(copy, "node_modules"));
  // Biome reads which files to leave out from git.
  spawnSync("git", ["init", "-q"], { cwd: copy });
  writeFileSync(join(copy, ".gitignore"), "node_modules\n");
});
afterAll(() => rmSync(copy, { recursive: true, force: true }));

function cruiseOf(folders: string[]) {
  const result = spawnSync(
    process.execPath,
    [cruise, "--config", ".dependency-cruiser.cjs", "--output-type", "json", ...folders],
    {
      cwd: copy,
      encoding: "utf8",
      maxBuffer: 256 * 1024 * 1024,
    },
  );
  const { summary } = JSON.parse(result.stdout) as {
    summary: { totalCruised: number; violations: { rule: { name: string }; from: string }[] };
  };
  return summary;
}

describe("import rules", () => {
  test("hold in the code as it is, and the tool really read it", () => {
    const summary = cruiseOf(["apps/server/src", "apps/simulator/src", "apps/web/app", "packages"]);
    expect(summary.totalCruised).toBeGreaterThan(150);
    expect(summary.violations.map(({ rule, from }) => `${rule.name}: ${from}`)).toEqual([]);
  });

  test.each(planted)("$rule is seen in $path", ({ rule, path, text }) => {
    const file = join(copy, path);
    const target = join(copy, "apps/web/app/account/planted.ts");
    for (const each of [file, target]) {
      if (!existsSync(each)) {
        mkdirSync(dirname(each), { recursive: true });
        writeFileSync(each, "export const planted = 1;\n");
      }
    }
    writeFileSync(file, `${text}\nexport const planted = 1;\n`);
    try {
      const { violations } = cruiseOf([path]);
      expect(violations).toContainEqual(
        expect.objectContaining({ rule: expect.objectContaining({ name: rule }), from: path }),
      );
    } finally {
      rmSync(file, { force: true });
      rmSync(target, { force: true });
    }
  });

  test("no-cycles is seen", () => {
    const [a, b] = ["apps/server/src/planted-a.ts", "apps/server/src/planted-b.ts"];
    writeFileSync(join(copy, a), 'export { b } from "./planted-b.ts";\nexport const a = 1;\n');
    writeFileSync(join(copy, b), 'export { a } from "./planted-a.ts";\nexport const b = 1;\n');
    const { violations } = cruiseOf([a]);
    for (const path of [a, b]) rmSync(join(copy, path));
    expect(violations).toContainEqual(
      expect.objectContaining({ rule: expect.objectContaining({ name: "no-cycles" }) }),
    );
  });
});

describe("lint rules", () => {
  test.each([
    { rule: "noProcessEnv", path: "apps/server/src/planted.ts", text: "export const port = process.env.PORT;\n" },
    { rule: "noDefaultExport", path: "apps/server/src/planted.ts", text: "export default 1;\n" },
    {
      rule: "noExplicitAny",
      path: "apps/server/src/planted.ts",
      text: "export const planted = (value: any) => value;\n",
    },
    { rule: "noConsole", path: "apps/server/src/planted.ts", text: 'console.log("planted");\n' },
  ])("$rule is seen", ({ rule, path, text }) => {
    writeFileSync(join(copy, path), text);
    const result = spawnSync(process.execPath, [biome, "ci", path], { cwd: copy, encoding: "utf8" });
    rmSync(join(copy, path));
    expect(result.status).not.toBe(0);
    expect(result.stdout + result.stderr).toContain(rule);
  });
});

test("a generated file that was edited is seen", () => {
  writeFileSync(join(copy, "docs/operations.md"), "edited by hand\n");
  const result = spawnSync(process.execPath, ["scripts/generate.ts", "--check"], { cwd: copy, encoding: "utf8" });
  expect(result.status).toBe(1);
  expect(result.stderr).toContain("docs/operations.md");
  expect(result.stderr).not.toContain("openapi.json");
});
