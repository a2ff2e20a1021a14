import { spawnSync } from "node:child_process";
import { cpSync, globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { scopeReport } from "../scripts/repository-scopes.ts";

const root = fileURLToPath(new URL("..", import.meta.url));
const cruise = join(root, "node_modules", "dependency-cruiser", "bin", "dependency-cruiser.mjs");
const biome = join(root, "node_modules", "@biomejs", "biome", "bin", "biome");

/** One planted file per rule: where it stands, what it says, and the rule that must see it. */
const planted: { rule: string; path: string; text: string }[] = [
  { rule: "packages-import-typebox-only", path: "packages/contract/src/planted.ts", text: 'import "fastify";' },
  { rule: "packages-import-typebox-only", path: "packages/device-kinds/src/planted.ts", text: 'import "node:fs";' },
  {
    rule: "client-stands-alone",
    path: "packages/client/src/planted.ts",
    text: 'import "../../contract/src/index.ts";',
  },
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
    text: 'import "mqtt-packet";',
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
  { rule: "site-is-light", path: "apps/web/app/site/planted.ts", text: 'import "echarts/core";' },
];

let copy: string;
beforeAll(() => {
  copy = mkdtempSync(join(tmpdir(), "herdwise-rules-"));
  for (const path of [
    "apps/server/src",
    "apps/simulator/src",
    "apps/web/app",
    "apps/web/public",
    "apps/web/build-plugins",
    "packages",
    ".dependency-cruiser.cjs",
    "tsconfig.json",
    "tsconfig.base.json",
    "biome.json",
    "package.json",
    "scripts",
    "docs",
    "tests/wire/calls.ts",
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

  describe("are seen where they are broken", () => {
    /** Each under a name of its own, so that one run of the tool sees them all. */
    const files = planted.map((plant, at) => ({ ...plant, path: plant.path.replace("planted", `planted-${at}`) }));
    let violations: ReturnType<typeof cruiseOf>["violations"];
    beforeAll(() => {
      // What a planted file of another area imports.
      const target = join(copy, "apps/web/app/account/planted.ts");
      for (const { path, text } of files) {
        mkdirSync(dirname(join(copy, path)), { recursive: true });
        writeFileSync(join(copy, path), `${text}\nexport const planted = 1;\n`);
      }
      writeFileSync(target, "export const planted = 1;\n");
      ({ violations } = cruiseOf(files.map(({ path }) => path)));
      for (const path of [...files.map((file) => join(copy, file.path)), target]) rmSync(path);
    });

    test.each(files)("$rule in $path", ({ rule, path }) => {
      expect(violations).toContainEqual(
        expect.objectContaining({ rule: expect.objectContaining({ name: rule }), from: path }),
      );
    });
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
  const planted = [
    { rule: "noProcessEnv", text: "export const port = process.env.PORT;\n" },
    { rule: "noDefaultExport", text: "export default 1;\n" },
    { rule: "noExplicitAny", text: "export const planted = (value: any) => value;\n" },
    { rule: "noConsole", text: 'console.log("planted");\n' },
  ].map((plant) => ({ ...plant, path: `apps/server/src/planted-${plant.rule}.ts` }));
  let status: number | null;
  let said: string[];
  beforeAll(() => {
    for (const { path, text } of planted) writeFileSync(join(copy, path), text);
    const paths = planted.map(({ path }) => path);
    const result = spawnSync(process.execPath, [biome, "ci", "--reporter=github", ...paths], {
      cwd: copy,
      encoding: "utf8",
    });
    for (const path of paths) rmSync(join(copy, path));
    ({ status } = result);
    said = `${result.stdout}${result.stderr}`.split("\n");
  });

  test.each(planted)("$rule is seen", ({ rule, path }) => {
    expect(status).not.toBe(0);
    expect(said.some((line) => line.includes(`/${rule}`) && line.includes(path))).toBe(true);
  });
});

describe("what roles grant is read with the packages of tenants", () => {
  /** What roles store, without the package of their tenant. */
  const stored = /\brole_menus\b|\broleMenus\b/;
  /** Who writes grants, names the roles behind an answer, or counts what a package would change. */
  const allowed = [
    "apps/server/src/database/seeds/foundation.ts",
    "apps/server/src/modules/access/access.repository.ts",
    "apps/server/src/modules/organization/role-grant.repository.ts",
    "apps/server/src/modules/tenants/menu-effect.repository.ts",
  ];

  test("and so from granted_menus, but for those who need what is stored", () => {
    const files = globSync("apps/server/src/**/*.ts", { cwd: root }).filter(
      (path) => !path.endsWith(".test.ts") && !path.includes("/generated/"),
    );
    expect(files.length).toBeGreaterThan(300);
    expect(files.filter((path) => stored.test(readFileSync(join(root, path), "utf8"))).toSorted()).toEqual(allowed);
  });
});

describe("the address has one setter", () => {
  /** React Router's own begins with what is drawn: of two quick changes it would lose the first. */
  const setter = /\[\s*\w*\s*,\s*\w+\s*\]\s*=\s*useSearchParams\(/;

  test("useAddress and what is made of it", () => {
    const files = globSync("apps/web/app/**/*.{ts,tsx}", { cwd: root });
    expect(files.length).toBeGreaterThan(300);
    expect(files.filter((path) => setter.test(readFileSync(join(root, path), "utf8")))).toEqual([]);
  });

  test("another one is seen", () => {
    expect(setter.test("const [search, setSearch] = useSearchParams();")).toBe(true);
    expect(setter.test("const [, set] = useSearchParams();")).toBe(true);
    expect(setter.test("const [search] = useSearchParams();")).toBe(false);
  });
});

describe("repositories are told whose rows", () => {
  const repository = (body: string) =>
    `import { type Kysely, sql } from "kysely";
import type { DB } from "../../database/generated/database.ts";
import type { SystemScope, TenantScope } from "../../tenant-scope.ts";
export function plantedRepository(db: Kysely<DB>) {
${body}
}
`;
  const planted: { what: string; path?: string; text: string; fault: string }[] = [
    {
      what: "a tenant as plain text",
      text: repository(`return {
        planted: (tenantId: string) => db.selectFrom("farms as f").selectAll().where("f.tenantId", "=", tenantId).execute(),
      };`),
      fault: "planted reaches farms and takes no scope",
    },
    {
      what: "raw SQL on rows below a tenant's",
      text: repository(`return {
        async planted(id: string) {
          return sql\`select readings from telemetry where device_id = \${id}\`.execute(db);
        },
      };`),
      fault: "planted reaches telemetry and takes no scope",
    },
    {
      what: "a table that only a helper names",
      text: repository(`const held = () => db.updateTable("roleMenus");
      const two = () => held();
      return { planted: (id: string) => two().set({ menuId: id }).execute() };`),
      fault: "planted reaches roleMenus and takes no scope",
    },
    {
      what: "what belongs to an account, by the account's id",
      text: repository(
        'return { planted: (id: string) => db.deleteFrom("messages").where("accountId", "=", id).execute() };',
      ),
      fault: "planted reaches messages and takes no scope",
    },
    {
      what: "a table that is known only when it runs",
      text: repository(`return { planted: (name: string) => sql\`select * from \${sql.table(name)}\`.execute(db) };`),
      fault: "planted reaches (any) and takes no scope",
    },
    {
      what: "a scope that may be left out",
      text: repository(`return {
        planted: (scope?: TenantScope) => db.selectFrom("units").selectAll().where("tenantId", "=", scope?.tenantId ?? "").execute(),
      };`),
      fault: "planted reaches units and takes no scope",
    },
    {
      what: "a scope that may be text",
      text: repository(`return {
        planted: (scope: TenantScope | string) => db.selectFrom("units").selectAll().where("tenantId", "=", String(scope)).execute(),
      };`),
      fault: "planted reaches units and takes no scope",
    },
    {
      what: "a scope that is not looked at",
      text: repository('return { planted: (scope: SystemScope) => db.selectFrom("devices").selectAll().execute() };'),
      fault: "planted reaches devices and takes no scope",
    },
    {
      what: "a repository that is no list of functions",
      text: repository('return Object.freeze({ planted: () => db.selectFrom("devices").selectAll().execute() });'),
      fault: "(all) reaches devices and takes no scope",
    },
    {
      what: "a repository that makes its own scope",
      text: repository('const scope = systemScope("planted"); return { planted: () => scope };'),
      fault: "makes a scope of its own instead of taking one",
    },
    {
      what: "a service that makes a session's scope",
      path: "apps/server/src/modules/farms/planted.service.ts",
      text: "export const planted = tenantScopeOf(reach);\n",
      fault: "makes the scope of a session",
    },
    {
      what: "a service that takes something for a scope",
      path: "apps/server/src/modules/farms/planted.service.ts",
      text: "export const planted = { tenantId: asked } as TenantScope;\n",
      fault: "takes something for a TenantScope",
    },
  ];

  test("in the code as it is, and the check really read it", () => {
    const { functions, faults } = scopeReport(root);
    expect(faults).toEqual([]);
    expect(functions).toBeGreaterThan(150);
  });

  describe("are seen where they are not", () => {
    /** Each under a name of its own, so that one run of the check sees them all. */
    const files = planted.map(
      ({ path = "apps/server/src/modules/farms/planted.repository.ts", what, text, fault }, at) => ({
        path: path.replace("planted", `planted-${at}`),
        what,
        text,
        fault,
      }),
    );
    let faults: readonly string[];
    beforeAll(() => {
      for (const { path, text } of files) writeFileSync(join(copy, path), text);
      ({ faults } = scopeReport(copy));
      for (const { path } of files) rmSync(join(copy, path));
    });

    test.each(files)("$what is seen", ({ path, fault }) => {
      expect(faults.filter((text) => text.includes(basename(path)))).toEqual([expect.stringContaining(fault)]);
    });
    test("and nothing else", () => expect(faults).toHaveLength(files.length));
  });
});

test("a generated file that was edited is seen", () => {
  writeFileSync(join(copy, "docs/operations.md"), "edited by hand\n");
  const result = spawnSync(process.execPath, ["scripts/generate.ts", "--check"], { cwd: copy, encoding: "utf8" });
  expect(result.status).toBe(1);
  expect(result.stderr).toContain("docs/operations.md");
  expect(result.stderr).not.toContain("openapi.json");
});
